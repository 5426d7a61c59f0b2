"""A workspace's own prices: which line holds for a model on a day."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from engine.integrations.models.catalog import ModelCatalog
from engine.integrations.models.chat import Price
from engine.integrations.models.prices.book import PriceBook
from engine.integrations.models.prices.own import OwnPrice, fits

NOW = date(2026, 11, 24)


def line(pattern: str, day: str, rate: int, provider: str = "acme") -> OwnPrice:
    price = Price(Decimal(rate), Decimal(rate))
    return OwnPrice(provider, pattern, date.fromisoformat(day), price)


LINES = (
    line("*", "2026-01-01", 1),
    line("*", "2026-06-01", 2),
    line("*", "2027-01-01", 3),
    line("big-*", "2026-01-01", 10),
    line("big-*-mini", "2026-01-01", 11),
    line("big-one", "2026-01-01", 12),
    line("gpt-4o", "2026-10-01", 99, "openai"),
)


@pytest.mark.parametrize(
    ("model", "day", "rate"),
    [
        ("acme/small", NOW, 2),
        ("acme/small", date(2026, 5, 31), 1),
        ("acme/small", date(2027, 1, 1), 3),
        ("acme/big-two", NOW, 10),
        ("acme/big-two-mini", NOW, 11),
        ("acme/big-one", NOW, 12),
        ("openai/gpt-4o", NOW, 99),
    ],
)
def test_the_line_that_says_most_and_began_last_holds(model: str, day: date, rate: int) -> None:
    found = PriceBook().of(LINES).find(model, today=day)

    assert found is not None
    assert found.input_per_million == rate


def test_before_its_day_a_line_does_not_hold() -> None:
    book = PriceBook().of(LINES)
    table = PriceBook().find("openai/gpt-4o", today=date(2026, 9, 30))

    assert book.find("acme/small", today=date(2025, 12, 31)) is None
    assert book.find("openai/gpt-4o", today=date(2026, 9, 30)) == table
    assert book.find("other/small", today=NOW) is None


@pytest.mark.parametrize(
    ("pattern", "name", "fit"),
    [
        ("*", "", True),
        ("a*", "a", True),
        ("a*a", "a", False),
        ("a*b*c", "a--b--c", True),
        ("a*b*c", "a--c--b", False),
        ("*b*", "abc", True),
        ("a.c", "abc", False),
        ("[ab]", "a", False),
        ("*" * 8 + "x", "y" * 200, False),
    ],
)
def test_a_star_stands_for_any_characters(pattern: str, name: str, fit: bool) -> None:
    assert fits(pattern, name) is fit


async def test_a_hosted_model_costs_what_its_workspace_says() -> None:
    async def own(workspace: str | None) -> tuple[OwnPrice, ...]:
        return (line("gpt-4o", "2026-01-01", 99, "openai"),) if workspace == "w1" else ()

    async def key(_provider: str, _workspace: str | None) -> str | None:
        return "sk-1"

    catalog = ModelCatalog(secret=key, own_prices=own)
    found = [
        (
            await catalog.resolve("openai/gpt-4o", agent_id=None, node_id="", workspace_id=each)
        ).price()
        for each in ("w1", "w2")
    ]

    assert found[0] is not None
    assert found[0].input_per_million == 99
    assert found[1] == PriceBook().find("openai/gpt-4o")
