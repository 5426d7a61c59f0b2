"""Models: what the workspace can choose from, where they come from, and whether they answer."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Annotated, Any, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.models import access as model_access
from builder.adapters.models import trial as model_trial
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, JsonMap, Name, Text, Wire
from builder.base.errors import InvalidInput, NotFound
from builder.models import AcceptedProvider, Membership
from builder.services import catalogue
from builder.services.models import providers
from builder.services.permissions import Right, require
from engine.integrations.models.discovery import environment_key, hosted_providers

Key = Annotated[Text, Field(max_length=20_000)]
Rate = Annotated[Decimal, Field(ge=0, le=1_000_000, strict=False, allow_inf_nan=False)]
Headers = Annotated[dict[Name, Annotated[Text, Field(max_length=4_000)]], Field(max_length=20)]
ModelNames = Annotated[list[Name], Field(max_length=200)]


class AcceptBody(Body):
    """The found provider to accept."""

    id: Name


class PriceBody(Body):
    """What a model costs, in USD per million tokens."""

    input_per_million: Rate
    output_per_million: Rate


PricesBody = Annotated[dict[Name, PriceBody], Field(max_length=200)]


class ProviderFields(Body):
    """What can be changed of a provider; `key` and `headers` can never be read again."""

    label: Annotated[Text, Field(min_length=1, max_length=120)] | None = None
    key: Key | None = None
    headers: Headers | None = None
    models: ModelNames | None = None
    prices: PricesBody | None = None


class ProviderBody(ProviderFields):
    """A server of one's own. `id` begins the names of its models."""

    id: Name
    base_url: Annotated[Text, Field(min_length=1, max_length=300)]
    accept_address: bool = False


class TrialBody(Body):
    """The model to ask one short question."""

    model: Name


class TrialOut(Wire):
    """Whether a model answered, how soon, or why not. Times in milliseconds."""

    ok: bool
    message: str
    first_token_ms: int | None
    total_ms: int


class ProviderOut(Wire):
    """A provider as it is shown: never its key or what its headers say."""

    id: str
    label: str
    base_url: str
    source: Literal["hosted", "loopback", "own", "machine"]
    has_key: bool
    from_environment: bool
    headers: list[str]
    models: list[str]
    named: list[str]
    prices: JsonMap
    reachable: bool | None
    problem: str


class ProviderDetail(ProviderOut):
    """A provider and what uses its models."""

    used_by: list[dict[str, str]]


class ModelsOut(Wire):
    """Models to choose from, where they come from, and providers that were found."""

    default_model: str
    models: list[JsonMap]
    providers: list[ProviderOut]
    found: list[JsonMap]


class ModelsView(ApiView):
    """The models of the current workspace."""

    @extend_schema(responses=ModelsOut, operation_id="models")
    def get(self, request: Request) -> Response:
        """List models, their providers, and what was found."""
        return Response(_models_out(self.member()))


class AcceptModelsView(ApiView):
    """Acceptance of a found provider."""

    @extend_schema(request=AcceptBody, responses=ModelsOut, operation_id="accept_models")
    def post(self, request: Request) -> Response:
        """Accept a provider for this workspace."""
        member = self.member()
        require(member, Right.ADMIN)
        wanted = AcceptBody.read(self.request.data).id
        found = {entry.id: entry for entry in model_access.found_providers()}
        if wanted not in found:
            raise NotFound("this provider is not there any more", code="ProviderNotFound")
        catalogue.accept_provider(member, found[wanted])
        return Response(_models_out(member))


class ProvidersView(ApiView):
    """Servers of one's own."""

    @extend_schema(
        request=ProviderBody, responses={201: ProviderDetail}, operation_id="add_provider"
    )
    def post(self, request: Request) -> Response:
        """Add an OpenAI-compatible server by its address."""
        member = self.member()
        body = ProviderBody.read(self.request.data)
        providers.add_provider(
            member,
            provider=body.id,
            label=body.label or body.id,
            base_url=body.base_url,
            key=body.key,
            headers=body.headers or {},
            models=body.models or [],
            prices=_prices(body.prices) or {},
            accept_address=body.accept_address,
        )
        return Response(_detail(member, body.id), status=201)


