"""What every view of the API does: who calls, in which workspace, with what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.db.models import Model
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from builder.api.http.caller_pace import HEADERS
from builder.api.http.pagination import DEFAULT_LIMIT, MAX_LIMIT, Window
from builder.base.errors import InvalidInput, NotAllowed, NotFound
from builder.doors.called.reach import within
from builder.models import ApiToken, Graph, Interrupt, Membership, Run, User
from builder.models.prepared import Prepared
from builder.models.querysets import ScopedQuerySet
from builder.services.people.accounts import membership_of
from builder.services.people.sign_in import ways
from engine.core.values.limits import MAX_BODY

Q = TypeVar("Q", bound=ScopedQuerySet[Any])
MAX_KEY = 190
COMMON = frozenset({"workspace", "cursor", "limit"})
WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
EVERYTHING: Final = WRITES | {"GET"}
M = TypeVar("M", bound=Model)


def scoped(rows: Q, user_id: str, workspace_id: str | None) -> Q:
    """Return the rows that a caller may see: of their workspaces, of the token's only with one."""
    seen = rows.visible_to(User(pk=user_id))
    return seen if workspace_id is None else seen.in_workspace(workspace_id)


class Visible(Generic[M]):
    """One row by its key, if the caller may see it: the lookup that each route of objects begins with."""

    def __init__(self, rows: Callable[[], ScopedQuerySet[M]]) -> None:
        self._rows = rows
        self._in_session = Prepared(lambda user, pk: scoped(rows(), user, None).filter(pk=pk))
        self._by_token = Prepared(
            lambda user, workspace, pk: scoped(rows(), user, workspace).filter(pk=pk)
        )

    def first(self, view: ApiView, key: str) -> M | None:
        """Return the row, None without one."""
        if view.token is None:
            found = self._in_session.first(view.user.pk, key)
            if found is not None and view.barred:
                view.enter(str(getattr(found, "workspace_id", "")))
            return found
        if view.token.graphs:
            return view.visible(self._rows()).filter(pk=key).first()
        return self._by_token.first(view.user.pk, view.token.workspace_id, key)


GRAPH = Visible(Graph.objects.active)
GRAPH_MEMBER = Prepared(
    lambda user, graph: Membership.objects.select_related("workspace", "user").filter(
        user=user, workspace__graphs=graph, workspace__graphs__archived_at__isnull=True
    )
)
RUN = Visible(
    lambda: Run.objects.select_related("graph", "version").defer(
        "version__document", "graph__header"
    )
)
INTERRUPT = Visible(Interrupt.objects.all)
FIRST_MEMBERSHIPS = Prepared(
    lambda user: (
        Membership.objects.filter(user=user)
        .select_related("workspace", "user")
        .order_by("created_at", "pk")
    )
)
FIRST_MEMBERSHIP = Prepared(
    lambda user: (
        Membership.objects.filter(user=user)
        .select_related("workspace", "user")
        .order_by("created_at", "pk")[:1]
    )
)


