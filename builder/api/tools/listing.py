"""Tools: where they come from, which definitions the workspace agreed to, who uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.tools.acceptance import Standing, standing_of
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, JsonMap, Listing, Name, Wire, moment
from builder.base import engine_door
from builder.base.errors import TooMany
from builder.base.tool_sources import ListedSource, ListedSources
from builder.models import AcceptedTool, ToolGrant, ToolSetting, ToolSource
from builder.services.tools import acceptance
from builder.services.tools.outside import listed_tools
from builder.services.tools.users import ToolUsers
from engine.core.values.json import thaw
from engine.integrations.tools.protocol import ToolSpec


class ToolOut(Wire):
    """A tool under the name that documents and agents write."""

    name: str
    source: str
    description: str
    parameters: JsonMap
    effect_class: str
    hash: str
    accepted: bool


class Used(Wire):
    """A graph."""

    id: str
    name: str


class SourceTool(ToolOut):
    """A tool of a source, with where its definition stands.

    `state`: `installed` (no agreement needed), `accepted`, `new`, `changed`, `withdrawn`. `before`
    is the definition that was agreed to, where it is another one and was kept. `declared_effect`
    is its source's own effect class, `package` the installed package of a function; `on`,
    `set_effect` and `timeout_s` are what was set here.
    """

    state: str
    on: bool
    package: str
    declared_effect: str
    set_effect: str
    timeout_s: int | None
    before: JsonMap | None
    decided_by: str | None
    decided_at: str | None
    graphs: list[Used]
    agents: list[str]


class ToolConnection(Wire):
    """The consent that a person gave at a server: whose account it is there, where that is told,
    at which issuer, by whom and when here; `ended` is why it is over, empty while it holds.
    """

    account: str
    issuer: str
    given_by: str | None
    given_at: str
    ended: str


class ToolSourceOut(Wire):
    """A source: `kind` `functions`, `program`, `http` or `openapi`; `state` `ready`, `starting` or
    `failed`.

    `where` is the address or the name of the program, `problem` why it has no tools. `own` ones
    were named by the workspace; of them `checked_at` is the last look and `error` what it met, and
    `connection` what was agreed to by OAuth; `asks_sign_in` says that the server wants that.
    """

    name: str
    kind: str
    where: str
    trusted: bool
    state: str
    problem: str | None
    own: bool
    checked_at: str | None
    error: str
    connection: ToolConnection | None
    asks_sign_in: bool
    tools: list[SourceTool]


class ToolSourcesOut(Wire):
    """All sources, and what is wrong with the operator's file as a whole."""

    results: list[ToolSourceOut]
    file: str
    file_problem: str | None


class ToolAcceptance(Body):
    """The definition that is agreed to."""

    hash: Name


class SourceAcceptance(Body):
    """The definitions that are agreed to: names of tools, without their source, and hashes."""

    hashes: Annotated[dict[Name, Name], Field(min_length=1, max_length=1000)]


class ToolsView(ApiView):
    """The workspace's tools."""

    @extend_schema(responses=Listing[ToolOut], operation_id="tools")
    def get(self, request: Request) -> Response:
        """List the tools that agents of the workspace may be offered."""
        shown = _Shown(self.member().workspace_id)
        found = [shown.tool(source, spec) for source in shown.sources for spec in source.tools]
        return Response(Listing[ToolOut](results=found))


class ToolSourcesView(ApiView):
    """Where tools come from."""

    @extend_schema(responses=ToolSourcesOut, operation_id="tool_sources")
    def get(self, request: Request) -> Response:
        """List every source with its state, and each tool with its standing and its users."""
        shown = _Shown(self.member().workspace_id)
        return Response(
            ToolSourcesOut(
                results=[*map(shown.source, shown.sources), *shown.shadowed()],
                file=shown.found.file,
                file_problem=shown.found.file_problem,
            )
        )


class ToolAcceptView(ApiView):
    """Agreement to a tool's definition."""

    refusals: ClassVar[tuple[int, ...]] = (409,)

    @extend_schema(request=ToolAcceptance, responses={204: None}, operation_id="accept_tool")
    def post(self, request: Request, name: str) -> Response:
        """Agree to the definition with this hash; the tool is `source/name`."""
        acceptance.accept_tools(self.member(), {name: ToolAcceptance.read(self.request.data).hash})
        return no_content()


class ToolWithdrawView(ApiView):
    """The end of an agreement."""

    @extend_schema(request=None, responses={204: None}, operation_id="withdraw_tool")
    def post(self, request: Request, name: str) -> Response:
        """Take the agreement back: calls of the tool are refused from now on."""
        acceptance.withdraw_tool(self.member(), name)
        return no_content()


