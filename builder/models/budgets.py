"""Limits that people set on workspaces, graphs and triggers, and what each day cost."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.doors.triggers import Trigger
from builder.models.graphs import Graph
from builder.models.ids import new_id
from builder.models.querysets import (
    BudgetLimitQuerySet,
    SpendingQuerySet,
    TriggerSpendingQuerySet,
)
from builder.models.workspaces import Workspace


class BudgetLimit(models.Model):
    """A limit per period: of one graph, or without `graph` of all that the workspace spends.

    With `trigger` it is of what that one starts, and `graph` is the one that it starts.

    Where it stands is a row of `Budget` for each period: `{level}:{id}:{period}`.
    """

    class Period(models.TextChoices):
        DAY = "day"
        WEEK = "week"
        MONTH = "month"
        TOTAL = "total"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="budget_limits")
    graph = models.ForeignKey(
        Graph,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="budget_limits",
        verbose_name="workflow",
    )
    trigger = models.ForeignKey(
        Trigger, null=True, blank=True, on_delete=models.CASCADE, related_name="budget_limits"
    )
    period = models.CharField(max_length=8, choices=Period.choices, default=Period.MONTH)
    limit_tokens = models.BigIntegerField(null=True, blank=True)
    limit_pico = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = BudgetLimitQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["graph", "period"],
                condition=Q(graph__isnull=False, trigger__isnull=True),
                name="one_limit_of_a_graph",
            ),
            models.UniqueConstraint(
                fields=["trigger", "period"],
                condition=Q(trigger__isnull=False),
                name="one_limit_of_a_trigger",
            ),
            models.UniqueConstraint(
                fields=["workspace", "period"],
                condition=Q(graph__isnull=True),
                name="one_limit_of_a_workspace",
            ),
            models.CheckConstraint(
                condition=Q(limit_tokens__isnull=False) | Q(limit_pico__isnull=False),
                name="limit_limits_something",
            ),
        )

    def __str__(self) -> str:
        return f"{self.level} per {self.period}"

    @property
    def level(self) -> str:
        """`trigger`, `graph` or `workspace`."""
        if self.trigger_id is not None:
            return "trigger"
        return "workspace" if self.graph_id is None else "graph"


class Spending(models.Model):
    """What one day cost: a sum for each graph, node, agent, model and person.

    `day` is the workspace's own (`2026-11-22`), `graph` a slug, `person` who started the run;
    what a call does not have is "". `unpriced` counts calls of a model without a price.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="spending")
    day = models.CharField(max_length=10)
    graph = models.CharField(max_length=128, verbose_name="workflow")
    node = models.CharField(max_length=128, verbose_name="step")
    agent = models.CharField(max_length=128)
    model = models.CharField(max_length=200)
    person = models.CharField(max_length=64)
    calls = models.BigIntegerField(default=0)
    unpriced = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    pico = models.BigIntegerField(default=0)

    objects = SpendingQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "spending"
        constraints = (
            models.UniqueConstraint(
                fields=["workspace", "day", "graph", "node", "agent", "model", "person"],
                name="one_sum_a_day",
            ),
        )

    def __str__(self) -> str:
        return f"{self.day} {self.graph} {self.node}"


class RunSpending(models.Model):
    """What one run spent in one day: the rows behind a sum of `Spending`, and deleted with the run."""

    run = models.CharField(max_length=36)
    day = models.CharField(max_length=10)
    node = models.CharField(max_length=128)
    agent = models.CharField(max_length=128)
    model = models.CharField(max_length=200)
    calls = models.BigIntegerField(default=0)
    unpriced = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    pico = models.BigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "run spending"
        constraints = (
            models.UniqueConstraint(
                fields=["run", "day", "node", "agent", "model"], name="one_sum_of_a_run"
            ),
        )
        indexes = (models.Index(fields=["day", "node"], name="run_spending_of_day"),)

    def __str__(self) -> str:
        return f"{self.run} {self.day} {self.node}"


class TriggerSpending(models.Model):
    """What the runs that a trigger started spent in one day: a sum for each trigger and graph.

    `graph` is a slug, as in `Spending`; runs that these have started are not among them.
    """

    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    day = models.CharField(max_length=10)
    graph = models.CharField(max_length=128, verbose_name="workflow")
    trigger = models.CharField(max_length=36)
    calls = models.BigIntegerField(default=0)
    unpriced = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    pico = models.BigIntegerField(default=0)

    objects = TriggerSpendingQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "trigger spending"
        constraints = (
            models.UniqueConstraint(
                fields=["workspace", "day", "graph", "trigger"], name="one_sum_of_a_trigger"
            ),
        )

    def __str__(self) -> str:
        return f"{self.day} {self.trigger}"
