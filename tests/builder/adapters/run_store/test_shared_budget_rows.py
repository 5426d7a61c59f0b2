"""Budgets of workspaces and graphs on real databases: the rows hold after every commit."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from builder.adapters.run_store.apart.worker_store import WorkerStore
from engine.local import Local
from engine.runtime.execution import waits
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.statements import Once, Shared, Statement
from engine.runtime.stores.sql.writer import Job, SqlWriter
from engine.scripted.script import Script
from tests.builder.databases import (
    AWAY,
    HOME,
    Database,
)
from tests.builder.store_world import Installation, installation, request, spec, start, store_of

__all__ = ["installation"]

LIMIT = 700
USED = 35
CALLS = 5
NODES: list[dict[str, Any]] = [
    {
        "id": f"n{n}",
        "type": "agent",
        "budget": {"on_breach": "fail"},
        "config": {"agent_id": "writer", "prompt": f"Say {n}.", "frame": "bare"},
    }
    for n in range(CALLS)
]
GRAPH = spec(NODES, [("__start__", node["id"]) for node in NODES])
SCRIPT = Script.model_validate(
    {
        "default": [
            {"text": "a", "usage": {"input_tokens": 30, "output_tokens": 5}, "delay_ms": 3}
        ],
        "repeat_last": True,
        "prices": {"input_per_million": "1.00"},
    }
)


def limit(look: Database, period: str = "total", workspace: str = HOME, tokens: int = LIMIT) -> str:
    """Set a limit as the service does; return its id."""
    name = f"{workspace}-{period}"
    look.change(
        "INSERT INTO builder_budgetlimit (id, workspace_id, graph_id, period, limit_tokens, "
        "limit_pico, created_at) VALUES (?, ?, NULL, ?, ?, NULL, '2026-01-01 00:00:00+00:00')",
        (name, workspace, period, tokens),
    )
    return name


def standing(look: Database, row_id: str) -> tuple[int, ...]:
    """Return spent and held tokens of a budget."""
    rows = look.rows("SELECT spent_tokens, held_tokens FROM builder_budget WHERE id = ?", (row_id,))
    return tuple(rows[0]) if rows else (0, 0)


class Judge:
    """Counts what is bought; looks at the rows whenever a call is sent and after each commit."""

    def __init__(self, local: Local, look: Database, row_id: str, wanted: int = 0) -> None:
        self.bought = self.looks = 0
        self._rows = lambda: standing(look, row_id)
        self._wanted, self.enough = wanted, asyncio.Event()
        self._resolve = local.models.resolve
        self._persist = store_of(local)._persist
        setattr(local.models, "resolve", self.resolve)  # noqa: B010
        setattr(store_of(local), "_persist", self.persist)  # noqa: B010

    async def resolve(self, *names: Any, **options: Any) -> Any:
        model: Any = await self._resolve(*names, **options)
        send = model.complete

        def complete(*call: Any) -> Any:
            self.bought += USED
            spent, held = self._rows()
            assert self.bought <= spent + held <= LIMIT
            if self.bought == self._wanted:
                self.enough.set()
            return send(*call)

        model.complete = complete
        return model

    async def persist(self, batch: Batch) -> None:
        await self._persist(batch)
        assert sum(self._rows()) <= LIMIT
        self.looks += 1


async def test_fifty_calls_of_ten_runs_never_pass_one_workspace(
    installation: Installation,
) -> None:
    """C43, I6: The rows never hold more than the limit, and never less than was bought."""
    name = limit(installation.look)
    local = await installation.process(GRAPH, script=SCRIPT)
    judge = Judge(local, installation.look, f"workspace:{name}:total")
    await asyncio.gather(*(start(local, GRAPH, f"r{n}") for n in range(10)))
    states = [await local.runner.settled(f"r{n}") for n in range(10)]

    assert {s.error["code"] for s in states if s.error} == {"WorkspaceBudgetExceeded"}
    assert CALLS * USED <= judge.bought <= LIMIT
    assert standing(installation.look, f"workspace:{name}:total") == (judge.bought, 0)
    assert judge.looks > 10
    await local.runner.close()


async def test_a_kill_between_intent_and_outcome_counts_in_full(
    installation: Installation,
) -> None:
    """I6: After a kill the next process counts what it cannot know, and holds the same limit."""
    name = limit(installation.look, tokens=4 * USED)
    slow = SCRIPT.model_copy(
        update={"default": (SCRIPT.default[0].model_copy(update={"delay_ms": 60_000}),)}
    )
    one = spec(NODES[:3], [("__start__", node["id"]) for node in NODES[:3]])
    dead = await installation.process(one, script=slow)
    judge = Judge(dead, installation.look, f"workspace:{name}:total", wanted=3 * USED)
    await start(dead, one, "r0")
    await judge.enough.wait()
    await dead.runner.close()
    store_of(dead).close()

    local = await installation.process(one, script=SCRIPT)
    await local.runner.recover()
    state = await local.runner.settled("r0")
    bought = len(local.models.calls) * USED  # type: ignore[attr-defined]
    spent, held = standing(installation.look, f"workspace:{name}:total")

    assert state.error is not None
    assert state.error["code"] == "WorkspaceBudgetExceeded"
    assert bought <= USED
    assert (spent, held) == (3 * USED + bought, 0)
    await local.runner.close()


async def test_a_limit_is_the_workspaces_own_and_rolls_over_to_no_other(
    installation: Installation,
) -> None:
    limit(installation.look, workspace=AWAY, tokens=1)
    local = await installation.process(GRAPH, script=SCRIPT)
    await local.runner.start(request("r1"), local.graphs.program_of(GRAPH))
    assert (await local.runner.settled("r1")).status == "completed"

    asked = request("r2", workspace_id=AWAY)
    await local.runner.start(asked, local.graphs.program_of(GRAPH))
    assert (await local.runner.settled("r2")).status == "failed"
    await local.runner.close()


async def test_a_limit_set_while_runs_go_on_holds_from_the_next_call(
    installation: Installation,
) -> None:
    local = await installation.process(GRAPH, script=SCRIPT)
    await start(local, GRAPH, "r1")
    assert (await local.runner.settled("r1")).status == "completed"
    name = limit(installation.look, tokens=USED)
    await store_of(local).reload_budgets()
    await start(local, GRAPH, "r2")
    assert (await local.runner.settled("r2")).status == "failed"
    before = standing(installation.look, f"workspace:{name}:total")
    installation.look.change("DELETE FROM builder_budgetlimit")
    await store_of(local).reload_budgets()
    await start(local, GRAPH, "r3")

    assert (await local.runner.settled("r3")).status == "completed"
    assert before == standing(installation.look, f"workspace:{name}:total")
    await local.runner.close()


async def test_a_new_limit_begins_with_what_its_row_says_was_spent(
    installation: Installation,
) -> None:
    local = await installation.process(GRAPH, script=SCRIPT)
    name = limit(installation.look, tokens=CALLS * USED)
    installation.look.change(
        "INSERT INTO builder_budget (id, level, workspace_id, limit_tokens, spent_tokens, "
        "spent_pico, held_tokens, held_pico) VALUES (?, 'workspace', ?, ?, ?, 0, 0, 0)",
        (f"workspace:{name}:total", HOME, CALLS * USED, CALLS * USED),
    )
    await store_of(local).reload_budgets()
    await start(local, GRAPH, "r1")

    assert (await local.runner.settled("r1")).status == "failed"
    assert standing(installation.look, f"workspace:{name}:total") == (CALLS * USED, 0)
    await local.runner.close()


async def test_every_call_is_summed_by_day_and_by_who_spent(installation: Installation) -> None:
    local = await installation.process(GRAPH, script=SCRIPT)
    for n in range(2):
        await start(local, GRAPH, f"r{n}", started_by="ann")
        await local.runner.settled(f"r{n}")
    columns = "graph, node, agent, model, person, calls, unpriced, tokens, pico"
    rows = installation.look.rows(f"SELECT {columns} FROM builder_spending ORDER BY node")

    assert [row[1] for row in rows] == [node["id"] for node in NODES]
    assert {row[:1] + row[2:] for row in rows} == {
        ("g", "writer", "local/default", "ann", 2, 0, 2 * USED, 2 * 30_000_000)
    }
    [(runs,)] = installation.look.rows("SELECT SUM(spent_pico) FROM builder_run")
    assert sum(row[-1] for row in rows) == runs
    behind = "node, agent, model, SUM(calls), SUM(unpriced), SUM(tokens), SUM(pico)"
    by_run = installation.look.rows(
        f"SELECT {behind} FROM builder_runspending GROUP BY node, agent, model ORDER BY node"
    )
    assert by_run == [row[1:4] + row[5:] for row in rows]
    await local.runner.close()


async def test_thresholds_and_raises_are_known_to_the_next_process(
    installation: Installation,
) -> None:
    """C43: A threshold that was announced is not announced again after a restart."""
    name = limit(installation.look, tokens=12 * USED)
    for n in range(2):
        local = await installation.process(GRAPH, script=SCRIPT)
        await start(local, GRAPH, f"r{n}")
        await local.runner.settled(f"r{n}")
        await local.runner.close()
    row_id = f"workspace:{name}:total"
    [(reached,)] = installation.look.rows(
        "SELECT reached FROM builder_budget WHERE id = ?", (row_id,)
    )
    said = installation.look.rows(
        "SELECT place FROM builder_runevent WHERE type = 'BudgetThresholdReached'"
    )

    assert (reached, len(said)) == (75, 2)
    assert (await installation.process(GRAPH)).store.ledger.rows[row_id].reached == 75


class Judged(WorkerStore):
    """Notes after each of its commits where the budget of the workspace stands."""

    look: Database
    most = 0

    def _announce(self, batch: Batch) -> None:
        super()._announce(batch)
        type(self).most = max(self.most, sum(standing(self.look, "workspace:home-total:total")))


async def test_two_workers_together_spend_no_more_than_there_is(
    installation: Installation,
) -> None:
    """I6: neither knows what the other has just held; the row does."""
    limit(installation.look)

    class Here(Judged):
        look = installation.look

    workers = [await installation.process(GRAPH, kind=Here, script=SCRIPT) for _ in range(2)]
    runs = [
        (worker, await start(worker, GRAPH, f"{name}{n}"))
        for name, worker in zip("ab", workers, strict=True)
        for n in range(4)
    ]

    ended = [(await worker.runner.settled(run)).status for worker, run in runs]

    assert Here.most <= LIMIT
    spent, held = standing(installation.look, "workspace:home-total:total")
    assert held == 0
    assert LIMIT // 2 < spent <= LIMIT
    assert "failed" in ended
    for worker in workers:
        await store_of(worker).reload_budgets()
        assert worker.store.ledger.rows["workspace:home-total:total"].spent_tokens == spent
        await worker.runner.close()


async def test_a_worker_that_waits_hears_what_others_give_back(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C43: What another worker's call holds is nobody's for long; nothing rings when it comes back."""
    monkeypatch.setattr(waits, "HELD_PATIENCE_MS", 20_000)
    name = limit(installation.look)
    row_id = f"workspace:{name}:total"
    installation.look.change(
        "INSERT INTO builder_budget (id, level, workspace_id, limit_tokens, spent_tokens, "
        "spent_pico, held_tokens, held_pico) VALUES (?, 'workspace', ?, ?, 0, 0, ?, 0)",
        (row_id, HOME, LIMIT, LIMIT),
    )
    worker = await installation.process(GRAPH, kind=WorkerStore, script=SCRIPT)
    await store_of(worker).reload_budgets()
    run = await start(worker, GRAPH, "r1")
    await asyncio.sleep(0.3)
    made = list(worker.models.calls)  # type: ignore[attr-defined]
    installation.look.change("UPDATE builder_budget SET held_tokens = 0 WHERE id = ?", (row_id,))

    status = (await worker.runner.settled(run)).status
    await worker.runner.close()
    assert (made, status) == ([], "completed")
    assert standing(installation.look, row_id) == (CALLS * USED, 0)


