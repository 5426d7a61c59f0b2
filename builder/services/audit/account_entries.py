"""What is told of a person's account, in the logs of all their workspaces."""

from __future__ import annotations

from typing import Any, Final

from builder.models import Membership
from builder.services.audit import chain as audit

MAX_WORKSPACES: Final = 50


def record(account: str, actor: str | None, action: str, **detail: Any) -> None:
    """Enter something about a person's account in the log of every workspace that they are in."""
    mine = Membership.objects.filter(user=account).order_by("workspace")
    for workspace_id in mine.values_list("workspace", flat=True)[:MAX_WORKSPACES]:
        audit.record(workspace_id, actor, action, account, **detail)
