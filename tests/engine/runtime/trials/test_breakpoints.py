"""Breakpoints: the run stands before a node until its starter says how it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.decide.begin.breakpoints import BREAK_MS
from engine.core.errors import RequestRefused
from tests.contract.harness import doc, fn, node, started
from tests.engine.lab import ANN, BOB, Lab, document, in_virtual_time
from tests.engine.runtime.trials.trying import ADA, folds_alike, go_on, line, log, noted

MINE = {"started_by": "ada"}


async def test_it_stands_before_the_node_and_goes_on_to_the_end() -> None:
    called: list[str] = []
    handlers = noted(called, "a", "b", "c")
    local, _ = await started(
        line("a", "b", "c"), handlers=handlers, trial={**MINE, "breakpoints": ["b"]}
    )

    state = await local.runner.settled("r")
    assert (state.status, called) == ("waiting", ["a"])
    [opened] = state.interrupts.values()
    assert (opened.kind, opened.key) == ("breakpoint", "b#1")
    assert opened.expires_at == opened.opened_at + BREAK_MS
    await folds_alike(local)
    state = await go_on(local, "continue")
    assert (state.status, called) == ("completed", ["a", "b", "c"])
    await folds_alike(local)
    await local.runner.close()


async def test_a_step_stands_before_what_comes_next() -> None:
    called: list[str] = []
    names = ("a", "b", "c", "d")
    local, _ = await started(
        line(*names), handlers=noted(called, *names), trial={**MINE, "breakpoints": ["b"]}
    )

    state = await go_on(local, "step")
    assert (state.status, called, [o.key for o in state.interrupts.values()]) == (
        "waiting",
        ["a", "b"],
        ["c#1"],
    )
    await folds_alike(local)
    assert ((await go_on(local, "continue")).status, called) == ("completed", list(names))
    await local.runner.close()


async def test_stop_cancels_the_run_in_the_name_of_who_said_so() -> None:
    called: list[str] = []
    local, _ = await started(
        line("a", "b"), handlers=noted(called, "a", "b"), trial={**MINE, "breakpoints": ["b"]}
    )

    state = await go_on(local, "stop")
    assert (state.status, called) == ("cancelled", ["a"])
    ending = next(e for e in await log(local) if e.type == "RunEnding")
    assert ending.data["by"] == "ada"
    await folds_alike(local)
    await local.runner.close()


async def test_only_the_starter_goes_on_and_says_a_known_word() -> None:
    local, _ = await started(
        line("a", "b"), handlers=noted([], "a", "b"), trial={**MINE, "breakpoints": ["b"]}
    )

    with pytest.raises(RequestRefused) as refused:
        await go_on(local, "continue", BOB)
    assert refused.value.code == "NotEligible"
    with pytest.raises(RequestRefused, match="continue, step, stop"):
        await go_on(local, "approved")
    assert (await go_on(local, "continue", ADA)).status == "completed"
    await local.runner.close()


async def test_pure_disabled_and_pinned_nodes_are_stood_before_too() -> None:
    called: list[str] = []
    nodes = [node("d", "output", config={}), fn("off", disabled=True), fn("p")]
    trial = {**MINE, "breakpoints": ["d", "off", "p"], "pins": {"p": {"output": 1}}}
    local, _ = await started(doc(nodes), handlers=noted(called, "off", "p"), trial=trial)

    for _ in range(3):
        state = await local.runner.settled("r")
        assert state.status == "waiting"
        state = await go_on(local, "continue")
    assert (state.status, state.outputs["p"], called) == ("completed", 1, [])
    await folds_alike(local)
    await local.runner.close()


def lab(**fields: Any) -> Lab:
    nodes: list[dict[str, Any]] = [
        {"id": "a", "type": "t_write", "write_keys": ["note"]},
        {"id": "b", "type": "t_view"},
    ]
    return Lab(document(nodes, "__start__ > a", "a > b", **fields))


def test_it_survives_a_crash_and_the_node_has_not_begun() -> None:
    async def main() -> None:
        here = lab()
        state = await here.start(breakpoints=["b"], started_by="ann")
        assert state.status == "waiting"
        await here.crash()
        assert (await here.runner.settled("r")).status == "waiting"
        assert here.events("NodeStarted", "b#1") == []

        state = await here.answer(decision="continue")
        assert (state.status, len(here.events("InterruptOpened"))) == ("waiting", 2)
        assert len(here.events("NodeStarted", "b#1")) == 1
        assert (await here.answer()).status == "completed"
        assert here.broken == []

    in_virtual_time(main)


def test_it_ends_after_an_hour_to_which_nobody_came_back() -> None:
    async def main() -> None:
        here = lab()
        state = await here.start(breakpoints=["b"], started_by=ANN.id)
        await here.crash()
        await here.clock.sleep(BREAK_MS / 1000 + 1)
        state = await here.runner.settled("r")

        assert state.status == "cancelled"
        assert here.events("InterruptResolved")[0].data["outcome"] == "expired"
        assert here.events("NodeStarted", "b#1") == []
        assert "within an hour" in here.events("RunEnding")[0].data["reason"]
        assert here.broken == []

    in_virtual_time(main)


def test_a_worker_of_a_map_is_stood_before_as_often_as_it_runs() -> None:
    async def main() -> None:
        config = {"worker_node_id": "w", "static_items": [0, 1], "max_concurrency": 1}
        nodes: list[dict[str, Any]] = [
            {"id": "m", "type": "map", "config": config},
            {"id": "w", "type": "t_child"},
        ]
        here = Lab(document(nodes, "__start__ > m"))
        state = await here.start(breakpoints=["w"], started_by="ann")
        assert [o.key for o in state.interrupts.values()] == ["m#1/w[0]#1"]
        state = await here.answer(decision="step")
        assert [o.key for o in state.interrupts.values()] == ["m#1/w[1]#1"]
        assert (await here.answer(decision="continue")).status == "completed"
        assert here.broken == []

    in_virtual_time(main)