class ProviderView(ApiView):
    """One provider of the current workspace."""

    query_names = frozenset({"anyway"})

    @extend_schema(responses=ProviderDetail, operation_id="provider")
    def get(self, request: Request, provider_id: str) -> Response:
        """Return one provider and what uses its models."""
        return Response(_detail(self.member(), provider_id))

    @extend_schema(request=ProviderFields, responses=ProviderDetail, operation_id="change_provider")
    def patch(self, request: Request, provider_id: str) -> Response:
        """Change a provider; of a known one only the key, which an empty text forgets."""
        member = self.member()
        providers.own_provider(member.workspace_id, provider_id)
        require(member, Right.ADMIN)
        body = ProviderFields.read(self.request.data)
        providers.change_provider(
            member,
            provider_id,
            label=body.label,
            key=body.key,
            headers=body.headers,
            models=body.models,
            prices=_prices(body.prices),
        )
        return Response(_detail(member, provider_id))

    @extend_schema(responses={204: None}, operation_id="remove_provider")
    def delete(self, request: Request, provider_id: str) -> Response:
        """Remove a provider with its key; 409 while it is used, unless `anyway=true`."""
        member = self.member()
        providers.own_provider(member.workspace_id, provider_id)
        anyway = self.text("anyway")
        if anyway not in ("", "true", "false"):
            raise InvalidInput("true or false", path="anyway")
        providers.remove_provider(member, provider_id, anyway=anyway == "true")
        return no_content()


class TrialView(ApiView):
    """A short question to a model."""

    @extend_schema(request=TrialBody, responses=TrialOut, operation_id="try_model")
    def post(self, request: Request) -> Response:
        """Ask a model one short question: it answers, or the result says why not."""
        member = self.member()
        model = TrialBody.read(self.request.data).model
        providers.note_trial(member, model)
        found = asyncio.run(model_trial.try_model(member.workspace_id, model))
        return Response(
            TrialOut(
                ok=found.ok,
                message=found.message,
                first_token_ms=found.first_token_ms,
                total_ms=found.total_ms,
            )
        )


def _prices(body: dict[str, PriceBody] | None) -> dict[str, tuple[Decimal, Decimal]] | None:
    if body is None:
        return None
    return {name: (each.input_per_million, each.output_per_million) for name, each in body.items()}


def _models_out(member: Membership) -> ModelsOut:
    entries, listed = asyncio.run(model_access.all_models(member.workspace_id))
    rows = AcceptedProvider.objects.filter(workspace=member.workspace_id)
    accepted = {row.provider_id for row in rows}
    return ModelsOut(
        default_model=str(member.workspace.all_settings["default_model"]),
        models=[entry.to_json() for entry in entries],
        providers=_providers(member.workspace_id, listed),
        found=[
            provider.to_json(accepted=provider.id in accepted)
            for provider in model_access.found_providers()
        ],
    )


def _detail(member: Membership, provider: str) -> ProviderDetail:
    providers.own_provider(member.workspace_id, provider)
    _entries, listed = asyncio.run(model_access.all_models(member.workspace_id))
    shown = next(p for p in _providers(member.workspace_id, listed) if p.id == provider)
    return ProviderDetail(**shown.model_dump(), used_by=list(providers.users_of(member, provider)))


def _providers(workspace_id: str, listed: model_access.Listings) -> list[ProviderOut]:
    """Return the servers that were accepted or named, then the known providers."""
    rows = list(AcceptedProvider.objects.filter(workspace=workspace_id).order_by("provider", "pk"))
    servers = [
        _server(row, listed.get(row.provider)) for row in rows if row.source != "environment"
    ]
    kept = {row.provider for row in rows if row.source == "environment"}
    return servers + [
        _hosted(workspace_id, name, accepted=name in kept) for name in hosted_providers()
    ]


def _server(row: AcceptedProvider, listed: model_access.Said | None) -> ProviderOut:
    names, reachable, problem = listed or (tuple(row.model_names), None, "")
    source: Any = row.source
    return ProviderOut(
        id=row.provider,
        label=row.label,
        base_url=row.base_url,
        source=source,
        has_key=providers.has_key(row.workspace_id, row.provider),
        from_environment=False,
        headers=sorted(model_access.headers_of(row)),
        models=list(names),
        named=list(row.model_names) if row.source in model_access.OWN else [],
        prices=row.prices or {},
        reachable=reachable,
        problem=problem,
    )


def _hosted(workspace_id: str, provider: str, *, accepted: bool) -> ProviderOut:
    known = hosted_providers()[provider]
    from_environment = (
        accepted and environment_key(provider, model_access.environment()) is not None
    )
    return ProviderOut(
        id=provider,
        label=known.label,
        base_url=known.base_url,
        source="hosted",
        has_key=providers.has_key(workspace_id, provider),
        from_environment=from_environment,
        headers=[],
        models=[],
        named=[],
        prices={},
        reachable=None,
        problem="",
    )
