"""Where a person is signed in: a row for each session, so that it can be looked at and ended."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from builder.base.bells import hub, person_topic
from builder.models import Membership, SignIn, User
from builder.services.audit import chain as audit
from builder.services.people.origins import address_of
from builder.services.people.sign_in.shown import shown_by

SEEN_EVERY_S: Final = 600.0
REMEMBERED: Final = 10_000
MAX_CLIENT: Final = 300

_seen: OrderedDict[str, float] = OrderedDict()
_lock = threading.Lock()


def seen_from(user: User, provider: str | None) -> QuerySet[SignIn]:
    """Return the person's sessions; where a provider alone vouches for them, those that it opened.

    Whoever runs it can say that anybody came, and learns no addresses and ends nothing elsewhere.
    """
    mine = SignIn.objects.filter(user=user)
    return mine if provider is None else mine.filter(provider=provider)


def standing(user: User, session_key: str | None, provider: str | None = None) -> list[SignIn]:
    """Return the person's sessions that still open something, the one of `session_key` first.

    `provider` is who alone vouches for them: see `seen_from`.
    """
    mine = seen_from(user, provider)
    keys = mine.values_list("session_key", flat=True)
    alive = Session.objects.filter(session_key__in=list(keys), expire_date__gt=timezone.now())
    rows = mine.filter(session_key__in=list(alive.values_list("session_key", flat=True)))
    return sorted(rows, key=lambda row: row.session_key != session_key)


def end(user: User, rows: Sequence[SignIn]) -> int:
    """Sign the person out where these rows say, sockets included; return how many sessions ended."""
    with transaction.atomic():
        ended = _delete([row.session_key for row in rows])
        if ended:
            record(user, "sessions.ended", count=ended)
    return ended


def end_others(user: User, session_key: str | None, provider: str | None = None) -> int:
    """Sign the person out everywhere but in the session of `session_key`, of None everywhere.

    `provider` is who alone vouches for them: see `seen_from`.
    """
    mine = seen_from(user, provider).exclude(session_key=session_key or "")
    return end(user, list(mine))


def seen(session_key: str | None) -> None:
    """Note that a session is in use: its row is written every ten minutes at most."""
    if session_key is None or not _is_long_ago(session_key):
        return
    SignIn.objects.filter(session_key=session_key).update(last_seen_at=timezone.now())


def moved(user: User, request: HttpRequest, before: str | None) -> None:
    """Follow a session that was given another key, as a change of the password does."""
    SignIn.objects.filter(user=user, session_key=before or "").delete()
    _note(user, request)


def note_again(user: User, request: HttpRequest) -> None:
    """Note what the session has seen of the person since: a second factor that was set up in it."""
    SignIn.objects.filter(session_key=request.session.session_key or "").update(
        second_factor=shown_by(request, user).second_factor
    )


def record(user: User, action: str, **detail: Any) -> None:
    """Write an action that is about the person, not about a workspace, into the log of each of theirs."""
    for workspace in Membership.objects.filter(user=user).values_list("workspace", flat=True):
        audit.record(str(workspace), user.pk, action, user.pk, **detail)


def forget_expired(now: datetime) -> None:
    """Delete sessions that have run out, and the rows of sessions that are gone."""
    Session.objects.filter(expire_date__lte=now).delete()
    alive = Session.objects.values("session_key")
    SignIn.objects.exclude(session_key__in=alive).delete()


def ring(user_id: str) -> None:
    """Let the person's sockets look, after the commit, whether they are still welcome."""
    transaction.on_commit(lambda: hub.ring(person_topic(user_id)))


def _is_long_ago(session_key: str) -> bool:
    """Return whether the session was last noted so long ago that it is noted now."""
    now = time.monotonic()
    with _lock:
        if now - _seen.get(session_key, now - SEEN_EVERY_S) < SEEN_EVERY_S:
            return False
        _seen[session_key] = now
        _seen.move_to_end(session_key)
        if len(_seen) > REMEMBERED:
            _seen.popitem(last=False)
    return True


def _delete(keys: Iterable[str]) -> int:
    mine = SignIn.objects.filter(session_key__in=list(keys))
    people = set(mine.values_list("user", flat=True))
    ended, _each = Session.objects.filter(session_key__in=list(keys)).delete()
    mine.delete()
    for user_id in people:
        ring(str(user_id))
    return ended


def _note(user: User, request: HttpRequest) -> None:
    key = request.session.session_key
    if key is None:
        return
    client = str(request.META.get("HTTP_USER_AGENT", ""))[:MAX_CLIENT].replace("\0", "")
    shown = shown_by(request, user)
    SignIn.objects.update_or_create(
        session_key=key,
        defaults={
            "user": user,
            "address": address_of(request),
            "client": client,
            "second_factor": shown.second_factor,
            "provider_id": shown.provider,
        },
    )
    _is_long_ago(key)


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    _note(user, request)


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        SignIn.objects.filter(session_key=request.session.session_key or "").delete()
        ring(user.pk)
