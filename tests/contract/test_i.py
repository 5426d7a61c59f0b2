"""Rows I: interrupts and resume."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from engine.errors import RequestRefused
from engine.local import Local
from engine.report import interrupt_frame
from engine.requests import CLI, Actor, Answer
from engine.resume import resume_of
from tests.contract.harness import Outcome, agent, approval, check, doc, fn, question, run, started

OPTIONS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "description": "second"}]
ANN = Actor("ann", "Ann")


def opened(local: Local, number: int = 0) -> Any:
    """Return an open interrupt of the run."""
    state = local.store.peek("r")
    assert state is not None
    return list(state.interrupts.values())[number]


async def answer(local: Local, request: Any, actor: Actor = CLI, **given: Any) -> dict[str, Any]:
    token = local.runner.token(request.request_id)
    recorded = await local.runner.answer(request.request_id, Answer(token, **given), actor)
    await local.runner.settled("r")
    return recorded


def choice(*, kind: str = "choice", options: Any = None, **config: Any) -> dict[str, Any]:
    return doc([question("q", kind=kind, options=options or OPTIONS, **config)])


def test_a_question_pauses_the_run_until_it_is_answered_I1() -> None:
    """I1: A question pauses the run until it is answered."""
    waiting = run(doc([question("q")]))
    done = run(doc([question("q")]), decide={"q": [{"selected": "blue"}]})

    assert (waiting.exit, waiting.status) == (3, "waiting")
    assert [i["node"] for i in waiting.report["interrupts"]] == ["q"]
    assert waiting.activation("q")["status"] == "waiting"
    assert waiting.report["result"] is None
    assert (done.exit, done.outputs) == (0, {"q": "blue"})


async def test_a_pause_holds_no_task_I1() -> None:
    """I1: A pause holds no task."""
    local, _run = await started(doc([question("q")]))

    assert local.runner._tasks == {}
    await local.runner.close()


def test_a_malformed_request_fails_before_anyone_is_asked_I2() -> None:
    """I2: A malformed request fails before anyone is asked."""
    assert "MissingField" in check(doc([question("q", kind="choice")])).codes
    assert "MissingField" in check(doc([question("q", kind="form")])).codes
    twice = [{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]
    assert "DuplicateId" in check(choice(options=twice)).codes

    async def asks(ctx: Any, params: Any) -> Any:
        return await ctx.interrupt(params)

    for request in (
        {"kind": "choice", "question": "?", "options": []},
        {"kind": "choice", "question": "?", "options": twice},
        {"kind": "form", "question": "?"},
        {"kind": "guess", "question": "?"},
        {"kind": "text"},
    ):
        failed = run(doc([fn("a", "asks", config={"params": request})]), handlers={"asks": asks})
        assert failed.code == "NodeConfigInvalid", request
        assert failed.of("InterruptOpened") == []


def test_a_question_is_a_template_I2() -> None:
    """I2: A question is a template."""
    asked = doc([{**question("q", "Is {{ input }} right?"), "read_keys": ["input"]}])

    shown = run(asked, input="this").report["interrupts"][0]["request"]
    assert shown["question"] == "Is this right?"


ASK = {"json": {"kind": "choice", "question": "Which?", "options": OPTIONS}}


def test_a_model_that_must_ask_asks_once_I3() -> None:
    """I3: A model that must ask asks once."""
    graph = doc([agent("a", config={"interrupt": "required"})])
    script = {"default": [ASK, {"text": "done"}]}
    waiting = run(graph, script)
    done = run(graph, script, {"a": [{"selected": "b"}]})

    assert waiting.report["interrupts"][0]["request"]["question"] == "Which?"
    assert (done.exit, done.outputs["a"]) == (0, "done")
    assert len(done.of("InterruptOpened")) == 1
    assert "b" in done.models[1].request.messages[-1].content


def test_a_model_that_may_ask_need_not_I3() -> None:
    """I3: A model that may ask need not."""
    graph = doc([agent("a", config={"interrupt": "optional"})])

    assert run(graph, {"default": [{"text": "plain"}]}).outputs["a"] == "plain"
    asked = run(graph, {"default": [ASK, {"text": "ok"}]}, {"a": [{"selected": "a"}]})
    assert len(asked.of("InterruptOpened")) == 1


def test_an_ill_formed_request_of_a_model_fails_I3() -> None:
    """I3: An ill formed request of a model fails."""
    graph = doc([agent("a", config={"interrupt": "required", "repair_turns": 0})])
    bad = {"json": {"kind": "choice", "question": "Which?", "options": []}}

    for reply in (bad, {"text": "no question"}):
        failed = run(graph, {"default": [reply]})
        assert failed.code == "ResultSchemaMismatch"
        assert failed.activation("a")["attempts"] == 1


def test_tools_may_be_used_beside_asking_I3() -> None:
    """I3: Tools may be used beside asking."""
    graph = doc([agent("a", config={"interrupt": "required", "tools": ["add"]})])
    call = {"tool_calls": [{"name": "add", "arguments": {}}]}
    script = {"default": [call, ASK, {"text": "3"}], "tools": {"add": [{"result": 3}]}}
    done = run(graph, script, {"a": [{"selected": "a"}]})

    assert (done.outputs["a"], len(done.tools)) == ("3", 1)


async def test_the_wire_form_hides_what_is_internal_I4() -> None:
    """I4: The wire form hides what is internal."""
    options = [{**OPTIONS[0], "value": {"secret": 1}}, OPTIONS[1]]
    local, _run = await started(choice(kind="multi-choice", options=options))
    state = local.store.peek("r")
    request = opened(local)
    frame = interrupt_frame(state, b"local", request)  # type: ignore[arg-type]

    assert frame == {
        "type": "interrupt", "requestId": request.request_id,
        "resumeToken": local.runner.token(request.request_id), "runId": "r", "graph": "g",
        "node": "q",
        "input": {
            "kind": "multi-choice", "multiple": True, "question": "What?",
            "options": OPTIONS,
        },
    }  # fmt: skip
    assert request.request_id.startswith("human-")
    await local.runner.close()


def test_multiple_is_true_for_multi_choice_only_I4() -> None:
    """I4: Multiple is true for multi choice only."""
    for kind in ("choice", "multi-choice"):
        shown = run(choice(kind=kind)).report["interrupts"][0]["request"]
        assert shown["multiple"] is (kind == "multi-choice")


def chat(**resume: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": "b", "metadata": {"resume": resume}}]


async def test_a_chat_message_carries_an_answer_in_its_metadata_I5() -> None:
    """I5: A chat message carries an answer in its metadata."""
    local, _run = await started(choice())
    request = opened(local)
    token = local.runner.token(request.request_id)
    given = resume_of(chat(token=token, requestId=request.request_id, selected="b"))

    assert given is not None
    await local.runner.answer(given.request_id, given.answer, CLI)
    assert (await local.runner.settled("r")).outputs == {"q": "b"}
    await local.runner.close()


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [*chat(token="t", requestId="human-1", selected="b"), {"role": "user", "content": "hi"}],
        chat(token="", requestId="human-1", selected="b"),
        chat(token="t", requestId=5, selected="b"),
        [{**chat(token="t", requestId="human-1")[0], "content": " "}],
        [{**chat(token="t", requestId="human-1")[0], "role": "assistant"}],
    ],
)
def test_anything_else_is_no_answer_I5(messages: list[dict[str, Any]]) -> None:
    """I5: Anything else is no answer."""
    assert resume_of(messages) is None


@pytest.mark.parametrize(
    "given",
    [
        {"selected": "b"},
        {"selected": ["b"]},
        {"selected": {"choice": {"id": "b"}}},
        {"selected": {"choices": [{"id": "b"}]}},
        {"choice": {"id": "b"}},
        {"choices": [{"id": "b"}]},
        {"selected": "B", "choice": {"id": "b"}},
    ],
)
def test_answers_come_in_many_shapes_I6(given: dict[str, Any]) -> None:
    """I6: Answers come in many shapes."""
    assert run(choice(), decide={"q": [given]}).outputs == {"q": "b"}


def test_a_choice_without_id_is_invalid_I6() -> None:
    """I6: A choice without id is invalid."""
    refused = run(choice(), decide={"q": [{"choices": [{"label": "x"}]}]})

    assert (refused.exit, refused.codes) == (3, ["AnswerInvalid"])
    assert refused.status == "waiting"


def test_a_form_is_answered_with_an_object_I6() -> None:
    """I6: A form is answered with an object."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    form = doc([question("q", kind="form", schema=schema)])

    assert run(form, decide={"q": [{"values": {"n": 1}}]}).outputs == {"q": {"n": 1}}
    assert run(form, decide={"q": [{"selected": {"n": 1}}]}).outputs == {"q": {"n": 1}}


