"""For how long which runs are kept, and what becomes of them then: rules of workspace and workflow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Q

from builder.models import Graph, Membership, OldRuns, RetentionRule, Workspace
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require

SETTING: Final = "keep_runs_days"
THEN: Final = "old_runs"
MAX_DAYS: Final = 3_650


@dataclass(frozen=True, slots=True)
class Rule:
    """Which runs are kept for how many days, and whether they are archived or deleted then."""

    days: int
    then: str
    runs: Q

    @property
    def archives(self) -> bool:
        """Whether old runs go into files."""
        return self.then == OldRuns.ARCHIVE


def rules_of(workspace: Workspace) -> Iterator[Rule]:
    """Yield the rules of a workspace: of each workflow that has its own, then of all others."""
    own = list(RetentionRule.objects.filter(graph__workspace=workspace).order_by("pk"))
    for row in own:
        if row.days is not None:
            yield Rule(row.days, row.then, Q(graph=row.pk))
    days = workspace.all_settings[SETTING]
    if days is not None:
        others = Q(graph=None) | ~Q(graph__in=[row.pk for row in own])
        yield Rule(int(days), str(workspace.all_settings[THEN]), others)


def set_rule(member: Membership, graph: Graph, days: int | None, then: str) -> RetentionRule:
    """Let a workflow keep its runs by a rule of its own; without days for ever."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        rule, _made = RetentionRule.objects.update_or_create(
            graph=graph, defaults={"days": days, "then": then}
        )
        said = {"days": days, "then": then}
        audit.record(graph.workspace_id, member.user_id, "retention.set", graph.pk, **said)
    return rule


def clear_rule(member: Membership, graph: Graph) -> None:
    """Let a workflow keep its runs as the workspace says; without a rule nothing happens."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        if RetentionRule.objects.filter(graph=graph).delete()[0]:
            audit.record(graph.workspace_id, member.user_id, "retention.cleared", graph.pk)
