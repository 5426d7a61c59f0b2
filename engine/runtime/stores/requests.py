"""What is asked of runs, kept beside their logs until it is answered: the mailbox, as stores see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.core.errors import EngineError, RequestRefused

Told = dict[str, Any]
"""What became of a request, as JSON: `granted`, `refused` or `failed`."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants of a run: a kind that `engine.runtime.mailbox.verbs` knows, as JSON."""

    kind: str
    payload: Mapping[str, Any]
    by: str


@dataclass(frozen=True, slots=True)
class Request:
    """A wish that is durable and was not answered. `number` is its place in the order asked."""

    number: int
    run_id: str
    wish: Wish
    asked_at: int


class Requests(Protocol):
    """The durable side of the mailbox, into which others write beside facts of their own."""

    async def open(self, run_id: str) -> Sequence[Request]:
        """Return what was asked of a run and not answered, in the order asked."""
        ...

    async def asked_of(self) -> Sequence[str]:
        """Return the runs of which something was asked that is not answered."""
        ...

    async def told(self, number: int) -> Told | None:
        """Return what became of a request, None where nothing did yet."""
        ...


class RequestFailed(EngineError):
    """A request could not be judged: a fault of ours, said in the log of the process."""

    code = "RequestFailed"


def granted(record: Mapping[str, Any]) -> Told:
    """Return the answer to a request that was granted."""
    return {"granted": dict(record)}


def refused(refusal: RequestRefused) -> Told:
    """Return the answer to a request that was refused."""
    said = {"code": refusal.code, "message": refusal.message, "detail": refusal.detail}
    return {"refused": said}


def failed(error: BaseException) -> Told:
    """Return the answer to a request over which the engine stumbled."""
    return {"failed": f"{type(error).__name__}: {error}"[:500]}


def outcome(told: Told) -> dict[str, Any]:
    """Return what was granted. Raises `RequestRefused` as it was refused, and `RequestFailed`."""
    if (refusal := told.get("refused")) is not None:
        raise RequestRefused(refusal["code"], refusal["message"], detail=refusal["detail"])
    if "failed" in told:
        raise RequestFailed(told["failed"])
    found: dict[str, Any] = told["granted"]
    return found
