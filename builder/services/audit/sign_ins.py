"""Who came in, who was refused and who changed a password: told in the audit logs of their workspaces.

Every door is heard of, the page, Django admin and the shell, by what Django itself announces.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from builder.models import Membership, RefusedSignIns, User
from builder.services.audit import chain as audit

TOGETHER: Final = timedelta(hours=1)
"""The first refusal of an account is told at once, those of the hour after it in one entry."""
MAX_WORKSPACES: Final = 50

log = logging.getLogger("graphwright.audit")


def listen() -> None:
    """Begin to hear of sign-ins; called once, when the app is ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit-sign-in")
    user_logged_out.connect(_signed_out, dispatch_uid="audit-sign-out")
    user_login_failed.connect(_refused, dispatch_uid="audit-refused")


def _signed_in(request: HttpRequest | None, user: Any, **_: Any) -> None:
    with transaction.atomic():
        row = _locked(user.pk)
        if row is not None:
            _tell(row)
            row.delete()
        record(user.pk, user.pk, "session.opened", **_door(request))


def _signed_out(request: HttpRequest | None, user: Any, **_: Any) -> None:
    if user is not None:
        with transaction.atomic():
            record(user.pk, user.pk, "session.closed", **_door(request))


def _refused(credentials: Mapping[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    email = str(credentials.get("username") or credentials.get("email") or "")
    user = User.objects.filter(email=email.strip().lower()[:254]).first()
    refuse("" if user is None else user.pk, timezone.now(), **_door(request))


def refuse(account: str, now: datetime, **door: str) -> None:
    """Count a refused sign-in to an account, "" for one that nobody has: one row, however many.

    The first of an hour is entered at once, where it is somebody's.
    """
    with transaction.atomic():
        counted = RefusedSignIns.objects.filter(account=account, since__gt=now - TOGETHER)
        if counted.update(count=F("count") + 1, last_at=now):
            return
        row = _locked(account)
        if row is not None:
            _tell(row)
        fresh = {"since": now, "last_at": now, "count": 0 if account else 1}
        RefusedSignIns.objects.update_or_create(account=account, defaults=fresh)
        if account:
            record(account, None, "session.refused", count=1, **door)


def tell_refused(now: datetime | None = None) -> int:
    """Enter what was counted for an hour, one entry an account; return of how many accounts."""
    before = (now or timezone.now()) - TOGETHER
    due = list(RefusedSignIns.objects.filter(since__lte=before).values_list("account", flat=True))
    for account in due:
        with transaction.atomic():
            row = _locked(account)
            if row is not None and row.since <= before:
                _tell(row)
                row.delete()
    return len(due)


def _locked(account: str) -> RefusedSignIns | None:
    return RefusedSignIns.objects.select_for_update().filter(account=account).first()


def _tell(row: RefusedSignIns) -> None:
    if not row.count:
        return
    if not row.account:
        log.warning("%s sign-ins to accounts that nobody has since %s", row.count, row.since)
        return
    until = row.last_at.isoformat()
    record(row.account, None, "session.refused", count=row.count, until=until)


def record(account: str, actor: str | None, action: str, **detail: Any) -> None:
    """Enter something about a person's account in the log of every workspace that they are in."""
    mine = Membership.objects.filter(user=account).order_by("workspace")
    for workspace_id in mine.values_list("workspace", flat=True)[:MAX_WORKSPACES]:
        audit.record(workspace_id, actor, action, account, **detail)


def _door(request: HttpRequest | None) -> dict[str, str]:
    """Return through which door somebody came, and from which address."""
    if request is None:
        return {"via": "command"}
    via = "admin" if request.path.startswith("/admin/") else "page"
    return {"via": via, "address": str(request.META.get("REMOTE_ADDR", ""))[:64]}


class PasswordWatch:
    """A password validator that refuses nothing, and hears of every password that is changed."""

    def validate(self, password: str, user: Any = None) -> None:
        """Refuse nothing."""

    def get_help_text(self) -> str:
        """Return nothing: it asks for nothing."""
        return ""

    def password_changed(self, password: str, user: Any = None) -> None:
        """Enter that the account has another password; Django calls this after it was saved."""
        if user is not None and user.pk:
            with transaction.atomic():
                record(user.pk, None, "password.changed")
