"""Runs and their logs. The engine's store writes these tables; everything else only reads them.

Times are milliseconds since the epoch, USD amounts are pico-dollars (1e-12).
"""

# ruff: noqa: DJ001  (absent is null here: raw SQL and partial indexes rely on it)
from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from builder.models.graphs import Graph, GraphVersion
from builder.models.querysets import RunQuerySet
from builder.models.workspaces import Workspace
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN


class RunManager(models.Manager["Run"]):
    """Gives each run with `seq`, the last of its log when the row was read: one picture of both."""

    def get_queryset(self) -> RunQuerySet:
        """Return the runs; where `seq` is not asked for, the database does not look for it."""
        return _with_seq(self.model, self._db).all()


@cache
def _with_seq(model: type[Run], using: str | None) -> RunQuerySet:
    """Return all runs with their `seq`; made once, for making it costs as much as reading a run."""
    first = OuterRef("number") * EVENTS_PER_RUN
    log = RunEvent.objects.filter(place__gt=first, place__lt=first + EVENTS_PER_RUN)
    last = Subquery(log.order_by("-place").values("place")[:1])
    read = {"seq": Coalesce(last - F("number") * EVENTS_PER_RUN, 0)}
    return RunQuerySet(model, using=using).annotate(**read)


class Run(models.Model):
    """One execution of a graph; a projection of its log."""

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        WAITING = "waiting"
        ENDING = "ending"
        COMPLETED = "completed"
        FAILED = "failed"
        CANCELLED = "cancelled"
        TIMEOUT = "timeout"

    ENDED: ClassVar[frozenset[str]] = frozenset(
        {Status.COMPLETED, Status.FAILED, Status.CANCELLED, Status.TIMEOUT}
    )

    id = models.CharField(primary_key=True, max_length=36)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="runs")
    graph = models.ForeignKey(
        Graph, null=True, on_delete=models.SET_NULL, related_name="runs", verbose_name="workflow"
    )
    version = models.ForeignKey(
        GraphVersion, null=True, on_delete=models.SET_NULL, related_name="runs"
    )
    graph_slug = models.CharField(max_length=128, verbose_name="workflow's name in addresses")
    status = models.CharField(max_length=16, choices=Status.choices)
    trigger_key = models.CharField(max_length=200, null=True)
    body_hash = models.CharField(max_length=64, null=True)
    started_by = models.CharField(max_length=64, null=True)
    started_at = models.BigIntegerField()
    ended_at = models.BigIntegerField(null=True)
    wake_at = models.BigIntegerField(null=True, db_index=True)
    waiting_for = models.TextField(default="[]")
    error = models.TextField(null=True)
    spent_tokens = models.BigIntegerField(default=0)
    spent_pico = models.BigIntegerField(default=0)
    held_tokens = models.BigIntegerField(default=0)
    held_pico = models.BigIntegerField(default=0)
    limit_tokens = models.BigIntegerField(null=True)
    limit_pico = models.BigIntegerField(null=True)
    parent_run = models.CharField(max_length=36, null=True)
    parent_key = models.CharField(max_length=500, null=True)
    number = models.BigIntegerField(null=True, unique=True)
    """Counts the runs of this database; the places of a run's events begin with it."""
    owner = models.CharField(max_length=36, null=True)
    """The worker that may write the run; whether it is alive says its own row."""
    owner_epoch = models.BigIntegerField(default=0, db_default=0)
    """How often the run was claimed: a commit of an earlier epoch is refused."""
    source = models.CharField(max_length=16, null=True)
    """What started it: person, api, chat, openai, mcp, webhook, schedule, event; null where another run did."""
    trigger = models.CharField(max_length=36, null=True)
    """The trigger that started it, whether it is still there or not."""
    place_at = models.BigIntegerField(default=0, db_default=0)
    """When it was given a place among the runs of its workspace that move, until it takes it; else 0,
    or -1 while it is under way and rests."""

    seq: int
    """The last of the run's log when this row was read, 0 before the first event."""

    objects = RunManager.from_queryset(RunQuerySet)()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "trigger_key"], name="run_trigger_once"),
        )
        indexes = (
            models.Index(F("workspace"), F("started_at").desc(), name="run_recent"),
            models.Index(fields=["workspace", "status"], name="run_by_status"),
            models.Index(fields=["graph", "-started_at"], name="run_of_graph"),
            models.Index(
                fields=["status", "started_at"],
                condition=~Q(status__in=("completed", "failed", "cancelled", "timeout")),
                name="run_unfinished",
            ),
            models.Index(
                fields=["workspace", "ended_at"],
                condition=Q(ended_at__isnull=False),
                name="run_ended",
            ),
            models.Index(
                fields=["workspace", "number"],
                condition=Q(status="queued"),
                name="run_queued",
            ),
            models.Index(
                fields=["trigger", "-started_at"],
                condition=Q(trigger__isnull=False),
                name="run_of_trigger",
            ),
        )

    def __str__(self) -> str:
        return f"{self.graph_slug} {self.id[:8]}"


