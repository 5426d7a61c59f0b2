"""Runs that wait for a place among those of their workspace, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.core.decide.begin.places import rests
from engine.core.state.requests import ForkRun
from tests.engine.lab import Lab, document, in_virtual_time
from tests.engine.turns import Turns

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
ASK = {"id": "ask", "type": "question", "config": {"question": "Go on?"}}
WORK = {"id": "work", "type": "tool", "config": {"tool_id": "charge", "arguments": {"order": 1}}}
SLEEP = {"id": "sleep", "type": "delay", "config": {"duration_ms": 60_000}}
RUNS = ("a", "b", "c")


def chain(*nodes: Mapping[str, Any], **limits: int) -> Lab:
    ids = ["__start__", *(str(node["id"]) for node in nodes), "__end__"]
    edges = [f"{one} > {next_}" for one, next_ in zip(ids, ids[1:], strict=False)]
    return Lab(document([dict(node) for node in nodes], *edges, limits=limits))


def types_of(lab: Lab, run_id: str) -> list[str]:
    wanted = ("RunQueued", "RunAdmitted", "NodeStarted", "RunCompleted", "RunCancelled")
    return [event.type for event in lab.medium.logs[run_id] if event.type in wanted]


async def begun(lab: Lab, runs: Sequence[str] = RUNS) -> None:
    for run_id in runs:
        await lab.begin(run_id)


def test_runs_beyond_the_places_stand_and_go_on_one_after_the_other() -> None:
    async def main() -> Lab:
        lab = chain(WORK)
        Turns(lab.runner, 1, RUNS)
        await begun(lab)
        for run_id in RUNS:
            assert (await lab.runner.settled(run_id)).status == "completed"
        return lab

    lab = in_virtual_time(main)

    assert lab.most_in_flight == 1
    for run_id in RUNS:
        assert types_of(lab, run_id)[:3] == ["RunQueued", "RunAdmitted", "NodeStarted"]
    ends = [lab.medium.logs[run_id][-1].at for run_id in RUNS]
    assert ends == sorted(ends)


@pytest.mark.parametrize("waits", [ASK, SLEEP])
def test_what_waits_leaves_its_place_and_asks_for_one_again(waits: Mapping[str, Any]) -> None:
    async def main() -> Lab:
        lab = chain(waits, WORK)
        Turns(lab.runner, 1, RUNS)
        await begun(lab)
        await asyncio.sleep(1)
        states = [await lab.store.state(run_id) for run_id in RUNS]
        assert [state.status for state in states] == [states[0].status] * 3
        assert all(rests(state) and state.activations for state in states)
        for run_id in RUNS:
            if waits is ASK:
                await lab.answer(run_id, selected="yes")
            assert (await lab.runner.settled(run_id)).status == "completed"
        return lab

    lab = in_virtual_time(main)

    assert lab.most_in_flight == 1
    assert types_of(lab, "a").count("RunQueued") == 2


def test_a_run_that_waits_for_the_runs_below_it_leaves_them_its_place() -> None:
    """One place, three levels: who kept it would wait for ever for a run that has none."""

    def below(graph: str) -> dict[str, Any]:
        return {"id": "sub", "type": "subgraph", "config": {"subgraph_id": graph}}

    async def main() -> Lab:
        lab = Lab(
            document([below("mid"), WORK], "__start__ > sub", "sub > work", "work > __end__"),
            document([below("leaf"), WORK], "__start__ > sub", "sub > work", id="mid"),
            document([WORK], "__start__ > work", id="leaf"),
        )
        Turns(lab.runner, 1, lab.medium.logs)
        await begun(lab)
        await asyncio.sleep(3_600)
        return lab

    lab = in_virtual_time(main)

    assert lab.most_in_flight == 1
    ends = [log[-1].type for log in lab.medium.logs.values()]
    assert ends == ["RunCompleted"] * 3 * len(RUNS)
    assert types_of(lab, "a").count("RunAdmitted") == 2, "it asked for a place again"


def test_the_clock_of_a_run_rests_while_it_stands() -> None:
    async def main() -> str:
        lab = chain(WORK, max_execution_time_ms=1_000)
        turns = Turns(lab.runner, 0, RUNS)
        await begun(lab)
        await asyncio.sleep(3_600)
        turns.places = 1
        await lab.runner.places.look()
        return (await lab.runner.settled("a")).status

    assert in_virtual_time(main) == "completed"


def test_a_run_that_stands_can_be_cancelled() -> None:
    async def main() -> Lab:
        lab = chain(WORK)
        Turns(lab.runner, 0, RUNS)
        await begun(lab, ["a"])
        await lab.runner.cancel("a", "ann")
        assert (await lab.runner.settled("a")).status == "cancelled"
        return lab

    lab = in_virtual_time(main)

    assert types_of(lab, "a") == ["RunQueued", "RunCancelled"]


def test_the_queue_survives_a_kill() -> None:
    async def main() -> Lab:
        lab = chain(WORK)
        Turns(lab.runner, 0, RUNS)
        await begun(lab)
        await lab.crash()
        Turns(lab.runner, 1, RUNS)
        for run_id in RUNS:
            assert (await lab.store.warm(run_id)).status == "queued"
        await lab.runner.places.look()
        for run_id in RUNS:
            assert (await lab.runner.settled(run_id)).status == "completed"
        return lab

    lab = in_virtual_time(main)

    assert lab.most_in_flight == 1
    assert [types_of(lab, run_id).count("NodeStarted") for run_id in RUNS] == [1, 1, 1]


def test_a_fork_takes_its_turn() -> None:
    async def main() -> Lab:
        lab = chain(WORK)
        turns = Turns(lab.runner, 1, ("a", "again"))
        await lab.start("a")
        turns.places = 0
        await lab.runner.forks.fork("a", ForkRun("again", 1, "ann", resend=True))
        assert (await lab.store.state("again")).status == "queued"
        turns.places = 1
        await lab.runner.places.look()
        assert (await lab.runner.settled("again")).status == "completed"
        return lab

    lab = in_virtual_time(main)

    assert types_of(lab, "again")[:3] == ["RunQueued", "RunAdmitted", "NodeStarted"]
