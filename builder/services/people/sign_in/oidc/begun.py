"""A sign-in that has begun: kept in the browser's session, good once and for ten minutes."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest

from builder.base.errors import NotAllowed
from builder.services.people.sign_in.oidc.discovery import Addresses

KEPT: Final = "oidc"
LIVES_S: Final = 600
SCOPES: Final = "openid profile email"


def _random() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Begun:
    """What is remembered of it; state, nonce and verifier are random and never told together."""

    provider: str
    connect: bool
    next: str
    redirect_uri: str
    invitation: str = ""
    """The hash of the code of the link that they follow, if any: the session never has the code."""
    state: str = field(default_factory=_random)
    nonce: str = field(default_factory=_random)
    verifier: str = field(default_factory=_random)
    at: float = field(default_factory=time.time)

    def address(self, at: Addresses, client_id: str) -> str:
        """Return where the browser goes to."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        query = urlencode(
            {
                "response_type": "code",
                "client_id": client_id,
                "redirect_uri": self.redirect_uri,
                "scope": SCOPES,
                "state": self.state,
                "nonce": self.nonce,
                "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
                "code_challenge_method": "S256",
            }
        )
        return f"{at.authorization}{'&' if urlsplit(at.authorization).query else '?'}{query}"


def keep(request: HttpRequest, begun: Begun) -> None:
    """Remember it in this browser's session, in place of one before."""
    request.session[KEPT] = asdict(begun)


def with_invitation(request: HttpRequest) -> bool:
    """Return whether what has begun in this browser follows an invitation."""
    kept: Any = request.session.get(KEPT)
    return isinstance(kept, dict) and bool(kept.get("invitation"))


def take(request: HttpRequest, state: str) -> Begun:
    """Return what has begun here with this state, and forget it. Raises `NotAllowed` `SignInOver`."""
    kept: Any = request.session.pop(KEPT, None)
    begun = Begun(**kept) if isinstance(kept, dict) else None
    if begun is None or time.time() - begun.at > LIVES_S:
        raise _over()
    if not secrets.compare_digest(begun.state.encode(), state.encode()):
        raise _over()
    return begun


def _over() -> NotAllowed:
    return NotAllowed(
        "this sign-in did not begin in this browser, or too long ago: begin again",
        code="SignInOver",
    )
