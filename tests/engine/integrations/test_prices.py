"""Prices: dated, offline, overridable."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from engine.core.node_types.conversation import Usage
from engine.integrations.models.chat import Price
from engine.integrations.models.prices.book import PriceBook
from engine.integrations.models.prices.order import newest_first

TODAY = date(2026, 11, 21)


def test_known_model_has_a_dated_price_with_its_source() -> None:
    price = PriceBook().find("openai/gpt-4o-mini", today=TODAY)

    assert price is not None
    assert (price.input_per_million, price.output_per_million) == (Decimal("0.15"), Decimal("0.6"))
    assert price.dated == TODAY
    assert price.source.startswith("genai-prices ")


@pytest.mark.parametrize("model", ["openai/no-such-model", "nobody/model", "ollama/llama3.2", ""])
def test_unknown_model_has_no_price(model: str) -> None:
    """C45."""
    assert PriceBook().find(model, today=TODAY) is None


def test_builtin_model_costs_nothing() -> None:
    price = PriceBook().find("builtin/extractive")

    assert price is not None
    assert price.cost(Usage(10**9, 10**9)) == 0


def test_operator_override_wins_for_one_name_or_a_whole_provider() -> None:
    mine, theirs = Price(Decimal(1), Decimal(2)), Price(Decimal(3), Decimal(4))
    book = PriceBook({"openai/gpt-4o-mini": mine, "ollama/*": theirs})

    assert book.find("openai/gpt-4o-mini") is mine
    assert book.find("ollama/anything:7b") is theirs
    assert book.find("openai/gpt-4o") not in (mine, None)


def test_tier_reached_by_the_input_prices_the_whole_call() -> None:
    price = PriceBook().find("google/gemini-2.5-pro", today=TODAY)
    assert price is not None

    below = price.cost(Usage(100_000, 1000))
    above = price.cost(Usage(300_000, 1000))

    assert below == Decimal("0.135")
    assert above == Decimal("0.765")


def test_names_come_newest_first_of_the_main_family_and_those_for_chat() -> None:
    names = [
        "ada-002",
        "acme-2",
        "acme-3-5-small",
        "acme-9.tts",
        "acme-4o-2024-05-13",
        "acme-4-32k",
        "acme-120b",
        "acme-4.1-mini",
        "acme-0613",
    ]

    assert newest_first(names) == [
        "acme-4.1-mini",
        "acme-4-32k",
        "acme-4o-2024-05-13",
        "acme-3-5-small",
        "acme-2",
        "acme-0613",
        "acme-120b",
        "ada-002",
        "acme-9.tts",
    ]
    offered = PriceBook().names("anthropic")
    assert offered.index("claude-opus-4-5") < offered.index("claude-3-haiku")
    assert offered[-1] == "claude-v1"


def test_names_list_models_that_have_a_price() -> None:
    assert "gpt-4o-mini" in PriceBook().names("openai")
    assert PriceBook().names("nobody") == []
