"""What alerts, budgets, bulk jobs, invitations, versions, causes of failures, items and facts are called in the audit log."""

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
    InterruptCard,
    Invitation,
)
from builder.models.runs.bulk import OUT_BEFORE
from builder.reads.inbox.sums import with_sums

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
    """Yield id and name of what is known of the ids in the workspace, in eight queries."""
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
    yield from called_items(ids, workspace_id).items()
    known = Fact.objects.filter(workspace=workspace_id, key__in=ids)
    for key, text in known.values_list("key", "text"):
        yield key, line(text)


def called_items(ids: Collection[str], workspace_id: str | None = None) -> dict[str, str]:
    """Return what items ask, by id, in one query; without a workspace those of all."""
    cards = InterruptCard.objects.filter(pk__in=ids).exclude(title="")
    if workspace_id is not None:
        cards = cards.filter(interrupt__workspace=workspace_id)
    return {
        pk: line(with_sums(title, {"data": {"amount": amount}}))
        for pk, title, amount in cards.values_list("pk", "title", "amount")
    }


def line(text: str) -> str:
    """Return a text as it fits in a line, with a sign where it goes on."""
    whole = " ".join(text.split())
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1].rstrip()}…"
