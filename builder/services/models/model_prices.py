"""Prices that a workspace sets itself: each for models by name or pattern, from a day on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone

from builder.base.errors import InvalidInput, NotFound, Unprocessable
from builder.models import AcceptedProvider, Membership, ModelPrice
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from engine.core.budgets.money import usd_text
from engine.integrations.models.discovery import hosted_providers

MOST_PRICES: Final = 2_000
"""Lines of one workspace: each is looked at with every call."""
MOST_STARS: Final = 8


class Rates(NamedTuple):
    """USD per million tokens; `cached` is for input from the provider's cache, None: as other."""

    input: Decimal
    output: Decimal
    cached: Decimal | None = None


def set_price(
    member: Membership, provider: str, pattern: str, from_date: date, rates: Rates
) -> ModelPrice:
    """Set what models cost from a day on; a line of the same day is replaced.

    What was spent before stays as it was recorded. Raises `NotFound` `ProviderNotFound`,
    `InvalidInput`, `Unprocessable` `TooManyPrices`.
    """
    require(member, Right.ADMIN)
    known = AcceptedProvider.objects.filter(workspace=member.workspace, provider=provider)
    if provider not in hosted_providers() and not known.exists():
        raise NotFound("no such provider", code="ProviderNotFound")
    check_price(pattern, rates)
    with transaction.atomic():
        row = _put(member, provider, pattern, from_date, rates)
        audit.record(
            member.workspace_id,
            member.user_id,
            "price.set",
            f"{provider}/{pattern}",
            from_date=from_date.isoformat(),
            input=usd_text(rates.input),
            output=usd_text(rates.output),
            cached="" if rates.cached is None else usd_text(rates.cached),
        )
        if ModelPrice.objects.in_workspace(member.workspace_id).count() > MOST_PRICES:
            raise Unprocessable(
                f"a workspace keeps {MOST_PRICES} prices: remove old ones, or use a pattern such"
                " as gpt-*",
                code="TooManyPrices",
            )
    return row


def put_prices(member: Membership, provider: str, prices: Mapping[str, Rates]) -> None:
    """Write the prices that a new provider comes with, from today on; inside a transaction."""
    today = timezone.now().date()
    for pattern, rates in prices.items():
        check_price(pattern, rates)
        _put(member, provider, pattern, today, rates)


def remove_price(member: Membership, price_id: str) -> None:
    """Forget a line; the one before it holds again. Raises `NotFound` `PriceNotFound`."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        row = ModelPrice.objects.in_workspace(member.workspace_id).filter(pk=price_id).first()
        if row is None:
            raise NotFound("no such price", code="PriceNotFound")
        row.delete()
        audit.record(
            member.workspace_id,
            member.user_id,
            "price.removed",
            f"{row.provider}/{row.pattern}",
            from_date=row.from_date.isoformat(),
        )


def check_price(pattern: str, rates: Rates) -> None:
    """Refuse what is no pattern or no price. Raises `InvalidInput`."""
    if not pattern or len(pattern) > 200 or not pattern.isprintable():
        raise InvalidInput("a model's name, or a pattern such as gpt-* or *", path="pattern")
    if pattern.count("*") > MOST_STARS:
        raise InvalidInput(f"a pattern has {MOST_STARS} stars at most", path="pattern")
    if rates.cached is not None and rates.cached > rates.input:
        raise InvalidInput(
            "cached input costs no more than other input: budgets hold that back", path="cached"
        )


def _put(
    member: Membership, provider: str, pattern: str, from_date: date, rates: Rates
) -> ModelPrice:
    row, _made = ModelPrice.objects.update_or_create(
        workspace=member.workspace,
        provider=provider,
        pattern=pattern,
        from_date=from_date,
        defaults={
            "input": usd_text(rates.input),
            "output": usd_text(rates.output),
            "cached": "" if rates.cached is None else usd_text(rates.cached),
            "set_by": member.user,
        },
    )
    return row
