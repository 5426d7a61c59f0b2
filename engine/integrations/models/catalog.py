"""Finds the model behind a name, for one workspace.

Names are `provider/name`: `builtin/extractive`, `openai/…`, `anthropic/…`, `google/…`, the id of
an accepted endpoint (`ollama/llama3.2`), and `local/default`, the workspace's own choice.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.core.errors import ProviderError
from engine.core.values.json import JsonObject
from engine.integrations.models.chat import ChatModel, Price
from engine.integrations.models.discovery import hosted_providers
from engine.integrations.models.model_lists import Listed, ModelLists
from engine.integrations.models.prices.book import PriceBook
from engine.integrations.models.prices.own import OwnPrice
from engine.integrations.models.providers import extractive
from engine.integrations.models.pydantic_ai import Connection, DirectModel, model_transport
from engine.integrations.models.servers.endpoint import Endpoint
from engine.integrations.models.servers.protocols import connect

if TYPE_CHECKING:
    from engine.integrations.egress import Egress

DEFAULT = "local/default"
CACHED_MODELS = 128
MOST_NAMED = 20
"""Models of one endpoint that a message names."""

DefaultModel = Callable[[str | None], Awaitable[str]]
"""Gives the workspace's default model by workspace id."""
Secret = Callable[[str, str | None], Awaitable[str | None]]
"""Gives the key for (provider, workspace id), None where there is none."""


Reach = Callable[[str | None], Awaitable["Egress"]]
"""Gives the egress of a workspace."""
Endpoints = Callable[[str | None], Awaitable[Sequence[Endpoint]]]
"""Gives the accepted endpoints of a workspace."""
OwnPrices = Callable[[str | None], Awaitable[tuple[OwnPrice, ...]]]
"""Gives the prices that a workspace set."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One line of the list of models. `labelled` asks the screen to show what it is."""

    id: str
    label: str
    provider: str
    description: str
    available: bool
    labelled: bool
    price: Price | None

    def to_json(self) -> JsonObject:
        """Return the entry of `models` in `GET /api/models/`."""
        price: JsonObject | None = None
        if self.price is not None:
            dated = self.price.dated
            price = {
                "input_per_million": str(self.price.input_per_million),
                "output_per_million": str(self.price.output_per_million),
                "dated": None if dated is None else dated.isoformat(),
            }
        return {
            "id": self.id,
            "label": self.label,
            "provider": self.provider,
            "description": self.description,
            "available": self.available,
            "labelled": self.labelled,
            "price": price,
        }


async def _builtin_default(_workspace_id: str | None) -> str:
    return extractive.NAME


async def _no_secret(_provider: str, _workspace_id: str | None) -> str | None:
    return None


async def _public(_workspace_id: str | None) -> Egress:
    from engine.integrations.egress import Egress

    return Egress()


async def _no_endpoints(_workspace_id: str | None) -> Sequence[Endpoint]:
    return ()


async def _no_prices(_workspace_id: str | None) -> tuple[OwnPrice, ...]:
    return ()


