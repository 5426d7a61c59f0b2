"""A run is forked: from where, with what changes, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.errors import NodeError, RequestRefused
from engine.core.graph.document import parse_document
from engine.core.state.requests import CLI, Answer, ForkRun
from engine.core.state.run_state import RunState
from engine.local import Local
from tests.contract.harness import Edge, approval, doc, fn, started, tool

UNSAFE = {"tools": {"pay": [{"effect_class": "unsafe", "result": 1}, {"result": 2}]}}


class Counted:
    """Handlers that count their calls and write what they saw."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}

    def __getitem__(self, name: str) -> Callable[..., Any]:
        def call(ctx: Any, params: Any) -> Any:
            self.calls[name] = self.calls.get(name, 0) + 1
            seen = ctx.view.memory.get("topic", "none")
            return {"data": {name: f"{name} on {seen}"}}

        return call

    def of(self, *names: str) -> dict[str, Callable[..., Any]]:
        return {name: self[name] for name in names}


async def fork(local: Local, at: int | str, **changes: Any) -> RunState:
    request = ForkRun(local.runner.entropy.new_id(), at, "ann", **changes)
    run_id = await local.runner.forks.fork("r", request)
    return await local.runner.settled(run_id)


async def path(local: Local, run_id: str) -> list[str | None]:
    events = await local.store.events(run_id, 0, 1000)
    return [event.node for event in events if event.type == "NodeCompleted"]


def three() -> dict[str, Any]:
    return doc([fn("a", reads=["*"]), fn("b", reads=["*"]), fn("c", reads=["*"])])


async def test_a_fork_reuses_what_came_before_the_point() -> None:
    """C33: A fork runs its node and what follows; what came before costs nothing again."""
    counted = Counted()
    local, _ = await started(three(), handlers=counted.of("a", "b", "c"))

    state = await fork(local, "b#1", memory={"topic": "boats"})

    assert state.status == "completed"
    assert counted.calls == {"a": 1, "b": 2, "c": 2}
    assert state.memory["a"] == "a on none"
    assert state.memory["b"] == "b on boats"
    assert await path(local, state.run_id) == ["a", "b", "c"]
    assert state.started["forked_from"]["run_id"] == "r"
    assert (await local.runner.store.warm("r")).memory["b"] == "b on none"
    await local.runner.close()


async def test_a_fork_starts_at_the_activation_that_had_begun_at_a_seq() -> None:
    """C33: A seq means the last activation that had begun by then; a node id its first one."""
    counted = Counted()
    local, _ = await started(three(), handlers=counted.of("a", "b", "c"))
    [queued] = [
        e.seq
        for e in await local.store.events("r")
        if e.key == "c#1" and e.type in ("NodeQueued", "NodeStarted")
    ][:1]

    await fork(local, queued)
    assert counted.calls == {"a": 1, "b": 1, "c": 2}
    await fork(local, "c")
    assert counted.calls == {"a": 1, "b": 1, "c": 3}
    await fork(local, 1)
    assert counted.calls == {"a": 2, "b": 2, "c": 4}
    await local.runner.close()


async def test_a_fork_with_another_input_and_without_a_key() -> None:
    """C33: The start input is replaced; null takes a key out of memory."""
    document = doc(
        [fn("a"), fn("b", reads=["input", "a"])],
    )
    seen: list[Any] = []

    def look(ctx: Any, params: Any) -> Any:
        seen.append((ctx.view.input, "a" in ctx.view.memory))
        return {}

    local, _ = await started(document, handlers={**Counted().of("a"), "b": look})
    await fork(local, "b", input="new", memory={"a": None})

    assert seen[-1] == ("new", False)
    await local.runner.close()