class SourceAcceptView(ApiView):
    """Agreement to several tools of one source."""

    refusals: ClassVar[tuple[int, ...]] = (409,)

    @extend_schema(request=SourceAcceptance, responses={204: None}, operation_id="accept_source")
    def post(self, request: Request, source: str) -> Response:
        """Agree to the definitions with these hashes, all of them or none."""
        hashes = SourceAcceptance.read(self.request.data).hashes
        acceptance.accept_tools(self.member(), {f"{source}/{n}": h for n, h in hashes.items()})
        return no_content()


class _Shown:
    """What one answer says about a workspace's sources: asked once, read in few queries."""

    def __init__(self, workspace_id: str) -> None:
        try:
            self.found: ListedSources = listed_tools(workspace_id)
        except TooMany:  # what was heard last is better than no page
            self.found = engine_door.engine().known_tools(workspace_id)
        self.sources = self.found.sources
        rows = AcceptedTool.objects.filter(workspace=workspace_id).select_related("accepted_by")
        self._known = {row.name: row for row in rows}
        self._users = ToolUsers(workspace_id, self.found.specs)
        settings = ToolSetting.objects.filter(workspace=workspace_id)
        self._settings = {row.tool: row for row in settings}
        own = ToolSource.objects.in_workspace(workspace_id).light()
        own = own.select_related("grant__given_by")
        self._own = {row.slug: row for row in own}

    def source(self, source: ListedSource) -> ToolSourceOut:
        state = "starting" if source.pending else "failed" if source.problem else "ready"
        row = self._own.get(source.name) if source.own else None
        checked = None if row is None else row.checked_at
        return ToolSourceOut(
            name=source.name,
            kind=source.kind,
            where=source.where,
            trusted=source.trusted,
            state=state,
            problem=source.problem,
            own=source.own,
            checked_at=None if checked is None else moment(checked),
            error="" if row is None else row.error,
            connection=None if row is None else _connection(row),
            asks_sign_in=source.own and source.code == "ToolNotConnected",
            tools=[self._source_tool(source, spec) for spec in source.tools],
        )

    def shadowed(self) -> list[ToolSourceOut]:
        """Return the workspace's own sources that another one of their name goes before."""
        listed = {source.name for source in self.sources if source.own}
        hidden = [row for slug, row in self._own.items() if slug not in listed]
        return [
            ToolSourceOut(
                name=row.slug,
                kind="openapi" if row.kind == ToolSource.Kind.OPENAPI else "http",
                where="",
                trusted=False,
                state="failed",
                problem=f"{self.found.file} names a source {row.slug!r} too, which goes first:"
                " remove this one and add it under another name",
                own=True,
                checked_at=None if row.checked_at is None else moment(row.checked_at),
                error=row.error,
                connection=_connection(row),
                asks_sign_in=False,
                tools=[],
            )
            for row in hidden
        ]

    def tool(self, source: ListedSource, spec: ToolSpec) -> ToolOut:
        return ToolOut(**self._plain(source, spec))

    def _plain(self, source: ListedSource, spec: ToolSpec) -> dict[str, Any]:
        return {
            "name": spec.name if source.vetted else spec.full_name,
            "source": spec.source,
            "description": spec.description,
            "parameters": thaw(spec.parameters),
            "effect_class": spec.effect_class.value,
            "hash": spec.hash,
            "accepted": self._state(source, spec) in ("installed", "accepted"),
        }

    def _state(self, source: ListedSource, spec: ToolSpec) -> Standing:
        if source.vetted:
            return "installed"
        return standing_of(self._known.get(spec.full_name), spec, trusted=source.trusted)

    def _source_tool(self, source: ListedSource, spec: ToolSpec) -> SourceTool:
        row = self._known.get(spec.full_name)
        setting = self._settings.get(spec.full_name, ToolSetting())
        return SourceTool(
            **self._plain(source, spec),
            state=self._state(source, spec),
            package=spec.package,
            on=setting.on,
            declared_effect=(spec.declared or spec.effect_class).value,
            set_effect=setting.effect,
            timeout_s=setting.timeout_s,
            before=_before(row, spec),
            decided_by=None if row is None or row.accepted_by is None else str(row.accepted_by),
            decided_at=None if row is None else moment(row.accepted_at),
            graphs=[Used(id=key, name=name) for key, name in self._users.graphs(spec)],
            agents=self._users.agents(spec),
        )


def _connection(row: ToolSource) -> ToolConnection | None:
    grant: ToolGrant | None = getattr(row, "grant", None)
    if grant is None:
        return None
    return ToolConnection(
        account=grant.account,
        issuer=grant.issuer,
        given_by=None if grant.given_by is None else str(grant.given_by),
        given_at=moment(grant.given_at),
        ended=grant.ended,
    )


def _before(row: AcceptedTool | None, spec: ToolSpec) -> Mapping[str, Any] | None:
    if row is None or row.definition is None or row.definition == thaw(spec.definition):
        return None
    before: Mapping[str, Any] = row.definition
    return before