async def test_a_worker_with_an_old_limit_in_mind_is_refused_by_the_new_one(
    installation: Installation,
) -> None:
    """C43, I6: The limit in the database judges; whoever remembers another one neither spends by it nor
    writes it back, and hears of it by the refusal."""
    name = limit(installation.look)
    row_id = f"workspace:{name}:total"
    old, new = [
        await installation.process(GRAPH, kind=WorkerStore, script=SCRIPT) for _ in range(2)
    ]
    await start(old, GRAPH, "r0")
    assert (await old.runner.settled("r0")).status == "completed"
    installation.look.change("UPDATE builder_budgetlimit SET limit_tokens = ?", (CALLS * USED,))
    await store_of(new).reload_budgets()
    assert old.store.ledger.rows[row_id].limit_tokens == LIMIT

    await start(old, GRAPH, "r1")
    await start(new, GRAPH, "r2")
    ended = [await old.runner.settled("r1"), await new.runner.settled("r2")]

    assert {state.error and state.error["code"] for state in ended} == {"WorkspaceBudgetExceeded"}
    assert standing(installation.look, row_id) == (CALLS * USED, 0)
    assert old.store.ledger.rows[row_id].limit_tokens == CALLS * USED
    for worker in (old, new):
        await worker.runner.close()


async def test_the_first_hold_of_a_period_is_judged_by_the_new_limit_too(
    installation: Installation,
) -> None:
    """C43: Its row is not there yet; what the worker remembers of the limit does not begin it."""
    name = limit(installation.look)
    worker = await installation.process(GRAPH, kind=WorkerStore, script=SCRIPT)
    installation.look.change("UPDATE builder_budgetlimit SET limit_tokens = ?", (1,))

    await start(worker, GRAPH, "r1")
    state = await worker.runner.settled("r1")

    assert state.error is not None
    assert state.error["code"] == "WorkspaceBudgetExceeded"
    assert installation.look.rows(
        "SELECT spent_tokens, held_tokens FROM builder_budget WHERE id = ?",
        (f"workspace:{name}:total",),
    ) in ([], [(0, 0)])
    await worker.runner.close()


