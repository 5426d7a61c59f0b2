"""What graphs use: agents, credentials, accepted providers and tools, API tokens."""

from __future__ import annotations

from django.db import models

from builder.models.ids import new_id
from builder.models.querysets import AgentQuerySet, ApiTokenQuerySet, CredentialQuerySet
from builder.models.workspaces import User, Workspace


class Agent(models.Model):
    """A named model configuration; documents refer to it by `slug`.

    `ask` says by tool which of its calls people decide on before they are sent.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="agents")
    slug = models.CharField(max_length=128, verbose_name="name in documents")
    name = models.CharField(max_length=120)
    model = models.CharField(max_length=200)
    system_prompt = models.TextField(blank=True)
    temperature = models.FloatField(null=True, blank=True)
    max_output_tokens = models.PositiveIntegerField(default=2048)
    max_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    tools = models.JSONField(default=list, blank=True)
    permissions = models.JSONField(null=True, blank=True)
    ask = models.JSONField(default=dict, db_default={}, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = AgentQuerySet.as_manager()

    class Meta:
        ordering = ("slug",)
        constraints = (
            models.UniqueConstraint(fields=["workspace", "slug"], name="agent_slug_in_workspace"),
        )

    def __str__(self) -> str:
        return self.name


class Credential(models.Model):
    """A secret that is written once and never read back by people; bound to `hosts`."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="credentials")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=32, default="bearer")
    hosts = models.JSONField(default=list)
    ciphertext = models.BinaryField(editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = CredentialQuerySet.as_manager()

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                fields=["workspace", "name"], name="credential_name_in_workspace"
            ),
        )

    def __str__(self) -> str:
        return self.name


class AcceptedProvider(models.Model):
    """A model provider that an admin of the workspace agreed to use, and the `protocol` it speaks.

    `source` is `environment` (its key), `loopback` (found on this machine), `own` (named by its
    address) or `machine` (the same, on this machine: accepted by an owner of the installation).
    `extra_body` is sent with every question, `capabilities` are by model, as
    `{tools, schema, images}`.
    """

    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="accepted_providers"
    )
    provider_id = models.CharField(max_length=200)
    provider = models.CharField(max_length=64)
    label = models.CharField(max_length=120)
    source = models.CharField(max_length=16)
    base_url = models.CharField(max_length=300, blank=True)
    model_names = models.JSONField(default=list)
    protocol = models.CharField(max_length=32, default="openai_chat", db_default="openai_chat")
    extra_body = models.JSONField(default=dict, db_default={})
    capabilities = models.JSONField(default=dict, db_default={})
    sealed_headers = models.BinaryField(null=True, editable=False)
    accepted_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "provider_id"], name="provider_once"),
        )

    def __str__(self) -> str:
        return self.label or self.provider_id


class AcceptedTool(models.Model):
    """The definition of a tool that was looked at; another hash must be accepted again.

    `name` is `source/name`; an empty hash is an agreement that was taken back.
    """

    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="accepted_tools"
    )
    name = models.CharField(max_length=200)
    hash = models.CharField(max_length=64)
    definition = models.JSONField(null=True, blank=True)
    accepted_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["workspace", "name"], name="tool_once"),)

    def __str__(self) -> str:
        return self.name


def every_scope() -> list[str]:
    """Return what a token may of which nothing else is said."""
    return ["*"]


class ApiToken(models.Model):
    """A key for programs. Only its hash is kept; it acts as its user in one workspace.

    `scopes` are what it may (`builder.doors.called.scopes`), `graphs` the ids of the only workflows
    that it reaches: ids and no relation, so that one whose last workflow goes away reaches none.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="api_tokens", verbose_name="person"
    )
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=120)
    hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=every_scope, db_default=["*"])
    graphs = models.JSONField(default=list, db_default=[])
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = "API token"

    def __str__(self) -> str:
        return self.name

    @property
    def is_limited(self) -> bool:
        """Whether it may less than its user: by what it is for, or by which workflows."""
        return bool(self.graphs) or "*" not in self.scopes
