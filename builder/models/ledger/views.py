"""The views of the inbox: which items each of them has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from builder.models.ledger.asking import (
    Reviewer,
    any_asked_back,
    asks,
    beside,
    by_group,
    in_person,
    waits,
)
from builder.models.ledger.places import askable

if TYPE_CHECKING:
    from builder.models.querysets import InterruptQuerySet

VIEWS: Final = (
    *("decide", "mine", "groups", "claimed", "asked", "asks-me", "overdue", "snoozed"),
    *("held", "done"),
)
"""Views of the inbox."""

REFUSED_TOLD_MS: Final = 600_000
OPEN_TOLD_MS: Final = 86_400_000  # where nobody else has decided since
OVERDUE_MS: Final = 3_600_000
"""An item is overdue an hour before its deadline, and once anybody was reminded of it."""


def seen_as(
    rows: InterruptQuerySet, view: str, reviewers: Sequence[Reviewer], now: Any
) -> InterruptQuerySet:
    """Return the items of one of `VIEWS`, as the first of `reviewers` has them in all their places.

    `now` is a moment, or its stand-in in a prepared query; `held`, `overdue` and `asks-me` take no stand-ins.
    """
    me = reviewers[0]
    if view == "done":
        return rows.exclude(status="open")
    if view == "held":
        return _held_by(rows, me, now.timestamp() * 1000)
    rows = rows.open()
    if view == "asks-me":
        return rows.filter(asks(me.user_id)) if any_asked_back(me.user_id) else rows.none()
    snoozed = Q(beside("Snooze", user=me.user_id, until__gt=now))
    if view == "snoozed":
        return rows.filter(snoozed)
    if view == "claimed":
        return rows.filter(claim__user=me.user_id)
    if view == "overdue":
        late = Q(expires_at__lt=now.timestamp() * 1000 + OVERDUE_MS)
        return rows.filter(late | Q(reminded_at__isnull=False) | Q(escalated_seq__isnull=False))
    rows = rows.exclude(snoozed).exclude(decisions__decided_by=me.user_id)
    return rows.filter(_waits_for(view, reviewers))


def _waits_for(view: str, reviewers: Sequence[Reviewer]) -> Q:
    """Return what waits for somebody: by itself, in person, or for a group of theirs.

    Four-eyes rules about who published or edited are left to `why_not`: their people stand in the
    run's log alone.
    """
    if view == "asked":
        return waits() & askable(reviewers)
    if view == "decide":  # a decision that no question back holds up, or a reply
        return (~waits() & askable(reviewers)) | asks(reviewers[0].user_id)
    mine = in_person(*reviewers)
    return mine if view == "mine" else reduce(or_, map(by_group, reviewers)) & ~mine


def _held_by(rows: InterruptQuerySet, me: Reviewer, now: float) -> InterruptQuerySet:
    """What the member decided and is not sent yet, and what was refused of it lately."""
    told = Q(held__state__in=("held", "sending"))
    told |= Q(held__state="refused", held__commit_at__gte=now - REFUSED_TOLD_MS)
    late = Q(held__state="refused", held__commit_at__gte=now - OPEN_TOLD_MS)
    told |= late & Q(status="open")
    return rows.filter(pk__in=rows.filter(told, held__user=me.user_id).values("pk"))
