"""What alerts, budgets, bulk jobs, invitations, versions, causes of failures and facts are called in the audit log."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from django.db.models import Count, Q

from builder.models import (
    AlertRule,
    BudgetLimit,
    BulkItem,
    BulkJob,
    Fact,
    FailureCause,
    GraphVersion,
    Invitation,
)
from builder.models.runs.bulk import OUT_BEFORE

LONGEST: Final = 80
ALERTS: Final = {
    "failures": "Runs that fail",
    "provider_down": "A provider that does not answer",
    "spend": "Spend of a day",
    "budget": "A budget that is used up",
    "waiting": "Items that wait too long",
    "in_doubt": "Calls in doubt",
    "stuck": "Runs that stand still",
}
PERIODS: Final = {
    "day": "per day",
    "week": "per week",
    "month": "per month",
    "total": "in all",
}


def things(ids: Collection[str], workspace_id: str) -> Iterator[tuple[str, str]]:
    """Yield id and name of what is known of the ids in the workspace, in seven queries."""
    mine = BulkItem.objects.exclude(OUT_BEFORE)
    jobs = BulkJob.objects.filter(workspace=workspace_id, pk__in=ids)
    counted = jobs.annotate(n=Count("items", filter=Q(items__in=mine)))
    for pk, action, n in counted.values_list("pk", "action", "n"):
        yield pk, f"{action.capitalize()} {n:,} {'run' if n == 1 else 'runs'}"
    invited = Invitation.objects.filter(workspace=workspace_id, pk__in=ids)
    for pk, email, role in invited.values_list("pk", "email", "role"):
        yield pk, line(f"{email} as {role}" if email else f"A link to join as {role}")
    versions = GraphVersion.objects.filter(graph__workspace=workspace_id, pk__in=ids)
    for pk, number in versions.values_list("pk", "number"):
        yield pk, "a draft" if number is None else f"version {number}"
    rules = AlertRule.objects.filter(workspace=workspace_id, pk__in=ids)
    for pk, what, graph in rules.values_list("pk", "what", "graph__name"):
        yield pk, ALERTS[what] + (f" · {line(graph)}" if graph else "")
    limits = BudgetLimit.objects.filter(workspace=workspace_id, pk__in=ids)
    for pk, trigger, graph, period in limits.values_list(
        "pk", "trigger__name", "graph__name", "period"
    ):
        yield pk, f"{line(trigger or graph or 'The workspace')} {PERIODS[period]}"
    causes = FailureCause.objects.filter(workspace=workspace_id, pk__in=ids)
    for pk, label, node, code in causes.values_list("pk", "label", "node", "code"):
        yield pk, line(f"{label or node}: {code}")
    known = Fact.objects.filter(workspace=workspace_id, key__in=ids)
    for key, text in known.values_list("key", "text"):
        yield key, line(text)


def line(text: str) -> str:
    """Return a text as it fits in a line, with a sign where it goes on."""
    whole = " ".join(text.split())
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1].rstrip()}…"
