"""What runs have learned: facts, their tags, their meaning, and the entities they are about."""

from __future__ import annotations

from django.db import models

from builder.models.querysets import EntityQuerySet, FactQuerySet
from builder.models.workspaces import User, Workspace
from engine.integrations.memory.facts import MAX_NAME


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
    graph_slug = models.CharField(max_length=128)
    node = models.CharField(max_length=128)
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


class FactVector(models.Model):
    """What a fact means to one embedding model: numbers of four bytes each."""

    fact = models.OneToOneField(
        Fact, primary_key=True, on_delete=models.CASCADE, related_name="vector"
    )
    model = models.CharField(max_length=64)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.model} {self.fact_id}"


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


class Entity(models.Model):
    """Someone or something that facts are about; `key` is its name without case."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="entities")
    key = models.CharField(max_length=3 * MAX_NAME)
    name = models.CharField(max_length=MAX_NAME)

    objects = EntityQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entities"
        ordering = ("key",)
        constraints = (
            models.UniqueConstraint(fields=["workspace", "key"], name="entity_once_in_workspace"),
        )

    def __str__(self) -> str:
        return self.name


class FactEntity(models.Model):
    """What a fact is about; `name` as this fact writes it. Two entities of one fact are linked."""

    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="links")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="links")
    name = models.CharField(max_length=MAX_NAME)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["fact", "entity"], name="link_once"),)

    def __str__(self) -> str:
        return self.name
