"""A consent that ends here is taken back where it was given, as far as the other side lets."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Literal, TypeAlias

from builder.adapters.egress import egress_of
from builder.adapters.tools.own_grants import Held, held_of
from builder.base.vault import VaultLocked
from builder.models import ToolGrant, ToolSource
from engine.integrations.egress import Egress, EgressRefused, HttpUnavailable
from engine.integrations.tools.oauth import ConsentRefused, Tokens, revoke

Outcome: TypeAlias = Literal["revoked", "not_offered", "failed", "nothing"]
PATIENCE_S: Final = 10.0
"""Seconds that the issuer gets for all of it: who disconnects is not made to wait for it."""
log = logging.getLogger("graphwright.tools")


def take_back(row: ToolSource) -> Outcome:
    """Have the issuer of a source's tokens take them back, and say what came of it.

    Called before they are forgotten here, and outside of a transaction: it waits for the other
    side. Whatever that says, the tokens are forgotten then.
    """
    grant = ToolGrant.objects.filter(source=row).first()
    try:
        held = held_of(row.pk)
    except VaultLocked:
        return "failed"
    if grant is None or held is None or held.ended:
        return "nothing"
    egress = egress_of(row.workspace_id, "tool")
    try:
        return asyncio.run(_asked(egress, grant.issuer, held))
    except (ConsentRefused, EgressRefused, HttpUnavailable, TimeoutError) as refused:
        log.warning("%s: its tokens were not taken back: %s", row.slug, type(refused).__name__)
        return "failed"


async def _asked(egress: Egress, issuer: str, held: Held) -> Outcome:
    async with asyncio.timeout(PATIENCE_S):
        done = await revoke(egress, issuer, held.desk, Tokens(held.access, held.refresh))
    return "revoked" if done else "not_offered"
