"""What a token may: its scopes, and the one table of which route asks for which.

A token is limited where it does not hold `*`, or where it names workflows. A limited one gets by
no route that is not in the table: what is new is closed to it until somebody writes it down here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from builder.base.errors import NotAllowed

if TYPE_CHECKING:
    from builder.models import ApiToken


class Scope(StrEnum):
    """One thing that a token may."""

    EVERYTHING = "*"
    START = "runs:start"
    READ = "runs:read"
    CANCEL = "runs:cancel"
    ANSWER = "questions:answer"
    WORKFLOWS = "workflows:read"


NARROW: Final = tuple(scope for scope in Scope if scope is not Scope.EVERYTHING)
ALWAYS: Final = frozenset(NARROW)
"""What every token may: to ask who it is, and what there is to ask."""
TABLE: Final[Mapping[tuple[str, str], frozenset[Scope]]] = {
    ("GET", "session"): ALWAYS,
    ("GET", "schema"): ALWAYS,
    ("POST", "start"): frozenset({Scope.START}),
    ("POST", "chat"): frozenset({Scope.START, Scope.ANSWER}),
    ("GET", "runs"): frozenset({Scope.READ}),
    ("GET", "run"): frozenset({Scope.READ}),
    ("GET", "events"): frozenset({Scope.READ}),
    ("GET", "state"): frozenset({Scope.READ}),
    ("GET", "blob"): frozenset({Scope.READ}),
    ("GET", "run-chat"): frozenset({Scope.READ}),
    ("GET", "run-request"): frozenset({Scope.READ}),
    ("POST", "socket-ticket"): frozenset({Scope.READ}),
    ("POST", "cancel"): frozenset({Scope.CANCEL}),
    ("GET", "interrupts"): frozenset({Scope.READ, Scope.ANSWER}),
    ("GET", "interrupt"): frozenset({Scope.READ, Scope.ANSWER}),
    ("POST", "answer"): frozenset({Scope.ANSWER}),
    ("GET", "graphs"): frozenset({Scope.WORKFLOWS}),
    ("GET", "graph"): frozenset({Scope.WORKFLOWS}),
    ("GET", "export"): frozenset({Scope.WORKFLOWS}),
    ("GET", "versions"): frozenset({Scope.WORKFLOWS}),
    ("GET", "version"): frozenset({Scope.WORKFLOWS}),
    ("GET", "offer"): frozenset({Scope.WORKFLOWS, Scope.START}),
    ("GET", "openai-models"): frozenset({Scope.START}),
    ("GET", "openai-model"): frozenset({Scope.START}),
    ("POST", "openai-chat"): frozenset({Scope.START}),
}
"""By method and name of a route: the scopes of which one is enough. HEAD is GET, OPTIONS is free."""


def may(token: ApiToken | None, *wanted: Scope) -> bool:
    """Return whether a call holds one of the scopes; who comes without a token holds all."""
    return token is None or bool({Scope.EVERYTHING, *wanted} & set(token.scopes))


def require_scope(token: ApiToken | None, *wanted: Scope) -> None:
    """Raise `NotAllowed` `ScopeMissing` unless the token holds one of the scopes."""
    if not may(token, *wanted):
        named = " or ".join(sorted(wanted))
        raise NotAllowed(f"this API token lacks {named}: make one that has it", code="ScopeMissing")


def check_route(token: ApiToken, method: str, name: str) -> None:
    """Let a token by a route, as the table says. Raises `NotAllowed` `ScopeMissing`."""
    if not token.is_limited or method == "OPTIONS":
        return
    wanted = TABLE.get(("GET" if method == "HEAD" else method, name))
    if wanted is None:
        raise NotAllowed(
            "this API token is for some things only, and this is none of them", code="ScopeMissing"
        )
    require_scope(token, *wanted)