def test_what_the_node_receives_I7() -> None:
    """I7: What the node receives."""
    many = run(choice(kind="multi-choice"), decide={"q": [{"selected": ["b", "a"]}]})
    valued = [{**OPTIONS[0], "value": 7}, OPTIONS[1]]
    value = run(choice(options=valued, answer_key="k"), decide={"q": [{"selected": "a"}]})
    text = run(doc([question("q", answer_key="k")]), decide={"q": [{"selected": "t"}]})

    assert many.outputs == {"q": ["a", "b"]}
    assert (value.outputs, value.memory) == ({"q": 7}, {"k": 7})
    assert text.memory == {"k": "t"}


async def refused(local: Local, request: Any, actor: Actor = CLI, **given: Any) -> str:
    with pytest.raises(RequestRefused) as error:
        await answer(local, request, actor, **given)
    return error.value.code


async def test_unknown_closed_and_repeated_answers_I8() -> None:
    """I8: Unknown closed and repeated answers."""
    local, _run = await started(choice())
    request = opened(local)
    right = local.runner.token(request.request_id)

    with pytest.raises(RequestRefused) as wrong:
        await local.runner.answer(request.request_id, Answer("nope", selected="a"), CLI)
    with pytest.raises(RequestRefused) as unknown:
        await local.runner.answer("human-zzz", Answer(right, selected="a"), CLI)
    first = await answer(local, request, selected="a")
    again = await answer(local, request, selected="a")
    other = await refused(local, request, selected="b")

    assert (wrong.value.code, unknown.value.code) == ("InterruptNotFound", "InterruptNotFound")
    assert again == first
    assert other == "InterruptClosed"
    assert len(local.store.logs) == 1  # type: ignore[attr-defined]
    await local.runner.close()


