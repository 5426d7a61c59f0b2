"""Whose turn it is to call a model, where a workspace says how many calls may be under way at once.

Besides, who waits for money that other calls hold, or because a provider wants to be left alone.
"""

from __future__ import annotations

from typing import Self

from django.db import models

from builder.models.ledger.workers import Worker
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import Workspace


class CallTurnQuerySet(ScopedQuerySet["CallTurn"]):
    """Calls that are under way, and those that wait."""

    def waiting(self) -> Self:
        """Calls that wait for something; those of a worker that is gone wait for nothing."""
        return self.filter(given=False, worker__in=Worker.objects.alive().values("boot_id"))


class CallTurn(models.Model):
    """A call of a model by an activation, from when it asks for its turn to its end.

    `given`: it may be made, or is. `for_money`: it has its turn, if there are any, and waits for what other
    calls hold of a budget. `paused`: it waits for the end of a `ProviderPause`. It belongs to `worker`, and
    is void once that is not alive. `since` is in milliseconds since the epoch.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    run = models.CharField(max_length=36, db_index=True)
    key = models.CharField(max_length=512)
    model = models.CharField(max_length=300)
    worker = models.CharField(max_length=64)
    given = models.BooleanField(default=False, db_default=False)
    for_money = models.BooleanField(default=False, db_default=False)
    paused = models.BooleanField(default=False, db_default=False)
    since = models.BigIntegerField()

    objects = CallTurnQuerySet.as_manager()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=["workspace", "given"], name="call_turn_given"),)

    def __str__(self) -> str:
        return f"{self.model} for {self.run}"


class ProviderPauseQuerySet(ScopedQuerySet["ProviderPause"]):
    """Pauses that providers asked for."""

    def lift(self, workspace_id: str, provider: str) -> None:
        """End the pause of a provider: it wanted to hear less of a key that is not used any more."""
        self.in_workspace(workspace_id).filter(provider=provider).delete()


class ProviderPause(models.Model):
    """Until when a provider wants to be left alone by who uses a workspace's credential.

    It answered a call so. `until` is in milliseconds since the epoch, by the database's clock; a row whose
    time is over says nothing.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    provider = models.CharField(max_length=64)
    until = models.BigIntegerField()

    objects = ProviderPauseQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "provider"], name="provider_pause_once"),
        )

    def __str__(self) -> str:
        return self.provider
