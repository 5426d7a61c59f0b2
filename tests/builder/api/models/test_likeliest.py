"""Which model a test of a provider asks that was never tested: one that its key most likely opens."""

from __future__ import annotations

from decimal import Decimal

import pytest

from builder.services.models.trials import likeliest
from engine.integrations.models.catalog import ModelEntry
from engine.integrations.models.chat import Price


def entry(name: str, output: str | None = None) -> ModelEntry:
    price = None if output is None else Price(Decimal(1), Decimal(output))
    provider = name.partition("/")[0]
    return ModelEntry(name, name, provider, "", available=True, labelled=False, price=price)


@pytest.mark.parametrize(
    ("models", "asked"),
    [
        (["anthropic/claude-2", "anthropic/claude-haiku-5-5", "anthropic/claude-v1"], 1),
        (["openai/gpt-3.5-turbo-0125", "openai/gpt-4-0613", "openai/gpt-4o"], 1),
        (["acme/fake-small", "acme/fake-large"], 0),
        (["acme/one-20240229", "acme/two-1"], 1),
    ],
)
def test_of_its_newest_models_the_first_is_asked(models: list[str], asked: int) -> None:
    assert likeliest([entry(name) for name in models]).id == models[asked]


def test_of_its_newest_models_the_cheapest_is_asked() -> None:
    dear, cheap = entry("a/big-5", "75"), entry("a/small-5", "5")

    assert likeliest([entry("a/old-3", "1"), dear, entry("a/plain-5"), cheap]) is cheap
