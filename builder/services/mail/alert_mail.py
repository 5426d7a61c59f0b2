"""Mail about alerts: a row of the outbox for each person, and one letter of what is due of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from django.core.mail import EmailMessage
from django.db.models import Q

from builder.base import address
from builder.models import Alert, AlertRule, Membership, Outbox
from builder.services.mail import inbox_mail as mail
from builder.services.mail import outboxed
from builder.services.mail.alert_words import headline_now
from builder.services.mail.notifications import When, choices_of
from builder.services.runs.alerts.counts import Look, rows_of

TOPIC: Final = "alert"


def tell(rule: AlertRule, alert: Alert, now: int) -> None:
    """Have mail sent about an alert to whom its rule names, in the caller's transaction."""
    people = [member.user_id for member in told_by(rule)]
    choices = choices_of(people)
    rows = [
        outboxed.row(TOPIC, rule.workspace_id, user, {"alert": alert.pk}, now)
        for user in people
        if choices.get(user) != When.NEVER
    ]
    Outbox.objects.bulk_create(rows)


def told_by(rule: AlertRule) -> list[Membership]:
    """Return the active members whom a rule names, themselves, by group or by role."""
    named: dict[str, list[str]] = defaultdict(list)
    for entry in rule.to:
        kind, _, name = str(entry).partition(":")
        named[kind].append(name)
    who = Q(user__in=named["user"]) | Q(groups__name__in=named["group"])
    rows = Membership.objects.filter(workspace=rule.workspace_id, user__is_active=True)
    return list(rows.filter(who | Q(role__in=named["role"])).distinct()[: mail.MAX_PEOPLE])


def deliver_due(now: int | None = None) -> int:
    """Send what is due, one letter for each person and workspace; return how many went out."""
    return outboxed.deliver_due(TOPIC, _letter, now)


def _letter(workspace: str, user: str, due: Sequence[outboxed.Payload]) -> EmailMessage | None:
    """Return the mail about what is still so, None where nothing or nobody is left."""
    members = Membership.objects.select_related("user", "workspace")
    member = members.filter(workspace=workspace, user=user, user__is_active=True).first()
    rows = Alert.objects.filter(pk__in={told["alert"] for told in due}, closed_at__isnull=True)
    found = list(rows.select_related("rule__graph", "rule__workspace").order_by("opened_at", "pk"))
    if member is None or not member.user.email or not found:
        return None
    lines = [headline_now(alert.rule, alert.value) for alert in found]
    name = " ".join(member.workspace.name.split())
    subject = lines[0] if len(lines) == 1 else f"{lines[0]}, and {len(lines) - 1} more"
    page = f"{address.public()}/dashboard"
    foot = ["-- ", f"Who is told of what: {page}/alerts"]
    rows_at = [f"{address.public()}{rows_of(Look(each.rule, each.looked_at))}" for each in found]
    told = [text for line, at in zip(lines, rows_at, strict=True) for text in (f"- {line}", at, "")]
    body = [*told, f"All of it: {page}", "", *foot]
    return EmailMessage(
        f"{subject} · {name}"[:150],
        "\n".join(body),
        to=[member.user.email],
        headers={"Auto-Submitted": "auto-generated"},
    )
