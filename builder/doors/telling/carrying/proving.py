"""Whether what is sent to a channel arrives: a test, and for a person's own a code that was sent there."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from hmac import compare_digest
from typing import Final

import orjson
from django.db import transaction

from builder.adapters.egress import egress_of
from builder.base import address
from builder.base.clock import now_ms
from builder.base.errors import Conflict, Unprocessable
from builder.doors.telling.carrying.sending import Sendable, Sending, send, written
from builder.doors.telling.carrying.words import named
from builder.doors.telling.channels import places
from builder.doors.telling.channels.owners import require_owner
from builder.models import Channel, Membership
from builder.models.ids import new_id
from builder.services.audit import chain as audit
from builder.services.people.attempts import Limit, forget, take
from engine.core.state.events import iso
from engine.integrations.channels.message import Line, Message
from engine.integrations.channels.verdict import Outcome, Verdict
from engine.integrations.channels.webhook import signed

CODE_MS: Final = 15 * 60_000
DIGITS: Final = 6
GUESSES: Final = 5
SENDINGS: Final = 20
"""Tests and codes of one person within an hour."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a test."""

    channel: Channel
    verdict: Verdict

    @property
    def arrived(self) -> bool:
        """Whether the receiver took it."""
        return self.verdict.outcome == Outcome.DONE


def test(member: Membership, row: Channel) -> Tried:
    """Send a test at once; one that arrives in a workspace's channel lets notices follow.

    To a person's channel that is not verified it takes the code to be sent. Raises `TooMany`.
    """
    require_owner(member, row.user_id)
    _count(member)
    if row.user_id is not None and row.verified_at is None:
        return _send_code(member, row)
    verdict = _sent(row, "This is a test: what is told in this channel arrives.")
    with transaction.atomic():
        arrived = verdict.outcome == Outcome.DONE
        if arrived and row.verified_at is None:
            same = Channel.objects.filter(pk=row.pk, sealed=row.sealed)
            same.update(verified_at=now_ms())
        _record(member, row, "tested", arrived=arrived, status=verdict.status)
    row.refresh_from_db()
    return Tried(row, verdict)


def verify(member: Membership, row: Channel, code: str) -> Channel:
    """Take the code that was sent to a person's own channel. Raises `TooMany`, `Unprocessable`
    `CodeWrong` or `CodeExpired`, `Conflict` `AlreadyVerified`.
    """
    require_owner(member, row.user_id)
    if row.user_id is None:
        raise Unprocessable("a channel of the workspace is tested", code="NoCode")
    if row.verified_at is not None:
        raise Conflict("this channel was verified before", code="AlreadyVerified")
    guesses = _guesses(row)
    take(guesses)
    if not row.code_hash or row.code_until is None or row.code_until < now_ms():
        raise Unprocessable("this code holds no more: have another one sent", code="CodeExpired")
    if not compare_digest(_hash(row, code), row.code_hash):
        raise Unprocessable("this is not the code that was sent", code="CodeWrong")
    with transaction.atomic():
        same = Channel.objects.filter(pk=row.pk, code_hash=row.code_hash)
        if not same.update(verified_at=now_ms(), code_hash="", code_until=None):
            raise Unprocessable("another code was sent meanwhile", code="CodeExpired")
        _record(member, row, "verified")
    forget(guesses)
    row.refresh_from_db()
    return row


def _send_code(member: Membership, row: Channel) -> Tried:
    """Send a fresh code; former ones hold no more, and guesses are counted on."""
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    with transaction.atomic():
        row.code_hash, row.code_until = _hash(row, code), now_ms() + CODE_MS
        row.save(update_fields=["code_hash", "code_until"])
        _record(member, row, "code_sent")
    verdict = _sent(row, f"Your code is {code}. It holds for 15 minutes.")
    return Tried(row, verdict)


def _sent(row: Channel, text: str) -> Verdict:
    link = f"{address.public()}/{'notifications' if row.user_id else 'settings/channels'}"
    message = Message(named(row.workspace.name), (Line(text, link),))
    try:
        what = _test_post(row) if row.kind == Channel.Kind.WEBHOOK else written(row, message)
    except places.VaultLocked:
        return Verdict(
            Outcome.FAILED, None, "the address was sealed under another key: set it anew"
        )
    return send([Sending(what, egress_of(row.workspace_id, "notice"))])[0]


def _test_post(row: Channel) -> Sendable:
    now = now_ms()
    body = {"type": "test", "timestamp": iso(now), "data": {"workspace": row.workspace_id}}
    keys = places.secrets_of(row, now)
    return signed(places.place_of(row), keys, new_id(), now // 1000, orjson.dumps(body))


def _hash(row: Channel, code: str) -> str:
    return hashlib.sha256(f"{row.pk}:{bytes(row.sealed).hex()}:{code}".encode()).hexdigest()


def _guesses(row: Channel) -> Limit:
    return Limit(f"channel-code:{row.pk}", GUESSES, timedelta(minutes=15))


def _count(member: Membership) -> None:
    take(Limit(f"channel-test:{member.user_id}", SENDINGS, timedelta(hours=1)))


def _record(member: Membership, row: Channel, action: str, **detail: object) -> None:
    audit.record(row.workspace_id, member.user_id, f"channel.{action}", row.pk, **detail)
