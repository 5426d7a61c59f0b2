"""A workspace's own sources of tools as they come and go on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from builder.api.http.wire import Body, JsonMap, Name, Wire, moment
from builder.models import ToolSource
from builder.services.tools.settings import Setting
from builder.services.tools.sources import Wanted
from engine.integrations.egress import LONGEST_CALL
from engine.integrations.tools.oauth import Client
from engine.integrations.tools.openapi import Catalog, Operation

Address = Annotated[str, Field(max_length=2000)]
Document = Annotated[str, Field(max_length=6 * 1024 * 1024)]
HeaderText = Annotated[str, Field(max_length=4096)]


class FromCredential(Body):
    """A header whose value is a stored credential's."""

    credential: Annotated[str, Field(min_length=1, max_length=120)]


Headers = Annotated[dict[Name, HeaderText | FromCredential], Field(max_length=20)]


class ToolSourceBody(Body):
    """A new source: an MCP server has `url`, an API `document` or `document_url`."""

    name: Annotated[str, Field(min_length=1, max_length=32)]
    kind: Literal["mcp_http", "openapi"]
    url: Address = ""
    credential: Annotated[str, Field(max_length=120)] = ""
    headers: Headers = {}
    document: Document = ""
    document_url: Address = ""

    def wanted(self) -> Wanted:
        """Return it as the service takes it."""
        return Wanted(
            self.name,
            self.kind,
            self.url,
            self.credential,
            self.model_dump(include={"headers"})["headers"],
            self.document,
            self.document_url,
        )


class ToolSourceChange(Body):
    """What of a source is replaced; what is absent stays."""

    url: Address | None = None
    credential: Annotated[str, Field(max_length=120)] | None = None
    headers: Headers | None = None
    document: Document | None = None


class ConnectBody(Body):
    """Begin of a consent. `client_id` is of a client that was registered at the issuer by hand:
    only where that does not register clients by itself.
    """

    client_id: Annotated[str, Field(max_length=300)] = ""
    client_secret: Annotated[str, Field(max_length=1000)] = ""

    def known(self) -> Client | None:
        """Return the client that was registered by hand, if one was."""
        named = self.client_id.strip()
        return Client(named, self.client_secret.strip()) if named else None


class ConnectOut(Wire):
    """Where the browser goes to agree; it comes back to this site's `/settings/tools`."""

    url: str


class DisconnectedOut(Wire):
    """What became of the tokens at their issuer: `revoked`; `not_offered`, where that does not
    announce how; `failed`, where it could not be asked or refused; `nothing`: there were none.
    """

    at_issuer: Literal["revoked", "not_offered", "failed", "nothing"]


class OperationsBody(Body):
    """The operations that become tools, and the server that they are called at."""

    operations: Annotated[list[Name], Field(max_length=500)]
    server: Address


class ToolSettingBody(Body):
    """What is set of a tool; an empty effect and no timeout are what its source says."""

    on: bool = True
    effect: Literal["", "read", "keyed", "unsafe"] = ""
    timeout_s: Annotated[int, Field(ge=1, le=int(LONGEST_CALL))] | None = None

    def wanted(self) -> Setting:
        """Return it as the service takes it."""
        return Setting(self.on, self.effect, self.timeout_s)


class OwnToolSource(Wire):
    """What was said of an own source; `error` is of the last look, at `checked_at`."""

    name: str
    kind: str
    url: str
    credential: str
    headers: JsonMap
    document_url: str
    operations: int
    status: str
    error: str
    checked_at: str | None


class ApiOperationOut(Wire):
    """One operation of a document, and whether it is a tool of the source."""

    name: str
    method: str
    path: str
    description: str
    effect_class: str
    chosen: bool


class RefusedOut(Wire):
    """A part of a document that is not taken, and why."""

    where: str
    why: str


class ApiOperationsOut(Wire):
    """What a document offers. `key_headers` are those that it wants an API key in."""

    title: str
    server: str
    servers: list[str]
    key_headers: list[str]
    operations: list[ApiOperationOut]
    refused: list[RefusedOut]
    refused_total: int


SHOWN_REFUSALS = 200


def own_out(row: ToolSource) -> OwnToolSource:
    """Return a source as it is shown."""
    return OwnToolSource(
        name=row.slug,
        kind=row.kind,
        url=row.url,
        credential=row.credential,
        headers=row.headers,
        document_url=row.document_url,
        operations=len(row.operations),
        status=row.status,
        error=row.error,
        checked_at=None if row.checked_at is None else moment(row.checked_at),
    )


def operations_out(row: ToolSource, catalog: Catalog) -> ApiOperationsOut:
    """Return what the source's document offers."""
    chosen = {str(each["name"]) for each in row.operations}
    return ApiOperationsOut(
        title=catalog.title,
        server=row.url,
        servers=list(catalog.servers),
        key_headers=list(catalog.key_headers),
        operations=[_operation(each, each.name in chosen) for each in catalog.operations],
        refused=[RefusedOut(where=r.where, why=r.why) for r in catalog.refused[:SHOWN_REFUSALS]],
        refused_total=len(catalog.refused),
    )


def _operation(operation: Operation, chosen: bool) -> ApiOperationOut:
    return ApiOperationOut(
        name=operation.name,
        method=operation.method,
        path=operation.path,
        description=operation.description.partition("\n")[0][:200],
        effect_class=operation.effect.value,
        chosen=chosen,
    )
