"""Our own address, wherever it is named: origins of pages, the policy of their sockets, links."""

from __future__ import annotations

from typing import Any

from csp.constants import SELF
from django.conf import settings

from builder.base.environment import origins, socket_origins


def served_at(port: int) -> None:
    """Name the port that is really served, unless `ORIGINS` says where our pages are.

    A page of another program at the port of the settings is none of ours. Called before the
    application is loaded.
    """
    if settings.ORIGINS_GIVEN:
        return
    own = origins(settings.ALLOWED_HOSTS, port, https=settings.HTTPS)
    policy: dict[str, Any] = settings.CONTENT_SECURITY_POLICY
    directives = {**policy["DIRECTIVES"], "connect-src": [SELF, *socket_origins(own)]}
    settings.PORT = port
    settings.ORIGINS = settings.CSRF_TRUSTED_ORIGINS = own
    settings.CONTENT_SECURITY_POLICY = {**policy, "DIRECTIVES": directives}


def public() -> str:
    """Return the address that links begin with, without a slash at its end.

    `PUBLIC_URL` where it is given, else the first of `ORIGINS`, which follow the served port.
    """
    return str(settings.PUBLIC_URL or settings.ORIGINS[0])