def test_a_replayed_answer_with_a_value_gives_the_recorded_result_I8() -> None:
    """I8: A replayed answer with a value gives the recorded result."""
    import asyncio

    async def twice() -> tuple[Any, Any]:
        local, _run = await started(choice(options=[{**OPTIONS[0], "value": 7}]))
        request = opened(local)
        first = await answer(local, request, selected="a")
        second = await answer(local, request, selected="a")
        await local.runner.close()
        return first, second

    first, second = asyncio.run(twice())
    assert first == second


def test_cancel_closes_the_request_and_cancels_the_run_I9() -> None:
    """I9: Cancel closes the request and cancels the run."""
    done = run(doc([question("q")]), decide={"q": [{"cancel": True}]})

    assert (done.exit, done.status) == (1, "cancelled")
    assert done.report["interrupts"] == []
    assert [e["outcome"] for e in done.of("InterruptResolved")] == ["cancelled"]


def test_a_deadline_takes_its_edge_or_fails_I11() -> None:
    """I11: A deadline takes its edge or fails."""
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


def test_code_runs_again_and_recorded_calls_return_I12() -> None:
    """I12: Code runs again and recorded calls return."""
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


def test_another_request_at_a_recorded_place_fails_I12() -> None:
    """I12: Another request at a recorded place fails."""
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


def test_an_interrupted_conversation_goes_on_I13() -> None:
    """I13: An interrupted conversation goes on."""
    usage = [{"input_tokens": 10, "output_tokens": n} for n in (1, 2)]
    script = {"default": [{**ASK, "usage": usage[0]}, {"text": "done", "usage": usage[1]}]}
    graph = doc([agent("a", config={"interrupt": "required"})])
    done = run(graph, script, {"a": [{"selected": "a"}]})

    assert len(done.models) == 2
    assert done.report["spend"]["tokens"] == 23


def test_earlier_conversations_of_the_node_are_reused_I13() -> None:
    """I13: Earlier conversations of the node are reused."""

    async def two(ctx: Any, params: Any) -> Any:
        first = await ctx.reason("x", "One.")
        second = await ctx.reason("x", "Two.", interrupt="required")
        return [first.text, second.text]

    graph = doc([fn("a", "two")], agents=[{"id": "x"}])
    script = {"default": [{"text": "1"}, ASK, {"text": "2"}]}
    done = run(graph, script, {"a": [{"selected": "a"}]}, handlers={"two": two})

    assert done.outputs["a"] == ["1", "2"]
    assert len(done.models) == 3


def test_built_in_pauses_come_first_I14() -> None:
    """I14: Built in pauses come first."""
    asked = run(doc([question("q")]), decide={"q": [{"selected": "y"}]})
    decided = run(doc([approval("p")]), decide={"p": [{"decision": "approved"}]})

    assert len(asked.of("InterruptOpened")) == len(decided.of("InterruptOpened")) == 1
    import engine.context

    assert "docs/writing-nodes.md" in (inspect.getdoc(engine.context) or "")


