"""What a token costs: the operator's own prices first, then the dated table of genai-prices.

The table is the one shipped inside the installed package; its updater is never started, so the
same installation always gives the same price.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from engine.core.node_types.conversation import Usage
from engine.integrations.models.chat import FREE, MILLION, Price

BUILTIN = Price(Decimal(0), Decimal(0), source="computed on this machine")
OUR_FREE_PROVIDERS = frozenset({"builtin"})


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


class PriceBook:
    """Looks prices up. `overrides` are an operator's prices by `provider/name`; they win.

    An override `provider/*` prices every model of that provider (zero for a server of one's own).
    """

    def __init__(self, overrides: Mapping[str, Price] | None = None) -> None:
        self._overrides = dict(overrides or {})

    def find(self, model: str, *, today: date | None = None) -> Price | None:
        """Return the price of `provider/name` on `today` (default: now); None where unknown."""
        provider, _, name = model.partition("/")
        for key in (model, f"{provider}/*"):
            if key in self._overrides:
                return self._overrides[key]
        if provider in OUR_FREE_PROVIDERS:
            return BUILTIN
        return _table_price(provider, name, today or datetime.now(UTC).date())

    def names(self, provider: str) -> list[str]:
        """Return the models of `provider` that the table prices, by name."""
        return list(_table_names(provider))


@lru_cache(maxsize=2048)
def _table_price(provider: str, name: str, on: date) -> Price | None:
    from genai_prices import data_snapshot

    snapshot = data_snapshot.get_snapshot()
    try:
        found = snapshot.find_provider_model(name, None, provider, None)
    except LookupError:
        return None
    noon = datetime(on.year, on.month, on.day, 12, tzinfo=UTC)
    rates = found[1].get_prices(noon)
    return _price(getattr(rates, "input_mtok", None), getattr(rates, "output_mtok", None), on)


def _price(rate_in: object, rate_out: object, on: date) -> Price | None:
    if rate_in is None or rate_out is None:
        return None
    source = f"genai-prices {version('genai-prices')}"
    starts = sorted({t.start for rate in (rate_in, rate_out) for t in getattr(rate, "tiers", ())})
    base = (_at(rate_in, 0), _at(rate_out, 0))
    if not starts:
        return Price(*base, dated=on, source=source)
    tiers = tuple((start, _at(rate_in, start), _at(rate_out, start)) for start in starts)
    return TieredPrice(*base, dated=on, source=source, tiers=tiers)


def _at(rate: Any, tokens: int) -> Decimal:
    price = getattr(rate, "base", rate)
    for tier in getattr(rate, "tiers", ()):
        if tokens >= tier.start:
            price = tier.price
    return Decimal(price)


@lru_cache(maxsize=64)
def _table_names(provider: str) -> tuple[str, ...]:
    from genai_prices import data_snapshot

    for entry in data_snapshot.get_snapshot().providers:
        if entry.id == provider:
            names = [m.id for m in entry.models if not m.deprecated and _is_chat(m)]
            return tuple(sorted(names))
    return ()


def _is_chat(model: Any) -> bool:
    rates = model.get_prices(datetime(2026, 1, 1, tzinfo=UTC))
    return bool(getattr(rates, "input_mtok", None)) and bool(getattr(rates, "output_mtok", None))


__all__ = ["BUILTIN", "FREE", "PriceBook", "TieredPrice"]
