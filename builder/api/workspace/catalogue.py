"""What graphs are made of: node types, agents, credentials, functions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, JsonMap, Listing, Name, Text, Tokens, Wire, moment, whole
from builder.base.errors import NotFound
from builder.models import Agent, Credential
from builder.services import catalogue
from engine.core.graph.call_asks import CallAsks
from engine.core.node_types.catalog import describe
from engine.core.node_types.registry import HANDLERS, NODE_TYPES

AgentId = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,127}$")]
Temperature = Annotated[float, Field(ge=0, le=2, strict=False)]
OutputTokens = Annotated[int, Field(ge=1, le=1_000_000)]


class NodeTypeOut(Wire):
    """A node type as the editor draws it."""

    type: str
    label: str
    icon: str
    category: str
    words: list[str]
    help: str
    effect_class: str
    config_schema: JsonMap
    defaults: JsonMap
    handles: list[JsonMap]
    result_keys: list[str]
    prompts: bool
    writes_data: bool
    asks_people: bool
    views: list[JsonMap]


class FunctionOut(Wire):
    """A registered handler."""

    name: str
    description: str


class PermissionsBody(Body):
    """An agent's ceiling; null is no limit."""

    read_keys: list[Name] | None = None
    write_keys: list[Name] | None = None


class AgentFields(Body):
    """What can be changed of an agent."""

    name: Name | None = None
    model: Name | None = None
    system_prompt: Annotated[Text, Field(max_length=200_000)] = ""
    temperature: Temperature | None = None
    max_output_tokens: OutputTokens = 2048
    max_tokens: Tokens | None = None
    tools: list[Name] = []
    permissions: PermissionsBody | None = None
    ask: CallAsks = {}


class AgentBody(AgentFields):
    """A new agent; `id` is how documents name it."""

    id: AgentId
    model: Name = "local/default"


class AgentOut(Wire):
    """An agent and the graphs whose live version uses it."""

    id: str
    name: str
    model: str
    system_prompt: str
    temperature: float | None
    max_output_tokens: int
    max_tokens: int | None
    tools: list[str]
    permissions: JsonMap | None
    ask: dict[str, JsonMap]
    used_by: list[str]


class CredentialBody(Body):
    """A new credential; `value` can never be read again."""

    name: Name
    kind: Literal["bearer", "basic", "header", "api_key"] = "bearer"
    hosts: list[Name]
    value: Annotated[str, Field(min_length=1, max_length=20_000)]


class CredentialChange(Body):
    """What of a credential is replaced; what is absent stays."""

    name: Name | None = None
    hosts: list[Name] | None = None
    value: Annotated[str, Field(min_length=1, max_length=20_000)] | None = None


class CredentialOut(Wire):
    """What is shown of a credential."""

    id: str
    name: str
    kind: str
    hosts: list[str]
    created_at: str
    last_used_at: str | None


class NodeTypesView(ApiView):
    """The palette."""

    @extend_schema(responses=Listing[NodeTypeOut], operation_id="node_types")
    def get(self, request: Request) -> Response:
        """List the installed node types, what most workflows take first."""
        types = sorted(NODE_TYPES.all(), key=lambda each: each.rank)
        return Response(whole([describe(each) for each in types]))


class FunctionsView(ApiView):
    """Registered handlers."""

    @extend_schema(responses=Listing[FunctionOut], operation_id="functions")
    def get(self, request: Request) -> Response:
        """List what `function` nodes can call."""
        return Response(whole([h.describe() for h in HANDLERS.all()]))


class AgentsView(ApiView):
    """The workspace's agents."""

    @extend_schema(responses=Listing[AgentOut], operation_id="agents")
    def get(self, request: Request) -> Response:
        """List agents by id."""
        workspace_id = self.member().workspace_id
        rows = self.visible(Agent.objects.in_workspace(workspace_id))
        found = page(rows, self.window(), field="slug", newest_first=False)
        users = catalogue.agent_users(workspace_id)
        results = [agent_out(agent, users) for agent in found.rows]
        return Response(Listing[AgentOut].of(found, results))

    @extend_schema(request=AgentBody, responses={201: AgentOut}, operation_id="create_agent")
    def post(self, request: Request) -> Response:
        """Create an agent."""
        member = self.member()
        body = AgentBody.read(self.request.data)
        fields = _fields(body)
        fields.setdefault("name", body.id)
        fields.setdefault("model", body.model)
        fields.pop("id", None)
        agent = catalogue.create_agent(member, slug=body.id, fields=fields)
        return Response(agent_out(agent, {}), status=201)


