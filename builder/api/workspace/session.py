"""Signing in and out, the first owner, and the workspace's own settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, cast

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.middleware.csrf import get_token
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import (
    WRITES,
    ApiView,
    barred_of,
    current_membership,
    no_content,
)
from builder.api.http.wire import Body, Name, Text, Wire
from builder.base.errors import NotAllowed, NotFound
from builder.models import ApiToken, IdentityProvider, Membership, User
from builder.services.graphs.beginnings import demos
from builder.services.people import accounts, doors
from builder.services.people.origins import remember_device
from builder.services.people.sign_in import gate, steps, ways
from builder.services.runs.retention.policy import MAX_DAYS, SETTING
from engine import __version__

Address = Annotated[Text, Field(max_length=254)]
Password = Annotated[Text, Field(max_length=1000)]
WorkspaceName = Annotated[Text, Field(max_length=120)]


class SignIn(Body):
    """Who signs in."""

    email: Address
    password: Password


class SetUp(Body):
    """The first owner; `code` where the request does not come from this machine."""

    name: Name
    email: Address
    password: Password
    workspace: WorkspaceName = ""
    code: Annotated[Text, Field(max_length=200)] = ""


MOST_PROVIDERS: Final = 50
CLEARED_BY_NULL: Final = frozenset({"default_graph", SETTING, "runs_at_once"})
MOST_AT_ONCE: Final = 100_000


class WorkspaceSettings(Body):
    """What a workspace sets; what is left out stays. Runs are kept for ever without days.

    `runs_at_once`: how many runs may move at once, null for as many as the installation lets.
    `calls_at_once`: how many calls may be under way at once, by provider or by `provider/model`.
    """

    default_model: Name | None = None
    default_graph: Name | None = None
    unknown_price: Literal["refuse", "flat", "allow"] | None = None
    timezone: Name | None = None
    egress_allow: (
        Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=100)] | None
    ) = None
    keep_runs_days: Annotated[int, Field(ge=1, le=MAX_DAYS)] | None = None
    old_runs: Literal["delete", "archive"] | None = None
    mail_titles: bool | None = None
    runs_at_once: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)] | None = None
    calls_at_once: (
        Annotated[
            dict[
                Annotated[str, Field(min_length=1, max_length=300)],
                Annotated[int, Field(ge=1, le=MOST_AT_ONCE)],
            ],
            Field(max_length=200),
        ]
        | None
    ) = None


class WorkspaceChange(Body):
    """What of name and settings is replaced; what is absent stays."""

    name: Name | None = None
    settings: WorkspaceSettings = WorkspaceSettings()
    sign_in: Literal["password", "second_factor", "provider"] | None = None


class PersonOut(Wire):
    """A person with their address."""

    id: str
    name: str
    email: str


class MeOut(PersonOut):
    """The caller: beside the person their time zone (empty: each workspace's), and how pages look."""

    zone: str
    theme: Literal["auto", "light", "dark"] | None


class WorkspaceRef(Wire):
    """A workspace and the caller's role in it."""

    id: str
    name: str
    role: str


class WorkspaceOut(WorkspaceRef):
    """The current workspace; `sign_in`: how people have to have signed in who enter."""

    settings: dict[str, Any]
    sign_in: Literal["password", "second_factor", "provider"]


class SignInProvider(Wire):
    """A firm's own sign-in, as the page offers it."""

    id: str
    name: str


class SessionOut(Wire):
    """Who the caller is and where; `mail` says whether passwords can be reset by mail."""

    authenticated: bool
    needs_setup: bool
    csrf_token: str
    mail: bool
    user: MeOut | None
    workspace: WorkspaceOut | None
    workspaces: list[WorkspaceRef]
    version: str | None
    """Of the product; strangers are not told."""
    refused: Literal["SecondFactorNeeded", "ProviderNeeded", "OtherSignIn"] | None
    """Why this session does not open the workspace that it names."""
    providers: list[SignInProvider]
    second_factor: list[Literal["totp", "recovery_codes", "webauthn"]]
    """What whoever has shown their password here is asked for next; empty for everybody else."""


class SessionView(ApiView):
    """Who is signed in: asked, signed in, signed out."""

    permission_classes = (AllowAny,)
    people_only = WRITES

    @extend_schema(responses=SessionOut, operation_id="session")
    def get(self, request: Request) -> Response:
        """Return who the caller is."""
        return Response(session_of(request))

    @extend_schema(request=SignIn, responses=SessionOut, operation_id="sign_in")
    def post(self, request: Request) -> Response:
        """Sign in, or begin to: `second_factor` then names what is to be shown next.

        The same refusal for a wrong address and a wrong password.
        """
        body = SignIn.read(self.request.data)
        email = body.email.strip().lower()
        with doors.passing(request._request, email):
            user = authenticate(request._request, username=email, password=body.password)
            if not isinstance(user, User):
                raise NotAllowed(
                    "this e-mail address and password do not match", code="SignInFailed"
                )
        is_in = steps.begin(request._request, user)
        request.user = request._request.user
        answer = Response(session_of(request))
        if is_in:
            remember_device(request._request, answer, email)
        return answer

    @extend_schema(responses={204: None}, operation_id="sign_out")
    def delete(self, request: Request) -> Response:
        """Sign out."""
        logout(request._request)
        return no_content()


class SetUpView(ApiView):
    """Making the first owner."""

    permission_classes = (AllowAny,)

    @extend_schema(request=SetUp, responses={201: SessionOut}, operation_id="set_up")
    def post(self, request: Request) -> Response:
        """Create the first owner and sign them in: from this machine, or with the printed code."""
        body = SetUp.read(self.request.data)
        if not gate.may_set_up(request._request, body.code):
            raise NotAllowed("open this page on the server, or give the printed code")
        with doors.passing(request._request):
            member = accounts.create_first_owner(
                name=body.name, email=body.email, password=body.password, workspace=body.workspace
            )
        demos.add_demos(member)
        gate.forget_setup_code()
        user = User.objects.get(pk=member.user_id)
        login(request._request, user, backend="django.contrib.auth.backends.ModelBackend")
        request.user = user
        return Response(session_of(request), status=201)


class WorkspaceView(ApiView):
    """The current workspace."""

    @extend_schema(request=WorkspaceChange, responses=WorkspaceOut, operation_id="change_workspace")
    def patch(self, request: Request) -> Response:
        """Rename the workspace or change its settings."""
        member = self.member()
        body = WorkspaceChange.read(self.request.data)
        if body.sign_in is not None:
            self.require_person()
            ways.set_rule(member, request._request.session.session_key, body.sign_in)
        if body.name is not None or body.settings.model_fields_set or body.sign_in is None:
            accounts.change_workspace(member, name=body.name, settings=_given(body.settings))
        return Response(workspace_out(self.member_of(member.workspace_id)))


def session_of(request: Request, current: Membership | None = None) -> SessionOut:
    """Return the session object for who `request.user` now is, in the workspace of `current`."""
    user = request.user if isinstance(request.user, User) else None
    token = request.auth if isinstance(request.auth, ApiToken) else None
    members = [] if user is None else _memberships(user, token)
    barred = barred_of(request)
    refused = None
    if current is not None and current.workspace_id in barred:
        refused, current = barred[current.workspace_id], None
    elif user is not None and members and current is None:
        current, refused = _current(request, user, token, members)
    return SessionOut(
        authenticated=user is not None,
        needs_setup=user is None and accounts.needs_setup(),
        csrf_token=get_token(request._request),
        mail=settings.MAIL,
        user=me_out(user) if user else None,
        workspace=workspace_out(current) if current else None,
        workspaces=[
            WorkspaceRef(id=m.workspace_id, name=m.workspace.name, role=m.role)
            for m in members
            if barred.get(m.workspace_id) != "OtherSignIn"
        ],
        refused=refused,
        providers=sign_in_providers(user, members),
        version=None if user is None else __version__,
        second_factor=steps.asked_for(request._request) if user is None else [],
    )


def me_out(user: User) -> MeOut:
    """Return a person as they see themselves."""
    theme: Any = user.theme or None
    return MeOut(id=user.pk, name=str(user), email=user.email, zone=user.zone, theme=theme)


def workspace_out(member: Membership) -> WorkspaceOut:
    """Return the workspace as its member sees it."""
    return WorkspaceOut(
        id=member.workspace_id,
        name=member.workspace.name,
        role=member.role,
        settings=member.workspace.all_settings,
        sign_in=cast("Any", member.workspace.sign_in),
    )


def sign_in_providers(user: User | None, members: Sequence[Membership]) -> list[SignInProvider]:
    """Return the providers that the page offers: to a stranger all, else those of one's workspaces."""
    rows = IdentityProvider.objects.all()
    if user is not None:
        rows = rows.filter(workspace__in=[member.workspace_id for member in members])
    return [SignInProvider(id=row.pk, name=row.name) for row in rows[:MOST_PROVIDERS]]


def _current(
    request: Request, user: User, token: ApiToken | None, members: Sequence[Membership]
) -> tuple[Membership | None, str | None]:
    """Return the current workspace, or the reason why the session opens none.

    Who came by a provider is in its workspace, whichever the browser was in before.
    """
    barred = barred_of(request)
    first = next((one for one in members if one.workspace_id not in barred), None)
    try:
        return current_membership(request, user, token, barred), None
    except NotFound:
        return first, None if first else barred.get(members[0].workspace_id)
    except NotAllowed as error:
        only_kept = "workspace" not in request.query_params
        if error.code == "OtherSignIn" and first is not None and only_kept:
            return first, None
        return None, error.code


def _memberships(user: User, token: ApiToken | None) -> list[Membership]:
    rows = Membership.objects.filter(user=user).select_related("workspace")
    return list(rows if token is None else rows.filter(workspace=token.workspace_id))


def _given(settings: WorkspaceSettings) -> dict[str, Any]:
    given = settings.model_dump(exclude_unset=True)
    return {
        key: value for key, value in given.items() if value is not None or key in CLEARED_BY_NULL
    }
