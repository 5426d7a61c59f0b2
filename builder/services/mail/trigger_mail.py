"""Mail about triggers that turn deliveries away, to who switched them on: once an hour at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.core.mail import EmailMessage
from django.db.models import Q

from builder.base import address
from builder.base.clock import DAY_MS, HOUR_MS, now_ms
from builder.models import Delivery, Membership, Trigger
from builder.services.mail import outboxed
from builder.services.mail.notifications import When, rhythms_of, told_at

TOPIC: Final = "trigger"
WHY: Final[Mapping[str, str]] = {
    "SignatureMissing": "it was not signed",
    "SignatureInvalid": "its signature does not fit the secret",
    "SignatureStale": "it was signed too long ago",
    "InputTooLarge": "it was too large",
    "UnsupportedMediaType": "it was neither JSON nor a form",
    "BodyUnreadable": "it could not be read",
    "MappingFailed": "the fields could not be made of it",
    "InputInvalid": "the workflow does not take such an input",
    "NotPublished": "the workflow is not published",
    "NotAllowed": "the account of the triggers may not start it",
    "TooManyRequests": "too many came within a minute",
    "ChainTooLong": "too many workflows have started one another",
    "TriggerBudgetExceeded": "what it may spend is used up",
    "ScheduleMissed": "the server was down when it was due",
    "NotStarted": "it could not start for a day",
}
"""Why the latest was turned away, without a word of what was sent."""


def tell(trigger: Trigger, now: int) -> None:
    """Have who switched the trigger on told that it turned something away, unless they were lately."""
    who = trigger.switched_by_id
    if who is None:
        return
    rhythm = rhythms_of([who], trigger.workspace.zone)[who]
    rows = Trigger.objects.filter(pk=trigger.pk)
    lately = Q(told_at__isnull=True) | Q(told_at__lte=now - HOUR_MS)
    if rhythm.when == When.NEVER or not rows.filter(lately).update(told_at=now):
        return
    due = told_at(rhythm, now)
    outboxed.row(TOPIC, trigger.workspace_id, who, {"trigger": trigger.pk}, due).save()


def deliver_due(now: int | None = None) -> int:
    """Send what is due, one letter for each person and workspace; return how many went out."""
    return outboxed.deliver_due(TOPIC, _letter, now)


def _letter(workspace: str, user: str, due: Sequence[outboxed.Payload]) -> EmailMessage | None:
    members = Membership.objects.select_related("user", "workspace")
    member = members.filter(workspace=workspace, user=user, user__is_active=True).first()
    rows = Trigger.objects.filter(pk__in={told["trigger"] for told in due}, switched_by=user)
    found = list(rows.filter(graph__archived_at__isnull=True).select_related("graph"))
    lines = [line for row in found for line in _lines(row, now_ms() - DAY_MS)]
    if member is None or not member.user.email or not lines:
        return None
    foot = ["-- ", f"Choose when you are told, or never: {address.public()}/notifications"]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return EmailMessage(
        f"{_named(found[0])} turned away what came in{more}"[:150],
        "\n".join([*lines, *foot]),
        to=[member.user.email],
        headers={"Auto-Submitted": "auto-generated"},
    )


def _lines(trigger: Trigger, since: int) -> list[str]:
    rows = Delivery.objects.filter(door=trigger, state=Delivery.State.REFUSED)
    last = rows.order_by("-at").first()
    if last is None:
        return []
    count = rows.filter(at__gte=since).count()
    times = f", {count} times within a day" if count > 1 else ""
    why = f": {WHY[last.code]}" if last.code in WHY else ""
    return [
        f"{_named(trigger)} turned away what came in{times}. Nothing was started of the last{why}.",
        f"{address.public()}/workflows/{trigger.graph_id}/triggers",
        "",
    ]


def _named(trigger: Trigger) -> str:
    name, graph = (" ".join(text.split())[:60] for text in (trigger.name, trigger.graph.name))
    return f"The {trigger.kind} “{name}” of “{graph}”"
