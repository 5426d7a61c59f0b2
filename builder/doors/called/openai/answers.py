"""What clients of chat completions read: whole answers, pieces of a stream, errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from builder.doors.called.looking import Look, text_of, words_of
from builder.models import Run
from builder.reads import event_log

BETWEEN: Final = "\n\n"
"""What stands between two messages of a run."""
DONE: Final = b"data: [DONE]\n\n"
TYPES: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


@dataclass(frozen=True, slots=True)
class Named:
    """What all pieces of an answer have in common."""

    run: str
    model: str
    created: int

    @property
    def id(self) -> str:
        """The answer's id, which says the run that was started."""
        return f"chatcmpl-{self.run}"

    def whole(self, found: Look, usage: dict[str, int]) -> dict[str, Any]:
        """Return the one answer of a run that is over or waits."""
        text = BETWEEN.join([*found.said, *last_words(found, bool(found.said))])
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text, "refusal": None},
            "logprobs": None,
            "finish_reason": "stop",
        }
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": usage,
            "graphwright": beside(found),
        }

    def piece(self, text: str | None, *, first: bool = False) -> bytes:
        """Return a piece of a stream: what was said, the first with its role."""
        delta = {"role": "assistant", "content": text or ""} if first else {"content": text}
        return self._chunk([{"index": 0, "delta": delta, "finish_reason": None}])

    def end(self, found: Look) -> bytes:
        """Return the last piece."""
        choice = {"index": 0, "delta": {}, "finish_reason": "stop"}
        return self._chunk([choice], graphwright=beside(found))

    def counted(self, usage: dict[str, int]) -> bytes:
        """Return the piece that tells what was used."""
        return self._chunk([], usage=usage)

    def _chunk(self, choices: Sequence[Any], **more: Any) -> bytes:
        return event({**self._head("chat.completion.chunk"), "choices": choices, **more})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def named(run_id: str, model: str) -> Named:
    """Return what the pieces of a run's answer have in common."""
    started = Run.objects.values_list("started_at", flat=True).get(pk=run_id)
    return Named(run_id, model, started // 1000)


def beside(found: Look) -> dict[str, Any]:
    """Return what an answer says beside OpenAI's form: the run, its state, and what it waits for."""
    status = found.status if found.ended else "waiting" if found.waits else "running"
    return {
        "run": found.run,
        "status": status,
        "interrupts": [wait.plain for wait in found.waits],
    }


def last_words(found: Look, has_spoken: bool) -> list[str]:
    """Return what is said at the end: the result of a run that said nothing, or whom it waits for."""
    if found.waits:
        return [f"This waits for people:\n{words_of(found)}"]
    result = "" if has_spoken else text_of(found.result)
    return [result] if result else []


def failure(found: Look) -> dict[str, Any]:
    """Return the error of a run that ended badly."""
    error = found.error or {}
    told = error_body(422, error.get("code", found.status), error.get("message", found.status))
    return {**told, "graphwright": beside(found)}


def error_body(status: int, code: str, message: str, param: str | None = None) -> dict[str, Any]:
    """Return an error as OpenAI's clients read it."""
    kind = TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def usage_of(run_id: str) -> dict[str, int]:
    """Return the tokens that a run's calls of models took, as the providers counted them."""
    taken = [0, 0]
    for *_, data in event_log.events_of(run_id, kinds=("StepCompleted",)):
        usage = orjson.loads(data).get("usage") or {}
        taken[0] += int(usage.get("input_tokens") or 0)
        taken[1] += int(usage.get("output_tokens") or 0)
    return {
        "prompt_tokens": taken[0],
        "completion_tokens": taken[1],
        "total_tokens": sum(taken),
    }


def event(data: Any) -> bytes:
    """Return one event of a stream."""
    return b"data: %s\n\n" % orjson.dumps(data)