class ModelCatalog:
    """The models that workspaces may use. Keys are asked for at each resolve and never stored
    in requests or logs; changing a key takes effect at the next call.
    """

    def __init__(
        self,
        *,
        default_model: DefaultModel = _builtin_default,
        secret: Secret = _no_secret,
        endpoints: Endpoints = _no_endpoints,
        prices: PriceBook | None = None,
        egress: Reach | None = None,
        lists: ModelLists | None = None,
        own_prices: OwnPrices = _no_prices,
    ) -> None:
        self.prices = prices or PriceBook()
        self._default_model = default_model
        self._secret = secret
        self._endpoints = endpoints
        self._egress = egress or _public
        self._lists = lists
        self._own_prices = own_prices
        self._extractive = extractive.ExtractiveModel()
        self._made: OrderedDict[tuple[Hashable, ...], DirectModel] = OrderedDict()

    async def resolve(
        self, model: str, *, agent_id: str | None, node_id: str, workspace_id: str | None
    ) -> ChatModel:
        """Return the model called `model` in the workspace.

        Raises `ProviderError` 404 for a provider or name that does not exist there, with the
        list of what does, and 401 for a hosted provider without a key.
        """
        if model == DEFAULT:
            model = await self._default_model(workspace_id)
        if model in (extractive.NAME, DEFAULT):
            return self._extractive
        provider, _, name = model.partition("/")
        if name and provider in hosted_providers():
            return await self._hosted(provider, name, workspace_id)
        endpoint = next((e for e in await self._endpoints(workspace_id) if e.id == provider), None)
        if endpoint is None or not name:
            raise await self._unknown(model, workspace_id)
        secret = await self._secret(provider, workspace_id)
        listed = await self._listed(endpoint, workspace_id, secret)
        if self._lists is None:
            listed = Listed(endpoint.models or None)
        if not listed.has(name) and name not in endpoint.named:
            raise await self._unknown(model, workspace_id)
        connection = connect(endpoint.protocol, provider, name, endpoint.base_url, secret)
        can = endpoint.can(name)
        connection = replace(
            connection,
            headers=endpoint.headers,
            extra_body=endpoint.extra_body,
            tools=can.tools,
            native_schema=can.schema,
        )
        egress = _allowing(await self._egress(workspace_id), endpoint)
        own = await self._own_prices(workspace_id)
        return self._direct(connection, endpoint.price, egress, own)

    async def entries(self, workspace_id: str | None) -> list[ModelEntry]:
        """Return what the workspace can choose from, the built-in model first."""
        out = [
            ModelEntry(
                id=extractive.NAME,
                label=extractive.LABEL,
                provider="builtin",
                description=extractive.DESCRIPTION,
                available=True,
                labelled=True,
                price=self._extractive.price(),
            )
        ]
        book = self.prices.of(await self._own_prices(workspace_id))
        endpoints = await self._endpoints(workspace_id)
        for endpoint, listed in zip(endpoints, await self.listings(workspace_id), strict=True):
            there = self._lists is None or listed.names is not None
            out.extend(
                _endpoint_entry(book, endpoint, name, there) for name in endpoint.names(listed)
            )
        for provider, hosted in hosted_providers().items():
            if await self._secret(provider, workspace_id):
                out.extend(
                    _entry(book, provider, name, hosted.label) for name in book.names(provider)
                )
        return out

    async def aclose(self) -> None:
        """Close the connections that were opened here."""
        for model in self._made.values():
            await model.aclose()
        self._made.clear()

    async def listings(self, workspace_id: str | None) -> list[Listed]:
        """Return what each accepted endpoint lists, in their order, all asked at once."""
        endpoints = await self._endpoints(workspace_id)
        secrets = [await self._secret(endpoint.id, workspace_id) for endpoint in endpoints]
        asked = zip(endpoints, secrets, strict=True)
        return await asyncio.gather(*(self._listed(e, workspace_id, secret) for e, secret in asked))

    async def _listed(
        self, endpoint: Endpoint, workspace_id: str | None, secret: str | None
    ) -> Listed:
        if self._lists is None:
            return Listed(None)
        egress = _allowing(await self._egress(workspace_id), endpoint)
        return await self._lists.of(endpoint.server(secret), egress)

    async def why_not(self, model: str, workspace_id: str | None) -> str | None:
        """Return why a workspace cannot use a model of this name, None where it can.

        A server that does not answer may have it.
        """
        try:
            await self.resolve(model, agent_id=None, node_id="", workspace_id=workspace_id)
        except ProviderError as error:
            return error.message
        return None

    async def has_price(self, model: str, workspace_id: str | None) -> bool:
        """Return whether a model that can be used has a price. Raises `ProviderError` without it."""
        found = await self.resolve(model, agent_id=None, node_id="", workspace_id=workspace_id)
        return found.price() is not None

    async def takes_tools(self, model: str, workspace_id: str | None) -> bool:
        """Return whether a model may be asked to call tools; True where nobody said otherwise."""
        if model == DEFAULT:
            model = await self._default_model(workspace_id)
        provider, _, name = model.partition("/")
        found = (e for e in await self._endpoints(workspace_id) if e.id == provider)
        return all(endpoint.can(name).tools for endpoint in found)

    async def _hosted(self, provider: str, name: str, workspace_id: str | None) -> DirectModel:
        secret = await self._secret(provider, workspace_id)
        if not secret:
            label = hosted_providers()[provider].label
            raise ProviderError(f"there is no key for {label}: add one in the settings", status=401)
        connection = hosted_providers()[provider].connect(name, secret)
        own = await self._own_prices(workspace_id)
        return self._direct(connection, None, await self._egress(workspace_id), own)

    def _direct(
        self,
        connection: Connection,
        price: Price | None,
        egress: Egress,
        own: tuple[OwnPrice, ...],
    ) -> DirectModel:
        """Return the model, the same one as long as nothing of it was changed."""
        provider = connection.model.partition("/")[0]
        mine = tuple(line for line in own if line.provider == provider)
        hidden = repr(
            (
                connection.secret,
                connection.headers,
                connection.extra_body,
                connection.tools,
                connection.native_schema,
                connection.protocol,
            )
        )
        marked = hashlib.sha256(hidden.encode()).hexdigest()
        key = (connection.model, connection.base_url, marked, price, mine, egress.allow)
        found = self._made.get(key)
        if found is None:
            book = self.prices.of(mine)
            found = DirectModel(
                connection,
                lambda: book.find(connection.model) or price,
                lambda: model_transport(egress),
            )
            self._made[key] = found
            if len(self._made) > CACHED_MODELS:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return found

    async def _unknown(self, model: str, workspace_id: str | None) -> ProviderError:
        names = [extractive.NAME, DEFAULT]
        for endpoint in await self._endpoints(workspace_id):
            secret = await self._secret(endpoint.id, workspace_id)
            listed = await self._listed(endpoint, workspace_id, secret)
            shown = endpoint.names(listed)[:MOST_NAMED] or ("…",)
            names.extend(f"{endpoint.id}/{name}" for name in shown)
        keyed = [p for p in hosted_providers() if await self._secret(p, workspace_id)]
        names.extend(f"{provider}/…" for provider in keyed)
        return ProviderError(
            f"there is no model {model!r} here; available: {', '.join(names)}", status=404
        )


def _entry(book: PriceBook, provider: str, name: str, description: str) -> ModelEntry:
    price = book.find(f"{provider}/{name}")
    return ModelEntry(f"{provider}/{name}", name, provider, description, True, False, price)


def _endpoint_entry(book: PriceBook, endpoint: Endpoint, name: str, there: bool) -> ModelEntry:
    model = f"{endpoint.id}/{name}"
    price = book.find(model) or endpoint.price
    return ModelEntry(model, name, endpoint.id, endpoint.label, there, False, price)


def _allowing(egress: Egress, endpoint: Endpoint) -> Egress:
    """Return the egress with the exact origin of an accepted endpoint beside what it allows."""
    from engine.integrations.egress import AllowList, parse_target

    origin = frozenset({parse_target(endpoint.base_url).origin})
    if endpoint.accepted == "machine":
        return egress.allowing(AllowList(origin))
    return egress.allowing(AllowList(private=origin))