@pytest.mark.parametrize(
    ("at", "changes", "code"),
    [
        ("nope", {}, "ForkPointNotFound"),
        ("b", {"memory": {"_x": 1}}, "InputInvalid"),
        ("b", {"memory": {"topic": 5}}, "InputInvalid"),
    ],
)
async def test_what_cannot_be_forked(at: str, changes: dict[str, Any], code: str) -> None:
    """C33: A wrong point and memory that breaks the schema are refused, and nothing is made."""
    schema = {"type": "object", "properties": {"topic": {"type": "string"}}}
    document = {**three(), "state_schema": schema}
    local, _ = await started(document, handlers=Counted().of("a", "b", "c"))

    with pytest.raises(RequestRefused) as refused:
        await fork(local, at, **changes)

    assert refused.value.code == code
    await local.runner.close()


async def test_a_run_under_way_is_not_forked() -> None:
    """C33: A run that is still under way is not forked: its end decides what is undone."""
    local, _ = await started(doc([approval("ok"), fn("b")]), handlers=Counted().of("b"))

    with pytest.raises(RequestRefused) as refused:
        await fork(local, "ok")

    assert refused.value.code == "RunNotEnded"
    await local.runner.close()


async def approved() -> tuple[Local, Counted]:
    """Return a run a → ok (approved) → b that is over."""
    counted = Counted()
    document = doc([fn("a"), approval("ok", review_keys=["a"]), fn("b", reads=["*"])])
    local, _ = await started(document, handlers=counted.of("a", "b"))
    [request_id] = (await local.runner.store.warm("r")).interrupts
    answer = Answer(local.runner.token(request_id), decision="approved")
    await local.runner.answer(request_id, answer, CLI)
    assert (await local.runner.settled("r")).status == "completed"
    return local, counted


async def test_changes_do_not_start_after_an_approval() -> None:
    """C33: A fork with a change starts before the approval that the prefix passed."""
    local, counted = await approved()

    with pytest.raises(RequestRefused) as refused:
        await fork(local, "b", memory={"a": "something else"})

    assert refused.value.code == "ForkAfterApproval"
    assert refused.value.detail["earliest"]["key"] == "ok#1"
    assert counted.calls == {"a": 1, "b": 1}

    again = await fork(local, "ok", memory={"a": "something else"})
    assert again.status == "waiting"
    [opened] = again.interrupts.values()
    assert opened.request["data"] == {"a": "something else"}
    await local.runner.close()


async def test_without_changes_an_approval_is_inherited() -> None:
    """C33: What was approved stays approved where nothing differs."""
    local, counted = await approved()

    state = await fork(local, "b")

    assert (state.status, counted.calls) == ("completed", {"a": 1, "b": 2})
    await local.runner.close()


async def test_calls_that_would_be_sent_again_are_asked_about() -> None:
    """C33: The plan lists every unsafe call from the point on; nothing is sent unasked."""
    document = doc([fn("a"), tool("pay", "pay", config={"arguments": {"sum": "5"}}), fn("c")])
    local, _ = await started(document, UNSAFE, handlers=Counted().of("a", "c"))

    plan = (await local.runner.forks.plan("r", "pay")).to_json()
    assert [node["key"] for node in plan["reused"]] == ["a#1"]
    assert [node["key"] for node in plan["again"]] == ["pay#1", "c#1"]
    assert [(c["tool"], c["effect_class"], c["outcome"]) for c in plan["resent"]] == [
        ("pay", "unsafe", "completed")
    ]
    assert plan["resent"][0]["arguments"] == {"sum": "5"}

    with pytest.raises(RequestRefused) as refused:
        await fork(local, "pay")
    assert refused.value.code == "ForkResends"
    assert refused.value.detail["plan"] == plan

    state = await fork(local, "pay", resend=True)
    assert state.outputs["pay"] == 2
    assert (await local.runner.forks.plan("r", "c")).resent == ()
    await local.runner.close()


