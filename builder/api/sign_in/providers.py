"""The providers of a workspace, for its admins; and where a sign-in by one begins."""

from __future__ import annotations

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import EVERYTHING, WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Name, Text, Wire, moment
from builder.api.workspace.members import GroupName, RoleName
from builder.base.errors import InvalidInput, NotFound
from builder.models import Identity, IdentityProvider
from builder.services.people.sign_in.oidc import flow, providers
from builder.services.people.sign_in.oidc.arrivals import disconnect
from builder.services.people.sign_in.oidc.grants import MAX_NAME, MAX_ROWS
from builder.services.people.sign_in.shown import require_themselves
from builder.services.permissions import Right, require

CALLBACK = "/sign-in/callback"


class MappedGroup(Body):
    """What one group of the firm gives; `*` is everybody whom the firm lets in."""

    group: Annotated[Name, Field(max_length=MAX_NAME)]
    role: RoleName
    groups: Annotated[list[GroupName], Field(max_length=20)] = []


class ProviderBody(Body):
    """A provider as an admin describes it. Without `secret` the one that is set stays."""

    name: Annotated[Name, Field(max_length=60)]
    issuer: Annotated[Name, Field(max_length=500)]
    client_id: Annotated[Name, Field(max_length=300)]
    secret: Annotated[Text, Field(max_length=1000)] | None = None
    groups_claim: Annotated[Name, Field(max_length=60)] = "groups"
    group_map: Annotated[list[MappedGroup], Field(max_length=MAX_ROWS)] = []

    def wanted(self) -> providers.Wanted:
        """Return it for the service."""
        return providers.Wanted(
            self.name,
            self.issuer,
            self.client_id,
            self.secret,
            self.groups_claim,
            [row.model_dump() for row in self.group_map],
        )


class IdentityProviderOut(Wire):
    """A provider, without its secret; `callback` is the address that it has to know of us."""

    id: str
    name: str
    issuer: str
    client_id: str
    groups_claim: str
    group_map: list[dict[str, Any]]
    people: int
    callback: str


class BeginBody(Body):
    """Where to go afterwards; `connect` for who is signed in and connects their account.

    `invitation` is the code of the link that somebody follows by it; it goes without `connect`.
    """

    next: Annotated[Text, Field(max_length=2000)] = "/"
    connect: bool = False
    invitation: Annotated[Text, Field(max_length=200)] = ""


class BeginOut(Wire):
    """Where the browser goes to now."""

    url: str


class IdentityOut(Wire):
    """A provider of one's workspaces, and whether one's account there is connected."""

    provider: str
    name: str
    workspace: str
    connected_at: str | None
    last_used_at: str | None


class IdentityProvidersView(ApiView):
    """The providers of the current workspace."""

    people_only = EVERYTHING

    @extend_schema(responses=Listing[IdentityProviderOut], operation_id="identity_providers")
    def get(self, request: Request) -> Response:
        """List them (admin)."""
        member = self.member()
        require(member, Right.ADMIN)
        rows = self.visible(IdentityProvider.objects.in_workspace(member.workspace_id))
        results = [_out(request, row) for row in rows[: providers.MOST]]
        return Response(Listing[IdentityProviderOut](results=results))

    @extend_schema(
        request=ProviderBody,
        responses={201: IdentityProviderOut},
        operation_id="add_identity_provider",
    )
    def post(self, request: Request) -> Response:
        """Add one, once it has answered (admin)."""
        member = self.member()
        made = providers.add(member, ProviderBody.read(self.request.data).wanted())
        return Response(_out(request, made), status=201)


class IdentityProviderView(ApiView):
    """One provider."""

    people_only = WRITES

    def _found(self, provider_id: object) -> IdentityProvider:
        rows = self.visible(IdentityProvider.objects.select_related("workspace"))
        found = rows.filter(pk=str(provider_id)).first()
        if found is None:
            raise NotFound("no such provider")
        return found

    @extend_schema(
        request=ProviderBody, responses=IdentityProviderOut, operation_id="change_identity_provider"
    )
    def put(self, request: Request, identity_provider_id: object) -> Response:
        """Change it, once it has answered (admin)."""
        found = self._found(identity_provider_id)
        member = self.member_of(found.workspace_id)
        require(member, Right.ADMIN)
        wanted = ProviderBody.read(self.request.data).wanted()
        return Response(_out(request, providers.change(member, found, wanted)))

    @extend_schema(responses={204: None}, operation_id="remove_identity_provider")
    def delete(self, request: Request, identity_provider_id: object) -> Response:
        """Take it away; whoever came in by it is signed out (admin)."""
        found = self._found(identity_provider_id)
        providers.remove(self.member_of(found.workspace_id), found)
        return no_content()


class BeginView(ApiView):
    """Where a sign-in by a provider begins."""

    permission_classes = (AllowAny,)
    people_only = WRITES
    refusals = (404, 422)

    @extend_schema(request=BeginBody, responses=BeginOut, operation_id="begin_sign_in")
    def post(self, request: Request, begin_id: object) -> Response:
        """Return where the browser goes to; it comes back to this site's `/sign-in/callback`."""
        body = BeginBody.read(self.request.data)
        found = IdentityProvider.objects.select_related("workspace").filter(pk=str(begin_id))
        if body.connect and body.invitation:
            raise InvalidInput("connect, or follow an invitation: not both", path="invitation")
        provider = found.first()
        if provider is None:
            raise NotFound("no such provider")
        plain = request._request
        back = plain.build_absolute_uri(CALLBACK)
        purpose = flow.Purpose(body.next, body.connect, body.invitation)
        return Response(BeginOut(url=flow.begin(plain, provider, back, purpose)))


class IdentitiesView(ApiView):
    """One's accounts at firms."""

    people_only = EVERYTHING

    @extend_schema(responses=Listing[IdentityOut], operation_id="identities")
    def get(self, request: Request) -> Response:
        """List the providers of one's workspaces, and which are connected with one's account."""
        rows = self.visible(IdentityProvider.objects.select_related("workspace"))
        mine = {one.provider_id: one for one in Identity.objects.filter(user=self.user)}
        results = [_identity(row, mine.get(row.pk)) for row in rows[:100]]
        return Response(Listing[IdentityOut](results=results))


class IdentityView(ApiView):
    """One's account at one provider."""

    people_only = WRITES

    @extend_schema(responses={204: None}, operation_id="disconnect_identity")
    def delete(self, request: Request, own_provider_id: object) -> Response:
        """Take the connection off, and sign out whoever came in by it."""
        require_themselves(request._request, self.user, "take a connection off")
        rows = Identity.objects.select_related("user", "provider")
        found = rows.filter(user=self.user, provider=str(own_provider_id)).first()
        if found is None:
            raise NotFound("nothing is connected there")
        disconnect(found)
        return no_content()


def _out(request: Request, row: IdentityProvider) -> IdentityProviderOut:
    return IdentityProviderOut(
        id=row.pk,
        name=row.name,
        issuer=row.issuer,
        client_id=row.client_id,
        groups_claim=row.groups_claim,
        group_map=row.group_map,
        people=row.identities.count(),
        callback=request._request.build_absolute_uri(CALLBACK),
    )


def _identity(row: IdentityProvider, mine: Identity | None) -> IdentityOut:
    used = None if mine is None else mine.last_used_at
    return IdentityOut(
        provider=row.pk,
        name=row.name,
        workspace=row.workspace.name,
        connected_at=None if mine is None else moment(mine.created_at),
        last_used_at=None if used is None else moment(used),
    )
