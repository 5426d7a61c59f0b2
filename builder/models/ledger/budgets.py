"""Limits, and what is set aside for calls."""

from __future__ import annotations

from django.db import models

from builder.models.workspaces import Workspace


class Budget(models.Model):
    """A limit on one level and what is spent and held against it.

    `raised` is what people added for this period alone, `reached` the last threshold announced.
    """

    id = models.CharField(primary_key=True, max_length=200)
    level = models.CharField(max_length=16)
    workspace = models.ForeignKey(
        Workspace, null=True, on_delete=models.CASCADE, related_name="budgets"
    )
    limit_tokens = models.BigIntegerField(null=True)
    limit_pico = models.BigIntegerField(null=True)
    spent_tokens = models.BigIntegerField(default=0)
    spent_pico = models.BigIntegerField(default=0)
    held_tokens = models.BigIntegerField(default=0)
    held_pico = models.BigIntegerField(default=0)
    raised_tokens = models.BigIntegerField(default=0, db_default=0)
    raised_pico = models.BigIntegerField(default=0, db_default=0)
    reached = models.IntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return self.id


class BudgetHold(models.Model):
    """Money and tokens set aside for one call on every budget it counts against."""

    id = models.CharField(primary_key=True, max_length=200)
    run = models.CharField(max_length=36, db_index=True)
    key = models.CharField(max_length=500)
    budgets = models.TextField()
    tokens = models.BigIntegerField()
    pico = models.BigIntegerField()
    state = models.CharField(max_length=16)

    def __str__(self) -> str:
        return self.id
