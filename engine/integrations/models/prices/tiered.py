"""A price that depends on how much is asked."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from engine.core.node_types.conversation import Usage
from engine.integrations.models.chat import MILLION, Price


@dataclass(frozen=True, slots=True)
class TieredPrice(Price):
    """A price that rises for the whole call once its input reaches a tier.

    `tiers` are `(input tokens from which it holds, input price, output price)`, ascending.
    """

    tiers: tuple[tuple[int, Decimal, Decimal], ...] = ()

    def cost(self, usage: Usage) -> Decimal:
        """Return the USD of `usage` at the tier that its input reaches."""
        per_input, per_output = self.input_per_million, self.output_per_million
        for start, tier_input, tier_output in self.tiers:
            if usage.input_tokens >= start:
                per_input, per_output = tier_input, tier_output
        return (per_input * usage.input_tokens + per_output * usage.output_tokens) / MILLION
