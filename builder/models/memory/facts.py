"""Facts, their tags, and what they said before."""

from __future__ import annotations

from django.db import models

from builder.models.querysets import FactQuerySet
from builder.models.workspaces import User, Workspace


class Fact(models.Model):
    """One fact. It outlives its run: `run_id`, `graph_slug` and `node` only say where it is from.

    `source` is the visit that learned it, `words` what texts are compared by, `at` in ms. What a
    person wrote has no run; `edited_by` is who wrote or changed it last, `edited_at` when it was
    changed.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="facts")
    key = models.CharField(max_length=32)
    text = models.TextField()
    words = models.TextField(blank=True, editable=False)
    source = models.CharField(max_length=32)
    position = models.PositiveIntegerField(default=0)
    run_id = models.CharField(max_length=64)
    graph_slug = models.CharField(max_length=128, verbose_name="workflow")
    node = models.CharField(max_length=128, verbose_name="step")
    at = models.BigIntegerField()
    edited_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    edited_at = models.BigIntegerField(null=True)

    objects = FactQuerySet.as_manager()

    class Meta:
        ordering = ("-at", "position")
        constraints = (
            models.UniqueConstraint(fields=["workspace", "key"], name="fact_once_in_workspace"),
        )
        indexes = (
            models.Index(fields=["workspace", "source"], name="fact_source"),
            models.Index(fields=["workspace", "-at", "position"], name="fact_newest"),
        )

    def __str__(self) -> str:
        return self.text[:80]


class FactTag(models.Model):
    """One tag of a fact, in the order of its list."""

    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="tag_rows")
    tag = models.CharField(max_length=128, db_index=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["fact", "tag"], name="tag_once_a_fact"),)

    def __str__(self) -> str:
        return self.tag


class FactRevision(models.Model):
    """What a fact said until `by` changed it at `at` (ms). It goes when the fact is forgotten."""

    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="revisions")
    text = models.TextField()
    tags = models.JSONField(default=list)
    entities = models.JSONField(default=list)
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.BigIntegerField()

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.text[:80]
