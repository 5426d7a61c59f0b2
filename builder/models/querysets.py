"""Named reads. `visible_to(user)` scopes every table to the workspaces of one person."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

from django.db import models
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from builder.base.clock import days_about
from builder.base.run_text import is_whole, readings
from builder.models.ledger.asking import (
    deadline_order,
    on_top,
    turn_order,
)
from builder.models.ledger.run_words import meant

if TYPE_CHECKING:
    from builder.models import (  # noqa: F401  (named in the subscripts below)
        Agent,
        ApiToken,
        AuditEntry,
        Breaker,
        BudgetLimit,
        BulkJob,
        Credential,
        Entity,
        Fact,
        FailureCause,
        Graph,
        GraphVersion,
        Interrupt,
        Invitation,
        Membership,
        Run,
        Sample,
        Spending,
        StandIn,
        TriggerSpending,
        User,
    )

NOT_LISTED: Final = (
    "graph__header",
    "graph__header_revisions",
    "graph__editors",
    "graph__tags",
    "graph__folder",
    "graph__description",
    "graph__created_at",
    "graph__updated_at",
    "graph__archived_at",
    "version__document",
    "version__editors",
    "version__note",
    "version__created_at",
    "version__published_at",
    "version__hash",
)
"""Columns that lists do not show; reading JSON and times costs more than all the others."""

M_co = TypeVar("M_co", bound=models.Model, covariant=True)


class ScopedQuerySet(models.QuerySet[M_co]):
    """Rows of tables that belong to a workspace; `workspace_path` leads there."""

    workspace_path: ClassVar[str] = "workspace"

    def visible_to(self, user: User) -> Self:
        """Rows of the workspaces in which `user` is a member."""
        condition: dict[str, Any] = {f"{self.workspace_path}__memberships__user": user.pk}
        return self.filter(**condition)

    def in_workspace(self, workspace_id: str) -> Self:
        """Rows of one workspace."""
        condition: dict[str, Any] = {self.workspace_path: workspace_id}
        return self.filter(**condition)


class MembershipQuerySet(ScopedQuerySet["Membership"]):
    """Memberships; a member sees the other members of the workspace."""


class StandInQuerySet(ScopedQuerySet["StandIn"]):
    """Who stands in for whom, and when: of absences that are over, too."""

    def about(self, now: datetime) -> Self:
        """Those that may hold at `now` in some time zone: `StandIn.holds` says whether one does."""
        return self.between(*days_about(now))

    def between(self, yesterday: Any, tomorrow: Any) -> Self:
        """Those of days about one day."""
        rows = self.select_related("workspace", "absent", "to")
        found = rows.filter(first_day__lte=tomorrow, last_day__gte=yesterday)
        return found.order_by("first_day", "pk")


class GraphQuerySet(ScopedQuerySet["Graph"]):
    """Workflows of a workspace, those that were put away included."""

    def active(self) -> Self:
        """Graphs that nobody deleted."""
        return self.filter(archived_at__isnull=True)

    def search(self, text: str) -> Self:
        """Graphs with `text` in name, slug, description, folder, or in one of their tags."""
        tags = models.Q()
        for form in _as_in_json(text):
            tags |= models.Q(tags_text__icontains=form)
        return self.annotate(tags_text=Cast("tags", models.TextField())).filter(
            models.Q(name__icontains=text)
            | models.Q(slug__icontains=text)
            | models.Q(description__icontains=text)
            | models.Q(folder__icontains=text)
            | tags
        )

    def within(self, folder: str) -> Self:
        """Graphs that lie in a folder, or in one that lies in it."""
        return self.filter(models.Q(folder=folder) | models.Q(folder__startswith=f"{folder}/"))

    def tagged(self, tag: str) -> Self:
        """Graphs that carry `tag`; the databases write other letters escaped or as they are."""
        text = Cast("tags", models.TextField())
        found = models.Q()
        for form in _as_in_json(tag):
            found |= models.Q(tags_text__contains=f'"{form}"')
        return self.annotate(tags_text=text).filter(found)


class SampleQuerySet(ScopedQuerySet["Sample"]):
    """Named inputs for test runs."""

    workspace_path = "graph__workspace"


class VersionQuerySet(ScopedQuerySet["GraphVersion"]):
    """Versions of graphs."""

    workspace_path = "graph__workspace"

    def published(self) -> Self:
        """Numbered versions, the newest first."""
        return self.filter(number__isnull=False).order_by("-number")


class AgentQuerySet(ScopedQuerySet["Agent"]):
    """Agents that the graphs of a workspace share."""


class ApiTokenQuerySet(ScopedQuerySet["ApiToken"]):
    """Tokens by which programs act for a member, revoked ones included."""

    def live(self) -> Self:
        """Tokens that still open something."""
        expired = models.Q(expires_at__lte=timezone.now())
        return self.exclude(expired).filter(revoked_at__isnull=True)


class AuditQuerySet(ScopedQuerySet["AuditEntry"]):
    """Audit entries."""


class InvitationQuerySet(ScopedQuerySet["Invitation"]):
    """Invitations into a workspace, used and expired ones included."""

    def open(self, now: datetime) -> Self:
        """Invitations that somebody may still follow."""
        return self.filter(used_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now)


class CredentialQuerySet(ScopedQuerySet["Credential"]):
    """Sealed secrets of a workspace; lists never carry what is sealed."""


class FactQuerySet(ScopedQuerySet["Fact"]):
    """What runs of a workspace have learned, superseded facts included."""

    def tagged(self, tags: Sequence[str]) -> Self:
        """Facts that carry at least one of the tags."""
        return self.filter(pk__in=self.model.objects.filter(tag_rows__tag__in=tags).values("pk"))

    def about(self, entities: Sequence[int]) -> Self:
        """Facts about at least one of the entities."""
        found = self.model.objects.filter(links__entity__in=entities)
        return self.filter(pk__in=found.values("pk"))


class EntityQuerySet(ScopedQuerySet["Entity"]):
    """Entities."""

    def known(self) -> Self:
        """Entities that facts are about."""
        return self.filter(pk__in=self.model.objects.filter(links__isnull=False).values("pk"))


class RunQuerySet(ScopedQuerySet["Run"]):
    """Runs of a workspace, child runs and forks included."""

    def started_since(self, ms: int) -> Self:
        """Runs that started at `ms` or later."""
        return self.filter(started_at__gte=ms)

    def for_lists(self) -> Self:
        """Runs with what lists show of their graphs and versions."""
        return self.select_related("graph", "version").defer(*NOT_LISTED)

    def with_duration(self) -> Self:
        """Runs with `duration_sorted`, milliseconds; those that are not over come as the shortest."""
        took = models.F("ended_at") - models.F("started_at")
        return self.annotate(duration_sorted=Coalesce(took, -1))

    def search(self, text: str) -> Self:
        """Runs by id, workflow, or words of input, output and error, each whole or its beginning.

        Of a workflow the name as it is now, of an id six letters at least; words of one or two
        letters are found as a whole. What is looked for is bounded by `builder.base.run_text`.
        """
        graphs: Any = self.model._meta.get_field("graph").related_model
        found = meant(text, self.order_by(), graphs.objects.using(self.db), self.db)
        return self.none() if found is None else self.filter(found)


class CauseQuerySet(ScopedQuerySet["FailureCause"]):
    """Why runs of a workspace failed."""

    def standing(self, state: str, now: int) -> Self:
        """Causes in one state at `now`: one that is muted until then counts as open again."""
        asleep = models.Q(state="muted", muted_until__gt=now)
        if state == "muted":
            return self.filter(asleep)
        return (
            self.exclude(asleep).exclude(state="resolved")
            if state == "open"
            else self.filter(state=state)
        )


class BulkJobQuerySet(ScopedQuerySet["BulkJob"]):
    """What is done with many runs at once."""


class BudgetLimitQuerySet(ScopedQuerySet["BudgetLimit"]):
    """Limits that people set."""

    def standing(self) -> Self:
        """Limits that hold: of the workspace, and of graphs that nobody deleted."""
        return self.filter(graph__archived_at__isnull=True)


class DaysQuerySet(ScopedQuerySet[M_co]):
    """Rows of days."""

    def between(self, first: str, last: str) -> Self:
        """Days from `first` to `last`, both included (`2026-11-22`)."""
        return self.filter(day__gte=first, day__lte=last)


class SpendingQuerySet(DaysQuerySet["Spending"]):
    """Sums of days."""


class TriggerSpendingQuerySet(DaysQuerySet["TriggerSpending"]):
    """Sums of days of what triggers started."""


class BreakerQuerySet(ScopedQuerySet["Breaker"]):
    """Circuit breakers."""


class InterruptQuerySet(ScopedQuerySet["Interrupt"]):
    """What runs of a workspace have asked people, open and ended."""

    def open(self) -> Self:
        """Interrupts that wait for an answer."""
        return self.filter(status="open")

    def with_deadline(self) -> Self:
        """Interrupts with `deadline_sorted`, milliseconds; those without one come last."""
        return self.annotate(deadline_sorted=deadline_order())

    def with_amount(self) -> Self:
        """Interrupts with `amount_sorted`; those without one come as the smallest."""
        return self.annotate(amount_sorted=Coalesce("card__amount", -1.0))

    def with_risk(self) -> Self:
        """Interrupts with `risk_sorted`, 0 to 100; those of which nothing is said come last."""
        return self.annotate(risk_sorted=Coalesce("card__risk", -1.0))

    def on_top(self, user_id: str) -> tuple[Self, Self]:
        """What comes before that which ends first, and the rest.

        First what asks the person back, then replies, the latest of all. They have `turn_sorted`, in
        which the first is the smallest.
        """
        ids = on_top(user_id)
        turns = turn_order(user_id)
        return self.filter(pk__in=ids).annotate(turn_sorted=turns), self.exclude(pk__in=ids)

    def showing(self, name: str, value: str) -> Self:
        """Interrupts that show this value in a field, in letters of any case."""
        fields: Any = self.model._meta.apps.get_model("builder", "InterruptField")
        found = fields.objects.filter(name=name, text=value.strip().lower())
        return self.filter(pk__in=found.values("interrupt"))

    def search(self, text: str) -> Self:
        """Interrupts that show every word of a text, whole or its beginning; numbers as printed.

        Words of one or two letters as a whole. What its run started with counts, in the line beside.
        """
        found = models.Q()
        for words in readings(text):
            sought = (f" {word} " if is_whole(word) else f" {word}" for word in words)
            shown = (models.Q(card__words__contains=text) for text in sought)
            found |= reduce(and_, shown, models.Q())
        return self.filter(found)

    def asking(self, entry: str) -> Self:
        """Interrupts that ask `user:x`, `group:y` or `role:z` by name; a user also by claim or delegation."""
        found = models.Q(asked__principal=entry)
        kind, _, name = entry.partition(":")
        if kind == "user":
            found |= models.Q(delegations__to=name) | models.Q(claim__user=name)
        return self.filter(pk__in=self.filter(found).values("pk"))


def _as_in_json(text: str) -> set[str]:
    """Return how a text may stand in a JSON column: other letters escaped, or as they are."""
    return {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
