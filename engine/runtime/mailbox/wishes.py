"""Wishes as JSON and back: what is written where somebody asks, and read where it is applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final

from engine.core.errors import RequestRefused
from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import Actor, Answer, Asks
from engine.core.values.json import InvalidJson, freeze
from engine.runtime.stores.requests import Wish

SAID: Final = tuple(f.name for f in fields(Answer) if f.name != "token")
"""The token is a secret: it is judged where somebody asks, and stored nowhere."""


def cancel(by: str, reason: str | None) -> Wish:
    """Return the wish that a run ends."""
    return Wish("cancel", {"reason": reason or "cancelled"}, by)


def answer(request_id: str, said: Answer, actor: Actor) -> Wish:
    """Return the wish that an answer to an interrupt counts. Raises `RequestRefused` for no JSON."""
    given = {name: getattr(said, name) for name in SAID}
    try:
        plain = {name: _plain(value) for name, value in given.items() if _is_said(value)}
    except InvalidJson as error:
        raise RequestRefused("AnswerInvalid", str(error)) from error
    return _about("answer", request_id, actor, answer=plain)


def ask_back(request_id: str, asks: Asks, by: Actor) -> Wish:
    """Return the wish to ask whom an approval's work is from."""
    return _about("ask_back", request_id, by, to=_actor(asks.to), question=asks.question)


def answer_back(request_id: str, reply: str, by: Actor) -> Wish:
    """Return the wish to reply to that."""
    return _about("answer_back", request_id, by, reply=reply)


def take_back(request_id: str, by: Actor) -> Wish:
    """Return the wish to wait for no reply any more."""
    return _about("take_back", request_id, by)


def answer_of(payload: Mapping[str, Any]) -> Answer:
    """Return the answer that a wish holds; its token was judged before."""
    said = dict(payload["answer"])
    if "max_cost_usd" in said:
        said["max_cost_usd"] = Decimal(said["max_cost_usd"])
    return Answer("", **said)


def asks_of(payload: Mapping[str, Any]) -> Asks:
    """Return what a wish to ask back asks."""
    return Asks(actor_of(payload["to"]), payload["question"])


def actor_of(told: Mapping[str, Any]) -> Actor:
    """Return the person of whom a wish tells."""
    sets = {name: frozenset(told[name]) for name in ("roles", "groups")}
    places = tuple(actor_of(absent) for absent in told["stands_for"])
    return Actor(**{**told, **sets, "stands_for": places})


def _about(kind: str, request_id: str, by: Actor, **more: Any) -> Wish:
    return Wish(kind, {"request_id": request_id, "actor": _actor(by), **more}, by.id)


def _actor(actor: Actor) -> dict[str, Any]:
    told = {f.name: getattr(actor, f.name) for f in fields(Actor)}
    sets = {name: sorted(told[name]) for name in ("roles", "groups")}
    return {**told, **sets, "stands_for": [_actor(absent) for absent in actor.stands_for]}


def _is_said(value: object) -> bool:
    return value is not None and value is not UNSET and value is not False


def _plain(value: object) -> Any:
    return str(value) if isinstance(value, Decimal) else freeze(value)
