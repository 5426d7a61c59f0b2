"""Where the app is for people, for links in what leaves it: mails and printed addresses."""

from __future__ import annotations

from django.conf import settings

from builder.environment import origins

_port: int | None = None


def listen_at(port: int) -> None:
    """Let links name the port at which this process listens, not the one of the settings."""
    global _port  # noqa: PLW0603  (a process listens at one port)
    _port = port


def public() -> str:
    """Return the address that links begin with, without a slash at its end.

    `PUBLIC_URL` where it is given, else the first of `ORIGINS` where these are given, else the first
    of `ALLOWED_HOSTS` at the port at which this process listens.
    """
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    if _port is None or settings.ORIGINS_GIVEN:
        return str(settings.ORIGINS[0])
    return origins(settings.ALLOWED_HOSTS, _port, https=settings.HTTPS)[0]