class AgentView(ApiView):
    """One agent of the current workspace."""

    def _agent(self, slug: str) -> Agent:
        rows = Agent.objects.in_workspace(self.member().workspace_id)
        agent = self.visible(rows).filter(slug=slug).first()
        if agent is None:
            raise NotFound("no such agent", code="AgentNotFound")
        return agent

    @extend_schema(responses=AgentOut, operation_id="agent")
    def get(self, request: Request, slug: str) -> Response:
        """Return one agent."""
        agent = self._agent(slug)
        return Response(agent_out(agent, catalogue.agent_users(agent.workspace_id)))

    @extend_schema(request=AgentFields, responses=AgentOut, operation_id="change_agent")
    def patch(self, request: Request, slug: str) -> Response:
        """Change what is given."""
        agent = self._agent(slug)
        fields = _fields(AgentFields.read(self.request.data))
        agent = catalogue.change_agent(self.member_of(agent.workspace_id), agent, fields)
        return Response(agent_out(agent, catalogue.agent_users(agent.workspace_id)))

    @extend_schema(responses={204: None}, operation_id="delete_agent")
    def delete(self, request: Request, slug: str) -> Response:
        """Delete an agent that no live version uses."""
        agent = self._agent(slug)
        catalogue.delete_agent(self.member_of(agent.workspace_id), agent)
        return no_content()


class CredentialsView(ApiView):
    """The workspace's credentials."""

    @extend_schema(responses=Listing[CredentialOut], operation_id="credentials")
    def get(self, request: Request) -> Response:
        """List credentials by name, without their values."""
        rows = self.visible(Credential.objects.in_workspace(self.member().workspace_id))
        found = page(rows.defer("ciphertext"), self.window(), field="name", newest_first=False)
        results = [credential_out(row) for row in found.rows]
        return Response(Listing[CredentialOut].of(found, results))

    @extend_schema(
        request=CredentialBody, responses={201: CredentialOut}, operation_id="create_credential"
    )
    def post(self, request: Request) -> Response:
        """Keep a credential."""
        member = self.member()
        body = CredentialBody.read(self.request.data)
        row = catalogue.create_credential(
            member, name=body.name, kind=body.kind, hosts=body.hosts, value=body.value
        )
        return Response(credential_out(row), status=201)


class CredentialView(ApiView):
    """A credential without its secret: changed or taken away."""

    def _credential(self, credential_id: object) -> Credential:
        found = self.visible(Credential.objects.all()).filter(pk=str(credential_id)).first()
        if found is None:
            raise NotFound("no such credential")
        return found

    @extend_schema(
        request=CredentialChange, responses=CredentialOut, operation_id="change_credential"
    )
    def patch(self, request: Request, credential_id: object) -> Response:
        """Rename, rebind or replace it."""
        row = self._credential(credential_id)
        body = CredentialChange.read(self.request.data)
        member = self.member_of(row.workspace_id)
        catalogue.change_credential(member, row, name=body.name, hosts=body.hosts, value=body.value)
        return Response(credential_out(row))

    @extend_schema(responses={204: None}, operation_id="delete_credential")
    def delete(self, request: Request, credential_id: object) -> Response:
        """Forget it."""
        row = self._credential(credential_id)
        catalogue.delete_credential(self.member_of(row.workspace_id), row)
        return no_content()


def agent_out(agent: Agent, users: dict[str, list[str]]) -> AgentOut:
    """Return an agent as it is on the wire."""
    return AgentOut(
        id=agent.slug,
        name=agent.name,
        model=agent.model,
        system_prompt=agent.system_prompt,
        temperature=agent.temperature,
        max_output_tokens=agent.max_output_tokens,
        max_tokens=agent.max_tokens,
        tools=agent.tools,
        permissions=agent.permissions,
        ask=agent.ask,
        used_by=users.get(agent.slug, []),
    )


def credential_out(row: Credential) -> CredentialOut:
    """Return what is shown of a credential."""
    return CredentialOut(
        id=row.pk,
        name=row.name,
        kind=row.kind,
        hosts=row.hosts,
        created_at=moment(row.created_at),
        last_used_at=moment(row.last_used_at) if row.last_used_at else None,
    )


def _fields(body: AgentFields) -> dict[str, Any]:
    given = body.model_dump(mode="json", exclude_unset=True)
    return {
        key: value
        for key, value in given.items()
        if value is not None or key in ("temperature", "max_tokens", "permissions")
    }
