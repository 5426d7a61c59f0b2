"""Who came in and who left: told in the audit logs of their workspaces.

Every door is heard of, the page, Django admin and the shell, by what Django itself announces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from builder.models import User
from builder.services.audit.account_entries import record
from builder.services.audit.refused_sign_ins import locked, refuse, tell


def listen() -> None:
    """Begin to hear of sign-ins; called once, when the app is ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit-sign-in")
    user_logged_out.connect(_signed_out, dispatch_uid="audit-sign-out")
    user_login_failed.connect(_refused, dispatch_uid="audit-refused")


def _signed_in(request: HttpRequest | None, user: Any, **_: Any) -> None:
    with transaction.atomic():
        row = locked(user.pk)
        if row is not None:
            tell(row)
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


def _door(request: HttpRequest | None) -> dict[str, str]:
    """Return through which door somebody came, and from which address."""
    if request is None:
        return {"via": "command"}
    via = "admin" if request.path.startswith("/admin/") else "page"
    return {"via": via, "address": str(request.META.get("REMOTE_ADDR", ""))[:64]}
