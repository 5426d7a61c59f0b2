"""A call at a webhook's address: proven, mapped, committed, and only then started."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import orjson
from django.db import IntegrityError, transaction
from django.db.models import F

from builder.base.errors import TooMany
from builder.doors.signatures.call import BadSignature, Call, Scheme
from builder.doors.signatures.schemes import SCHEMES
from builder.doors.triggers import bodies, sealed_secrets, starting
from builder.doors.triggers.mapping import MappingFailed, mapped
from builder.doors.triggers.refusing import TurnedAway, note
from builder.models import Delivery, Trigger
from builder.services.people.attempts import Limit, take

A_MINUTE: Final = 60
"""Calls of a trigger that are taken in within a minute; as many that prove nothing are looked at."""
LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True)
class Taken:
    """What a call led to: a delivery, or an answer to a sender that only looks who is here."""

    row: Delivery | None
    repeated: bool = False
    says: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """One call at a trigger's address, at `now` in milliseconds."""

    trigger: Trigger
    call: Call
    query: Mapping[str, str]
    now: int


def receive(arrived: Arrived) -> Taken:
    """Take a call in. Raises `TurnedAway`, which is kept as a refused delivery."""
    trigger, call = arrived.trigger, arrived.call
    scheme = SCHEMES[trigger.config["signature"]]
    sample = None
    try:
        _prove(arrived, scheme)
        _count(f"hook:{trigger.pk}")
        body = bodies.read(call.body, call.headers.get("content-type", ""), most_bytes(trigger))
        sample = {
            "body": body,
            "headers": bodies.shown(call.headers, scheme.hides),
            "query": dict(arrived.query),
        }
        if (says := _greeting(trigger, call, body)) is not None:
            return Taken(None, says=says)
        return _take(arrived, sample, _key(scheme.id_of(call, body, trigger.config)))
    except NotBegun:
        raise
    except TurnedAway as refusal:
        note(trigger, refusal, arrived.now, sample)
        raise


def most_bytes(trigger: Trigger) -> int:
    """Return how large a body the trigger takes."""
    return int(trigger.config.get("max_kib", 1024)) * 1024


def _prove(arrived: Arrived, scheme: Scheme) -> None:
    """Raise `TurnedAway` unless one of the secrets fits; the last one tried says why not."""
    failed = BadSignature("SignatureInvalid", "this trigger has no secret")
    for secret in reversed(sealed_secrets.held(arrived.trigger, arrived.now)):
        try:
            scheme.verify(arrived.call, secret, arrived.now // 1000, arrived.trigger.config)
            return
        except BadSignature as bad:
            failed = bad
    _count(f"hook-bad:{arrived.trigger.pk}")
    raise TurnedAway(401, failed.code, failed.message)


def _count(name: str) -> None:
    try:
        take(Limit(name, A_MINUTE, timedelta(minutes=1)))
    except TooMany as many:
        message = f"{A_MINUTE} a minute are the most"
        wait = many.retry_after_s
        raise TurnedAway(429, "TooManyRequests", message, retry_after_s=wait) from None


def _greeting(trigger: Trigger, call: Call, body: Any) -> Mapping[str, Any] | None:
    """Return the answer to a sender that asks whether anybody is here, None to all others."""
    signature = trigger.config["signature"]
    if signature == "slack" and isinstance(body, dict) and body.get("type") == "url_verification":
        return {"challenge": str(body.get("challenge", ""))[:1000]}
    if signature == "github" and call.headers.get("x-github-event") == "ping":
        return {"pong": True}
    return None


def _key(given: str | None) -> str:
    """Return the delivery's key: what the sender calls it, or a random one that never comes again."""
    if given is None:
        return f"once:{secrets.token_hex(16)}"
    key = f"id:{given}"
    return key if len(key) <= LONGEST_KEY else f"id:{hashlib.sha256(given.encode()).hexdigest()}"


def _take(arrived: Arrived, sample: Mapping[str, Any], key: str) -> Taken:
    trigger, now = arrived.trigger, arrived.now
    body_hash = hashlib.sha256(arrived.call.body).hexdigest()
    known = Delivery.objects.filter(door=trigger, key=key).first()
    if known is not None and known.state != Delivery.State.REFUSED:
        return _repeated(known, body_hash)
    try:
        given = orjson.dumps(mapped(trigger.mapping, sample)).decode()
    except MappingFailed as failed:
        raise TurnedAway(422, "MappingFailed", str(failed)) from None
    fields = {
        "input": given,
        "sample": orjson.dumps(sample).decode(),
        "body_hash": body_hash,
        "available_at": now + starting.FIRST_WAIT_MS,
    }
    if known is not None:
        return _anew(known, fields)
    try:
        with transaction.atomic():
            row = Delivery.objects.create(door=trigger, key=key, at=now, **fields)
    except IntegrityError:  # the same delivery came twice at once
        return _repeated(Delivery.objects.get(door=trigger, key=key), body_hash)
    return _begun(row)


def _anew(known: Delivery, fields: Mapping[str, Any]) -> Taken:
    """Try again what was refused when it came before: nothing of it has started."""
    rows = Delivery.objects.filter(pk=known.pk, state=Delivery.State.REFUSED)
    fresh = {"state": Delivery.State.RECEIVED, "code": "", "reason": ""}
    if rows.update(**fresh, **fields):
        known.refresh_from_db()
        return _begun(known)
    return _repeated(Delivery.objects.get(pk=known.pk), fields["body_hash"])


def _begun(row: Delivery) -> Taken:
    row = starting.begin(row)
    if row.state == Delivery.State.REFUSED:
        raise NotBegun(row)
    return Taken(row)


class NotBegun(TurnedAway):
    """The delivery is kept, and nothing can start of it as things are."""

    def __init__(self, row: Delivery) -> None:
        super().__init__(422, row.code, row.reason)


def _repeated(known: Delivery, body_hash: str) -> Taken:
    """Note that a delivery came again; its id decides, whatever it holds this time."""
    rows = Delivery.objects.filter(pk=known.pk)
    rows.update(repeats=F("repeats") + 1)
    if known.body_hash != body_hash:
        rows.update(differed=True)
    known.refresh_from_db()
    return Taken(known, repeated=True)
