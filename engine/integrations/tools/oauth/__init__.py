"""Consent to MCP servers by OAuth 2.1, as their specification of authorization asks: who issues
tokens is found out, this installation registers there, a person agrees, tokens are renewed.

All of it goes by the egress, and whatever address the other side names is judged like any other.
"""

from __future__ import annotations

from engine.integrations.tools.oauth.asking import ConsentRefused
from engine.integrations.tools.oauth.consent import Consent, proof_of
from engine.integrations.tools.oauth.discovery import discover
from engine.integrations.tools.oauth.issuer import Issuer
from engine.integrations.tools.oauth.registration import Client, known_by, register
from engine.integrations.tools.oauth.revocation import revoke
from engine.integrations.tools.oauth.tokens import Desk, Tokens, exchange, renew

__all__ = [
    "Client",
    "Consent",
    "ConsentRefused",
    "Desk",
    "Issuer",
    "Tokens",
    "discover",
    "exchange",
    "known_by",
    "proof_of",
    "register",
    "renew",
    "revoke",
]
