"""Models: what the workspace can choose from, where they come from, and what uses them."""

from __future__ import annotations

import asyncio

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.models import access as model_access
from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Listing, Name, Wire
from builder.api.models.shown import all_providers
from builder.api.models.wire import PresetOut, ProviderOut, UseOut
from builder.base.errors import NotFound
from builder.models import AcceptedProvider, Membership
from builder.reads.money.by_provider import spent_this_month
from builder.services import catalogue
from builder.services.models.model_users import users_by_provider
from builder.services.permissions import Right, require
from engine.core.budgets.money import usd
from engine.integrations.models.servers.presets import PRESETS


class AcceptBody(Body):
    """The found provider to accept."""

    id: Name


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


class PresetsView(ApiView):
    """Servers that many people use."""

    @extend_schema(responses=Listing[PresetOut], operation_id="provider_presets")
    def get(self, request: Request) -> Response:
        """List what the form of a new provider may be filled with."""
        self.member()
        return Response(Listing(results=[PresetOut(**each._asdict()) for each in PRESETS]))


class UseView(ApiView):
    """What providers are used for."""

    @extend_schema(responses=Listing[UseOut], operation_id="provider_use")
    def get(self, request: Request) -> Response:
        """Say of each provider that is used what it cost this month, and what uses its models."""
        member = self.member()
        zone = str(member.workspace.all_settings["timezone"])
        spent = spent_this_month(member.workspace_id, zone)
        users = users_by_provider(member)
        return Response(
            Listing(
                results=[
                    UseOut(
                        id=name,
                        spent_usd=usd(spent[name].pico),
                        calls=spent[name].calls,
                        unpriced_calls=spent[name].unpriced,
                        used_by=users.get(name, []),
                    )
                    for name in sorted({*list(spent), *users})
                ]
            )
        )


def _models_out(member: Membership) -> ModelsOut:
    entries, listed = asyncio.run(model_access.all_models(member.workspace_id))
    rows = AcceptedProvider.objects.filter(workspace=member.workspace_id)
    accepted = {row.provider_id for row in rows}
    return ModelsOut(
        default_model=str(member.workspace.all_settings["default_model"]),
        models=[entry.to_json() for entry in entries],
        providers=all_providers(member.workspace_id, listed),
        found=[
            provider.to_json(accepted=provider.id in accepted)
            for provider in model_access.found_providers()
        ],
    )