async def test_a_fork_on_another_draft_follows_its_edges() -> None:
    """C33: Edges are found by what they say; a draft that lacks a way taken is refused."""
    counted = Counted()
    local, _ = await started(three(), handlers=counted.of("a", "b", "c"))
    nodes = [fn("c", reads=["*"]), fn("new", "c"), fn("b", reads=["*"]), fn("a", reads=["*"])]
    edges: list[Edge] = [("__start__", "a", {}), ("b", "new", {}), ("new", "c", {}), ("a", "b", {})]

    async def on(document: dict[str, Any]) -> RunState:
        spec, problems = parse_document(document)
        assert spec is not None, problems
        program = local.graphs.program_of(spec)
        request = ForkRun(local.runner.entropy.new_id(), "b", "ann", version_id="draft")
        run_id = await local.runner.forks.fork("r", request, program)
        return await local.runner.settled(run_id)

    state = await on(doc(nodes, edges))
    assert (state.status, await path(local, state.run_id)) == (
        "completed",
        ["a", "b", "new", "c"],
    )

    with pytest.raises(RequestRefused) as refused:
        await on(doc(nodes, [("__start__", "a", {}), ("a", "c", {}), ("b", "c", {})]))
    assert refused.value.code == "ForkNotPossible"
    await local.runner.close()


def undoable() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a → pay (undone) → c (fails) and its script."""
    pay = tool(
        "pay",
        "pay",
        requires_compensation=True,
        config={"compensation": {"tool_id": "refund", "arguments": {}}},
    )
    script = {**UNSAFE, "repeat_last": True}
    script["tools"] = {**UNSAFE["tools"], "refund": [{"effect_class": "unsafe", "result": "back"}]}
    return doc([fn("a"), pay, fn("c")]), script


async def test_a_retry_after_undo_starts_before_the_first_undone() -> None:
    """C33, C51: What was undone is done again, before the node that failed."""
    document, script = undoable()
    fails = [True, False]

    def moody(ctx: Any, params: Any) -> Any:
        if fails.pop(0):
            raise NodeError("Broken", "no", retryable=False)
        return {}

    counted = Counted()
    local, _ = await started(document, script, handlers={**counted.of("a"), "c": moody})
    events = await local.store.events("r", 0, 1000)
    assert [e.type for e in events].count("CompensationRun") == 1

    with pytest.raises(RequestRefused) as refused:
        await fork(local, "c")
    assert refused.value.code == "ForkAfterUndo"
    assert refused.value.detail["earliest"]["key"] == "pay#1"

    second = await local.runner.retry("r", "ann")
    state = await local.runner.settled(second)

    assert (state.status, counted.calls) == ("completed", {"a": 1})
    assert await path(local, second) == ["a", "pay", "c"]
    assert state.outputs["pay"] == 2
    await local.runner.close()


async def test_a_fork_of_a_completed_run_undoes_nothing_of_it() -> None:
    """C51: What a completed run did stays done when its fork fails."""
    document, script = undoable()
    fails = [False, True]

    def moody(ctx: Any, params: Any) -> Any:
        if fails.pop(0):
            raise NodeError("Broken", "no", retryable=False)
        return {}

    local, _ = await started(document, script, handlers={**Counted().of("a"), "c": moody})

    state = await fork(local, "c")

    events = await local.store.events(state.run_id, 0, 1000)
    assert state.status == "failed"
    assert "CompensationRun" not in [event.type for event in events]
    await local.runner.close()


async def test_a_retry_with_the_mended_document_goes_on_at_the_failed_node() -> None:
    """C33: With another version a retry reuses what came before and runs the new document."""
    counted = Counted()

    def broken(ctx: Any, params: Any) -> Any:
        raise NodeError("Broken", "no", retryable=False)

    handlers = {**counted.of("a", "good"), "bad": broken}
    document = doc([fn("a"), fn("b", "bad")])
    local, _ = await started(document, handlers=handlers)
    assert (await local.runner.store.warm("r")).status == "failed"
    mended = doc([fn("a"), fn("b", "good")])
    spec, _problems = parse_document(mended)
    assert spec is not None
    program = local.graphs.program_of(spec)

    request = ForkRun("again", None, "ann", version_id="v2")
    new_id = await local.runner.forks.fork("r", request, program)
    done = await local.runner.settled(new_id)

    assert done.status == "completed"
    assert counted.calls == {"a": 1, "good": 1}
    assert done.started["forked_from"]["run_id"] == "r"
    await local.runner.close()
