"""Providers: added by address, changed, removed, asked for their models, tried."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.models.trial import Trial
from builder.api.http.view import ApiView, no_content
from builder.api.models.shown import detail
from builder.api.models.wire import (
    FindBody,
    FoundModels,
    ProviderBody,
    ProviderDetail,
    ProviderFields,
    TrialBody,
    TrialOut,
)
from builder.base.errors import InvalidInput
from builder.services.models import providers, trials
from builder.services.models.finding import find_models
from builder.services.permissions import Right, require


class ProvidersView(ApiView):
    """Servers of one's own."""

    @extend_schema(
        request=ProviderBody, responses={201: ProviderDetail}, operation_id="add_provider"
    )
    def post(self, request: Request) -> Response:
        """Add a model server by its address."""
        member = self.member()
        body = ProviderBody.read(self.request.data)
        if body.accept_address:
            self.require_person()
        providers.add_provider(member, body.new())
        return Response(detail(member, body.id), status=201)


class FindModelsView(ApiView):
    """A server that is not added yet."""

    @extend_schema(request=FindBody, responses=FoundModels, operation_id="find_models")
    def post(self, request: Request) -> Response:
        """Ask a server which models it has; nothing is kept."""
        member = self.member()
        body = FindBody.read(self.request.data)
        if body.accept_address:
            self.require_person()
        found = find_models(
            member,
            body.protocol,
            body.base_url,
            key=body.key,
            headers=body.headers or {},
            accept_address=body.accept_address,
        )
        names = list(found.names or ())
        return Response(FoundModels(models=names, more=found.more, problem=found.problem))


class ProviderView(ApiView):
    """One provider of the current workspace."""

    query_names = frozenset({"anyway"})

    @extend_schema(responses=ProviderDetail, operation_id="provider")
    def get(self, request: Request, provider_id: str) -> Response:
        """Return one provider and what uses its models."""
        return Response(detail(self.member(), provider_id))

    @extend_schema(request=ProviderFields, responses=ProviderDetail, operation_id="change_provider")
    def patch(self, request: Request, provider_id: str) -> Response:
        """Change a provider; of a known one only the key, which an empty text forgets."""
        member = self.member()
        providers.own_provider(member.workspace_id, provider_id)
        require(member, Right.ADMIN)
        body = ProviderFields.read(self.request.data)
        providers.change_provider(member, provider_id, body.change())
        return Response(detail(member, provider_id))

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


class TryProviderView(ApiView):
    """A short question to a model of a provider."""

    @extend_schema(request=None, responses=TrialOut, operation_id="test_provider")
    def post(self, request: Request, provider_id: str) -> Response:
        """Ask a model of the provider one short question, and keep how that went."""
        return Response(_told(trials.try_provider(self.member(), provider_id)))


class TrialView(ApiView):
    """A short question to a model."""

    @extend_schema(request=TrialBody, responses=TrialOut, operation_id="try_model")
    def post(self, request: Request) -> Response:
        """Ask a model one short question: it answers, or the result says why not."""
        member = self.member()
        return Response(_told(trials.try_one(member, TrialBody.read(self.request.data).model)))


def _told(found: Trial) -> TrialOut:
    return TrialOut(
        ok=found.ok,
        message=found.message,
        first_token_ms=found.first_token_ms,
        total_ms=found.total_ms,
    )
