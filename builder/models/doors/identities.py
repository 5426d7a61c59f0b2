"""Firms that vouch for people: providers of workspaces, and who somebody is there."""

from __future__ import annotations

from django.db import models

from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import User, Workspace


class IdentityProviderQuerySet(ScopedQuerySet["IdentityProvider"]):
    """The providers of a workspace."""


class IdentityProvider(models.Model):
    """A firm's own sign-in (OpenID Connect). It opens its workspace, and no other."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="identity_providers"
    )
    kind = models.CharField(max_length=16, default="oidc")
    name = models.CharField(max_length=60)
    issuer = models.CharField(max_length=500)
    client_id = models.CharField(max_length=300)
    sealed_secret = models.BinaryField()
    groups_claim = models.CharField(max_length=60, default="groups")
    group_map = models.JSONField(default=list)
    """What each group of the firm gives: `{group, role, groups}`; the first that fits gives the role."""
    created_at = models.DateTimeField(auto_now_add=True)

    objects = IdentityProviderQuerySet.as_manager()

    class Meta:
        ordering = ("created_at", "id")

    def __str__(self) -> str:
        return f"{self.name} of {self.workspace_id}"


class Identity(models.Model):
    """Who somebody is at a provider: issuer and subject, never an address of mail."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    provider = models.ForeignKey(
        IdentityProvider, on_delete=models.CASCADE, related_name="identities"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    managed = models.BooleanField(default=False)
    """Whether the person came in by it first: role and groups follow their groups at the firm."""
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("created_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=["provider", "issuer", "subject"], name="identity_at_provider"
            ),
            models.UniqueConstraint(fields=["provider", "user"], name="one_identity_each"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} at {self.provider_id}"
