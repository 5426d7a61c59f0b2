"""Mail about alerts: a row of the outbox for each person, and one letter of what is due of them."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from django.core.mail import EmailMessage
from django.db.models import Q

from builder.base import address
from builder.base.clock import now_ms
from builder.models import Alert, AlertRule, Membership, Outbox
from builder.services.mail import inbox_mail as mail
from builder.services.mail.alert_words import headline
from builder.services.mail.notifications import When, choices_of

TOPIC: Final = "alert"
AT_ONCE: Final = 200
MAX_TRIES: Final = 6
FIRST_PAUSE_MS: Final = 20_000

log = logging.getLogger("graphwright.mail")


def tell(rule: AlertRule, alert: Alert, now: int) -> None:
    """Have mail sent about an alert to whom its rule names, in the caller's transaction."""
    people = [member.user_id for member in told_by(rule)]
    choices = choices_of(people)
    rows = [
        Outbox(
            topic=TOPIC,
            ref=f"{rule.workspace_id}:{user}",
            payload=json.dumps({"alert": alert.pk}),
            available_at=now,
        )
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
    moment = now_ms() if now is None else now
    due = Outbox.objects.filter(topic=TOPIC, done_at__isnull=True, available_at__lte=moment)
    mine: dict[str, list[Outbox]] = defaultdict(list)
    for row in due.order_by("pk")[:AT_ONCE]:
        mine[row.ref].append(row)
    return sum(_deliver(ref, rows, moment) for ref, rows in mine.items())


def _deliver(ref: str, rows: Sequence[Outbox], now: int) -> int:
    workspace, _, user = ref.partition(":")
    message = _letter(workspace, user, {json.loads(row.payload)["alert"] for row in rows})
    try:
        sent = 0 if message is None else message.send()
    except mail.FAILURES as error:
        tries = rows[0].tries + 1
        log.warning("mail about an alert failed (%s of %s): %s", tries, MAX_TRIES, error)
        if tries < MAX_TRIES:
            later = {"tries": tries, "available_at": now + FIRST_PAUSE_MS * 2**tries}
            Outbox.objects.filter(pk__in=[row.pk for row in rows]).update(**later)
            return 0
        sent = 0
    Outbox.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return sent


def _letter(workspace: str, user: str, alerts: Iterable[str]) -> EmailMessage | None:
    """Return the mail about what is still so, None where nothing or nobody is left."""
    members = Membership.objects.select_related("user", "workspace")
    member = members.filter(workspace=workspace, user=user, user__is_active=True).first()
    rows = Alert.objects.filter(pk__in=list(alerts), closed_at__isnull=True)
    found = list(rows.select_related("rule__graph", "rule__workspace").order_by("opened_at", "pk"))
    if member is None or not member.user.email or not found:
        return None
    lines = [headline(alert.rule, alert.value) for alert in found]
    name = " ".join(member.workspace.name.split())
    subject = lines[0] if len(lines) == 1 else f"{lines[0]}, and {len(lines) - 1} more"
    page = f"{address.public()}/dashboard"
    foot = ["-- ", f"Who is told of what: {page}/alerts"]
    body = [*(f"- {line}" for line in lines), "", page, "", *foot]
    return EmailMessage(
        f"{subject} · {name}"[:150],
        "\n".join(body),
        to=[member.user.email],
        headers={"Auto-Submitted": "auto-generated"},
    )
