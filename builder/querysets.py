"""Named reads. `visible_to(user)` scopes every table to the workspaces of one person."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models.functions import Cast

if TYPE_CHECKING:
    from builder.models import (  # noqa: F401  (named in the subscripts below)
        Agent,
        ApiToken,
        AuditEntry,
        Credential,
        Entity,
        Fact,
        Graph,
        GraphVersion,
        Interrupt,
        Invitation,
        Membership,
        Run,
        User,
    )

M_co = TypeVar("M_co", bound=models.Model, covariant=True)


class ScopedQuerySet(models.QuerySet[M_co]):
    """Rows of tables that belong to a workspace; `workspace_path` leads there."""

    workspace_path: ClassVar[str] = "workspace"

    def visible_to(self, user: User) -> Self:
        """Rows of the workspaces in which `user` is a member."""
        condition: dict[str, Any] = {f"{self.workspace_path}__memberships__user": user.pk}
        return self.filter(**condition)

    def in_workspace(self, workspace_id: str) -> Self:
        """Rows of one workspace."""
        condition: dict[str, Any] = {self.workspace_path: workspace_id}
        return self.filter(**condition)


class MembershipQuerySet(ScopedQuerySet["Membership"]):
    """Memberships; a member sees the other members of the workspace."""


class GraphQuerySet(ScopedQuerySet["Graph"]):
    """Graphs."""

    def active(self) -> Self:
        """Graphs that nobody deleted."""
        return self.filter(archived_at__isnull=True)

    def search(self, text: str) -> Self:
        """Graphs with `text` in name, slug or description."""
        return self.filter(
            models.Q(name__icontains=text)
            | models.Q(slug__icontains=text)
            | models.Q(description__icontains=text)
        )

    def tagged(self, tag: str) -> Self:
        """Graphs that carry `tag`; the databases write other letters escaped or as they are."""
        forms = {json.dumps(tag), json.dumps(tag, ensure_ascii=False)}
        text = Cast("tags", models.TextField())
        found = models.Q()
        for form in forms:
            found |= models.Q(tags_text__contains=form)
        return self.annotate(tags_text=text).filter(found)


class VersionQuerySet(ScopedQuerySet["GraphVersion"]):
    """Versions of graphs."""

    workspace_path = "graph__workspace"

    def published(self) -> Self:
        """Numbered versions, the newest first."""
        return self.filter(number__isnull=False).order_by("-number")


class AgentQuerySet(ScopedQuerySet["Agent"]):
    """Agents."""


class ApiTokenQuerySet(ScopedQuerySet["ApiToken"]):
    """API tokens."""

    def live(self) -> Self:
        """Tokens that still open something."""
        return self.filter(revoked_at__isnull=True)


class AuditQuerySet(ScopedQuerySet["AuditEntry"]):
    """Audit entries."""


class InvitationQuerySet(ScopedQuerySet["Invitation"]):
    """Invitations."""

    def open(self, now: datetime) -> Self:
        """Invitations that somebody may still follow."""
        return self.filter(used_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now)


class CredentialQuerySet(ScopedQuerySet["Credential"]):
    """Credentials."""


class FactQuerySet(ScopedQuerySet["Fact"]):
    """Facts."""

    def tagged(self, tags: Sequence[str]) -> Self:
        """Facts that carry at least one of the tags."""
        return self.filter(pk__in=self.model.objects.filter(tag_rows__tag__in=tags).values("pk"))

    def about(self, entities: Sequence[int]) -> Self:
        """Facts about at least one of the entities."""
        found = self.model.objects.filter(links__entity__in=entities)
        return self.filter(pk__in=found.values("pk"))


class EntityQuerySet(ScopedQuerySet["Entity"]):
    """Entities."""

    def known(self) -> Self:
        """Entities that facts are about."""
        return self.filter(pk__in=self.model.objects.filter(links__isnull=False).values("pk"))


class RunQuerySet(ScopedQuerySet["Run"]):
    """Runs."""

    def started_since(self, ms: int) -> Self:
        """Runs that started at `ms` or later."""
        return self.filter(started_at__gte=ms)

    def search(self, text: str) -> Self:
        """Runs whose id or graph begins with or contains `text`."""
        return self.filter(
            models.Q(id__startswith=text.lower())
            | models.Q(graph__name__icontains=text)
            | models.Q(graph_slug__icontains=text)
        )


class InterruptQuerySet(ScopedQuerySet["Interrupt"]):
    """Interrupts."""

    def open(self) -> Self:
        """Interrupts that wait for an answer."""
        return self.filter(status="open")
