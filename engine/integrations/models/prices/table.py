"""Prices from the dated table of genai-prices."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from engine.integrations.models.chat import Price
from engine.integrations.models.prices.order import newest_first
from engine.integrations.models.prices.tiered import TieredPrice


@lru_cache(maxsize=2048)
def table_price(provider: str, name: str, on: date) -> Price | None:
    """Return the price of a provider's model on a day, None where the table has none."""
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
def table_names(provider: str) -> tuple[str, ...]:
    """Return the chat models of a provider that the table prices, the newest of its main family first."""
    from genai_prices import data_snapshot

    for entry in data_snapshot.get_snapshot().providers:
        if entry.id == provider:
            names = [m.id for m in entry.models if not m.deprecated and _is_chat(m)]
            return tuple(newest_first(names))
    return ()


def _is_chat(model: Any) -> bool:
    rates = model.get_prices(datetime(2026, 1, 1, tzinfo=UTC))
    return bool(getattr(rates, "input_mtok", None)) and bool(getattr(rates, "output_mtok", None))