async def test_a_raised_limit_and_what_was_added_reach_the_row(installation: Installation) -> None:
    """With them its row says what the limit is, whatever a process remembers."""
    name = limit(installation.look, tokens=CALLS * USED)
    row_id = f"workspace:{name}:total"
    worker = await installation.process(GRAPH, kind=WorkerStore, script=SCRIPT)
    await start(worker, GRAPH, "r1")
    await worker.runner.settled("r1")
    installation.look.change("UPDATE builder_budgetlimit SET limit_tokens = ?", (LIMIT,))
    installation.look.change(
        "UPDATE builder_budget SET raised_tokens = 7, limit_tokens = limit_tokens + 7"
    )
    await store_of(worker).reload_budgets()
    await start(worker, GRAPH, "r2")

    assert (await worker.runner.settled("r2")).status == "completed"
    of_row = "SELECT limit_tokens FROM builder_budget WHERE id = ?"
    assert installation.look.rows(of_row, (row_id,)) == [(LIMIT + 7,)]
    await worker.runner.close()


async def test_rows_that_others_move_too_have_a_place_in_the_order(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement about one of them that came as it pleased could be locked crosswise."""
    limit(installation.look)
    seen: list[Statement] = []
    commit = SqlWriter._commit

    def noting(writer: SqlWriter, connection: Any, jobs: list[Job]) -> None:
        seen.extend(statement for job in jobs for statement in job.statements)
        commit(writer, connection, jobs)

    monkeypatch.setattr(SqlWriter, "_commit", noting)
    local = await installation.process(GRAPH, script=SCRIPT)
    await start(local, GRAPH, "r1", trigger="t")
    await local.runner.settled("r1")
    await local.runner.close()

    loose = [one for one in seen if not isinstance(one, Once | Shared)]
    flat = [*loose, *(then for one in seen if isinstance(one, Once) for then in one.then)]
    placed = {one.statement[0].split()[2] for one in (*seen, *flat) if isinstance(one, Shared)}
    free = {one[0].split()[2] for one in flat if not isinstance(one, Shared)}
    moved = {"builder_spending", "builder_triggerspending"}
    assert moved <= placed
    assert not free & {*moved, "builder_budget"}
    settled = "UPDATE builder_budget "
    assert not [one for one in flat if not isinstance(one, Shared) and one[0].startswith(settled)]
