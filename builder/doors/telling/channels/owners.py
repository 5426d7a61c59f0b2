"""Whose a channel is, and who may change it: a person their own, an admin the workspace's."""

from __future__ import annotations

from builder.base.errors import NotFound
from builder.models import Membership
from builder.services.permissions import Right, require


def require_owner(member: Membership, user_id: str | None) -> None:
    """Raise `NotAllowed` unless the member may change what belongs to `user_id`, None: the workspace."""
    if user_id is None:
        require(member, Right.ADMIN)
    elif user_id != member.user_id:
        raise NotFound("no such channel", code="ChannelNotFound")