class ApiView(APIView):
    """One route. Objects are found through `visible` only, so another tenant's are 404."""

    max_body: ClassVar[int] = MAX_BODY
    query_names: ClassVar[frozenset[str]] = frozenset()
    refusals: ClassVar[tuple[int, ...]] = ()
    """Statuses of this route besides those of `builder.api.http.schema`, for the served schema."""
    people_only: ClassVar[frozenset[str]] = frozenset()
    """Methods for signed-in people: what lets people in or changes who they are. A token that could
    would become a person, and people decide."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse anonymous callers, tokens where people are asked for, unknown query parameters."""
        super().initial(request, *args, **kwargs)
        if request.method in self.people_only:
            self.require_person()
        unknown = sorted(set(request.query_params) - self.query_names - COMMON)
        if unknown:
            raise InvalidInput("there is no such query parameter", path=unknown[0])

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Say in each answer how much its caller may still ask."""
        for name, value in getattr(request, HEADERS, {}).items():
            response[name] = value
        return super().finalize_response(request, response, *args, **kwargs)

    def require_person(self) -> None:
        """Raise `NotAllowed` `PersonNeeded` for a call that shows a token."""
        if self.token is not None:
            raise NotAllowed("an API token does not do this: sign in", code="PersonNeeded")

    @property
    def user(self) -> User:
        """The caller."""
        assert isinstance(self.request.user, User)
        return self.request.user

    @property
    def token(self) -> ApiToken | None:
        """The API token of the call, None in a browser's session."""
        return self.request.auth if isinstance(self.request.auth, ApiToken) else None

    @property
    def barred(self) -> Mapping[str, str]:
        """The caller's workspaces that this session does not open, with the reason of each."""
        known: Mapping[str, str] | None = getattr(self, "_barred", None)
        if known is None:
            known = self._barred = barred_of(self.request)
        return known

    def enter(self, workspace_id: str) -> None:
        """Raise `NotAllowed` where the session does not open a workspace of the caller's."""
        if workspace_id in self.barred:
            raise ways.refuse(self.barred[workspace_id])

    @property
    def source(self) -> str:
        """What a run that is started here says of its start: a program has a token."""
        return "person" if self.token is None else "api"

    def visible(self, rows: Q) -> Q:
        """Rows that the caller may see: of their workspaces, of a token's workspace and workflows only."""
        if self.token is not None:
            return within(scoped(rows, self.user.pk, self.token.workspace_id), self.token.graphs)
        seen = scoped(rows, self.user.pk, None)
        if not self.barred:
            return seen
        return seen.exclude(**{f"{rows.workspace_path}__in": list(self.barred)})

    def member(self) -> Membership:
        """Return the caller's membership of the current workspace. Raises `NotFound`, `NotAllowed`."""
        return current_membership(self.request, self.user, self.token, self.barred)

    def member_of(self, workspace_id: str) -> Membership:
        """Return the caller's membership of an object's workspace. Raises `NotFound`."""
        if self.token is not None and self.token.workspace_id != workspace_id:
            raise NotFound("no such workspace")
        self.enter(workspace_id)
        return membership_of(self.user, workspace_id)

    def graph(self, graph_id: object) -> Graph:
        """Return the graph. Raises `NotFound` `GraphNotFound`."""
        found = GRAPH.first(self, str(graph_id))
        if found is None:
            raise NotFound("no such graph", code="GraphNotFound")
        return found

    def graph_member(self, graph_id: object) -> Membership:
        """Return the caller's membership of a graph's workspace. Raises `NotFound` `GraphNotFound`."""
        found = GRAPH_MEMBER.first(self.user.pk, str(graph_id))
        if found is None or not self._reaches(found.workspace_id, str(graph_id)):
            raise NotFound("no such graph", code="GraphNotFound")
        self.enter(found.workspace_id)
        return found

    def _reaches(self, workspace_id: str, graph_id: str) -> bool:
        token = self.token
        if token is None:
            return True
        return token.workspace_id == workspace_id and (not token.graphs or graph_id in token.graphs)

    def run(self, run_id: object) -> Run:
        """Return the run. Raises `NotFound` `RunNotFound`."""
        found = RUN.first(self, str(run_id))
        if found is None:
            raise NotFound("no such run", code="RunNotFound")
        return found

    def interrupt(self, request_id: str) -> Interrupt:
        """Return the interrupt. Raises `NotFound` `InterruptNotFound`."""
        rows = Interrupt.objects.all()
        found = (
            self.visible(rows).filter(pk=request_id).first()
            if self.barred
            else INTERRUPT.first(self, request_id)
        )
        if found is None:
            raise NotFound("no such request", code="InterruptNotFound")
        return found

    def window(self) -> Window:
        """Return which part of a list is asked for. Raises `InvalidInput`."""
        cursor = self.request.query_params.get("cursor") or None
        limit = self.number("limit", DEFAULT_LIMIT)
        if not 1 <= limit <= MAX_LIMIT:
            raise InvalidInput(f"limit is between 1 and {MAX_LIMIT}", path="limit")
        return Window(cursor, limit)

    def number(self, name: str, default: int) -> int:
        """Return a query parameter as a whole number. Raises `InvalidInput`."""
        text = self.request.query_params.get(name)
        if text is None or text == "":
            return default
        if not text.isdecimal() or len(text) > 15:
            raise InvalidInput("a whole number", path=name)
        return int(text)

    def given(self, names: Collection[str]) -> bool:
        """Return whether the query says anything for one of `names`."""
        return any(self.text(name) for name in names)

    def idempotency_key(self) -> str | None:
        """Return the header `Idempotency-Key`, None without one. Raises `InvalidInput`."""
        key = self.request.headers.get("Idempotency-Key", "").strip() or None
        if key is not None and (len(key) > MAX_KEY or "\0" in key):
            raise InvalidInput(f"at most {MAX_KEY} characters", path="Idempotency-Key")
        return key

    def text(self, name: str, longest: int = 200) -> str:
        """Return a query parameter without spaces around it, empty if it is not given."""
        value = self.request.query_params.get(name, "").strip()
        if "\0" in value or len(value) > longest:
            raise InvalidInput(f"text of {longest} characters at most", path=name)
        return value


def barred_of(request: Request) -> Mapping[str, str]:
    """Return which of the caller's workspaces the request's session does not open, and why."""
    if not isinstance(request.user, User) or isinstance(request.auth, ApiToken):
        return ways.NONE
    return ways.barred(request.user.pk, request._request.session.session_key)


def current_membership(
    request: Request,
    user: User,
    token: ApiToken | None = None,
    barred: Mapping[str, str] = ways.NONE,
) -> Membership:
    """Return the membership that the request names, else the first that the session opens.

    Raises `NotFound`, and `NotAllowed` with the reason where the session does not open it.
    """
    wanted = request.query_params.get("workspace") or request.headers.get("X-Workspace") or ""
    if token is not None:
        if wanted and wanted != token.workspace_id:
            raise NotFound("no such workspace")
        wanted = token.workspace_id
    if wanted:
        found = membership_of(user, wanted[:64])
        if found.workspace_id in barred:
            raise ways.refuse(barred[found.workspace_id])
        return found
    mine = FIRST_MEMBERSHIPS.all(user.pk) if barred else _only(FIRST_MEMBERSHIP.first(user.pk))
    if not mine:
        raise NotFound("you are a member of no workspace")
    for each in mine:
        if each.workspace_id not in barred:
            return each
    raise ways.refuse(barred[mine[0].workspace_id])


def _only(first: Membership | None) -> list[Membership]:
    return [] if first is None else [first]


def no_content() -> Response:
    """Return an empty answer."""
    return Response(status=204)
