"""Channels as people make, change, switch and remove them; each of it stands in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from builder.base.clock import is_zone, now_ms
from builder.base.errors import InvalidInput, Unprocessable
from builder.doors.telling.channels import places
from builder.doors.telling.channels.dropping import drop_waiting
from builder.doors.telling.channels.owners import require_owner
from builder.models import Channel, Membership, Workspace
from builder.services.audit import chain as audit
from engine.integrations.channels.kind import Place

MOST: Final = 20
"""Channels of one person, or of one workspace."""
Quiet = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel as it is to be; None leaves what is there. `quiet` is False for none."""

    name: str | None = None
    address: str | None = None
    key: str | None = None
    zone: str | None = None
    quiet: Quiet | bool | None = None
    on: bool | None = None


def create(
    member: Membership, kind: str, wanted: Wanted, *, mine: bool, secret: str | None = None
) -> tuple[Channel, str | None]:
    """Make a channel; return it, and the secret of a webhook, which is told here only.

    Nothing is told there before somebody has shown that it arrives. Raises `InvalidInput`,
    `Unprocessable` `TooManyChannels`.
    """
    owner = member.user_id if mine else None
    require_owner(member, owner)
    if mine and kind == Channel.Kind.WEBHOOK:
        raise InvalidInput("webhooks for programs belong to the workspace", path="kind")
    given = secret or (places.new_secret() if kind == Channel.Kind.WEBHOOK else None)
    with transaction.atomic():
        workspace = Workspace.objects.select_for_update().get(pk=member.workspace_id)
        if Channel.objects.of(member, mine=mine).count() >= MOST:
            raise Unprocessable(f"{MOST} channels are the most", code="TooManyChannels")
        row = Channel(workspace=workspace, user_id=owner, kind=kind, made_at=now_ms())
        row.zone = member.zone if mine else workspace.zone
        _take_address(row, Place(wanted.address or "", wanted.key or ""))
        row.name = wanted.name or Channel.Kind(kind).label
        _take_hours(row, wanted)
        row.save(force_insert=True)
        if given is not None:
            places.check_secret(given)
            places.keep_secret(row, given, now_ms())
        _record(member, row, "created", kind=kind, name=row.name)
    return row, None if secret else given


def change(member: Membership, row: Channel, wanted: Wanted) -> Channel:
    """Change a channel. Another address has to be shown to work before anything is told there."""
    require_owner(member, row.user_id)
    with transaction.atomic():
        row = Channel.objects.select_for_update().select_related("workspace").get(pk=row.pk)
        changed = [name for name in ("name", "zone", "quiet") if getattr(wanted, name) is not None]
        if wanted.address is not None or wanted.key is not None:
            former = places.place_of(row)
            key = former.key if wanted.key is None else wanted.key
            _take_address(row, Place(wanted.address or former.address, key))
            row.verified_at, row.code_hash, row.code_until = None, "", None
            changed.append("address")
        row.name = wanted.name or row.name
        _take_hours(row, wanted)
        if wanted.on is not None and wanted.on != row.on:
            row.on, row.off_why = wanted.on, ""
            changed.append("on" if row.on else "off")
            if not row.on:
                drop_waiting(row, "the channel was switched off", now_ms())
        row.save()
        _record(member, row, "changed", fields=changed)
    return row


def rotate(member: Membership, row: Channel, given: str | None = None) -> str | None:
    """Take another secret; with the former one is signed for a day longer. Return what we made.

    Raises `Unprocessable` `NoSecret` for what is not signed, `InvalidInput`.
    """
    require_owner(member, row.user_id)
    if row.kind != Channel.Kind.WEBHOOK:
        raise Unprocessable("only webhooks have a secret", code="NoSecret")
    text = given or places.new_secret()
    places.check_secret(text)
    with transaction.atomic():
        Channel.objects.select_for_update().get(pk=row.pk)
        places.keep_secret(row, text, now_ms())
        _record(member, row, "secret_rotated", given=bool(given))
    return None if given else text


def remove(member: Membership, row: Channel) -> None:
    """Remove a channel with its rules and what was told there."""
    require_owner(member, row.user_id)
    with transaction.atomic():
        _record(member, row, "removed", kind=row.kind, name=row.name)
        row.delete()


def _take_address(row: Channel, place: Place) -> None:
    row.hint = places.check(row.workspace, row.kind, place)
    places.seal(row, place)


def _take_hours(row: Channel, wanted: Wanted) -> None:
    """Take zone and quiet hours. Raises `InvalidInput`."""
    if wanted.zone is not None:
        if not is_zone(wanted.zone):
            raise InvalidInput("the name of a time zone, like Europe/Berlin", path="zone")
        row.zone = wanted.zone
    if isinstance(wanted.quiet, tuple):
        if wanted.quiet[0] == wanted.quiet[1]:
            raise InvalidInput("they begin at another time than they end", path="quiet")
        row.quiet_from, row.quiet_to = wanted.quiet
    elif wanted.quiet is False:
        row.quiet_from = row.quiet_to = None


def _record(member: Membership, row: Channel, action: str, **detail: Any) -> None:
    whose = {"whose": "their own"} if row.user_id else {}
    audit.record(row.workspace_id, member.user_id, f"channel.{action}", row.pk, **whose, **detail)
