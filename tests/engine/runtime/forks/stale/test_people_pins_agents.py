"""What else makes nodes stale or is asked again: agents, pins, children, approvals, failures, calls."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import NodeError, RequestRefused
from engine.core.state.requests import CLI, Answer
from engine.runtime.forks.stale import compare
from tests.contract.harness import agent, approval, doc, fn, tool
from tests.engine.runtime.forks.stale.drafts import Drafted

SAY: dict[str, Any] = {"params": {"say": "other"}}
PIN = {"output": {"a": "kept"}, "writes": {"a": "kept"}}


async def test_an_agent_counts_by_what_it_is_and_not_by_its_name() -> None:
    def draft(name: str, **said: Any) -> dict[str, Any]:
        nodes = [agent("a", config={"agent_id": name}, reads=[]), fn("b")]
        return doc(nodes, agents=[{"id": name, **said}])

    run = await Drafted.of(
        draft("x"), "b", script={"repeat_last": True, "default": [{"text": "hi"}]}
    )

    assert await run.marks(draft("renamed")) == {}
    plan = await run.plan(draft("x", system_prompt="Be brief."))
    assert plan["stale"][0] == {"node": "a", "why": "changed", "what": ["agent"], "of": []}
    await run.close()


async def test_pins_of_now_are_used_and_a_pinned_node_is_not_stale() -> None:
    draft = doc([fn("a"), fn("b", reads=["a"])])
    edited = doc([fn("a", config=SAY), fn("b", reads=["a"])])
    run = await Drafted.of(draft, "a", "b", trial={"pins": {"a": PIN}})

    assert await run.marks(edited, {"a": PIN}) == {}
    assert (await run.plan(draft))["stale"][0]["what"] == ["pin"]
    other = {"output": {"a": "new"}, "writes": {"a": "new"}}
    state = await run.again(edited, pins={"a": other})
    assert (run.deeds.called, state.memory["b"]) == (["b"], "b(a:new)")
    with pytest.raises(RequestRefused) as refused:
        await run.again(edited, pins={"a": other}, published=True)
    assert refused.value.code == "TestOnly"
    await run.close()


async def test_what_is_pinned_at_what_it_gave_is_not_stale_whatever_its_settings_are() -> None:
    draft = doc([fn("a"), fn("b", reads=["a"])])
    edited = doc([fn("a", config=SAY), fn("b", reads=["a"])])
    run = await Drafted.of(draft, "a", "b")
    same = {"output": {"a": "a"}, "writes": {"a": "a"}}

    assert await run.marks(draft, {"a": same}) == {}
    assert await run.marks(edited, {"a": same}) == {}
    assert await run.marks(edited, {"a": PIN}) == {"a": "changed", "b": "reads"}
    state = await run.again(edited, pins={"a": same})
    assert (run.deeds.called, state.memory) == ([], {"a": "a", "b": "b(a:a)"})
    rewired = doc([fn("a"), fn("b", reads=["a"])], ["__start__ -> b -> a"])
    assert (await run.marks(rewired, {"a": same}))["a"] == "changed"
    await run.close()


async def test_a_pinned_node_builds_on_nothing_and_is_passed_over() -> None:
    draft = doc([fn("a"), fn("b", reads=["a"]), fn("c", reads=["b"])])
    edited = doc([fn("a", config=SAY), fn("b", reads=["a"]), fn("c", reads=["b"])])
    pins = {"b": {"output": {"b": "kept"}, "writes": {"b": "kept"}}}
    run = await Drafted.of(draft, "a", "b", "c", trial={"pins": pins})

    plan = await run.plan(edited, pins)

    assert [(m["node"], m["why"], m["of"]) for m in plan["stale"]] == [
        ("a", "changed", []),
        ("c", "reads", ["a"]),
    ]
    await run.close()


@pytest.mark.parametrize(("token", "stale"), [("x", {}), ("y", {"a": "changed"})])
async def test_a_pin_that_chose_another_way_is_another(token: str, stale: dict[str, str]) -> None:
    wires = ["__start__ -> a", "a -> x", "a -> y"]
    draft = doc([fn("a"), fn("x"), fn("y")], wires)
    handlers = {"a": lambda ctx, params: {"data": {"a": 1}, "next": ["x"]}}
    run = await Drafted.of(draft, "x", "y", handlers=handlers)
    pin = {"output": {"a": 1}, "writes": {"a": 1}, "next": [token]}

    found = await run.marks(draft, {"a": pin})

    assert {node: why for node, why in found.items() if node == "a"} == stale
    await run.close()


async def test_a_worker_that_changed_makes_its_map_stale() -> None:
    def draft(**config: Any) -> dict[str, Any]:
        each = {"static_items": ["x", "y"], "worker_node_id": "w"}
        nodes = [fn("a"), {"id": "m", "type": "map", "config": each}, fn("w", config=config)]
        return doc(nodes, ["__start__ -> a -> m"])

    run = await Drafted.of(draft(), "a", "w")

    plan = await run.plan(draft(**SAY))
    await run.again(draft(**SAY))

    assert [(m["node"], m["why"], m["of"]) for m in plan["stale"]] == [
        ("m", "reads", ["w"]),
        ("w", "changed", []),
    ]
    assert run.deeds.called == ["w", "w"]
    await run.close()


async def test_an_approval_asks_again_where_anything_differs() -> None:
    nodes = [fn("a"), approval("ok", review_keys=["a"]), fn("b"), fn("c")]
    run = await Drafted.of(doc(nodes), "a", "b", "c")
    [request_id] = (await run.local.runner.store.warm("r")).interrupts
    answer = Answer(run.local.runner.token(request_id), decision="approved")
    assert await run.marks(doc([fn("a", config=SAY), *nodes[1:]])) == {"a": "changed"}
    with pytest.raises(RequestRefused) as refused:
        await run.again(doc(nodes))
    assert refused.value.code == "RunNotEnded"
    await run.local.runner.answer(request_id, answer, CLI)
    await run.local.runner.settled("r")
    run.deeds.called.clear()
    draft = doc([*nodes[:3], fn("c", config=SAY)])

    plan = await run.plan(draft)
    state = await run.again(draft)

    assert {mark["node"]: mark["why"] for mark in plan["stale"]} == {"c": "changed"}
    assert (plan["asks"], [n["node"] for n in plan["reused"]]) == (["ok"], ["a"])
    assert (state.status, run.deeds.called) == ("waiting", [])
    assert (await run.plan(doc(nodes)))["asks"] == []
    await run.close()


async def test_what_failed_is_run_again() -> None:
    broken = [True]

    def moody(ctx: Any, params: Any) -> Any:
        if broken.pop():
            raise NodeError("Broken", "no", retryable=False)

    document = doc([fn("a"), fn("b", "moody"), fn("c")])
    run = await Drafted.of(document, "a", "c", handlers={"moody": moody})
    broken.append(False)

    assert await run.marks(document) == {"b": "failed"}
    state = await run.again(document)
    assert (state.status, run.deeds.called) == ("completed", ["c"])
    await run.close()


async def test_calls_that_would_be_sent_again_are_asked_about() -> None:
    script = {"tools": {"pay": [{"effect_class": "unsafe", "result": 1}, {"result": 2}]}}
    draft = doc([fn("a", config=SAY), tool("pay", "pay")])
    run = await Drafted.of(doc([fn("a"), tool("pay", "pay")]), "a", script=script)

    with pytest.raises(RequestRefused) as refused:
        await run.again(draft)
    assert refused.value.code == "ForkResends"
    state = await run.again(draft, resend=True)
    assert state.outputs["pay"] == 2

    beside = doc([fn("a"), fn("z"), tool("pay", "pay")], ["__start__ -> a -> z", "a -> pay"])
    assert (await run.plan(beside))["resent"] == []
    await run.close()


@pytest.mark.parametrize(
    ("trial", "most", "code"),
    [({"only": "b"}, 10_000, "ForkNotPossible"), ({}, 3, "RunTooLong")],
)
async def test_runs_that_are_not_compared(
    trial: dict[str, Any], most: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "MOST_EVENTS", most)
    document = doc([fn("a"), fn("b")])
    run = await Drafted.of(document, "a", "b", trial=trial)

    with pytest.raises(RequestRefused) as refused:
        await run.plan(document)

    assert refused.value.code == code
    await run.close()
