"""A run that is to stop at a node: nothing more is started once it has completed (`until`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.errors import NodeError, RequestRefused
from engine.core.state.requests import ForkRun
from engine.core.state.run_state import RunState
from engine.local import Local
from tests.contract.harness import doc, fn, node, started
from tests.engine.lab import Lab, document, in_virtual_time


class Called:
    """Handlers that note that they were called; those in `broken` fail the first time."""

    def __init__(self, *broken: str) -> None:
        self.names: list[str] = []
        self.broken = set(broken)

    def of(self, *names: str) -> dict[str, Callable[..., Any]]:
        return {name: self._handler(name) for name in names}

    def _handler(self, name: str) -> Callable[..., Any]:
        def call(ctx: Any, params: Any) -> Any:
            self.names.append(name)
            if name in self.broken:
                self.broken.discard(name)
                raise NodeError("Broken", "not this time")
            return {"data": {name: f"{name} done"}}

        return call


async def ends(local: Local, run_id: str = "r") -> list[tuple[str, dict[str, Any]]]:
    """Return how the log says that a run ended."""
    events = await local.store.events(run_id, 0, 1000)
    return [(e.type, dict(e.data)) for e in events if e.type in ("RunEnding", "RunCompleted")]


def line(**fields: Any) -> dict[str, Any]:
    return doc([fn("a"), fn("b", **fields), fn("c")])


async def test_nothing_is_started_after_the_node_and_the_log_says_why() -> None:
    called = Called()
    local, _ = await started(line(), handlers=called.of("a", "b", "c"), until="b")

    state = await local.runner.settled("r")
    assert (state.status, state.result) == ("completed", {"b": "b done"})
    assert called.names == ["a", "b"]
    [(_, ending), (_, over)] = await ends(local)
    assert (ending["status"], ending["reason"]) == ("completed", "until")
    assert over == {"result": {"b": "b done"}, "until": "b"}
    await local.runner.close()


async def test_a_disabled_node_is_a_place_to_stop_too() -> None:
    called = Called()
    local, _ = await started(line(disabled=True), handlers=called.of("a", "b", "c"), until="b")

    state = await local.runner.settled("r")
    assert (state.status, state.result) == ("completed", {"a": "a done"})
    assert called.names == ["a"]
    await local.runner.close()


async def test_what_other_branches_wait_for_is_left() -> None:
    called = Called()
    asks = node("asks", "question", config={"kind": "text", "question": "Which?"})
    branches = ["__start__ -> asks -> c", "__start__ -> a -> b"]
    graph = doc([asks, fn("a"), fn("b"), fn("c")], branches)
    local, _ = await started(graph, handlers=called.of("a", "b", "c"), until="a")

    state = await local.runner.settled("r")
    assert (state.status, state.interrupts, called.names) == ("completed", {}, ["a"])
    await local.runner.close()


async def test_a_retry_still_stops_there_and_a_fork_goes_on() -> None:
    called = Called("b")
    graph = line(failure_policy={"max_retries": 0})
    local, _ = await started(graph, handlers=called.of("a", "b", "c"), until="b")
    assert (await local.runner.settled("r")).status == "failed"

    again: RunState = await local.runner.settled(await local.runner.retry("r", "ann"))
    assert (again.status, called.names) == ("completed", ["a", "b", "b"])

    request = ForkRun(local.runner.entropy.new_id(), "b#1", "ann")
    forked = await local.runner.settled(await local.runner.forks.fork(again.run_id, request))
    assert (forked.status, called.names[3:]) == ("completed", ["b", "c"])
    assert "until" not in forked.started
    await local.runner.close()


@pytest.mark.parametrize("until", ["nobody", "worker", "__end__"])
async def test_only_a_node_that_an_edge_leads_to_can_be_the_last(until: str) -> None:
    called = Called()
    graph = doc([fn("a"), fn("worker")], ["__start__ -> a -> __end__"])

    with pytest.raises(RequestRefused, match="no edge leads to a node"):
        await started(graph, handlers=called.of("a", "worker"), until=until)
    assert called.names == []


def test_the_engine_knows_it_after_a_crash_too() -> None:
    async def main() -> None:
        lab = Lab(
            document(
                [{"id": "asks", "type": "t_view"}, {"id": "later", "type": "t_write"}],
                "__start__ > asks",
                "asks > later",
            )
        )
        state = await lab.start(until="asks")
        assert state.status == "waiting"
        await lab.crash()

        state = await lab.answer()

        assert state.status == "completed"
        assert lab.events("NodeStarted", "later#1") == []
        assert lab.events("RunCompleted")[0].data["until"] == "asks"
        assert lab.broken == []

    in_virtual_time(main)
