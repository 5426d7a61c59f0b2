"""One's own account: name, password, sessions, further workspaces; and a new password by mail."""

from __future__ import annotations

from typing import Annotated, Literal

from django.conf import settings
from django.contrib.auth import logout, update_session_auth_hash
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import EVERYTHING, WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Name, Text, Wire, moment
from builder.api.workspace.session import (
    Address,
    MeOut,
    Password,
    WorkspaceOut,
    me_out,
    workspace_out,
)
from builder.base.errors import NotFound, Unprocessable
from builder.models import SignIn, User
from builder.services.people import accounts, doors, passwords, sign_ins
from builder.services.people.membership import profile
from builder.services.people.origins import address_of
from builder.services.people.sign_in import steps
from builder.services.people.sign_in.shown import require_themselves, shown_by

Token = Annotated[Text, Field(min_length=1, max_length=200)]


class ProfileChange(Body):
    """A change of one's own account; what is absent stays."""

    name: Annotated[Name, Field(max_length=120)] | None = None
    zone: Annotated[Text, Field(max_length=64)] | None = None
    """A time zone's name; empty: that of each workspace."""
    theme: Literal["auto", "light", "dark"] | None = None


class PasswordChange(Body):
    """The present password and the one to come."""

    current: Password
    password: Password


class Confirm(Body):
    """The present password."""

    password: Password


class ResetAsked(Body):
    """Whose password is forgotten."""

    email: Address


class Reset(Body):
    """What stands in the link, and the password to come."""

    user: Annotated[Text, Field(min_length=1, max_length=36)]
    token: Token
    password: Password


class SignInOut(Wire):
    """A browser in which one is signed in."""

    id: str
    current: bool
    client: str
    address: str
    created_at: str
    last_seen_at: str


class SessionsEnd(Body):
    """Which sessions end."""

    which: Literal["others", "all"]


class NewWorkspace(Body):
    """A workspace to be made."""

    name: Annotated[Name, Field(max_length=120)]


class ProfileView(ApiView):
    """One's own account."""

    people_only = WRITES

    @extend_schema(request=ProfileChange, responses=MeOut, operation_id="change_profile")
    def patch(self, request: Request) -> Response:
        """Change the name by which others see one, one's time zone, and how pages look."""
        body = ProfileChange.read(self.request.data)
        profile.change(self.user, profile.Change(body.name, body.zone, body.theme))
        return Response(me_out(self.user))


class PasswordView(ApiView):
    """One's own password."""

    people_only = WRITES

    @extend_schema(request=PasswordChange, responses={204: None}, operation_id="change_password")
    def post(self, request: Request) -> Response:
        """Change it: every other session and socket ends, this session goes on."""
        body = PasswordChange.read(self.request.data)
        plain, user = request._request, self.user
        with doors.passing(plain, user.email):
            passwords.check(user, body.current)
        passwords.change(user, body.password)
        before = plain.session.session_key
        update_session_auth_hash(plain, user)
        sign_ins.moved(user, plain, before)
        sign_ins.end_others(user, plain.session.session_key)
        return no_content()


class ConfirmView(ApiView):
    """One's own password, shown again."""

    people_only = WRITES

    @extend_schema(request=Confirm, responses={204: None}, operation_id="confirm_password")
    def post(self, request: Request) -> Response:
        """Show it again: for five minutes second factors and passkeys may be changed then."""
        body = Confirm.read(self.request.data)
        plain, user = request._request, self.user
        with doors.passing(plain, user.email):
            passwords.check(user, body.password)
        steps.confirm(plain)
        return no_content()


class ResetView(ApiView):
    """A forgotten password."""

    permission_classes = (AllowAny,)
    people_only = WRITES

    @extend_schema(request=ResetAsked, responses={204: None}, operation_id="ask_for_reset")
    def post(self, request: Request) -> Response:
        """Have a link sent, if the address is somebody's; the answer is the same if it is not."""
        body = ResetAsked.read(self.request.data)
        if not settings.MAIL:
            raise Unprocessable(
                "no mail is set up here: whoever runs this server sets a new password with"
                " manage.py changepassword",
                code="MailNotSet",
            )
        passwords.ask_for_link(body.email, origin=address_of(request._request))
        return no_content()


class ConfirmResetView(ApiView):
    """The link of a mail."""

    permission_classes = (AllowAny,)
    people_only = WRITES

    @extend_schema(request=Reset, responses={204: None}, operation_id="reset_password")
    def post(self, request: Request) -> Response:
        """Set the new password; every session ends."""
        body = Reset.read(self.request.data)
        with doors.passing(request._request):
            passwords.reset(body.user, body.token, body.password)
        return no_content()


class SessionsView(ApiView):
    """Where one is signed in."""

    people_only = EVERYTHING

    @extend_schema(responses=Listing[SignInOut], operation_id="sessions")
    def get(self, request: Request) -> Response:
        """List them, this one first."""
        key = request._request.session.session_key
        by = shown_by(request._request, self.user).provider
        rows = sign_ins.standing(self.user, key, by)[:200]
        return Response(Listing[SignInOut](results=[_sign_in_out(row, key) for row in rows]))


class EndSessionsView(ApiView):
    """Several sessions."""

    people_only = WRITES

    @extend_schema(request=SessionsEnd, responses={204: None}, operation_id="end_sessions")
    def post(self, request: Request) -> Response:
        """End all others, or all."""
        everywhere = SessionsEnd.read(self.request.data).which == "all"
        key = request._request.session.session_key
        user = self.user
        by = shown_by(request._request, user).provider
        sign_ins.end_others(user, None if everywhere else key, by)
        if everywhere:
            logout(request._request)
        return no_content()


class SignInView(ApiView):
    """One session."""

    people_only = WRITES

    @extend_schema(responses={204: None}, operation_id="end_session")
    def delete(self, request: Request, sign_in_id: object) -> Response:
        """End it: what it had open is closed."""
        user: User = self.user
        by = shown_by(request._request, user).provider
        row = sign_ins.seen_from(user, by).filter(pk=str(sign_in_id)).first()
        if row is None:
            raise NotFound("no such session")
        sign_ins.end(user, [row])
        if row.session_key == request._request.session.session_key:
            logout(request._request)
        return no_content()


class WorkspacesView(ApiView):
    """Further workspaces."""

    people_only = WRITES

    @extend_schema(
        request=NewWorkspace, responses={201: WorkspaceOut}, operation_id="create_workspace"
    )
    def post(self, request: Request) -> Response:
        """Make one, whose admin one is; for who is an admin somewhere."""
        require_themselves(request._request, self.user, "make another workspace")
        member = accounts.open_workspace(self.user, name=NewWorkspace.read(self.request.data).name)
        return Response(workspace_out(member), status=201)


def _sign_in_out(row: SignIn, key: str | None) -> SignInOut:
    return SignInOut(
        id=row.pk,
        current=row.session_key == key,
        client=row.client,
        address=row.address,
        created_at=moment(row.created_at),
        last_seen_at=moment(row.last_seen_at),
    )
