"""A consent that ends here is taken back where it was given, as far as the other side lets."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, TypeAlias

from builder.adapters.egress import egress_of
from builder.adapters.tools.own_grants import ended_by_hand, give_back
from builder.base.vault import VaultLocked
from builder.models import ToolSource
from engine.integrations.egress import EgressRefused, HttpUnavailable
from engine.integrations.tools.oauth import ConsentRefused, Tokens

Outcome: TypeAlias = Literal["revoked", "not_offered", "failed", "nothing"]
log = logging.getLogger("graphwright.tools")


def take_back(row: ToolSource) -> Outcome:
    """Have the issuer of a source's tokens take them back, and say what came of it.

    Called before they are forgotten here, and outside of a transaction: it waits for the other
    side. Whatever that says, the tokens are forgotten then; until then the source counts as
    disconnected, so that nothing is renewed meanwhile.
    """
    try:
        held = ended_by_hand(row.pk)
    except VaultLocked:
        return "failed"
    if held is None or not (held.access or held.refresh):
        return "nothing"
    egress = egress_of(row.workspace_id, "tool")
    tokens = Tokens(held.access, held.refresh)
    try:
        done = asyncio.run(give_back(egress, held, tokens))
    except (ConsentRefused, EgressRefused, HttpUnavailable, TimeoutError) as refused:
        log.warning("%s: its tokens were not taken back: %s", row.slug, type(refused).__name__)
        return "failed"
    return "revoked" if done else "not_offered"
