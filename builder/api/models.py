"""Models: what the workspace can choose from, and what was found and may be accepted."""

from __future__ import annotations

import asyncio

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters import model_access
from builder.api.base import ApiView
from builder.api.wire import Body, JsonMap, Name, Wire
from builder.errors import NotFound
from builder.models import AcceptedProvider, Membership
from builder.permissions import Right, require
from builder.services import accounts, catalogue


class AcceptBody(Body):
    """The found provider to accept."""

    id: Name


class ModelsOut(Wire):
    """Models to choose from, and providers that were found."""

    default_model: str
    models: list[JsonMap]
    found: list[JsonMap]


class ModelsView(ApiView):
    """The models of the current workspace."""

    @extend_schema(responses=ModelsOut, operation_id="models")
    def get(self, request: Request) -> Response:
        """List models and found providers."""
        return Response(_models_out(self.member()))


class AcceptModelsView(ApiView):
    """Acceptance of a found provider."""

    @extend_schema(request=AcceptBody, responses=ModelsOut, operation_id="accept_models")
    def post(self, request: Request) -> Response:
        """Accept a provider for this workspace."""
        member = self.member()
        require(member, Right.ADMIN)
        wanted = self.body(AcceptBody).id
        found = {entry.id: entry for entry in model_access.found_providers()}
        if wanted not in found:
            raise NotFound("this provider is not there any more", code="ProviderNotFound")
        catalogue.accept_provider(member, found[wanted])
        return Response(_models_out(member))


def _models_out(member: Membership) -> ModelsOut:
    entries = asyncio.run(model_access.model_catalog().entries(member.workspace_id))
    accepted = set(
        AcceptedProvider.objects.filter(workspace=member.workspace_id).values_list(
            "provider_id", flat=True
        )
    )
    return ModelsOut(
        default_model=str(accounts.settings_of(member.workspace)["default_model"]),
        models=[entry.to_json() for entry in entries],
        found=[
            provider.to_json(accepted=provider.id in accepted)
            for provider in model_access.found_providers()
        ],
    )
