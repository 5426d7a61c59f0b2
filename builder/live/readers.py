"""Database reads of sockets, in threads of their own, so that they never wait for requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.db import close_old_connections, connections
from django.utils.crypto import constant_time_compare

from builder.doors.called.reach import within
from builder.models import Graph, Interrupt, Membership, Run, User
from builder.models.prepared import Prepared
from builder.models.workspaces import may_call
from builder.services.people.sign_in import ways

READERS: Final = 4
_ROWS: Final[Mapping[str, Callable[[], Any]]] = {
    "run": Run.objects.all,
    "graph": Graph.objects.active,
    "item": Interrupt.objects.all,
}


def _seen(rows: Callable[[], Any], user_id: str, name: str) -> Any:
    """Return the workspace of a row that a person may see, as a queryset of one column."""
    return rows().visible_to(User(pk=user_id)).filter(pk=name).values_list("workspace_id")


_SEEN: Final[Mapping[str, Prepared[Any]]] = {
    "run": Prepared(lambda user, name: _seen(_ROWS["run"], user, name)),
    "graph": Prepared(lambda user, name: _seen(_ROWS["graph"], user, name)),
    "item": Prepared(lambda user, name: _seen(_ROWS["item"], user, name)),
}
_PERSON: Final = Prepared(lambda user: User.objects.filter(pk=user, is_active=True))
P = ParamSpec("P")
T = TypeVar("T")
_pool = ThreadPoolExecutor(READERS, thread_name_prefix="socket-reader")


async def in_reader(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `function` gives in a reader thread."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, lambda: _fresh(function, *args, **kwargs))


def close_readers() -> None:
    """Close the readers' connections; a later read opens them again."""
    for _ in range(READERS * 4):
        _pool.submit(connections.close_all)


def _fresh(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    close_old_connections()
    return function(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a socket asks to listen to, and what let the socket in."""

    target: tuple[str, str]
    workspace: str
    """Where a topic is meant; empty: the person's first workspace."""
    graphs: Sequence[str]
    """The workflows that a token is bound to, none: all."""
    session_key: str | None
    by_token: bool


def opened(user: User, wanted: Wanted) -> str | None:
    """Return the workspace of what is wanted, None unless person and session may see it: one visit."""
    if wanted.target[0] == "topic":
        found = current_workspace(user, wanted.workspace)
    else:
        found = workspace_of(user, wanted.target, wanted.graphs)
    if found is None or wanted.by_token:
        return found
    return None if found in barred(user.pk, wanted.session_key) else found


def workspace_of(user: User, target: tuple[str, str], graphs: Sequence[str] = ()) -> str | None:
    """Return the workspace of a run, graph or item that the user may see, None otherwise.

    With `graphs` it is to be of one of these workflows.
    """
    kind, name = target
    if not graphs:
        found = _SEEN[kind].tuples(user.pk, name)
    else:
        found = list(within(_seen(_ROWS[kind], user.pk, name), graphs))
    return str(found[0][0]) if found else None


def barred(user_id: str, session_key: str | None) -> frozenset[str]:
    """Return the ids of the user's workspaces that the session does not open."""
    return frozenset(ways.barred(user_id, session_key))


def current_workspace(user: User, wanted: str) -> str | None:
    """Return `wanted` if the user is a member there, the first workspace if nothing is wanted."""
    rows = Membership.objects.filter(user=user).order_by("created_at", "pk")
    if wanted:
        rows = rows.filter(workspace=wanted)
    return rows.values_list("workspace_id", flat=True).first()


def memberships(user_id: str) -> frozenset[str]:
    """Return the ids of the workspaces in which the user is a member now."""
    rows = Membership.objects.filter(may_call("user__"), user=user_id)
    return frozenset(rows.values_list("workspace_id", flat=True))


def user_of(session_key: str) -> User | None:
    """Return the person signed in by a session; None once signed out or the password changed."""
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key).load()
    user = _PERSON.first(str(session.get(SESSION_KEY, "")))
    if user is None:
        return None
    kept = str(session.get(HASH_SESSION_KEY, ""))
    return user if constant_time_compare(kept, user.get_session_auth_hash()) else None


def still_signed_in(session_key: str | None, user_id: str) -> bool:
    """Return whether the session still is this user's."""
    user = None if session_key is None else user_of(session_key)
    return user is not None and user.pk == user_id
