"""Who or what facts are about."""

from __future__ import annotations

from django.db import models

from builder.models.memory.facts import Fact
from builder.models.querysets import EntityQuerySet
from builder.models.workspaces import Workspace
from engine.integrations.memory.facts import MAX_NAME


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
