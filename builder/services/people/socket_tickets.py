"""Tickets for the websocket: for clients that send no cookie, each good for one socket, once, soon.

They are rows: no number of other people's tickets makes one void.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from builder.models import ApiToken, Membership, SocketTicket, User
from builder.models.workspaces import may_call
from builder.services.people.accounts import token_hash

LIVES_S: Final = 30
MAX_TEXT: Final = 100


@dataclass(frozen=True, slots=True)
class Pass:
    """What a ticket opens: one workspace, in one person's name, while what it came from lasts.

    It came from an API token or from a browser's session; the other is None. Of a token that is for
    some things only, only runs can be followed, with `graphs` those of these workflows.
    """

    user_id: str
    workspace_id: str
    token_id: str | None
    session_key: str | None
    runs_only: bool = False
    graphs: tuple[str, ...] = ()


def issue(
    member: Membership, *, token: ApiToken | None, session_key: str | None
) -> tuple[str, datetime]:
    """Return a new ticket, of which only the hash is kept, and when it is worth nothing any more."""
    text = f"gwt_{secrets.token_urlsafe(32)}"
    given = Pass(
        member.user_id,
        member.workspace_id,
        None if token is None else token.pk,
        session_key if token is None else None,
    )
    now = timezone.now()
    forget_expired(now)
    ticket = SocketTicket.objects.create(
        hash=token_hash(text),
        user_id=given.user_id,
        workspace_id=given.workspace_id,
        token_id=given.token_id,
        session_key=given.session_key,
        expires_at=now + timedelta(seconds=LIVES_S),
    )
    return text, ticket.expires_at


def redeem(text: str) -> tuple[User, Pass] | None:
    """Use a ticket up; None if it is unknown, used, too old, or its person may come in no more."""
    if not text or len(text) > MAX_TEXT:
        return None
    mine = SocketTicket.objects.filter(pk=token_hash(text))
    rows = mine.select_related("token")
    kept = rows.filter(expires_at__gt=timezone.now()).first()
    if kept is None or not mine.delete()[0]:  # of two at once, one deletes it
        return None
    token = kept.token
    given = Pass(
        kept.user_id,
        kept.workspace_id,
        kept.token_id,
        kept.session_key,
        token is not None and token.is_limited,
        () if token is None else tuple(token.graphs),
    )
    return None if not is_good(given) else (User.objects.get(pk=given.user_id), given)


def forget_expired(now: datetime) -> None:
    """Delete tickets that nobody showed in time."""
    SocketTicket.objects.filter(expires_at__lte=now).delete()


def is_good(given: Pass) -> bool:
    """Return whether the person still is a member, and the token, if there was one, not revoked."""
    members = Membership.objects.filter(
        may_call("user__"), user=given.user_id, workspace=given.workspace_id
    )
    tokens = ApiToken.objects.live().filter(pk=given.token_id)
    return members.exists() and (given.token_id is None or tokens.exists())
