"""The only way by which HTTP leaves: every target is judged by its addresses, then pinned to them.

`Egress.request` is for tools, webhooks and fetches; `Egress.client` and `Egress.transport` give
the same guard to libraries that bring their own HTTP client (model providers, MCP); `Egress.dial`
gives a socket to what speaks another protocol (mail, ssh).
"""

from __future__ import annotations

from engine.integrations.egress.addresses import is_public
from engine.integrations.egress.allow_list import AllowList
from engine.integrations.egress.client import LONGEST_CALL, Egress, EgressResponse
from engine.integrations.egress.failures import EgressRefused, HttpUnavailable
from engine.integrations.egress.purposes import Purpose
from engine.integrations.egress.targets import Origin, Target, VettedTarget
from engine.integrations.egress.urls import parse_target

__all__ = [
    "LONGEST_CALL",
    "AllowList",
    "Egress",
    "EgressRefused",
    "EgressResponse",
    "HttpUnavailable",
    "Origin",
    "Purpose",
    "Target",
    "VettedTarget",
    "is_public",
    "parse_target",
]