def test_node_state_survives_failures_pauses_and_revisits_I15() -> None:
    """I15: Node state survives failures pauses and revisits."""
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


def test_the_guard_pattern_emits_once_per_visit_I16() -> None:
    """I16: The guard pattern emits once per visit."""
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


def test_workflow_state_is_shared_by_the_run_only_I17() -> None:
    """I17: Workflow state is shared by the run only."""

    async def sets(ctx: Any, params: Any) -> Any:
        await ctx.workflow_state.set("k", 1)
        return {}

    async def reads(ctx: Any, params: Any) -> Any:
        await ctx.interrupt({"kind": "text", "question": "?"})
        return {"output": ctx.workflow_state.get("k"), "transition_to": "h"}

    seen: list[Any] = []

    async def later(ctx: Any, params: Any) -> Any:
        seen.append(ctx.workflow_state.get("k"))
        return {}

    handlers = {"sets": sets, "reads": reads, "later": later}
    other = {**doc([fn("c", "later")]), "id": "h"}
    done = run(
        doc([fn("a", "sets"), fn("b", "reads")]), decide={"b": [{"selected": "x"}]},
        handlers=handlers, graphs=[other],
    )  # fmt: skip

    assert done.outputs["b"] == 1
    assert done.report["transition"]["status"] == "completed"
    assert done.report["transition"]["graph_id"] == "h"
    assert seen == [None]


@pytest.mark.parametrize(
    ("mode", "kept"), [("snapshot", {"step": "end"}), ("merge", {"step": "end", "n": 1})]
)
def test_structured_frames_from_inside_a_node_I18(mode: str, kept: dict[str, Any]) -> None:
    """I18: Structured frames from inside a node."""

    async def emits(ctx: Any, params: Any) -> Any:
        await ctx.emit_structured({"step": "start", "n": 1}, data_type="lifecycle")
        await ctx.interrupt({"kind": "text", "question": "?"})
        await ctx.emit_structured({"step": "end"}, data_type="lifecycle", mode=mode)

    done = run(
        doc([fn("a", "emits")]), decide={"a": [{"selected": "x"}]}, handlers={"emits": emits}
    )

    assert len(done.of("StructuredEmitted")) == 2
    assert done.report["ui"]["structured"] == {"lifecycle": kept}


def test_the_memory_store_says_that_questions_end_with_it_I19() -> None:
    """I19: The memory store says that questions end with it."""
    assert "ends with this process" in run(doc([question("q")])).stderr


async def test_a_node_may_ask_again_with_a_new_id_and_token_I21() -> None:
    """I21: A node may ask again with a new id and token."""

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


async def test_ending_a_run_closes_its_open_interrupts_at_once_I22() -> None:
    """I22: Ending a run closes its open interrupts at once."""
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
        ("choice", "nope"), ("choice", ["a", "b"]), ("choice", []), ("multi-choice", []),
        ("multi-choice", ["a", "zzz"]), ("text", "  "), ("form", {"n": "x"}), ("form", "x"),
    ],
)  # fmt: skip
async def test_a_bad_answer_leaves_the_question_open_I23(kind: str, bad: Any) -> None:
    """I23: A bad answer leaves the question open."""
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


async def test_parallel_branches_wait_at_the_same_time_I24() -> None:
    """I24: Parallel branches wait at the same time."""
    graph = doc([question("p"), question("q")], ["__start__ -> p", "__start__ -> q"])
    local, _run = await started(graph)
    first, second = opened(local, 0), opened(local, 1)
    token = local.runner.token(first.request_id)
    await answer(local, second, selected="x")
    state = await local.runner.settled("r")

    assert list(state.interrupts) == [first.request_id]
    assert state.outputs == {"q": "x"}
    assert state.status == "waiting"
    log = "\n".join(str(event.to_wire()) for event in await local.store.events("r"))
    assert token not in log
    await local.runner.close()


def test_decisions_are_taken_in_the_order_of_opening_I1() -> None:
    """I1: Decisions are taken in the order of opening."""
    graph = doc([question("q"), question("r")])
    done: Outcome = run(graph, decide={"r": [{"selected": "2"}], "q": [{"selected": "1"}]})

    assert done.outputs == {"q": "1", "r": "2"}
    assert run(graph, decide={"q": [{"selected": "1"}]}).exit == 3
