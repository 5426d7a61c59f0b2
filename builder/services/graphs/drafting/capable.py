"""Which models can draft, why others cannot, and what a draft costs at most."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from builder.adapters.models.access import all_models, model_catalog
from builder.base.errors import Unprocessable
from builder.models import Membership
from builder.services.graphs.drafting.conversation import ROUNDS
from builder.services.graphs.drafting.workflow import ANSWER_TOKENS
from engine.core.node_types.conversation import Usage
from engine.integrations.models.catalog import ModelEntry
from engine.integrations.models.chat import Price

ANSWER_BYTES: Final = ANSWER_TOKENS * 4
"""Of an answer that is sent back with what is wrong; a token is about four bytes."""
REPAIR_BYTES: Final = 8_000
LIKELY_TOKENS: Final = 2_500
"""Of an answer about ten nodes."""


@dataclass(frozen=True, slots=True)
class Capable:
    """A model that can draft. Money is USD, None where its price is not known."""

    entry: ModelEntry
    most: Usage
    at_most_usd: Decimal | None
    likely_usd: Decimal | None
    first: Usage
    first_usd: Decimal


def capable_models(member: Membership, size: int) -> list[Capable]:
    """Return the models that can draft with a prompt of `size` bytes, the workspace's default first.

    The built-in one is none of them: it picks sentences and labels, and writes nothing. A server
    that does not answer now is left out, and a model without price where the workspace refuses it.
    """
    entries, _listed = asyncio.run(all_models(member.workspace_id))
    settings = member.workspace.all_settings
    unpriced = str(settings["unknown_price"]) != "refuse"
    able = [
        _told(entry, size)
        for entry in entries
        if entry.provider != "builtin" and entry.available and (entry.price or unpriced)
    ]
    return sorted(able, key=lambda each: each.entry.id != settings["default_model"])


def capable(member: Membership, model: str, size: int) -> Capable:
    """Return one of them. Raises `Unprocessable` `ModelCannotDraft` for another.

    A model that a person wrote by its name, and no list has, can draft where it can be used.
    """
    for each in capable_models(member, size):
        if each.entry.id == model:
            return each
    price = asyncio.run(_price(member, model))
    provider, _, name = model.partition("/")
    return _told(ModelEntry(model, name, provider, "", True, False, price), size)


async def _price(member: Membership, model: str) -> Price | None:
    catalog = model_catalog()
    try:
        why = await catalog.why_not(model, member.workspace_id)
        if why is None and model.partition("/")[0] not in ("builtin", "local"):
            found = await catalog.resolve(
                model, agent_id=None, node_id="", workspace_id=member.workspace_id
            )
            price = found.price()
            if price is not None or member.workspace.all_settings["unknown_price"] != "refuse":
                return price
            why = "its price is not known, and this workspace refuses calls without one"
    finally:
        await catalog.aclose()
    raise Unprocessable(
        f"this model cannot draft: {why or 'the built-in model writes no workflows'}",
        code="ModelCannotDraft",
    )


def _told(entry: ModelEntry, size: int) -> Capable:
    first, most = Usage(size, ANSWER_TOKENS), most_usage(size)
    likely = Usage(size // 4, LIKELY_TOKENS)
    price = entry.price
    if price is None:
        return Capable(entry, most, None, None, first, Decimal(0))
    cost = price.cost
    return Capable(entry, most, cost(most), cost(likely), first, cost(first))


def most_usage(size: int) -> Usage:
    """Return what all answers together can use: each sends what was said before once more."""
    sent = sum(size + number * (ANSWER_BYTES + REPAIR_BYTES) for number in range(ROUNDS))
    return Usage(sent, ROUNDS * ANSWER_TOKENS)
