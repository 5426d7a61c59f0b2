"""The prices that a workspace set, as the price book takes them."""

from __future__ import annotations

from decimal import Decimal

from builder.adapters.threads import in_thread
from builder.models import ModelPrice
from engine.integrations.models.chat import Price
from engine.integrations.models.prices.own import OwnPrice

SOURCE = "this workspace"


async def own_prices(workspace_id: str | None) -> tuple[OwnPrice, ...]:
    """Return every line, those that have not begun yet included."""
    return await in_thread(_own_prices, workspace_id)


def _own_prices(workspace_id: str | None) -> tuple[OwnPrice, ...]:
    if workspace_id is None:
        return ()
    return tuple(map(_line, ModelPrice.objects.in_workspace(workspace_id)))


def _line(row: ModelPrice) -> OwnPrice:
    cached = Decimal(row.cached) if row.cached else None
    price = Price(Decimal(row.input), Decimal(row.output), row.from_date, SOURCE, cached)
    return OwnPrice(row.provider, row.pattern, row.from_date, price)
