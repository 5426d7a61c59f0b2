"""The service account as which the triggers of a workspace start runs."""

from __future__ import annotations

from builder.base.errors import NotAllowed
from builder.models import Membership, Role, Trigger, User, Workspace


def account_of(workspace: Workspace) -> User:
    """Return the workspace's service account, made where there is none; nobody signs in as it.

    It is not active: who is asked, named or written to are people.
    """
    email = f"triggers.{workspace.pk}@service.invalid"
    made = {"name": "Triggers", "kind": User.Kind.SERVICE, "is_active": False, "password": "!"}
    account, new = User.objects.get_or_create(email=email, defaults=made)
    if new:
        Membership.objects.get_or_create(
            user=account, workspace=workspace, defaults={"role": Role.AUTHOR}
        )
    return account


def acting(trigger: Trigger) -> Membership:
    """Return the membership as which a trigger acts now. Raises `NotAllowed` without one."""
    rows = Membership.objects.select_related("workspace", "user")
    found = rows.filter(user=trigger.account_id, workspace=trigger.workspace_id).first()
    if found is None:
        raise NotAllowed("the account of this trigger belongs to the workspace no more")
    return found
