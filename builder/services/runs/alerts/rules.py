"""Alert rules as people write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction

from builder.base.clock import DAY_MS, now_ms
from builder.base.errors import InvalidInput, NotFound, Unprocessable
from builder.models import AlertRule, Graph, Group, Membership, Role
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.runs.alerts import watch

MAX_RULES: Final = 50
MAX_TO: Final = 50
LONGEST_MINUTES: Final = 30 * 24 * 60
LONGEST_MUTE_MS: Final = 366 * DAY_MS
MOST: Final[Mapping[str, int]] = {"budget": 1_000, "spend": 10**18}
"""The largest threshold, in percent and pico-dollars; of what is counted it is a million."""
MOST_COUNTED: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it is to be; see `AlertRule` for its units."""

    what: str
    threshold: int
    window_minutes: int = 60
    graph: Graph | None = None
    to: Sequence[str] = ()


def create_rule(member: Membership, rule: Rule) -> AlertRule:
    """Add a rule (who may run) and look at it at once. Raises `InvalidInput`, `Unprocessable` `TooManyAlerts`."""
    require(member, Right.RUN)
    _checked(member, rule)
    with transaction.atomic():
        if AlertRule.objects.in_workspace(member.workspace_id).count() >= MAX_RULES:
            raise Unprocessable(f"{MAX_RULES} alerts are the most", code="TooManyAlerts")
        row = AlertRule(workspace=member.workspace, made_at=now_ms())
        _write(row, rule)
        _record(member, row, "created", **_said(row))
    watch.look_at(row, now_ms())
    return row


def change_rule(member: Membership, row: AlertRule, rule: Rule) -> AlertRule:
    """Change a rule; an open alert is looked at anew. Raises as `create_rule`.

    Whom the rule named before and who is not there any more is left out, not refused.
    """
    require(member, Right.RUN)
    rule = replace(rule, to=[e for e in rule.to if e not in row.to or _known(member, e)])
    _checked(member, rule)
    with transaction.atomic():
        if (row.what, row.graph_id) != (rule.what, rule.graph and rule.graph.pk):
            row.alerts.filter(closed_at__isnull=True).delete()
        _write(row, rule)
        _record(member, row, "changed", **_said(row))
    watch.look_at(row, now_ms())
    return row


def mute_rule(member: Membership, row: AlertRule, until: int | None) -> AlertRule:
    """Send no mail about it until then; None lets mail go out again. Raises `InvalidInput`."""
    require(member, Right.RUN)
    now = now_ms()
    if until is not None and not now < until <= now + LONGEST_MUTE_MS:
        raise InvalidInput("a moment in the future, within a year", path="muted_until")
    with transaction.atomic():
        row.muted_until = until
        row.save(update_fields=["muted_until"])
        _record(member, row, "unmuted" if until is None else "muted", until=until)
    return row


def delete_rule(member: Membership, row: AlertRule) -> None:
    """Take a rule away, with what was told of it."""
    require(member, Right.RUN)
    with transaction.atomic():
        _record(member, row, "deleted", **_said(row))
        row.delete()


def _checked(member: Membership, rule: Rule) -> None:
    if rule.what not in AlertRule.What.values:
        raise InvalidInput(f"one of {', '.join(AlertRule.What.values)}", path="what")
    if not 1 <= rule.threshold <= MOST.get(rule.what, MOST_COUNTED):
        raise InvalidInput("at least 1, and no more than there can be", path="threshold")
    if not 1 <= rule.window_minutes <= LONGEST_MINUTES:
        raise InvalidInput("1 minute to 30 days", path="window_minutes")
    if rule.graph is not None and rule.graph.workspace_id != member.workspace_id:
        raise NotFound("no such graph", code="GraphNotFound")
    if len(rule.to) > MAX_TO:
        raise InvalidInput(f"{MAX_TO} at most", path="to")
    for at, entry in enumerate(rule.to):
        if not _known(member, entry):
            raise InvalidInput("a member, a group or a role of the workspace", path=f"to[{at}]")


def _known(member: Membership, entry: str) -> bool:
    kind, _, name = entry.partition(":")
    if kind == "user":
        return Membership.objects.filter(workspace=member.workspace_id, user=name).exists()
    if kind == "group":
        return Group.objects.filter(workspace=member.workspace_id, name=name).exists()
    return kind == "role" and name in Role.values


def _write(row: AlertRule, rule: Rule) -> None:
    row.what, row.threshold, row.graph = rule.what, rule.threshold, rule.graph
    row.window_minutes, row.to = rule.window_minutes, list(dict.fromkeys(rule.to))
    row.save()


def _said(row: AlertRule) -> dict[str, Any]:
    return {
        "what": row.what,
        "graph": row.graph_id,
        "threshold": row.threshold,
        "window_minutes": row.window_minutes,
        "to": row.to,
    }


def _record(member: Membership, row: AlertRule, action: str, **detail: Any) -> None:
    audit.record(row.workspace_id, member.user_id, f"alert.{action}", row.pk, **detail)
