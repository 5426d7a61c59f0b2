"""Who may hear of an event now: a person only of what they may see, and asked only what they may decide."""

from __future__ import annotations

from collections.abc import Sequence

from builder.adapters.directory import actors_in
from builder.doors.telling.rules.kinds import WAITS
from builder.models import HouseEvent, Interrupt, Membership, NoticeRule
from builder.reads.inbox_items import Item, items_of


def may_hear(event: HouseEvent, rules: Sequence[NoticeRule]) -> list[NoticeRule]:
    """Return the rules whose channel may be told of an event."""
    owners = {rule.channel.user_id for rule in rules} - {None}
    if not owners:
        return list(rules)
    found = rules_of_members(event.workspace_id, rules)
    if event.kind not in WAITS:
        return found
    row = Interrupt.objects.filter(pk=event.ref).first()
    asked = set() if row is None else asked_of(row)
    return [rule for rule in found if rule.channel.user_id in asked | {None}]


def rules_of_members(workspace_id: str, rules: Sequence[NoticeRule]) -> list[NoticeRule]:
    """Return the rules of the workspace, and of those who still belong to it."""
    rows = Membership.objects.filter(workspace=workspace_id, user__is_active=True)
    here = {None, *rows.values_list("user", flat=True)}
    return [rule for rule in rules if rule.channel.user_id in here]


def asked_of(row: Interrupt) -> set[str]:
    """Return the ids of those for whom an open item waits."""
    item = item_of(row)
    if item is None or row.status != Interrupt.Status.OPEN:
        return set()
    said = {one.by for one in item.said}
    return {
        who.id
        for who in actors_in(row.workspace_id)
        if who.id not in said and item.why_not_told(who) is None
    }


def item_of(row: Interrupt) -> Item | None:
    """Return an item as the first member of its workspace sees it, None where nobody is left."""
    member = Membership.objects.filter(workspace=row.workspace_id).order_by("created_at").first()
    return None if member is None else items_of([row], member)[0]
