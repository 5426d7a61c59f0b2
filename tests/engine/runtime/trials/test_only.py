"""One node alone: it finds what it is given, and nothing before or after it is started."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import NodeError, RequestRefused
from engine.core.state.requests import ForkRun
from tests.contract.harness import agent, doc, fn, started
from tests.engine.runtime.trials.trying import folds_alike, line, noted

GIVEN = {"outputs": {"a": {"x": 1}}, "previous": {"x": 2}}


async def test_only_that_node_runs_on_what_it_is_given() -> None:
    called: list[str] = []
    seen: dict[str, Any] = {}

    def look(ctx: Any, params: Any) -> Any:
        seen.update(params=params, **ctx.view.scope())
        return {"data": {"b": 1}}

    graph = line("a", "b", "c")
    graph["nodes"][1]["read_keys"] = ["*", "input", "previous", "outputs"]
    trial = {"only": "b", "given": GIVEN, "memory": {"m": 3}, "input": "hi"}
    local, _ = await started(graph, handlers={**noted(called, "a", "c"), "b": look}, trial=trial)

    state = await local.runner.settled("r")
    assert (state.status, state.result, called) == ("completed", {"b": 1}, [])
    assert (seen["previous"], seen["outputs"]) == ({"x": 2}, {"a": {"x": 1}})
    assert (state.input, seen["memory"]) == ("hi", {"m": 3})
    await folds_alike(local)
    await local.runner.close()


async def test_memory_is_what_is_given_and_not_what_the_graph_begins_with() -> None:
    graph = line("a", "b", initial_memory={"old": 1})
    trial = {"only": "b", "memory": {"new": 2}}
    local, _ = await started(graph, handlers=noted([], "a", "b"), trial=trial)

    state = await local.runner.settled("r")
    assert state.memory == {"new": 2, "b": "b done"}
    await local.runner.close()


@pytest.mark.parametrize("join", ["all", "any"])
async def test_a_join_needs_no_other_branch(join: str) -> None:
    called: list[str] = []
    nodes = [fn("a"), fn("b"), fn("j", join=join), fn("z")]
    graph = doc(nodes, ["__start__ -> a -> j -> z", "__start__ -> b -> j"])
    trial = {"only": "j", "given": {"previous": {"a": 1, "b": 2}}}
    local, _ = await started(graph, handlers=noted(called, "a", "b", "j", "z"), trial=trial)

    assert ((await local.runner.settled("r")).status, called) == ("completed", ["j"])
    await local.runner.close()


async def test_it_fails_as_itself_and_no_edge_for_failures_is_taken() -> None:
    called: list[str] = []

    def broken(ctx: Any, params: Any) -> Any:
        raise NodeError("Broken", "not today")

    nodes = [fn("a", failure_policy={"max_retries": 0}), fn("rescue")]
    graph = doc(nodes, ["__start__ -> a", ("a", "rescue", {"on": "failed"})])
    handlers = {"a": broken, **noted(called, "rescue")}
    local, _ = await started(graph, handlers=handlers, trial={"only": "a"})

    state = await local.runner.settled("r")
    assert (state.status, state.error and state.error["code"], called) == ("failed", "Broken", [])
    again = await local.runner.settled(await local.runner.retry("r", "ada"))
    assert (again.status, again.started["only"]) == ("failed", "a")
    await local.runner.close()


async def test_it_pays_for_its_own_call_alone() -> None:
    graph = doc([agent("a"), agent("b")])
    local, _ = await started(graph, {"default": [{"text": "ok"}]}, trial={"only": "b"})

    state = await local.runner.settled("r")
    assert state.status == "completed"
    assert list(state.spend) == ["b"]
    await local.runner.close()


async def test_a_run_of_one_node_is_not_forked_elsewhere() -> None:
    local, _ = await started(line("a", "b"), handlers=noted([], "a", "b"), trial={"only": "b"})

    with pytest.raises(RequestRefused, match="one node alone"):
        await local.runner.forks.fork("r", ForkRun("again", "b", "ada"))
    await local.runner.close()


@pytest.mark.parametrize(
    ("trial", "code"),
    [
        ({"only": "nobody"}, "InputInvalid"),
        ({"only": "b", "given": {"more": 1}}, "InputInvalid"),
        ({"only": "b", "given": {"outputs": 1}}, "InputInvalid"),
        ({"only": "b", "published": True}, "TestOnly"),
        ({"breakpoints": ["b"], "published": True}, "TestOnly"),
        ({"pins": {"b": {"output": 1}}, "published": True}, "TestOnly"),
        ({"breakpoints": ["nobody"]}, "InputInvalid"),
    ],
)
async def test_what_cannot_be_tried_is_refused(trial: dict[str, Any], code: str) -> None:
    with pytest.raises(RequestRefused) as refused:
        await started(line("a", "b"), handlers=noted([], "a", "b"), trial=trial)
    assert refused.value.code == code
