"""Consent at servers that ask for OAuth: begun, come back from, taken back."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_GET
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import WRITES
from builder.api.tools.sources import OwnView
from builder.api.tools.wire import ConnectBody, ConnectOut, DisconnectedOut
from builder.base.errors import ServiceError
from builder.services.tools import consents

CALLBACK: Final = "/settings/tools/connected"


class ConnectView(OwnView):
    """The consent of one source."""

    people_only = WRITES

    @extend_schema(request=ConnectBody, responses=ConnectOut, operation_id="connect_tool_source")
    def post(self, request: Request, source: str) -> Response:
        """Return where the browser goes to agree; only in a session, which it comes back to."""
        member, row = self.found(source)
        known = ConnectBody.read(request.data).known()
        plain = request._request
        back = plain.build_absolute_uri(CALLBACK)
        return Response(ConnectOut(url=consents.begin(plain, member, row, back, known)))

    @extend_schema(responses={200: DisconnectedOut}, operation_id="disconnect_tool_source")
    def delete(self, request: Request, source: str) -> Response:
        """Take the tokens back at their issuer and forget them: calls fail from now on."""
        return Response(DisconnectedOut(at_issuer=consents.disconnect(*self.found(source))))


@require_GET
def connected(request: HttpRequest) -> HttpResponse:
    """Keep what was agreed to, and go on to the page of tools, which says by a code what went wrong.

    What the other side says in the address is never shown.
    """
    try:
        row = consents.finish(request, {name: str(text) for name, text in request.GET.items()})
        told = {"connected": row.slug}
    except ServiceError as error:
        told = {"refused": error.code}
    answer = HttpResponseRedirect(f"/settings/tools?{urlencode(told)}")
    answer["Cache-Control"] = "no-store"
    return answer
