"""Graphs: a draft of rows that many may edit, and immutable versions."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.ids import new_id
from builder.models.querysets import GraphQuerySet, SampleQuerySet, VersionQuerySet
from builder.models.workspaces import User, Workspace


class Graph(models.Model):
    """One workflow. The draft is `header` plus its nodes and edges; `revision` counts saves.

    `header` holds everything of the document but `nodes` and `edges`; `header_revisions` says at
    which revision each of its keys last changed. `editors` are the ids of all who saved a change.
    `require_approval` is the gate of publications: no way to a dangerous step without a guard.
    `folder` is the path of names that it lies in (`Support/Refunds`), empty for none.
    `publish_gate` is who else has to approve them (`user:x`, `group:y`, `role:z`), null for nobody.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="graphs")
    slug = models.CharField(max_length=128, verbose_name="name in addresses")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    tags = models.JSONField(default=list, blank=True)
    folder = models.CharField(max_length=130, blank=True, default="", db_default="")
    revision = models.PositiveBigIntegerField(default=1)
    header = models.JSONField(default=dict)
    header_revisions = models.JSONField(default=dict)
    editors = models.JSONField(default=list, blank=True)
    require_approval = models.BooleanField(default=False)
    publish_gate = models.JSONField(null=True)
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = GraphQuerySet.as_manager()

    class Meta:
        verbose_name = "workflow"
        constraints = (
            models.UniqueConstraint(
                fields=["workspace", "slug"],
                condition=Q(archived_at__isnull=True),
                name="graph_slug_in_workspace",
            ),
        )
        indexes = (models.Index(fields=["workspace", "-updated_at"], name="graph_recent"),)

    def __str__(self) -> str:
        return self.name


class Node(models.Model):
    """A node of a draft; `data` is its object in the document, `id` included."""

    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="nodes")
    node_id = models.CharField(max_length=128)
    data = models.JSONField()
    position = models.PositiveIntegerField(default=0)
    revision = models.PositiveBigIntegerField()

    class Meta:
        ordering = ("position", "id")
        constraints = (
            models.UniqueConstraint(fields=["graph", "node_id"], name="node_id_in_graph"),
        )

    def __str__(self) -> str:
        return self.node_id


class Edge(models.Model):
    """An edge of a draft; `position` keeps the order of declaration, which routing follows."""

    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="edges")
    edge_id = models.CharField(max_length=128)
    data = models.JSONField()
    position = models.PositiveIntegerField(default=0)
    revision = models.PositiveBigIntegerField()

    class Meta:
        ordering = ("position", "id")
        constraints = (
            models.UniqueConstraint(fields=["graph", "edge_id"], name="edge_id_in_graph"),
        )

    def __str__(self) -> str:
        return self.edge_id


class DeletedPart(models.Model):
    """Remembers when a node or edge of a draft went away, so that other editors are told."""

    class Kind(models.TextChoices):
        NODE = "node"
        EDGE = "edge"

    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="deleted_parts")
    kind = models.CharField(max_length=4, choices=Kind.choices)
    part_id = models.CharField(max_length=128)
    revision = models.PositiveBigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["graph", "kind", "part_id"], name="deleted_part_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.part_id}"


class Sample(models.Model):
    """A named input for test runs of a draft; it stands beside the draft and is in no document."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="samples")
    name = models.CharField(max_length=80)
    input = models.JSONField(null=True)
    changed_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    objects = SampleQuerySet.as_manager()

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=["graph", "name"], name="sample_name_in_graph"),
        )

    def __str__(self) -> str:
        return self.name


class Pin(models.Model):
    """A result that stands in for a node in test runs; beside the draft, in no document."""

    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="pins")
    node = models.CharField(max_length=128)
    value = models.JSONField()
    changed_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("node",)
        constraints = (models.UniqueConstraint(fields=["graph", "node"], name="pin_of_node"),)

    def __str__(self) -> str:
        return self.node


class GraphVersion(models.Model):
    """An immutable document: published with a number, or a draft frozen for its runs (no number)."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    graph = models.ForeignKey(
        Graph, on_delete=models.CASCADE, related_name="versions", verbose_name="workflow"
    )
    number = models.PositiveIntegerField(null=True, blank=True)
    is_draft = models.BooleanField(default=False, verbose_name="draft")
    revision = models.PositiveBigIntegerField()
    document = models.JSONField()
    hash = models.CharField(max_length=64)
    note = models.TextField(blank=True)
    editors = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    objects = VersionQuerySet.as_manager()

    class Meta:
        verbose_name = "workflow version"
        constraints = (
            models.UniqueConstraint(fields=["graph", "number"], name="version_number_in_graph"),
            models.UniqueConstraint(
                fields=["graph", "revision"], condition=Q(is_draft=True), name="draft_frozen_once"
            ),
            models.CheckConstraint(
                condition=Q(is_draft=True, number__isnull=True)
                | Q(is_draft=False, number__isnull=False, published_at__isnull=False),
                name="published_versions_are_numbered",
            ),
        )

    def __str__(self) -> str:
        return "draft" if self.number is None else f"v{self.number}"


class VersionReference(models.Model):
    """Answers which graphs use an agent, tool or graph."""

    class Kind(models.TextChoices):
        AGENT = "agent"
        TOOL = "tool"
        GRAPH = "graph"

    version = models.ForeignKey(GraphVersion, on_delete=models.CASCADE, related_name="references")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    name = models.CharField(max_length=200)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["version", "kind", "name"], name="reference_once"),
        )
        indexes = (models.Index(fields=["kind", "name"], name="reference_by_name"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
