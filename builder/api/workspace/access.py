"""Who may come in: API tokens, tickets, invitations."""

from __future__ import annotations

from typing import Annotated, Any, Final

from django.conf import settings
from django.contrib.auth import login
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Named, Text, Wire, moment
from builder.api.workspace.members import GroupName, RoleName
from builder.api.workspace.session import SessionOut, SignInProvider, session_of
from builder.base.errors import NotFound
from builder.models import IdentityProvider, Invitation, User
from builder.services.people import doors, invitations
from builder.services.people import socket_tickets as tickets
from builder.services.people.sign_in.shown import require_themselves
from builder.services.permissions import Right, require

BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
Code = Annotated[Text, Field(min_length=1, max_length=200)]


class SocketTicketOut(Wire):
    """A ticket for one websocket."""

    ticket: str
    expires_at: str


class InvitationBody(Body):
    """Whom to let in, and as what."""

    role: RoleName = "viewer"
    groups: Annotated[list[GroupName], Field(max_length=50)] = []
    email: Annotated[Text, Field(max_length=254)] = ""


class InvitationOut(Wire):
    """An invitation that nobody followed yet."""

    id: str
    role: str
    groups: list[str]
    email: str
    invited_by: Named | None
    created_at: str
    expires_at: str


class NewInvitationOut(InvitationOut):
    """An invitation with its code, this once; the link is `/join#<code>`. `mailed`: it is on its way."""

    code: str
    mailed: bool


class CodeBody(Body):
    """The code of a link."""

    code: Code


class JoinBody(Body):
    """The code, and an account to be made unless the caller is signed in."""

    code: Code
    name: Annotated[Text, Field(max_length=120)] = ""
    email: Annotated[Text, Field(max_length=254)] = ""
    password: Annotated[Text, Field(max_length=1000)] = ""


class InvitedOut(Wire):
    """What a link leads to, and the firms' sign-ins by which one may follow it.

    `firm_only`: the workspace opens to nothing else, so no account with a password is made.
    """

    workspace: str
    role: str
    email: str
    invited_by: str | None
    expires_at: str
    providers: list[SignInProvider]
    firm_only: bool


class SocketTicketView(ApiView):
    """Tickets for the websocket."""

    @extend_schema(request=None, responses={201: SocketTicketOut}, operation_id="socket_ticket")
    def post(self, request: Request) -> Response:
        """Give a ticket that opens one websocket of this workspace, once, within half a minute."""
        session_key = request._request.session.session_key
        text, until = tickets.issue(self.member(), token=self.token, session_key=session_key)
        return Response(SocketTicketOut(ticket=text, expires_at=moment(until)), status=201)


class InvitationsView(ApiView):
    """The open invitations of the current workspace."""

    people_only = WRITES

    @extend_schema(responses=Listing[InvitationOut], operation_id="invitations")
    def get(self, request: Request) -> Response:
        """List invitations that somebody may still follow, the newest first (admin)."""
        member = self.member()
        require(member, Right.ADMIN)
        rows = self.visible(Invitation.objects.in_workspace(member.workspace_id))
        rows = rows.open(timezone.now()).select_related("invited_by")
        found = page(rows, self.window(), field="created_at")
        results = [InvitationOut(**invitation_fields(row)) for row in found.rows]
        return Response(Listing[InvitationOut].of(found, results))

    @extend_schema(
        request=InvitationBody, responses={201: NewInvitationOut}, operation_id="create_invitation"
    )
    def post(self, request: Request) -> Response:
        """Make a link for one person; its code is shown in this answer only (admin)."""
        member = self.member()
        body = InvitationBody.read(self.request.data)
        row, code = invitations.create_invitation(
            member, role=body.role, groups=body.groups, email=body.email
        )
        return Response(
            NewInvitationOut(
                **invitation_fields(row), code=code, mailed=settings.MAIL and bool(row.email)
            ),
            status=201,
        )


class InvitationView(ApiView):
    """Takes an invitation back before somebody has used it."""

    people_only = WRITES

    @extend_schema(responses={204: None}, operation_id="revoke_invitation")
    def delete(self, request: Request, invitation_id: object) -> Response:
        """Make the link lead nowhere (admin)."""
        found = self.visible(Invitation.objects.all()).filter(pk=str(invitation_id)).first()
        if found is None:
            raise NotFound("no such invitation", code="InvitationNotFound")
        invitations.revoke_invitation(self.member_of(found.workspace_id), found)
        return no_content()


class LookView(ApiView):
    """What a link leads to, for whoever has it."""

    permission_classes = (AllowAny,)

    @extend_schema(request=CodeBody, responses=InvitedOut, operation_id="look_at_invitation")
    def post(self, request: Request) -> Response:
        """Return the workspace and the role, so that nobody joins blindly."""
        found = invitations.find_invitation(CodeBody.read(self.request.data).code)
        firms = IdentityProvider.objects.in_workspace(found.workspace_id)
        return Response(
            InvitedOut(
                workspace=found.workspace.name,
                role=found.role,
                email=found.email,
                invited_by=str(found.invited_by) if found.invited_by else None,
                expires_at=moment(found.expires_at),
                providers=[SignInProvider(id=row.pk, name=row.name) for row in firms],
                firm_only=invitations.asks_for_firm(found),
            )
        )


class JoinView(ApiView):
    """Following a link."""

    permission_classes = (AllowAny,)
    people_only = WRITES

    @extend_schema(request=JoinBody, responses={201: SessionOut}, operation_id="join")
    def post(self, request: Request) -> Response:
        """Join as who one is, or with a new account, which is then signed in."""
        body = JoinBody.read(self.request.data)
        if isinstance(request.user, User):
            require_themselves(request._request, request.user, "join")
            joined = invitations.join(body.code, request.user)
            return Response(session_of(request, joined), status=201)
        with doors.passing(request._request):
            member = invitations.join_as_new(
                body.code, email=body.email, name=body.name, password=body.password
            )
        login(request._request, member.user, backend=BACKEND)
        request.user = member.user
        return Response(session_of(request, member), status=201)


def invitation_fields(row: Invitation) -> dict[str, Any]:
    """Return what is shown of an invitation."""
    by = row.invited_by
    return {
        "id": row.pk,
        "role": row.role,
        "groups": row.groups,
        "email": row.email,
        "invited_by": Named(id=by.pk, name=str(by)) if by else None,
        "created_at": moment(row.created_at),
        "expires_at": moment(row.expires_at),
    }
