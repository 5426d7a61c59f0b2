"""Triggers as people make, change, switch and remove them; each of it stands in the audit log."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction

from builder.base.clock import now_ms
from builder.base.errors import InvalidInput, Unprocessable
from builder.doors.triggers import configs, house_events, schedules, sealed_secrets
from builder.doors.triggers.accounts import account_of
from builder.doors.triggers.mapping import check_mapping, check_required
from builder.models import Graph, Membership, Trigger
from builder.services.audit import chain as audit
from builder.services.budgets import notify_engine
from builder.services.permissions import Right, may, require

MOST: Final = 20
"""Triggers of one workflow."""
ADDRESS_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Wanted:
    """A trigger as it is to be; None leaves what is there."""

    name: str | None = None
    config: Mapping[str, Any] | None = None
    mapping: Mapping[str, str] | None = None
    on: bool | None = None
    secret: str | None = None
    kind: str = field(default=Trigger.Kind.WEBHOOK)


def create(member: Membership, graph: Graph, wanted: Wanted) -> tuple[Trigger, str | None]:
    """Make a trigger of a workflow, off unless it is to be on; return it with its new secret.

    The secret is told here only, and not where the caller brought one. Raises `InvalidInput`,
    `Unprocessable` `TooManyTriggers`.
    """
    require(member, Right.EDIT)
    config = configs.checked(wanted.kind, wanted.config or {})
    house_events.check_watched(graph, config)
    check_mapping(wanted.mapping or {})
    made = _secret_of(wanted, config)
    with transaction.atomic():
        Graph.objects.select_for_update().get(pk=graph.pk)
        if Trigger.objects.filter(graph=graph).count() >= MOST:
            raise Unprocessable(f"{MOST} triggers are the most", code="TooManyTriggers")
        row = Trigger(workspace=graph.workspace, graph=graph, kind=wanted.kind, made_at=now_ms())
        row.account = account_of(graph.workspace)
        row.name = wanted.name or wanted.kind.capitalize()
        row.config, row.mapping = config, dict(wanted.mapping or {})
        if made is not None:
            row.address = secrets.token_urlsafe(ADDRESS_BYTES)
        _switch(row, member, bool(wanted.on))
        row.save(force_insert=True)
        if made is not None:
            sealed_secrets.keep(row, made)
        _record(member, row, "created", kind=row.kind, config=config, on=row.on)
    return row, None if wanted.secret else made


def change(member: Membership, row: Trigger, wanted: Wanted) -> Trigger:
    """Change a trigger, or switch it on or off. Raises `InvalidInput`.

    Whoever may cancel runs may switch off what starts them.
    """
    stops = wanted == Wanted(on=False) and may(member, Right.CANCEL)
    if not stops:
        require(member, Right.EDIT)
    config = None if wanted.config is None else configs.checked(row.kind, wanted.config)
    house_events.check_watched(row.graph, config or {})
    check_mapping(wanted.mapping or {})
    with transaction.atomic():
        row = Trigger.objects.select_for_update().select_related("graph").get(pk=row.pk)
        before = (row.name, row.config, row.mapping)
        if config is not None and config.get("signature") != row.config.get("signature"):
            raise InvalidInput("make another trigger for it", path="config.signature")
        row.name = wanted.name or row.name
        row.config = row.config if config is None else config
        row.mapping = row.mapping if wanted.mapping is None else dict(wanted.mapping)
        if before != (row.name, row.config, row.mapping):
            _record(member, row, "changed", config=row.config, mapping=sorted(row.mapping))
        turned = wanted.on is not None and wanted.on != row.on
        if turned or before[1:] != (row.config, row.mapping):
            _switch(row, member, row.on if wanted.on is None else wanted.on)
        if turned:
            _record(member, row, "switched_on" if row.on else "switched_off")
        row.save()
    return row


def rotate(member: Membership, row: Trigger, given: str | None = None) -> str | None:
    """Take another secret; the former one holds for a day longer. Return the new one if we made it.

    Raises `Unprocessable` `NoSecret` for what is not signed.
    """
    require(member, Right.EDIT)
    if row.address is None:
        raise Unprocessable("this trigger has no secret", code="NoSecret")
    if given:
        sealed_secrets.check_secret(row.config["signature"], given)
    text = given or sealed_secrets.new_secret(row.config["signature"])
    with transaction.atomic():
        Trigger.objects.select_for_update().get(pk=row.pk)
        sealed_secrets.rotate(row, text, now_ms())
        _record(member, row, "secret_rotated", given=bool(given))
    return None if given else text


def remove(member: Membership, row: Trigger) -> None:
    """Remove a trigger with what came in and its budgets; its runs stay, and are no longer held to them."""
    require(member, Right.EDIT)
    with transaction.atomic():
        budgets = row.budget_limits.count()
        ended = {"budgets": budgets} if budgets else {}
        _record(member, row, "removed", kind=row.kind, name=row.name, **ended)
        row.delete()
        if budgets:
            notify_engine()


def _secret_of(wanted: Wanted, config: Mapping[str, Any]) -> str | None:
    """Return the secret of what is signed: the given one, or a fresh one."""
    if wanted.kind != Trigger.Kind.WEBHOOK:
        return None
    if wanted.secret:
        sealed_secrets.check_secret(config["signature"], wanted.secret)
    return wanted.secret or sealed_secrets.new_secret(config["signature"])


def _switch(row: Trigger, member: Membership, on: bool) -> None:
    """Turn it on or off; whoever leaves it on counts as the starter of what it starts.

    Raises `InvalidInput` where it could start nothing.
    """
    if on:
        check_required(row.graph, row.kind, row.mapping)
    row.on = on
    row.switched_by = member.user if on else row.switched_by
    row.next_at = schedules.next_of(row, now_ms())


def _record(member: Membership, row: Trigger, action: str, **detail: Any) -> None:
    audit.record(
        row.workspace_id, member.user_id, f"trigger.{action}", row.pk, graph=row.graph_id, **detail
    )
