"""Rows I2, I3, I8 and I18: what code and models may ask, and the same answer twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, doc, fn, run, started
from tests.contract.questions import ASK, OPTIONS, answer, choice, opened, refused

TEXT = {"kind": "text", "question": "Name?"}


def asking(request: Any) -> Outcome:
    """Run a function that asks `request`."""

    async def ask(ctx: Any, params: Mapping[str, Any]) -> Any:
        return {"output": await ctx.interrupt(request)}

    return run(doc([fn("a", "ask", policy={"max_retries": 3})]), handlers={"ask": ask})


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        ("Name?", "object"),
        (None, "object"),
        ({**TEXT, "qestion": "x"}, "qestion"),
        ({"kind": "choice", "question": "x", "options": [{"id": "a"}]}, "label"),
        ({"kind": "choice", "question": "x", "options": [{**OPTIONS[0], "color": 1}]}, "color"),
        ({"kind": "choice", "question": "x", "options": ["a"]}, "option"),
        ({"kind": "choice", "question": "x", "options": [OPTIONS[0]] * 2}, "unique"),
        ({"kind": "multi-choice", "question": "x", "options": [OPTIONS[0]] * 2}, "unique"),
        ({"kind": "multi-choice", "question": "x", "options": []}, "option"),
        ({**TEXT, "timeout_ms": "5"}, "timeout_ms"),
        ({**TEXT, "timeout_ms": 0}, "timeout_ms"),
        ({**TEXT, "timeout_ms": True}, "timeout_ms"),
        ({**TEXT, "timeout_ms": 10**15}, "timeout_ms"),
    ],
)
def test_a_request_of_the_wrong_form_asks_nobody(request_: Any, named: str) -> None:
    """I2: A malformed request fails at once, says what is wrong, and opens nothing."""
    failed = asking(request_)

    assert (failed.code, failed.activation("a")["attempts"]) == ("NodeConfigInvalid", 1)
    assert named in failed.report["error"]["message"]
    assert failed.of("InterruptOpened") == []
    assert failed.report["interrupts"] == []


def test_a_whole_request_is_asked() -> None:
    """I2, I11: Every field of a request, its deadline included, is taken."""
    options = [{**OPTIONS[0], "description": "first", "value": 7}]
    request = {"kind": "choice", "question": "x", "options": options, "timeout_ms": 1_000}

    (shown,) = asking(request).report["interrupts"]
    assert shown["request"]["options"] == [{"id": "a", "label": "A", "description": "first"}]


@pytest.mark.parametrize("mode", ["required", "optional"])
def test_a_model_is_told_that_it_can_ask(mode: str) -> None:
    """I3: The frame says whether the model must or may ask, and in which form."""
    graph = doc([agent("a", config={"interrupt": mode})])
    told = run(graph, {"default": [ASK, {"text": "ok"}]}, {"a": [{"selected": "a"}]}).prompt()
    silent = run(doc([agent("a")]), {"default": [{"text": "ok"}]}).prompt()

    assert "## Asking a person" in told
    assert ("Before you answer" in told) == (mode == "required")
    for kind in ("text", "choice", "multi-choice", "form"):
        assert f'"kind": "{kind}"' in told
    assert "Asking a person" not in silent


def test_what_a_model_adds_to_its_question_is_not_passed_on() -> None:
    """I3, I4: People get the fields of a request and nothing else that a model wrote."""
    options = [{**OPTIONS[0], "score": 0.3, "description": None}]
    asked = {**ASK["json"], "options": options, "schema": {}, "reasoning": "secret"}
    graph = doc([agent("a", config={"interrupt": "required"})])
    waiting = run(graph, {"default": [{"json": asked}, {"text": "ok"}]})

    assert waiting.report["interrupts"][0]["request"] == {
        "kind": "choice",
        "multiple": False,
        "question": "Which?",
        "options": [{"id": "a", "label": "A"}],
    }


async def test_the_same_choice_in_another_shape_is_the_same_answer() -> None:
    """I8: What was chosen counts, not how it was written: the recorded result comes again."""
    options = [{**OPTIONS[0], "value": 7}, OPTIONS[1]]
    local, _run = await started(choice(kind="multi-choice", options=options))
    request = opened(local)
    first = await answer(local, request, choices=[{"id": "b"}, {"id": "a"}])

    assert await answer(local, request, selected=["a", "b"]) == first
    assert await refused(local, request, selected="a") == "InterruptClosed"


async def test_cancelling_twice_gets_the_recorded_result() -> None:
    """I8, I9: The same cancel again changes nothing; an answer after it is too late."""
    local, _run = await started(choice())
    request = opened(local)
    first = await answer(local, request, cancel=True)

    assert first["outcome"] == "cancelled"
    assert await answer(local, request, cancel=True) == first
    assert await refused(local, request, selected="a") == "InterruptClosed"


async def test_an_answer_is_not_taken_back_by_a_cancel() -> None:
    """I8: Cancelling what was answered is refused."""
    local, _run = await started(choice())
    request = opened(local)
    await answer(local, request, selected="a")

    assert await refused(local, request, cancel=True) == "InterruptClosed"


@pytest.mark.parametrize(
    ("call", "given"),
    [("emit_structured", {"data": {}, "data_type": 5}), ("emit_message", {"content": 5})],
)
def test_what_cannot_be_shown_fails_at_once(call: str, given: dict[str, Any]) -> None:
    """I18: A data type or message that is no text fails the node, and nothing is emitted."""

    async def show(ctx: Any, params: Mapping[str, Any]) -> None:
        await getattr(ctx, call)(**given)

    failed = run(doc([fn("a", "show", policy={"max_retries": 3})]), handlers={"show": show})

    assert (failed.code, failed.activation("a")["attempts"]) == ("NodeConfigInvalid", 1)
    assert failed.report["ui"] == {"messages": [], "structured": {}}


def test_structured_data_is_a_generic_snapshot_unless_said() -> None:
    """I18: Without data type and mode, what is emitted replaces what `generic` held."""

    async def show(ctx: Any, params: Mapping[str, Any]) -> None:
        await ctx.emit_structured({"step": "start", "more": 1})
        await ctx.emit_structured({"step": "end"})

    done = run(doc([fn("a", "show")]), handlers={"show": show})

    assert done.report["ui"]["structured"] == {"generic": {"step": "end"}}
