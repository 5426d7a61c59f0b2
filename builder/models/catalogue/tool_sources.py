"""Where a workspace's own tools come from, and what was set of single tools."""

from __future__ import annotations

from typing import Any, Self

from django.db import models

from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import User, Workspace


class ToolSourceQuerySet(ScopedQuerySet["ToolSource"]):
    """Sources of tools that a workspace named itself."""

    def light(self) -> Self:
        """Rows without the document and what was read of it, which may be megabytes."""
        return self.defer("document", "operations")


class ToolSource(models.Model):
    """An MCP server by its address, or an API by its OpenAPI document.

    `url` is what is called: the endpoint, or the one server of the API (empty until chosen).
    `headers` are by name a text or `{"credential": name}`; secrets are in `Credential` only. Of an
    API, `document` is the text as it came, from `document_url` if that is not empty, and
    `operations` those that were chosen, read. `revision` grows with each change: processes that
    hold the source open make it anew. `status` and `error` are of the last look, at `checked_at`.
    """

    class Kind(models.TextChoices):
        MCP = "mcp_http"
        OPENAPI = "openapi"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="tool_sources")
    slug = models.CharField(max_length=32)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    url = models.CharField(max_length=2000, blank=True)
    credential = models.CharField(max_length=120, blank=True)
    headers = models.JSONField(default=dict)
    document = models.TextField(blank=True)
    document_url = models.CharField(max_length=2000, blank=True)
    operations = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=16, default="new")
    error = models.TextField(blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    objects = ToolSourceQuerySet.as_manager()

    class Meta:
        ordering = ("slug",)
        constraints = (
            models.UniqueConstraint(fields=["workspace", "slug"], name="tool_source_once"),
        )

    def __str__(self) -> str:
        return self.slug

    def credential_names(self) -> list[str]:
        """Return the stored credentials that are sent to it."""
        headers: dict[str, Any] = self.headers
        named = [each["credential"] for each in headers.values() if isinstance(each, dict)]
        return sorted({*named, *([self.credential] if self.credential else [])})


class ToolSetting(models.Model):
    """What was set of one tool, `source/name`; empty and None are what its source says."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="tool_settings")
    tool = models.CharField(max_length=200)
    on = models.BooleanField(default=True)
    effect = models.CharField(max_length=16, blank=True)
    timeout_s = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "tool"], name="tool_setting_once"),
        )

    def __str__(self) -> str:
        return self.tool
