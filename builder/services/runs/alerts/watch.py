"""Looks at every alert rule again and again: opens an alert where one is met, closes it after.

One alert of a rule is open at a time. What is met again soon after it was over is the same alert,
so that nobody is told twice of what comes and goes.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

from django.conf import settings
from django.db import DatabaseError, transaction

from builder.base.bells import hub, runs_topic
from builder.base.clock import now_ms
from builder.models import Alert, AlertRule
from builder.services.audit import chain as audit
from builder.services.mail import alert_mail
from builder.services.mail.alert_words import headline_now
from builder.services.runs.alerts.counts import Look, counted

LOGGER: Final = logging.getLogger("graphwright.alerts")
AGAIN_MS: Final = 600_000
"""So soon after its end an alert opens again instead of a new one."""
MAX_SAID: Final = 300


def look_at_all(now: int | None = None) -> int:
    """Look at every rule; return how many alerts opened or closed."""
    rules = AlertRule.objects.select_related("workspace", "graph").defer("graph__header")
    at = now_ms() if now is None else now
    return sum(_looked_at(rule, at) for rule in rules.order_by("pk"))


def _looked_at(rule: AlertRule, now: int) -> bool:
    """Look at a rule; one that cannot be counted keeps no other from its turn."""
    try:
        return look_at(rule, now)
    except DatabaseError:
        raise
    except Exception:
        LOGGER.exception("the alert rule %s was not looked at", rule.pk)
        return False


def look_at(rule: AlertRule, now: int) -> bool:
    """Count what a rule counts, and open or close its alert; return whether it did."""
    value = counted(Look(rule, now))
    with transaction.atomic():
        if not AlertRule.objects.select_for_update().filter(pk=rule.pk).exists():
            return False
        alert = Alert.objects.filter(rule=rule).order_by("-opened_at").first()
        met, is_open = value >= rule.threshold, alert is not None and alert.closed_at is None
        if met:
            alert = _met(rule, alert, value, now)
        elif alert is not None and alert.closed_at is None:
            _over(alert, now)
    return met != is_open


def _met(rule: AlertRule, alert: Alert | None, value: int, now: int) -> Alert:
    is_open = alert is not None and alert.closed_at is None
    if alert is None or (alert.closed_at is not None and alert.closed_at < now - AGAIN_MS):
        alert = Alert(rule=rule, opened_at=now)
    if rule.what == AlertRule.What.BUDGET and (alert.value != value or not alert.said):
        # once it is over, nobody could tell any more which budget it was
        alert.said = headline_now(rule, value)[:MAX_SAID]
    alert.value, alert.looked_at, alert.closed_at = value, now, None
    if alert.told_at is None and (rule.muted_until or 0) <= now:
        alert.told_at = now
        if settings.MAIL:
            alert_mail.tell(rule, alert, now)
    alert.save()
    if not is_open:
        _record(alert, "opened", value=value, threshold=rule.threshold)
    return alert


def _over(alert: Alert, now: int) -> None:
    alert.closed_at = now
    alert.save(update_fields=["closed_at"])
    _record(alert, "closed")


def _record(alert: Alert, action: str, **detail: int) -> None:
    rule = alert.rule
    told = {"what": rule.what, "graph": rule.graph_id, **detail}
    audit.record(rule.workspace_id, None, f"alert.{action}", rule.pk, **told)
    transaction.on_commit(partial(hub.ring, runs_topic(rule.workspace_id)))
