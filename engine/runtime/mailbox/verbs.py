"""What each kind of wish does to a run: the one place where a request becomes a transition."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from engine.core.decide.clocks import asking_back
from engine.core.decide.endings import begin_ending
from engine.core.decide.in_doubt import no_longer_in_doubt
from engine.core.decide.interrupts import decide
from engine.core.errors import RequestRefused, StoreError
from engine.core.state.requests import Actor, Answer
from engine.runtime.execution.waits import members_of
from engine.runtime.mailbox import wishes
from engine.runtime.stores.call_outcome import LATE, outcome_of
from engine.runtime.stores.requests import Request, Told, failed, granted, refused

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunHost

Verb = Callable[["Transition"], Told]
"""Judges a request and records what follows. What it records before it refuses stays."""
Finding = Callable[["RunHost"], Awaitable[Verb]]
"""Takes from outside what a verb needs. Raises `RunNotFound`, `StoreError`."""


async def verb_of(host: RunHost, request: Request) -> Verb:
    """Return what a request does, with what it takes from outside found already."""
    make = KINDS.get(request.wish.kind)
    if make is None:
        return _unknown(request)
    return await make(host, request)


def apply(tx: Transition, request: Request, verb: Verb) -> None:
    """Let a request have its effect, and answer it in the same commit."""
    tx.on_request(request.number, request.asked_at)
    tx.tell(request.number, judged(tx, verb))


def judged(tx: Transition, verb: Verb) -> Told:
    """Let a wish have its effect, and return what became of it."""
    try:
        return verb(tx)
    except RequestRefused as refusal:
        return refused(refusal)


def fail(_tx: Transition) -> Told:
    """Answer a request as failed: what follows from it cannot be written."""
    return failed(StoreError("what follows from it cannot be written"))


def cancelling(by: str, reason: str) -> Finding:
    """Return what ends a run; one that is over stays as it is."""

    def cancel(tx: Transition) -> Told:
        begin_ending(tx, "cancelled", reason, None, by=by)
        return granted({})

    async def found(_host: RunHost) -> Verb:
        return cancel

    return found


def answering(run_id: str, request_id: str, answer: Answer, actor: Actor) -> Finding:
    """Return what lets an answer to an interrupt count, once."""

    async def found(host: RunHost) -> Verb:
        opened = (await host.store.warm(run_id)).interrupts.get(request_id)
        alone = opened is None or not opened.seats
        members = None if alone else await members_of(host, run_id)

        def judge(tx: Transition) -> Told:
            verdict = decide(tx, request_id, answer, actor, members)
            if verdict.refused is not None:
                return refused(verdict.refused)
            return granted({"run_id": run_id, "request_id": request_id, **(verdict.record or {})})

        return judge

    return found


async def _cancel(host: RunHost, request: Request) -> Verb:
    return await cancelling(request.wish.by, request.wish.payload["reason"])(host)


async def _answer(host: RunHost, request: Request) -> Verb:
    payload = request.wish.payload
    answer, actor = wishes.answer_of(payload), wishes.actor_of(payload["actor"])
    return await answering(request.run_id, payload["request_id"], answer, actor)(host)


async def _ask_back(_host: RunHost, request: Request) -> Verb:
    payload = request.wish.payload
    by, asks = wishes.actor_of(payload["actor"]), wishes.asks_of(payload)
    return lambda tx: granted(asking_back.ask_back(tx, payload["request_id"], asks, by))


async def _answer_back(_host: RunHost, request: Request) -> Verb:
    payload = request.wish.payload
    by, reply = wishes.actor_of(payload["actor"]), payload["reply"]
    return lambda tx: granted(asking_back.answer_back(tx, payload["request_id"], reply, by))


async def _take_back(_host: RunHost, request: Request) -> Verb:
    payload = request.wish.payload
    by = wishes.actor_of(payload["actor"])
    return lambda tx: granted(asking_back.take_back(tx, payload["request_id"], by))


async def _outcome(_host: RunHost, request: Request) -> Verb:
    """Record what a call gave that another worker made, if that is not known yet."""
    outcome = outcome_of(request.wish.payload)

    def book(tx: Transition) -> Told:
        counts = outcome.counts(tx)
        if counts:
            no_longer_in_doubt(tx, outcome.key, outcome.path, happened=outcome.kind == "done")
            outcome(tx)
        return granted({"counts": counts})

    return book


def _unknown(request: Request) -> Verb:
    message = f"this version knows no request {request.wish.kind!r}"
    return lambda _tx: refused(RequestRefused("RequestUnknown", message))


KINDS: Final[dict[str, Callable[[RunHost, Request], Awaitable[Verb]]]] = {
    "cancel": _cancel,
    "answer": _answer,
    "ask_back": _ask_back,
    "answer_back": _answer_back,
    "take_back": _take_back,
    LATE: _outcome,
}