if TYPE_CHECKING:
    BigInteger = models.BigIntegerField[int, int]
else:
    BigInteger = models.BigIntegerField


class PlaceField(BigInteger):
    """A 64-bit primary key that SQLite takes as its row id, so that it needs no index beside it."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """Return the column's type."""
        return "integer" if connection.vendor == "sqlite" else super().db_type(connection)


class RunText(models.Model):
    """Words by which a run is found (`builder.base.run_text`); `place` is its number times two.

    The databases keep an index of the words beside it, by triggers or as an expression.
    """

    place = PlaceField(primary_key=True)
    words = models.TextField()

    def __str__(self) -> str:
        return f"{self.place} {self.words[:40]}"


class RunEvent(models.Model):
    """One fact of a run's log: dense in `seq`, never changed.

    `place` is the run's number and `seq` (`engine.runtime.stores.sql.event_keys`). `cause` begins with the run's number,
    as it is unique in its run.
    """

    place = PlaceField(primary_key=True)
    type = models.CharField(max_length=64)
    at = models.BigIntegerField()
    key = models.CharField(max_length=500, null=True)
    cause = models.CharField(max_length=520, null=True)
    data = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["cause"], condition=Q(cause__isnull=False), name="event_cause_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.seq} {self.type}"

    @property
    def number(self) -> int:
        """The number of the run."""
        return self.place // EVENTS_PER_RUN

    @property
    def seq(self) -> int:
        """The position in the run's log, from 1."""
        return self.place % EVENTS_PER_RUN


class RunSnapshot(models.Model):
    """A run's folded state at `seq`, so that reading a long log does not start at 1."""

    run = models.CharField(max_length=36)
    seq = models.BigIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["run", "seq"], name="snapshot_once"),)

    def __str__(self) -> str:
        return f"{self.run} at {self.seq}"


class Blob(models.Model):
    """A large value, kept once under the SHA-256 of its canonical JSON."""

    hash = models.CharField(primary_key=True, max_length=64)
    size = models.BigIntegerField()
    data = models.BinaryField()

    def __str__(self) -> str:
        return self.hash


class RunBlob(models.Model):
    """A run's log mentions a blob: who may read the run may read the blob."""

    run = models.CharField(max_length=36)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["run", "hash"], name="run_blob_once"),)

    def __str__(self) -> str:
        return f"{self.run} {self.hash}"


class Activation(models.Model):
    """A live execution of a node; finished ones are in the log only.

    `place` is the run's number times `EVENTS_PER_RUN`, plus a slot: the next activation takes the slot of one
    that ended, so a chain changes one row of one page, and no index beside it.
    """

    place = PlaceField(primary_key=True)
    key = models.CharField(max_length=500)
    node = models.CharField(max_length=128, verbose_name="step")
    status = models.CharField(max_length=16)
    attempt = models.IntegerField(default=1)
    epoch = models.BigIntegerField(default=0)
    worker = models.CharField(max_length=64, null=True)

    def __str__(self) -> str:
        return f"{self.number} {self.key}"

    @property
    def number(self) -> int:
        """The number of the run."""
        return self.place // EVENTS_PER_RUN
