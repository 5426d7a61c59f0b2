"""What a token costs: a workspace's own prices first, the operator's, then the table of genai-prices.

The table is the one shipped inside the installed package; its updater is never started, so the
same installation always gives the same price.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal

from engine.integrations.models.chat import Price
from engine.integrations.models.prices.own import OwnPrice, own_price
from engine.integrations.models.prices.table import table_names, table_price

BUILTIN = Price(Decimal(0), Decimal(0), source="computed on this machine")
OUR_FREE_PROVIDERS = frozenset({"builtin"})


class PriceBook:
    """Looks prices up. `overrides` are an operator's prices by `provider/name`; they win over the
    table, `own` are those of one workspace and win over both.

    An override `provider/*` prices every model of that provider (zero for a server of one's own).
    """

    def __init__(
        self, overrides: Mapping[str, Price] | None = None, own: tuple[OwnPrice, ...] = ()
    ) -> None:
        self._overrides = dict(overrides or {})
        self._own = own

    def of(self, own: tuple[OwnPrice, ...]) -> PriceBook:
        """Return the book of a workspace with prices of its own."""
        return PriceBook(self._overrides, own)

    def find(self, model: str, *, today: date | None = None) -> Price | None:
        """Return the price of `provider/name` on `today` (default: now); None where unknown."""
        day = today or datetime.now(UTC).date()
        own = own_price(self._own, model, day)
        if own is not None:
            return own
        provider, _, name = model.partition("/")
        for key in (model, f"{provider}/*"):
            if key in self._overrides:
                return self._overrides[key]
        if provider in OUR_FREE_PROVIDERS:
            return BUILTIN
        return table_price(provider, name, day)

    def names(self, provider: str) -> list[str]:
        """Return the models of `provider` that the table prices, by name."""
        return list(table_names(provider))
