"""The catalog: which model a name means, for whom."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from engine.core.errors import ProviderError
from engine.integrations.egress import AllowList, Egress
from engine.integrations.models.catalog import ModelCatalog
from engine.integrations.models.chat import FREE, Price
from engine.integrations.models.prices.book import PriceBook
from engine.integrations.models.providers.extractive import ExtractiveModel
from engine.integrations.models.pydantic_ai import DirectModel
from engine.integrations.models.servers.endpoint import Endpoint
from tests.engine.integrations.providers.calls import ask, origin
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.asyncio
LOCAL = Endpoint("ollama", "http://127.0.0.1:11434/v1", "Ollama", ("llama3.2", "org/x:7b"), FREE)


async def endpoints(workspace_id: str | None) -> Sequence[Endpoint]:
    return [LOCAL] if workspace_id == "w1" else []


async def secret(provider: str, workspace_id: str | None) -> str | None:
    return f"sk-{workspace_id}" if (provider, workspace_id) == ("openai", "w1") else None


async def default(workspace_id: str | None) -> str:
    return "ollama/llama3.2" if workspace_id == "w1" else "builtin/extractive"


def catalog(prices: PriceBook | None = None) -> ModelCatalog:
    return ModelCatalog(default_model=default, secret=secret, endpoints=endpoints, prices=prices)


async def find(models: ModelCatalog, name: str, workspace: str | None = "w1") -> object:
    return await models.resolve(name, agent_id=None, node_id="n", workspace_id=workspace)


async def test_default_is_the_workspaces_choice() -> None:
    """V26."""
    models = catalog()

    assert isinstance(await find(models, "local/default"), DirectModel)
    assert isinstance(await find(models, "local/default", "w2"), ExtractiveModel)
    assert isinstance(await find(ModelCatalog(), "local/default", None), ExtractiveModel)


async def test_endpoint_names_may_hold_slashes_and_cost_nothing_at_home() -> None:
    model = await find(catalog(), "ollama/org/x:7b")

    assert isinstance(model, DirectModel)
    assert model.price() == FREE


async def test_operator_price_wins_over_the_endpoints() -> None:
    mine = Price(Decimal(1), Decimal(1))
    model = await find(catalog(PriceBook({"ollama/*": mine})), "ollama/llama3.2")

    assert isinstance(model, DirectModel)
    assert model.price() is mine


@pytest.mark.parametrize(
    "name", ["nobody/x", "ollama/unknown", "gpt-4o", "builtin/other", "ollama/", ""]
)
async def test_unknown_name_is_404_and_lists_what_there_is(name: str) -> None:
    with pytest.raises(ProviderError) as caught:
        await find(catalog(), name)

    assert caught.value.status == 404
    assert not caught.value.retryable
    for offered in ("builtin/extractive", "ollama/llama3.2", "openai/…"):
        assert offered in caught.value.message
    assert "sk-" not in caught.value.message


async def test_other_workspaces_endpoints_and_keys_are_not_there() -> None:
    models = catalog()

    with pytest.raises(ProviderError) as unknown:
        await find(models, "ollama/llama3.2", "w2")
    with pytest.raises(ProviderError) as keyless:
        await find(models, "openai/gpt-4o-mini", "w2")

    assert unknown.value.status == 404
    assert "ollama" not in unknown.value.message.split("available:")[1]
    assert keyless.value.status == 401


async def test_hosted_model_with_key_has_a_dated_price() -> None:
    model = await find(catalog(), "openai/gpt-4o-mini")

    assert isinstance(model, DirectModel)
    price = model.price()
    assert price is not None
    assert price.dated is not None
    assert model.price() == PriceBook().find("openai/gpt-4o-mini")


async def test_model_is_made_once_and_anew_when_the_key_changes() -> None:
    keys = ["one", "one", "two"]

    async def changing(_provider: str, _workspace_id: str | None) -> str | None:
        return keys.pop(0)

    models = ModelCatalog(secret=changing)
    first, second, third = [await find(models, "openai/gpt-4o-mini") for _ in range(3)]

    assert first is second
    assert first is not third


async def test_entries_are_what_the_workspace_can_choose() -> None:
    entries = {entry.id: entry.to_json() for entry in await catalog().entries("w1")}

    builtin = entries["builtin/extractive"]
    assert builtin["labelled"] is True
    assert builtin["available"] is True
    assert builtin["price"] == {"input_per_million": "0", "output_per_million": "0", "dated": None}
    assert "ollama/llama3.2" in entries
    assert "openai/gpt-4o-mini" in entries
    assert not any(name.startswith("anthropic/") for name in entries)
    assert [e.id for e in await catalog().entries("w2")] == ["builtin/extractive"]


async def test_resolved_endpoint_answers() -> None:
    async with FakeOpenAI([{"text": "from the server"}]) as server:
        home = Endpoint("home", server.base_url, price=FREE)

        async def mine(_workspace_id: str | None) -> Sequence[Endpoint]:
            return [home]

        egress = Egress(AllowList.of([server.base_url]))

        async def reach(_workspace_id: str | None) -> Egress:
            return egress

        models = ModelCatalog(endpoints=mine, egress=reach)
        model = await models.resolve("home/any", agent_id=None, node_id="n", workspace_id=None)
        response = await model.complete(ask("q", model="home/any"), origin(), None)
        await models.aclose()

    assert response.text == "from the server"
    assert "authorization" in server.seen_paths[0][1]
