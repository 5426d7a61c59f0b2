"""What each kind of wish does to a run: the one place where a request becomes a transition."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from engine.core.decide.clocks import asking_back
from engine.core.decide.endings import begin_ending
from engine.core.decide.interrupts import decide
from engine.core.errors import RequestRefused, StoreError
from engine.runtime.execution.waits import members_of
from engine.runtime.mailbox import wishes
from engine.runtime.stores.requests import Request, Told, failed, granted, refused

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.runtime.host import RunHost

Verb = Callable[["Transition"], Told]
"""Judges a request and records what follows. What it records before it refuses stays."""


async def verb_of(host: RunHost, request: Request) -> Verb:
    """Return what a request does, with what it takes from outside found already."""
    make = KINDS.get(request.wish.kind)
    if make is None:
        return _unknown(request)
    return await make(host, request)


def apply(tx: Transition, request: Request, verb: Verb) -> None:
    """Let a request have its effect, and answer it in the same commit."""
    tx.on_request(request.number, request.asked_at)
    try:
        told = verb(tx)
    except RequestRefused as refusal:
        told = refused(refusal)
    tx.tell(request.number, told)


def fail(_tx: Transition) -> Told:
    """Answer a request as failed: what follows from it cannot be written."""
    return failed(StoreError("what follows from it cannot be written"))


async def _cancel(_host: RunHost, request: Request) -> Verb:
    reason, by = request.wish.payload["reason"], request.wish.by

    def cancel(tx: Transition) -> Told:
        begin_ending(tx, "cancelled", reason, None, by=by)
        return granted({})

    return cancel


async def _answer(host: RunHost, request: Request) -> Verb:
    payload = request.wish.payload
    request_id, actor = payload["request_id"], wishes.actor_of(payload["actor"])
    answer = wishes.answer_of(payload)
    opened = (await host.store.warm(request.run_id)).interrupts.get(request_id)
    alone = opened is None or not opened.seats
    members = None if alone else await members_of(host, request.run_id)

    def judge(tx: Transition) -> Told:
        verdict = decide(tx, request_id, answer, actor, members)
        if verdict.refused is not None:
            return refused(verdict.refused)
        about = {"run_id": request.run_id, "request_id": request_id}
        return granted({**about, **(verdict.record or {})})

    return judge


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


def _unknown(request: Request) -> Verb:
    message = f"this version knows no request {request.wish.kind!r}"
    return lambda _tx: refused(RequestRefused("RequestUnknown", message))


KINDS: Final[dict[str, Callable[[RunHost, Request], Awaitable[Verb]]]] = {
    "cancel": _cancel,
    "answer": _answer,
    "ask_back": _ask_back,
    "answer_back": _answer_back,
    "take_back": _take_back,
}
