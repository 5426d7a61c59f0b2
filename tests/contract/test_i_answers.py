"""Rows I1 to I9: questions, their wire form, and what counts as an answer."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.people.chat_answers import resume_of
from engine.core.state.requests import CLI, Actor, Answer
from tests.contract.harness import Outcome, agent, check, doc, fn, question, run, started
from tests.contract.questions import ASK, OPTIONS, answer, choice, opened, refused

ANN = Actor("ann", "Ann")


def test_a_question_pauses_the_run_until_it_is_answered() -> None:
    """I1."""
    waiting = run(doc([question("q")]))
    done = run(doc([question("q")]), decide={"q": [{"selected": "blue"}]})

    assert (waiting.exit, waiting.status) == (3, "waiting")
    assert [i["node"] for i in waiting.report["interrupts"]] == ["q"]
    assert waiting.activation("q")["status"] == "waiting"
    assert waiting.report["result"] is None
    assert (done.exit, done.outputs) == (0, {"q": "blue"})


async def test_a_pause_holds_no_task() -> None:
    """I1."""
    local, _run = await started(doc([question("q")]))

    assert local.runner._tasks == {}
    await local.runner.close()


def test_a_malformed_request_fails_before_anyone_is_asked() -> None:
    """I2."""
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


def test_a_question_is_a_template() -> None:
    """I2."""
    asked = doc([{**question("q", "Is {{ input }} right?"), "read_keys": ["input"]}])

    shown = run(asked, input="this").report["interrupts"][0]["request"]
    assert shown["question"] == "Is this right?"


def test_a_model_that_must_ask_asks_once() -> None:
    """I3."""
    graph = doc([agent("a", config={"interrupt": "required"})])
    script = {"default": [ASK, {"text": "done"}]}
    waiting = run(graph, script)
    done = run(graph, script, {"a": [{"selected": "b"}]})

    assert waiting.report["interrupts"][0]["request"]["question"] == "Which?"
    assert (done.exit, done.outputs["a"]) == (0, "done")
    assert len(done.of("InterruptOpened")) == 1
    assert "b" in done.models[1].request.messages[-1].content


def test_a_model_that_may_ask_need_not() -> None:
    """I3."""
    graph = doc([agent("a", config={"interrupt": "optional"})])

    assert run(graph, {"default": [{"text": "plain"}]}).outputs["a"] == "plain"
    asked = run(graph, {"default": [ASK, {"text": "ok"}]}, {"a": [{"selected": "a"}]})
    assert len(asked.of("InterruptOpened")) == 1


def test_an_ill_formed_request_of_a_model_fails() -> None:
    """I3."""
    graph = doc([agent("a", config={"interrupt": "required", "repair_turns": 0})])
    bad = {"json": {"kind": "choice", "question": "Which?", "options": []}}

    for reply in (bad, {"text": "no question"}):
        failed = run(graph, {"default": [reply]})
        assert failed.code == "ResultSchemaMismatch"
        assert failed.activation("a")["attempts"] == 1


def test_tools_may_be_used_beside_asking() -> None:
    """I3."""
    graph = doc([agent("a", config={"interrupt": "required", "tools": ["add"]})])
    call = {"tool_calls": [{"name": "add", "arguments": {}}]}
    script = {"default": [call, ASK, {"text": "3"}], "tools": {"add": [{"result": 3}]}}
    done = run(graph, script, {"a": [{"selected": "a"}]})

    assert (done.outputs["a"], len(done.tools)) == ("3", 1)


def test_multiple_is_true_for_multi_choice_only() -> None:
    """I4."""
    for kind in ("choice", "multi-choice"):
        shown = run(choice(kind=kind)).report["interrupts"][0]["request"]
        assert shown["multiple"] is (kind == "multi-choice")


def chat(**resume: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": "b", "metadata": {"resume": resume}}]


async def test_a_chat_message_carries_an_answer_in_its_metadata() -> None:
    """I5."""
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
def test_anything_else_is_no_answer(messages: list[dict[str, Any]]) -> None:
    """I5."""
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
def test_answers_come_in_many_shapes(given: dict[str, Any]) -> None:
    """I6."""
    assert run(choice(), decide={"q": [given]}).outputs == {"q": "b"}


def test_a_choice_without_id_is_invalid() -> None:
    """I6."""
    refused = run(choice(), decide={"q": [{"choices": [{"label": "x"}]}]})

    assert (refused.exit, refused.codes) == (3, ["AnswerInvalid"])
    assert refused.status == "waiting"


def test_a_form_is_answered_with_an_object() -> None:
    """I6."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    form = doc([question("q", kind="form", schema=schema)])

    assert run(form, decide={"q": [{"values": {"n": 1}}]}).outputs == {"q": {"n": 1}}
    assert run(form, decide={"q": [{"selected": {"n": 1}}]}).outputs == {"q": {"n": 1}}


def test_text_of_a_form_has_its_format() -> None:
    """I23: A date is a date."""
    schema = {"type": "object", "properties": {"due": {"type": "string", "format": "date"}}}
    form = doc([question("q", kind="form", schema=schema)])

    refused = run(form, decide={"q": [{"values": {"due": "tomorrow"}}]})
    assert (refused.exit, refused.codes) == (3, ["AnswerInvalid"])
    given = {"due": "2026-12-01"}
    assert run(form, decide={"q": [{"values": given}]}).outputs == {"q": given}


def test_what_the_node_receives() -> None:
    """I7."""
    many = run(choice(kind="multi-choice"), decide={"q": [{"selected": ["b", "a"]}]})
    valued = [{**OPTIONS[0], "value": 7}, OPTIONS[1]]
    value = run(choice(options=valued, answer_key="k"), decide={"q": [{"selected": "a"}]})
    text = run(doc([question("q", answer_key="k")]), decide={"q": [{"selected": "t"}]})

    assert many.outputs == {"q": ["a", "b"]}
    assert (value.outputs, value.memory) == ({"q": 7}, {"k": 7})
    assert text.memory == {"k": "t"}


async def test_unknown_closed_and_repeated_answers() -> None:
    """I8."""
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


def test_a_replayed_answer_with_a_value_gives_the_recorded_result() -> None:
    """I8."""
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


def test_cancel_closes_the_request_and_cancels_the_run() -> None:
    """I9."""
    done = run(doc([question("q")]), decide={"q": [{"cancel": True}]})

    assert (done.exit, done.status) == (1, "cancelled")
    assert done.report["interrupts"] == []
    assert [e["outcome"] for e in done.of("InterruptResolved")] == ["cancelled"]


def test_decisions_are_taken_in_the_order_of_opening() -> None:
    """I1."""
    graph = doc([question("q"), question("r")])
    done: Outcome = run(graph, decide={"r": [{"selected": "2"}], "q": [{"selected": "1"}]})

    assert done.outputs == {"q": "1", "r": "2"}
    assert run(graph, decide={"q": [{"selected": "1"}]}).exit == 3
