"""Rows C92 and C96: an approval may show Start fields, which belong to what is approved."""

from __future__ import annotations

from typing import Any

from engine.core.effects import EffectClass
from tests.contract.harness import Outcome, approval, doc, fn, run

YES = {"decision": "approved"}
CV = {"cv": "Ada, 36", "who": {"name": "Ada", "age": 36}}


def reviewed(answer: dict[str, Any], **config: Any) -> Outcome:
    """Approve a letter and fields of the start; then something is sent that cannot be taken back."""

    async def send(ctx: Any, params: Any) -> Any:
        async def call(_key: str) -> str:
            return "sent"

        return {"output": await ctx.perform("send", {}, EffectClass.UNSAFE, call)}

    shown = ["letter", "input.cv", "input.who.name", "input.gone"]
    nodes = [approval("p", **{"review_keys": shown, **config}), fn("send")]
    graph = doc(nodes, ["__start__ -> p -> send"], initial_memory={"letter": "Dear Ada"})
    return run(graph, None, {"p": [answer]}, input=CV, handlers={"send": send})


def test_start_fields_are_shown_and_stay_approved() -> None:
    """C92, C96: What is named of the start is shown and hashed, and it never changes."""
    done = reviewed(YES, prompt_message="{{ input.who.name }}: {{ memory.letter }}")

    (asked,) = done.of("InterruptOpened", "p")
    (said,) = done.of("InterruptResolved", "p")
    shown = {"letter": "Dear Ada", "input.cv": "Ada, 36", "input.who.name": "Ada"}
    assert (asked["request"]["data"], asked["request"]["prompt"]) == (shown, "Ada: Dear Ada")
    assert set(said["reviewed"]) == set(shown)
    assert done.status == "completed"
    assert done.of("InterruptOpened", "send") == []


def test_start_fields_are_nobody_s_to_edit() -> None:
    """C93: Everything that is shown may be edited, but not what the run was started with."""
    every: dict[str, Any] = {"editable_keys": ["*"]}
    edited = reviewed({**YES, "edits": {"letter": "Hello"}}, **every)
    refused = reviewed({**YES, "edits": {"input.cv": "Eve"}}, **every)

    assert (edited.status, edited.memory["letter"]) == ("completed", "Hello")
    assert refused.status == "waiting"
