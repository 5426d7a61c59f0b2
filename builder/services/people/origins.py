"""Whence a password is tried: a browser that is known, or an address."""

from __future__ import annotations

import ipaddress
import secrets
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

DEVICE_S: Final = 365 * 86_400
SALT: Final = "known-device"


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
    if device(request, account) is None:
        value = signing.dumps([account, secrets.token_urlsafe(12)], salt=SALT)
        answer.set_cookie(
            _cookie(),
            value,
            max_age=DEVICE_S,
            secure=settings.HTTPS,
            httponly=True,
            samesite="Lax",
        )


def device(request: HttpRequest, account: str) -> str | None:
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
