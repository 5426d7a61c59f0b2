"""Named reads. `visible_to(user)` scopes every table to the workspaces of one person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.db import models

if TYPE_CHECKING:
    from builder.models import Interrupt, Run, User

M = TypeVar("M", bound=models.Model, covariant=True)


class ScopedQuerySet(models.QuerySet[M]):
    """Rows of tables that belong to a workspace."""

    workspace_path = "workspace"

    def visible_to(self, user: User) -> Self:
        """Rows of the workspaces in which `user` is a member."""
        path = f"{self.workspace_path}__memberships__user"
        condition: dict[str, Any] = {path: user.pk}
        return self.filter(**condition)


class RunQuerySet(ScopedQuerySet["Run"]):
    """Runs."""


class InterruptQuerySet(ScopedQuerySet["Interrupt"]):
    """Interrupts."""
