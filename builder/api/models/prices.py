"""Prices that a workspace sets itself."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Listing
from builder.api.models.wire import PriceBody, PriceOut
from builder.models import ModelPrice
from builder.services.models.model_prices import remove_price, set_price


class PricesView(ApiView):
    """The prices of the current workspace."""

    @extend_schema(responses=Listing[PriceOut], operation_id="model_prices")
    def get(self, request: Request) -> Response:
        """List prices by provider and pattern, the latest first."""
        rows = ModelPrice.objects.in_workspace(self.member().workspace_id)
        return Response(Listing(results=[_out(row) for row in rows]))

    @extend_schema(request=PriceBody, responses={201: PriceOut}, operation_id="set_model_price")
    def post(self, request: Request) -> Response:
        """Set what models cost from a day on; a price of the same day is replaced."""
        member = self.member()
        body = PriceBody.read(self.request.data)
        day = body.from_date or timezone.now().date()
        row = set_price(member, body.provider, body.pattern, day, body.rates())
        return Response(_out(row), status=201)


class PriceView(ApiView):
    """One price."""

    @extend_schema(responses={204: None}, operation_id="remove_model_price")
    def delete(self, request: Request, price_id: UUID) -> Response:
        """Remove a price; the one before it holds again."""
        remove_price(self.member(), str(price_id))
        return no_content()


def _out(row: ModelPrice) -> PriceOut:
    return PriceOut(
        id=row.pk,
        provider=row.provider,
        pattern=row.pattern,
        from_date=row.from_date.isoformat(),
        input_per_million=row.input,
        output_per_million=row.output,
        cached_per_million=row.cached or None,
    )
