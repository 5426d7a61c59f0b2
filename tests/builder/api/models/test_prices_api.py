"""Prices of a workspace's own by day, and what providers cost and serve."""

from __future__ import annotations

import importlib
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from builder.models import ModelPrice, Spending
from builder.services import catalogue
from builder.services.models import model_prices
from tests.builder.api.models.test_provider_api import PUBLIC, add
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db(transaction=True)
RATES = {"input_per_million": "0.5", "output_per_million": "2"}


def put(api: Api, **more: Any) -> Any:
    return api.post("models/prices/", {"provider": "acme", **RATES, **more})


def price_of(api: Api, model: str) -> Any:
    models = {m["id"]: m["price"] for m in api.get("models/").json()["models"]}
    return models[model]


def test_a_price_holds_from_its_day_and_the_one_before_after_it_is_gone(olga: Api) -> None:
    today = datetime.now(UTC).date()
    add(olga, PUBLIC, models=["small"])
    put(olga, from_date="2026-01-01")
    newer = put(olga, from_date=today.isoformat(), output_per_million="3").json()
    put(olga, from_date=(today + timedelta(days=1)).isoformat(), output_per_million="9")

    now = price_of(olga, "acme/small")
    assert olga.delete(f"models/prices/{newer['id']}/").status_code == 204
    before = price_of(olga, "acme/small")

    assert (now["output_per_million"], now["dated"]) == ("3", today.isoformat())
    assert (before["output_per_million"], before["dated"]) == ("2", "2026-01-01")
    assert olga.delete(f"models/prices/{newer['id']}/").status_code == 404


def test_a_line_of_the_same_day_is_replaced(olga: Api) -> None:
    add(olga, PUBLIC)
    put(olga, cached_per_million="0.1")
    put(olga, input_per_million=0.25)

    (line,) = olga.get("models/prices/").json()["results"]
    assert (line["input_per_million"], line["cached_per_million"]) == ("0.25", None)
    assert line["pattern"] == "*"


def test_a_known_provider_is_priced_too(olga: Api) -> None:
    olga.patch("models/providers/openai/", {"key": "sk-1"})
    put(olga, provider="openai", pattern="gpt-4o", input_per_million="77")

    assert price_of(olga, "openai/gpt-4o")["input_per_million"] == "77"


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"provider": "nosuch"}, 404),
        ({"pattern": "*" * 9}, 400),
        ({"pattern": "a\nb"}, 400),
        ({"pattern": ""}, 400),
        ({"from_date": "soon"}, 400),
        ({"input_per_million": "-1"}, 400),
        ({"input_per_million": "NaN"}, 400),
        ({"input_per_million": "1e400"}, 400),
        ({"cached_per_million": "0.6"}, 400),
        ({"more": 1}, 400),
    ],
)
def test_what_is_no_price_is_refused(olga: Api, more: dict[str, Any], status: int) -> None:
    add(olga, PUBLIC)

    assert put(olga, **more).status_code == status
    assert not ModelPrice.objects.exists()


def test_prices_are_bounded_and_only_admins_set_them(
    olga: Api, alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_prices, "MOST_PRICES", 1)
    add(olga, PUBLIC)

    assert put(alice).status_code == 403
    assert put(olga).status_code == 201
    assert put(olga, pattern="other").json()["code"] == "TooManyPrices"
    assert len(alice.get("models/prices/").json()["results"]) == 1


def test_changes_of_prices_are_audited(olga: Api) -> None:
    add(olga, PUBLIC)
    made = put(olga, from_date="2026-01-01").json()
    olga.delete(f"models/prices/{made['id']}/")

    entries = olga.get("audit/").json()["results"][:2]
    assert [entry["action"] for entry in entries] == ["price.removed", "price.set"]


def test_use_says_what_a_provider_cost_and_who_uses_it(people: People, olga: Api) -> None:
    add(olga, PUBLIC, models=["small"])
    catalogue.create_agent(people.alice, slug="w", fields={"name": "W", "model": "acme/small"})
    today = datetime.now(UTC).date().isoformat()
    for day, model, pico in (
        (today, "acme/small", 3),
        (today, "acme/b", 4),
        ("2020-01-01", "acme/b", 9),
    ):
        Spending.objects.create(
            workspace=people.olga.workspace,
            day=day,
            model=model,
            calls=1,
            unpriced=1,
            pico=pico * 10**12,
        )
    used = {each["id"]: each for each in olga.get("models/use/").json()["results"]}

    assert Decimal(used["acme"]["spent_usd"]) == 7
    assert (used["acme"]["calls"], used["acme"]["unpriced_calls"]) == (2, 2)
    assert used["acme"]["used_by"] == [{"kind": "agent", "id": "w", "name": "W"}]
    assert used["builtin"]["used_by"][0]["kind"] == "default"


def test_prices_that_stood_with_providers_become_lines_of_their_day(people: People) -> None:
    told = {"input_per_million": "1", "output_per_million": "2", "dated": "2026-03-04"}
    rows = [
        SimpleNamespace(workspace_id=people.olga.workspace_id, provider="acme", prices={"a": told}),
        SimpleNamespace(workspace_id=people.olga.workspace_id, provider="none", prices=None),
    ]
    before = SimpleNamespace(using=lambda _alias: SimpleNamespace(iterator=lambda: iter(rows)))
    models = {"AcceptedProvider": SimpleNamespace(objects=before), "ModelPrice": ModelPrice}
    apps = SimpleNamespace(get_model=lambda _app, name: models[name])
    editor = SimpleNamespace(connection=SimpleNamespace(alias="default"))

    importlib.import_module("builder.migrations.0037_model_providers").price_by_day(apps, editor)

    (line,) = ModelPrice.objects.all()
    assert (line.provider, line.pattern, line.input, line.output) == ("acme", "a", "1", "2")
    assert line.from_date.isoformat() == "2026-03-04"
