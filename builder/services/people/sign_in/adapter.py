"""What allauth asks of us where it keeps second factors: seals, and the names that apps show."""

from __future__ import annotations

import base64
from typing import Any, Final

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter

from builder.base import vault
from builder.models import User

ROW: Final = "second-factor"
"""For what secrets are sealed: one of a credential does not open as one of these."""


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps secrets under the installation's key; a passkey belongs to the host that is called."""

    def encrypt(self, text: str) -> str:
        """Return the sealed text."""
        return base64.b64encode(vault.seal(text, ROW)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return what was sealed. Raises `VaultLocked`."""
        return vault.unseal(base64.b64decode(encrypted_text), ROW)

    def get_totp_issuer(self) -> str:
        """Return under which name an app lists the code."""
        return "Graphwright"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return for whom a passkey is: this host, shown as the product."""
        host = str(context.request.get_host()).partition(":")[0]
        return {"id": host, "name": "Graphwright"}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """Return the name of a passkey to which nobody gave one."""
        assert isinstance(user, User)
        return "Passkey"
