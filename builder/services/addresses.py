"""Which addresses a workspace may name beyond the public web: its own network, not this machine."""

from __future__ import annotations

from typing import Final

from django.conf import settings

from builder.adapters.egress import is_scaled
from engine.integrations.egress import AllowList, EgressRefused, Origin, Purpose, parse_target
from engine.integrations.egress.origins import is_private, leads_here
from engine.integrations.egress.purposes import parted

OPERATORS: Final = (
    "this machine, link-local and metadata addresses are the operator's to allow:"
    " EGRESS_ALLOW in the settings of the server"
)
OPERATORS_ALL: Final = (
    "where processes run apart, private addresses are the operator's to allow:"
    " EGRESS_ALLOW in the settings of the server"
)


def operator_allows(origin: Origin, purpose: Purpose = "node") -> bool:
    """Return whether the operator's settings name this exact origin for a purpose."""
    return origin in AllowList.of(settings.EGRESS_ALLOW).serving(purpose).origins


def needs_operator(origin: Origin, purpose: Purpose = "node") -> str | None:
    """Return why only the operator may open an origin, who has not; None for all others.

    It is this machine, or not the public net while processes run apart.
    """
    if operator_allows(origin, purpose):
        return None
    if leads_here(origin):
        return OPERATORS
    return OPERATORS_ALL if is_scaled() and is_private(origin) else None


def refused_entry(entry: str) -> str | None:
    """Return why a workspace may not allow an origin, for one purpose or for all; None if it may."""
    if "*" in entry:
        return "name one host: patterns are not allowed"
    try:
        purpose, url = parted(entry)
        target = parse_target(url)
    except EgressRefused as refused:
        return refused.message
    if target.path not in ("", "/"):
        return "name scheme, host and port only, without a path"
    return needs_operator(target.origin, purpose or "node")
