"""Rules of what is told where and when, as people make, change and remove them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from builder.base.clock import now_ms
from builder.base.errors import InvalidInput, Unprocessable
from builder.doors.telling.channels.owners import require_owner
from builder.doors.telling.rules import kinds
from builder.models import Channel, Graph, Membership, NoticeRule, Workspace
from builder.services.audit import chain as audit
from builder.services.graphs.folders import path_of

MOST: Final = 50
"""Rules of one person's channels, or of one workspace's."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A rule as it is to be."""

    kinds: list[str]
    graph: str | None = None
    mine: bool = False
    when: str = NoticeRule.When.AT_ONCE
    at: int = 480
    folder: str = ""
    tag: str = ""
    minutes: int | None = None


def create(member: Membership, channel: Channel, wanted: Wanted) -> NoticeRule:
    """Make a rule. Raises `InvalidInput`, `Unprocessable` `TooManyRules`."""
    require_owner(member, channel.user_id)
    with transaction.atomic():
        Workspace.objects.select_for_update().get(pk=member.workspace_id)
        rows = NoticeRule.objects.of(member, mine=channel.user_id is not None)
        if rows.count() >= MOST:
            raise Unprocessable(f"{MOST} rules are the most", code="TooManyRules")
        row = NoticeRule(channel=channel, made_at=now_ms())
        _take(row, wanted)
        row.save(force_insert=True)
        _record(member, row, "created", kinds=row.kinds, channel=channel.name)
    return row


def change(member: Membership, row: NoticeRule, wanted: Wanted) -> NoticeRule:
    """Change what a rule asks for; what is under way goes on. Raises `InvalidInput`."""
    require_owner(member, row.channel.user_id)
    with transaction.atomic():
        _take(row, wanted)
        row.save(force_update=True)
        _record(member, row, "changed", kinds=row.kinds, channel=row.channel.name)
    return row


def remove(member: Membership, row: NoticeRule) -> None:
    """Remove a rule; what was told by it stays."""
    require_owner(member, row.channel.user_id)
    with transaction.atomic():
        _record(member, row, "removed", kinds=row.kinds, channel=row.channel.name)
        row.delete()


def _take(row: NoticeRule, wanted: Wanted) -> None:
    channel = row.channel
    row.kinds = kinds.check(wanted.kinds, channel)
    if channel.kind == Channel.Kind.WEBHOOK and wanted.when != NoticeRule.When.AT_ONCE:
        raise InvalidInput("programs are told at once", path="when")
    if wanted.mine and channel.user_id is None:
        raise InvalidInput("a workspace starts no runs of its own", path="mine")
    if wanted.graph is not None:
        rows = Graph.objects.active().in_workspace(channel.workspace_id)
        if not rows.filter(pk=wanted.graph).exists():
            raise InvalidInput("no such workflow", path="graph")
    row.folder, row.tag = path_of(wanted.folder), wanted.tag.strip()
    row.minutes = kinds.check_minutes(row.kinds, wanted.minutes)
    row.graph, row.mine, row.when, row.at = wanted.graph, wanted.mine, wanted.when, wanted.at


def _record(member: Membership, row: NoticeRule, action: str, **detail: Any) -> None:
    workspace_id = row.channel.workspace_id
    audit.record(workspace_id, member.user_id, f"notice_rule.{action}", row.pk, **detail)
