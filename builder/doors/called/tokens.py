"""API tokens: the one that a caller shows, and new ones with what they may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from builder.base.errors import InvalidInput
from builder.doors.called.scopes import Scope
from builder.models import ApiToken, Graph, Membership
from builder.models.prepared import Prepared
from builder.models.workspaces import may_call
from builder.services.people.accounts import Allowed, create_api_token, token_hash

GOOD_TOKEN: Final = Prepared(
    lambda kept: ApiToken.objects.select_related("user").filter(
        may_call("user__"),
        hash=kept,
        revoked_at__isnull=True,
    )
)
MOST_GRAPHS: Final = 50
LONGEST: Final = 200
"""Characters of a token that are looked at; ours have fewer."""


class BadToken(Exception):
    """A token that opens nothing; the text says why."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A token as it is to be: empty `scopes` stand for all, empty `graphs` for all workflows."""

    name: str
    scopes: Sequence[str] = ()
    graphs: Sequence[str] = ()
    expires_at: datetime | None = None


def shown(text: str) -> ApiToken:
    """Return the token with this text, and note that it is used. Raises `BadToken`."""
    token = GOOD_TOKEN.first(token_hash(text)) if 0 < len(text) <= LONGEST else None
    if token is None:
        raise BadToken("this API token is unknown or revoked")
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        raise BadToken("this API token has expired: make another in Settings, Tokens")
    if token.last_used_at is None or (now - token.last_used_at).total_seconds() > 60:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def is_good(pk: str) -> bool:
    """Return whether a token that was shown still opens anything, as its person still may call."""
    return ApiToken.objects.live().filter(may_call("user__"), pk=pk).exists()


def make(member: Membership, wanted: Wanted, *, by: str | None = None) -> tuple[ApiToken, str]:
    """Return a new token of the member, made `by` another, and its text, which is shown once.

    Raises `InvalidInput`.
    """
    scopes = sorted(set(wanted.scopes)) or [Scope.EVERYTHING.value]
    graphs = sorted(set(wanted.graphs))
    if unknown := set(scopes) - set(Scope):
        raise InvalidInput(f"no such scope: {min(unknown)[:80]!r}", path="scopes")
    if Scope.EVERYTHING in scopes and len(scopes) > 1:
        raise InvalidInput("* is everything: name nothing beside it", path="scopes")
    if graphs and Scope.EVERYTHING in scopes:
        message = "a token for some workflows says what it may do with them"
        raise InvalidInput(message, path="scopes")
    _check_graphs(member, graphs)
    if wanted.expires_at is not None and wanted.expires_at <= timezone.now():
        raise InvalidInput("this time is over", path="expires_at")
    allowed = Allowed(scopes, graphs, wanted.expires_at)
    return create_api_token(member, name=wanted.name, allowed=allowed, by=by)


def _check_graphs(member: Membership, graphs: Sequence[str]) -> None:
    if len(graphs) > MOST_GRAPHS:
        raise InvalidInput(f"{MOST_GRAPHS} workflows are the most", path="graphs")
    known = Graph.objects.in_workspace(member.workspace_id).active().filter(pk__in=graphs)
    if known.count() != len(graphs):
        raise InvalidInput("no such workflow in this workspace", path="graphs")
