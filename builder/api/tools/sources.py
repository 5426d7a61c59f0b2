"""Sources of tools that a workspace names itself, their operations, and what is set of tools."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView, no_content
from builder.api.tools.listing import ToolSourcesView
from builder.api.tools.wire import (
    ApiOperationsOut,
    OperationsBody,
    OwnToolSource,
    ToolSettingBody,
    ToolSourceBody,
    ToolSourceChange,
    operations_out,
    own_out,
)
from builder.models import Membership, ToolSource
from builder.services.tools import documents, settings, sources
from engine.core.values.limits import MIB

MAX_BODY = 6 * MIB
"""A document of 5 MiB, whose quotes are escaped in JSON."""


class OwnView(ApiView):
    """A route of one own source."""

    max_body: ClassVar[int] = MAX_BODY
    refusals: ClassVar[tuple[int, ...]] = (409, 422)

    def found(self, source: str) -> tuple[Membership, ToolSource]:
        """Return who asks and the source. Raises `NotFound` `ToolSourceNotFound`."""
        member = self.member()
        return member, sources.own_source(member.workspace_id, source)


class NamedSourcesView(ToolSourcesView):
    """All sources, and a new one of the workspace."""

    max_body: ClassVar[int] = MAX_BODY
    refusals: ClassVar[tuple[int, ...]] = (409, 422)

    @extend_schema(
        request=ToolSourceBody, responses={201: OwnToolSource}, operation_id="add_tool_source"
    )
    def post(self, request: Request) -> Response:
        """Add an MCP server by its address, or an API by its OpenAPI document."""
        member = self.member()
        row = sources.add_source(member, ToolSourceBody.read(request.data).wanted())
        return Response(own_out(row), status=201)


class OwnSourceView(OwnView):
    """One own source."""

    @extend_schema(responses=OwnToolSource, operation_id="tool_source")
    def get(self, request: Request, source: str) -> Response:
        """Return what was said of it; secrets by their credentials' names only."""
        return Response(own_out(self.found(source)[1]))

    @extend_schema(
        request=ToolSourceChange, responses=OwnToolSource, operation_id="change_tool_source"
    )
    def patch(self, request: Request, source: str) -> Response:
        """Change address, credential, headers or document."""
        member, row = self.found(source)
        changes = ToolSourceChange.read(request.data).model_dump(exclude_none=True)
        return Response(own_out(sources.change_source(member, row, changes)))

    @extend_schema(responses={204: None}, operation_id="remove_tool_source")
    def delete(self, request: Request, source: str) -> Response:
        """Remove it; 409 with `used_by` while workflows or agents use its tools."""
        sources.remove_source(*self.found(source))
        return no_content()


class RefreshSourceView(OwnView):
    """Another look at a source."""

    @extend_schema(request=None, responses=OwnToolSource, operation_id="refresh_tool_source")
    def post(self, request: Request, source: str) -> Response:
        """Ask the server anew, or fetch the document anew, and say how that went."""
        return Response(own_out(sources.refresh_source(*self.found(source))))


class OperationsView(OwnView):
    """The operations of an API."""

    @extend_schema(responses=ApiOperationsOut, operation_id="tool_source_operations")
    def get(self, request: Request, source: str) -> Response:
        """List what its document offers, and what could not be taken, with the reason."""
        member, row = self.found(source)
        return Response(operations_out(row, documents.catalog_of(member, row)))

    @extend_schema(
        request=OperationsBody, responses={204: None}, operation_id="choose_tool_source_operations"
    )
    def post(self, request: Request, source: str) -> Response:
        """Make these operations its tools, and agree to them as they are."""
        member, row = self.found(source)
        body = OperationsBody.read(request.data)
        documents.choose_operations(member, row, body.operations, body.server)
        return no_content()


class ToolSettingsView(ApiView):
    """What is set of one tool."""

    @extend_schema(request=ToolSettingBody, responses={204: None}, operation_id="set_tool")
    def post(self, request: Request, name: str) -> Response:
        """Switch it on or off, set its effect class and the seconds of a call."""
        settings.set_tool(self.member(), name, ToolSettingBody.read(request.data).wanted())
        return no_content()
