"""Who may knock: counts failed sign-ins, and says who may make the first owner."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from builder.environment import kept_secret

MAX_FAILURES: Final = 10
WINDOW_S: Final = 900
FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def guesser(email: str, address: str) -> str:
    """Return the name under which failures of this address for this account are counted."""
    return hashlib.sha256(f"{email.strip().lower()}\n{address}".encode()).hexdigest()


def is_shut(who: str) -> bool:
    """Return whether `who` failed too often in the last quarter of an hour."""
    return int(cache.get(f"sign-in:{who}", 0)) >= MAX_FAILURES


def count_failure(who: str) -> None:
    """Count one failure."""
    key = f"sign-in:{who}"
    cache.add(key, 0, WINDOW_S)
    cache.incr(key)


def forget(who: str) -> None:
    """Forget the failures: they signed in."""
    cache.delete(f"sign-in:{who}")


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
