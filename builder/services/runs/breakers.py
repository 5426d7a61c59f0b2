"""Circuit breakers as operators touch them."""

from __future__ import annotations

from django.db import transaction

from builder.base import engine_door
from builder.base.errors import NotFound
from builder.models import Breaker, Membership
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require


def reset_breaker(member: Membership, breaker: Breaker) -> None:
    """Close a circuit breaker: the next attempt is made. Raises `NotFound` `BreakerNotFound`."""
    require(member, Right.CANCEL)
    if not engine_door.engine().reset_breaker(breaker.pk):
        raise NotFound("no such breaker", code="BreakerNotFound")
    with transaction.atomic():
        audit.record(
            member.workspace_id,
            member.user_id,
            "breaker.reset",
            breaker.node,
            called=breaker.target,
            failures=breaker.failures,
        )
