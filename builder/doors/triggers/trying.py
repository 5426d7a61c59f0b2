"""A delivery of one's own: the last one again, or a test with values that a person gives."""

from __future__ import annotations

import secrets
from typing import Any, Final

import orjson
from django.db import transaction

from builder.base.clock import now_ms
from builder.base.errors import Conflict, InvalidInput
from builder.doors.triggers import starting
from builder.doors.triggers.mapping import MappingFailed, mapped
from builder.models import Delivery, Membership, Trigger
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require

NAMES: Final = ("body", "headers", "query")


def again(member: Membership, row: Delivery) -> Delivery:
    """Start anew what came in, mapped as the trigger maps today; return the new delivery.

    Raises `Conflict` `NothingToRepeat` where nobody had signed it, `InvalidInput` for a mapping
    that fails on it.
    """
    require(member, Right.RUN)
    sample = orjson.loads(row.sample)
    if sample is None:
        raise Conflict(
            "nobody proved who sent this, so nothing of it was kept", code="NothingToRepeat"
        )
    return _made(member, row.door, sample, "again", cause=row.cause, of=row.pk)


def test(member: Membership, trigger: Trigger, sample: dict[str, Any]) -> Delivery:
    """Take `{body, headers, query}` in as if it had come, signed. Raises `InvalidInput`."""
    require(member, Right.RUN)
    whole = {"body": {}, "headers": {}, "query": {}, **sample}
    return _made(member, trigger, whole, "tested")


def input_of(trigger: Trigger, sample: dict[str, Any]) -> Any:
    """Return the input that the trigger makes of a sample. Raises `InvalidInput`."""
    try:
        return mapped(trigger.mapping, sample)
    except MappingFailed as failed:
        raise InvalidInput(str(failed), path="mapping") from None


def _made(
    member: Membership,
    trigger: Trigger,
    sample: dict[str, Any],
    kind: str,
    *,
    cause: str | None = None,
    **detail: str,
) -> Delivery:
    given, now = orjson.dumps(input_of(trigger, sample)).decode(), now_ms()
    with transaction.atomic():
        row = Delivery.objects.create(
            door=trigger,
            key=f"{kind}:{secrets.token_hex(16)}",
            sample=orjson.dumps(sample).decode(),
            input=given,
            at=now,
            available_at=now + starting.FIRST_WAIT_MS,
            cause=cause,
        )
        audit.record(
            trigger.workspace_id,
            member.user_id,
            f"trigger.{kind}",
            trigger.pk,
            graph=trigger.graph_id,
            delivery=row.pk,
            **detail,
        )
    return starting.begin(row)
