"""Who may try a password, how often, and from where: one rule for every door that hashes.

Guesses are counted by account and by address of origin. A browser in which the person has signed in
before is counted by itself: a crowd at the same address does not keep them out.
"""

from __future__ import annotations

import ipaddress
import secrets
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

from builder.base.errors import ServiceError, TooMany
from builder.services.people import attempts
from builder.services.people.attempts import Limit

MAX_FAILURES: Final = 10
"""Wrong guesses for one account from one origin in a quarter of an hour."""
MAX_FROM_ORIGIN: Final = 15
"""Attempts from one origin in twenty seconds that led to nothing, whatever the account: so many
cost a quarter of a core, and who shares the address waits no longer than that."""
AT_ONCE: Final = 3
"""Attempts from one origin that are looked at in the same moment."""
QUARTER: Final = timedelta(minutes=15)
MOMENT: Final = timedelta(seconds=20)
DEVICE_S: Final = 365 * 86_400
SALT: Final = "known-device"

_inside: Counter[str] = Counter()
_lock = threading.Lock()


@contextmanager
def passing(request: HttpRequest, account: str = "") -> Iterator[None]:
    """Let the block try a password of `account`; what it raises counts as a wrong guess.

    Raises `TooMany`: `TooManyAttempts`, or `Busy` while others from the same origin are inside.
    """
    who = account.strip().lower()
    origin = _device(request, who) or address_of(request)
    with _one_of_few(origin):
        limits = [Limit(f"origin:{origin}", MAX_FROM_ORIGIN, MOMENT)]
        if who:
            limits.append(Limit(f"account:{origin}:{who}", MAX_FAILURES, QUARTER))
        _take(limits)
        try:
            yield
        except TooMany:  # nothing was compared
            _give_back(limits)
            raise
        attempts.give_back(limits[0])
        for limit in limits[1:]:
            attempts.forget(limit)


def address_of(request: HttpRequest) -> str:
    """Return whence the request comes: an address, of IPv6 the network of one household.

    The header of proxies counts only if the operator says that one stands in front; its last entry is
    what that proxy has seen.
    """
    shown = str(request.META.get("REMOTE_ADDR", ""))
    if settings.BEHIND_PROXY:
        forwarded = request.headers.get("X-Forwarded-For", "").rsplit(",", 1)[-1].strip()
        shown = forwarded or shown
    try:
        address = ipaddress.ip_address(shown.strip("[]"))
    except ValueError:
        return "elsewhere"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), 64), strict=False))


def remember_device(request: HttpRequest, answer: HttpResponseBase, account: str) -> None:
    """Mark the browser as one in which the owner of `account` has signed in."""
    if _device(request, account) is None:
        value = signing.dumps([account, secrets.token_urlsafe(12)], salt=SALT)
        answer.set_cookie(
            _cookie(),
            value,
            max_age=DEVICE_S,
            secure=settings.HTTPS,
            httponly=True,
            samesite="Lax",
        )


def _device(request: HttpRequest, account: str) -> str | None:
    """Return the name of the browser if the account's owner has signed in there before."""
    shown = request.COOKIES.get(_cookie())
    if not shown or not account or len(shown) > 1000:
        return None
    try:
        owner, name = signing.loads(shown, salt=SALT, max_age=DEVICE_S)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return f"device:{name}" if owner == account else None


def _cookie() -> str:
    return "__Host-device" if settings.HTTPS else "graphwright_device"


@contextmanager
def _one_of_few(origin: str) -> Iterator[None]:
    with _lock:
        if _inside[origin] >= AT_ONCE:
            raise TooMany(
                "several sign-ins from your network are being looked at: try again in a moment",
                code="Busy",
                retry_after_s=1,
            )
        _inside[origin] += 1
    try:
        yield
    finally:
        with _lock:
            _inside[origin] -= 1
            if not _inside[origin]:
                del _inside[origin]


def _take(limits: Sequence[Limit]) -> None:
    taken: list[Limit] = []
    try:
        for limit in limits:
            attempts.take(limit)
            taken.append(limit)
    except ServiceError:
        _give_back(taken)
        raise


def _give_back(limits: Sequence[Limit]) -> None:
    for limit in limits:
        attempts.give_back(limit)
