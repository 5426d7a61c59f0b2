"""Who may make the first owner: who sits at this machine, or has the code that was printed."""

from __future__ import annotations

import ipaddress
import secrets
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from builder.base.environment import kept_secret

FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def setup_code() -> str:
    """Return the one-time code of the first owner, made at the first call."""
    return kept_secret(_code_file(), size=12)


def forget_setup_code() -> None:
    """Remove the code: somebody exists."""
    _code_file().unlink(missing_ok=True)


def may_set_up(request: HttpRequest, code: str) -> bool:
    """Return whether the request comes from this machine, unforwarded, or carries the code."""
    if code and _code_file().exists():
        return secrets.compare_digest(code.strip().encode(), setup_code().encode())
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _code_file() -> Path:
    return Path(settings.VAR_DIR) / "setup_code"
