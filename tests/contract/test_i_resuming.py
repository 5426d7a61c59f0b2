"""Rows I11 to I24: what runs again, what survives a pause, and how it ends."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI, Answer
from engine.core.state.wire import encode_event
from tests.contract.harness import agent, approval, doc, fn, question, run, started
from tests.contract.questions import ASK, OPTIONS, answer, opened, refused


def test_a_deadline_takes_its_edge_or_fails() -> None:
    """I11."""
    nodes = [question("q", timeout_ms=60_000), fn("late"), fn("fine", "late")]
    script: dict[str, Any] = {"functions": {"late": {"returns": {}}}}
    edges: list[Any] = ["__start__ -> q -> fine", ("q", "late", {"on": "timed_out"})]
    expire = {"q": [{"expire": True}]}
    drawn = run(doc(nodes, edges), script, expire)
    bare = run(doc([question("q", timeout_ms=60_000)]), decide=expire)
    endless = run(doc([question("q")]), decide=expire)

    assert (drawn.exit, drawn.path) == (0, ["q", "late"])
    assert (bare.code, bare.exit) == ("InterruptExpired", 1)
    assert bare.activation("q")["attempts"] == 1
    assert (endless.exit, endless.codes) == (3, ["AnswerInvalid"])
    assert "expires_at" not in endless.of("InterruptOpened")[0]


def test_code_runs_again_and_recorded_calls_return() -> None:
    """I12."""
    starts: list[str] = []

    async def asks(ctx: Any, params: Any) -> Any:
        starts.append("start")
        thought = await ctx.reason("x", "Think.")
        return [thought.text, await ctx.interrupt({"kind": "text", "question": "?"})]

    graph = doc([fn("a", "asks")], agents=[{"id": "x"}])
    done = run(
        graph, {"default": [{"text": "t"}]}, {"a": [{"selected": "y"}]}, handlers={"asks": asks}
    )

    assert done.outputs["a"] == ["t", "y"]
    assert len(starts) == 2
    assert len(done.models) == 1


def test_another_request_at_a_recorded_place_fails() -> None:
    """I12."""
    starts: list[str] = []

    async def asks(ctx: Any, params: Any) -> Any:
        starts.append("start")
        await ctx.reason("x", f"Think {len(starts)}.")
        return await ctx.interrupt({"kind": "text", "question": "?"})

    graph = doc([fn("a", "asks")], agents=[{"id": "x"}])
    script = {"default": [{"text": "t"}, {"text": "u"}]}
    failed = run(graph, script, {"a": [{"selected": "y"}]}, handlers={"asks": asks})

    assert failed.code == "NondeterministicNode"
    assert failed.activation("a")["attempts"] == 1
    assert len(failed.models) == 1


def test_an_interrupted_conversation_goes_on() -> None:
    """I13."""
    usage = [{"input_tokens": 10, "output_tokens": n} for n in (1, 2)]
    script = {"default": [{**ASK, "usage": usage[0]}, {"text": "done", "usage": usage[1]}]}
    graph = doc([agent("a", config={"interrupt": "required"})])
    done = run(graph, script, {"a": [{"selected": "a"}]})

    assert len(done.models) == 2
    assert done.report["spend"]["tokens"] == 23


def test_earlier_conversations_of_the_node_are_reused() -> None:
    """I13."""

    async def two(ctx: Any, params: Any) -> Any:
        first = await ctx.reason("x", "One.")
        second = await ctx.reason("x", "Two.", interrupt="required")
        return [first.text, second.text]

    graph = doc([fn("a", "two")], agents=[{"id": "x"}])
    script = {"default": [{"text": "1"}, ASK, {"text": "2"}]}
    done = run(graph, script, {"a": [{"selected": "a"}]}, handlers={"two": two})

    assert done.outputs["a"] == ["1", "2"]
    assert len(done.models) == 3


def test_built_in_pauses_come_first() -> None:
    """I14."""
    asked = run(doc([question("q")]), decide={"q": [{"selected": "y"}]})
    decided = run(doc([approval("p")]), decide={"p": [{"decision": "approved"}]})

    assert len(asked.of("InterruptOpened")) == len(decided.of("InterruptOpened")) == 1
    import engine.runtime.execution.context

    assert "docs/writing-nodes.md" in (inspect.getdoc(engine.runtime.execution.context) or "")


def test_node_state_survives_failures_pauses_and_revisits() -> None:
    """I15."""
    values: list[int] = []

    async def counts(ctx: Any, params: Any) -> Any:
        n = ctx.node_state.get("n", 0) + 1
        await ctx.node_state.set("n", n)
        n = ctx.node_state.get("n")
        values.append(n)
        if n == 1:
            raise ValueError("once")
        await ctx.interrupt({"kind": "text", "question": "?"})
        return {"condition": "more" if len(values) < 4 else "done"}

    graph = doc(
        [fn("a", "counts")],
        ["__start__ -> a", ("a", "a", {"when": "more"}), ("a", "__end__", {"when": "done"})],
    )
    decide = {"a": [{"selected": "x"}] * 5}
    done = run(graph, decide=decide, handlers={"counts": counts})

    assert done.exit == 0
    assert sorted(set(values)) == list(range(1, max(values) + 1))
    assert values == sorted(values)
    assert done.memory == {}


def test_the_guard_pattern_emits_once_per_visit() -> None:
    """I16."""
    visits: list[str] = []

    async def guarded(ctx: Any, params: Any) -> Any:
        if not ctx.node_state.get("started", False):
            await ctx.emit_structured({"step": "start"}, data_type="lifecycle")
            await ctx.node_state.set("started", True)
        said = await ctx.interrupt({"kind": "text", "question": "?"})
        await ctx.node_state.set("started", False)
        visits.append(said)
        return {"condition": said}

    graph = doc(
        [fn("a", "guarded")],
        ["__start__ -> a", ("a", "a", {"when": "more"}), ("a", "__end__", {"when": "done"})],
    )
    decide = {"a": [{"selected": "more"}, {"selected": "done"}]}
    done = run(graph, decide=decide, handlers={"guarded": guarded})

    assert done.exit == 0, done.report
    assert visits == ["more", "done"]
    assert len(done.of("StructuredEmitted")) == 2


def test_workflow_state_is_shared_by_the_run_only() -> None:
    """I17."""

    async def sets(ctx: Any, params: Any) -> Any:
        await ctx.workflow_state.set("k", 1)
        await ctx.workflow_state.set("other", 2)
        return {}

    async def reads(ctx: Any, params: Any) -> Any:
        await ctx.workflow_state.set("third", 3)
        await ctx.interrupt({"kind": "text", "question": "?"})
        kept = [ctx.workflow_state.get(name) for name in ("k", "other", "third", "none")]
        return {"output": kept, "transition_to": "h"}

    seen: list[Any] = []

    async def later(ctx: Any, params: Any) -> Any:
        seen.append(ctx.workflow_state.get("k"))
        return {}

    handlers = {"sets": sets, "reads": reads, "later": later}
    other = {**doc([fn("c", "later")]), "id": "h"}
    done = run(
        doc([fn("a", "sets"), fn("b", "reads")]),
        decide={"b": [{"selected": "x"}]},
        handlers=handlers,
        graphs=[other],
    )

    assert done.outputs["b"] == [1, 2, 3, None]
    assert done.report["transition"]["status"] == "completed"
    assert done.report["transition"]["graph_id"] == "h"
    assert seen == [None]


@pytest.mark.parametrize(
    ("mode", "kept"), [("snapshot", {"step": "end"}), ("merge", {"step": "end", "n": 1})]
)
def test_structured_frames_from_inside_a_node(mode: str, kept: dict[str, Any]) -> None:
    """I18."""

    async def emits(ctx: Any, params: Any) -> Any:
        await ctx.emit_structured({"step": "start", "n": 1}, data_type="lifecycle")
        await ctx.interrupt({"kind": "text", "question": "?"})
        await ctx.emit_structured({"step": "end"}, data_type="lifecycle", mode=mode)

    done = run(
        doc([fn("a", "emits")]), decide={"a": [{"selected": "x"}]}, handlers={"emits": emits}
    )

    assert len(done.of("StructuredEmitted")) == 2
    assert done.report["ui"]["structured"] == {"lifecycle": kept}


def test_the_memory_store_says_that_questions_end_with_it() -> None:
    """I19."""
    assert "ends with this process" in run(doc([question("q")])).stderr


async def test_a_node_may_ask_again_with_a_new_id_and_token() -> None:
    """I21."""

    async def asks(ctx: Any, params: Any) -> Any:
        text = await ctx.interrupt({"kind": "text", "question": "?"})
        picked = await ctx.interrupt({"kind": "choice", "question": "?", "options": OPTIONS})
        return [text, picked]

    local, _run = await started(doc([fn("a", "asks")]), handlers={"asks": asks})
    first = opened(local)
    await answer(local, first, selected="x")
    second = opened(local)
    old = local.runner.token(first.request_id)

    assert second.request_id != first.request_id
    with pytest.raises(RequestRefused) as mixed:
        await local.runner.answer(second.request_id, Answer(old, selected="a"), CLI)
    assert mixed.value.code == "InterruptNotFound"
    assert await refused(local, first, selected="other") == "InterruptClosed"
    await answer(local, second, selected="a")
    assert (await local.runner.settled("r")).outputs == {"a": ["x", "a"]}
    await local.runner.close()


async def test_ending_a_run_closes_its_open_interrupts_at_once() -> None:
    """I22."""
    local, _run = await started(doc([question("q")]))
    request = opened(local)
    await local.runner.cancel("r", "ann")
    log = await local.store.events("r")
    outcomes = [e.data["outcome"] for e in log if e.type == "InterruptResolved"]
    names = [e.type for e in log]

    assert outcomes == ["superseded"]
    assert names.index("InterruptResolved") < names.index("RunCancelled")
    assert len({e.at for e in log if e.type in ("InterruptResolved", "RunEnding")}) == 1
    assert await refused(local, request, selected="x") == "InterruptClosed"
    await local.runner.close()


@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        ("choice", "nope"),
        ("choice", ["a", "b"]),
        ("choice", []),
        ("multi-choice", []),
        ("multi-choice", ["a", "zzz"]),
        ("text", "  "),
        ("form", {"n": "x"}),
        ("form", "x"),
    ],
)
async def test_a_bad_answer_leaves_the_question_open(kind: str, bad: Any) -> None:
    """I23."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    extra: dict[str, Any] = {"options": OPTIONS} if "choice" in kind else {}
    extra |= {"schema": schema} if kind == "form" else {}
    local, _run = await started(doc([question("q", kind=kind, **extra)]))
    request = opened(local)
    good = {"choice": "a", "multi-choice": ["a"], "text": "t", "form": {"n": 1}}[kind]

    assert await refused(local, request, selected=bad) == "AnswerInvalid"
    await answer(local, request, selected=good)
    assert (await local.runner.settled("r")).status == "completed"
    await local.runner.close()


async def test_parallel_branches_wait_at_the_same_time() -> None:
    """I24."""
    graph = doc([question("p"), question("q")], ["__start__ -> p", "__start__ -> q"])
    local, _run = await started(graph)
    first, second = opened(local, 0), opened(local, 1)
    token = local.runner.token(first.request_id)
    await answer(local, second, selected="x")
    state = await local.runner.settled("r")

    assert list(state.interrupts) == [first.request_id]
    assert state.outputs == {"q": "x"}
    assert state.status == "waiting"
    log = "\n".join(encode_event(event).decode() for event in await local.store.events("r"))
    assert token not in log
    await local.runner.close()
