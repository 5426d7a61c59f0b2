"""Scripts, replies and nodes that several contract tests share."""

from __future__ import annotations

from typing import Any

from engine.core.node_types.conversation import Usage
from tests.contract.harness import Outcome, agent, doc, fn

ALL = ["input", "previous", "outputs", "metadata", "context", "*"]
STR, NUM = {"type": "string"}, {"type": "number"}


def says(*texts: str, **more: Any) -> dict[str, Any]:
    return {"default": [{"text": text} for text in texts], **more}


def functions(**by_name: Any) -> dict[str, Any]:
    """Return scripted functions; `view` stands for the node's view."""
    return {
        "functions": {
            n: {"view": True} if v == "view" else {"returns": v} for n, v in by_name.items()
        }
    }


def see(name: str = "see") -> dict[str, Any]:
    return fn(name, "see", reads=ALL)


def returns(**by_name: Any) -> dict[str, Any]:
    """Return a script whose functions return these values at every call."""
    return {"functions": {name: {"returns": value} for name, value in by_name.items()}}


class Feed:
    """Keeps token deltas."""

    def __init__(self) -> None:
        self.text: list[str] = []

    def committed(self, run_id: str, seq: int) -> None:
        """Ignore it."""

    def delta(self, run_id: str, key: str, text: str, *, reset: bool = False) -> None:
        """Keep the piece."""
        self.text.append(text)


class Understating:
    """A model that says of every call that it needs one token at most."""

    native_schema = True

    def __init__(self, model: Any) -> None:
        self._model = model
        self.price, self.complete = model.price, model.complete

    def worst_case(self, request: Any, origin: Any) -> Usage:
        """Return too little."""
        return Usage(1, 0)


def understate(local: Any) -> None:
    """Let every model of a run use more than what is held for its calls (`observe` of `run`)."""
    resolve = local.models.resolve

    async def understating(*args: Any, **kwargs: Any) -> Any:
        return Understating(await resolve(*args, **kwargs))

    local.models.resolve = understating


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def answers(*replies: Any, **more: Any) -> dict[str, Any]:
    """Return a script whose model gives these replies: text as text, other values as JSON."""
    made = [
        reply
        if isinstance(reply, dict) and set(reply) & {"text", "json", "tool_calls", "error"}
        else {"text": reply}
        if isinstance(reply, str)
        else {"json": reply}
        for reply in replies
    ]
    return {"default": made, **more}


def asked_schema(done: Outcome, call: int = 0) -> Any:
    return done.models[call].request.schema


def choosing(edges: int, **config: Any) -> dict[str, Any]:
    targets = ["b", "c"]
    return doc(
        [agent("a", writes=["k"], config=config), *(fn(t, "end") for t in targets[:edges])],
        ["__start__ -> a", *[("a", t, {"trigger": "agent"}) for t in targets[:edges]]],
        state_schema=schema(k=STR),
    )


def used(reply: dict[str, Any], tokens: int = 10) -> dict[str, Any]:
    return {**reply, "usage": {"input_tokens": tokens, "output_tokens": 0}}
