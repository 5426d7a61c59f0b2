"""Where a person is sent to agree, and what must come back with them."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from engine.integrations.tools.oauth.issuer import Issuer


def proof_of(verifier: str) -> str:
    """Return what is told of a verifier before it is shown (PKCE, S256)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Consent:
    """One request for consent. `state` and `verifier` are random; only the first is told."""

    issuer: Issuer
    client_id: str
    back: str
    state: str
    verifier: str

    def address(self) -> str:
        """Return where the browser goes."""
        fields = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.back,
            "state": self.state,
            "code_challenge": proof_of(self.verifier),
            "code_challenge_method": "S256",
            "resource": self.issuer.resource,
            **({"scope": self.issuer.scope} if self.issuer.scope else {}),
        }
        at = self.issuer.authorization
        return f"{at}{'&' if urlsplit(at).query else '?'}{urlencode(fields)}"

    def answered_by(self, iss: str | None) -> bool:
        """Return whether the one who was asked answers (RFC 9207)."""
        return not self.issuer.names_itself if iss is None else iss == self.issuer.issuer
