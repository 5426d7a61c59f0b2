"""API tokens: what programs call with, as one's own or, for an admin, as an account of no person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Moment, Name, Named, Text, Wire, moment
from builder.base.errors import NotFound
from builder.doors.called import accounts, tokens
from builder.models import ApiToken, Graph, User
from builder.services.people.accounts import revoke_api_token
from builder.services.permissions import Right, may

ScopeName = Literal[
    "*",
    "runs:start",
    "runs:read",
    "runs:cancel",
    "questions:answer",
    "workflows:read",
]
Role = Literal["viewer", "author", "operator"]


class AccountBody(Body):
    """An account of no person as which the token acts: its name and its role."""

    name: Annotated[Name, Field(max_length=120)]
    role: Role = "author"


class TokenBody(Body):
    """What a new token is for. Without `graphs` it is for all workflows, without an end for good."""

    name: Annotated[Name, Field(max_length=120)]
    scopes: Annotated[list[ScopeName], Field(min_length=1, max_length=6)] = ["*"]
    graphs: Annotated[list[Annotated[Text, Field(max_length=36)]], Field(max_length=50)] = []
    expires_at: Moment | None = None
    account: AccountBody | None = None


class TokenOut(Wire):
    """An API token, without its text. `graphs` are the only workflows that it reaches, if any are named."""

    id: str
    name: str
    user: Named
    service: bool
    """Whether it acts as an account of no person."""
    scopes: list[ScopeName]
    graphs: list[Named]
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class NewTokenOut(TokenOut):
    """A token with its text, this once."""

    token: str


class TokensView(ApiView):
    """API tokens: one's own, and for an admin everybody's."""

    people_only = WRITES

    @extend_schema(responses=Listing[TokenOut], operation_id="tokens")
    def get(self, request: Request) -> Response:
        """List tokens that still open something, the newest first."""
        member = self.member()
        rows = self.visible(ApiToken.objects.in_workspace(member.workspace_id)).live()
        if not may(member, Right.ADMIN):
            rows = rows.filter(user=member.user)
        found = page(rows.select_related("user"), self.window(), field="created_at")
        return Response(Listing[TokenOut].of(found, tokens_out(found.rows)))

    @extend_schema(request=TokenBody, responses={201: NewTokenOut}, operation_id="create_token")
    def post(self, request: Request) -> Response:
        """Make a token that acts as its maker, or as an account; its text is shown in this answer only."""
        member = self.member()
        body = TokenBody.read(self.request.data)
        wanted = tokens.Wanted(body.name, body.scopes, body.graphs, _utc(body.expires_at))
        if body.account is None:
            row, text = tokens.make(member, wanted)
        else:
            made = accounts.Account(body.account.name, body.account.role)
            row, text = accounts.make_token(member, made, wanted)
        [shown] = tokens_out([row])
        return Response(NewTokenOut(**shown.model_dump(), token=text), status=201)


class TokenView(ApiView):
    """One API token."""

    @extend_schema(responses={204: None}, operation_id="revoke_token")
    def delete(self, request: Request, token_id: object) -> Response:
        """Revoke it: calls with it are refused from now on."""
        found = self.visible(ApiToken.objects.all()).filter(pk=str(token_id)).first()
        if found is None:
            raise NotFound("no such token")
        revoke_api_token(self.member_of(found.workspace_id), found)
        return no_content()


def tokens_out(rows: Sequence[ApiToken]) -> list[TokenOut]:
    """Return what is shown of tokens; a workflow that is gone keeps its place without a name."""
    wanted = {graph for row in rows for graph in row.graphs}
    known = Graph.objects.active().filter(pk__in=wanted).values_list("pk", "name")
    names = dict(known) if wanted else {}
    return [
        TokenOut(
            id=row.pk,
            name=row.name,
            user=Named(id=row.user_id, name=str(row.user)),
            service=row.user.kind == User.Kind.SERVICE,
            scopes=row.scopes,
            graphs=[Named(id=graph, name=names.get(graph, "")) for graph in row.graphs],
            created_at=moment(row.created_at),
            expires_at=moment(row.expires_at) if row.expires_at else None,
            last_used_at=moment(row.last_used_at) if row.last_used_at else None,
        )
        for row in rows
    ]


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.astimezone(UTC)
