"""Pinned nodes: what is kept stands in for them, costs nothing and passes the same gate."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import ForkRun
from tests.contract.harness import Edge, agent, approval, doc, fn, question, started
from tests.engine.runtime.trials.trying import folds_alike, line, log, noted

PIN = {"output": {"a": "kept"}, "writes": {"a": "kept"}}


async def test_a_pinned_agent_spends_nothing_and_its_result_goes_on() -> None:
    graph = doc([agent("a", writes=["note"]), fn("b", reads=["note"])])
    seen: list[Any] = []

    def look(ctx: Any, params: Any) -> Any:
        seen.append(ctx.view.scope()["memory"])

    pins = {"a": {"output": "hello", "writes": {"note": "hello"}}}
    local, _ = await started(graph, handlers={"b": look}, trial={"pins": pins})

    state = await local.runner.settled("r")
    assert (state.status, seen) == ("completed", [{"note": "hello"}])
    assert (state.spent_tokens, int(state.spent_usd)) == (0, 0)
    events = await log(local)
    assert [e.type for e in events if e.key == "a#1"] == ["NodeQueued", "NodeCompleted"]
    done = next(e for e in events if e.type == "NodeCompleted" and e.key == "a#1")
    assert (done.data["pinned"], done.data["attempts"], done.data["duration_ms"]) == (True, 0, 0)
    await folds_alike(local)
    await local.runner.close()


async def test_what_is_pinned_owes_no_undo() -> None:
    called: list[str] = []
    graph = line("a", "b")
    graph["nodes"][0] |= {"type": "tool", "requires_compensation": True}
    graph["nodes"][0]["config"] = {"tool_id": "pay", "compensation": {"tool_id": "refund"}}
    pins = {"a": {"output": "paid"}}
    local, _ = await started(graph, handlers=noted(called, "b"), trial={"pins": pins})

    state = await local.runner.settled("r")
    assert (state.status, state.compensations, called) == ("completed", [], ["b"])
    await local.runner.close()


async def test_conditions_are_tried_over_what_is_pinned() -> None:
    called: list[str] = []
    edges: list[Edge] = [
        "__start__ -> a",
        ("a", "b", {"condition": "memory.a == 'kept'"}),
        ("a", "c", {"condition": "memory.a == 'other'"}),
    ]
    graph = doc([fn("a"), fn("b"), fn("c")], edges)
    local, _ = await started(
        graph, handlers=noted(called, "a", "b", "c"), trial={"pins": {"a": PIN}}
    )

    assert called == ["b"]
    await local.runner.close()


async def test_the_chosen_way_is_kept_and_a_gone_one_says_so() -> None:
    called: list[str] = []
    graph = doc([fn("a"), fn("b"), fn("c")], ["__start__ -> a", "a -> b", "a -> c"])
    pins = {"a": {**PIN, "next": ["c"]}}
    local, _ = await started(graph, handlers=noted(called, "a", "b", "c"), trial={"pins": pins})
    assert called == ["c"]
    await local.runner.close()

    pins = {"a": {**PIN, "next": ["gone"]}}
    local, _ = await started(graph, handlers=noted(called, "a", "b", "c"), trial={"pins": pins})
    state = await local.runner.settled("r")
    assert (state.status, state.error and state.error["code"]) == ("failed", "PinDoesNotFit")
    await local.runner.close()


async def test_what_breaks_the_schema_when_it_lands_fails_the_node() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "number"}}}
    graph = line("a", "b", state_schema=schema)
    local, _ = await started(graph, handlers=noted([], "a", "b"), trial={"pins": {"a": PIN}})

    state = await local.runner.settled("r")
    assert (state.status, state.error and state.error["code"]) == ("failed", "PinDoesNotFit")
    await local.runner.close()


@pytest.mark.parametrize(
    ("node", "pin", "why"),
    [
        ("a", {"output": 1, "writes": {"other": 1}}, "may not write 'other'"),
        ("a", {"writes": {"a": 1}}, "needs `output`"),
        ("a", {"output": 1, "secret": 1}, "needs `output`"),
        ("gone", PIN, "no edge leads"),
        ("ask", {"output": "yes"}, "a person answers"),
        ("ok", {"output": "approved"}, "a person answers"),
    ],
)
async def test_a_pin_that_cannot_fit_starts_no_run(node: str, pin: Any, why: str) -> None:
    graph = doc([fn("a", writes=["a"]), question("ask"), approval("ok")])

    with pytest.raises(RequestRefused, match=why) as refused:
        await started(graph, handlers=noted([], "a"), trial={"pins": {node: pin}})
    assert refused.value.code == "PinDoesNotFit"


async def test_forks_keep_the_pin_and_a_published_version_refuses_it() -> None:
    called: list[str] = []
    local, _ = await started(
        line("a", "b"), handlers=noted(called, "a", "b"), trial={"pins": {"a": PIN}}
    )

    forks = local.runner.forks
    for at in ("a", "b"):
        state = await local.runner.settled(await forks.fork("r", ForkRun(f"again-{at}", at, "ada")))
        assert (state.status, state.memory["a"]) == ("completed", "kept")
    assert called == ["b", "b", "b"]
    with pytest.raises(RequestRefused) as refused:
        await forks.fork("r", ForkRun("live", "b", "ada", published=True))
    assert refused.value.code == "TestOnly"
    await local.runner.close()
