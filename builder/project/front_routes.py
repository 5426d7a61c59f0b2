"""The addresses that the front end draws; the router's list in `routes.tsx` is the same, by a test."""

from __future__ import annotations

import re
from typing import Final

ROUTES: Final = (
    "/",
    "/setup",
    "/sign-in",
    "/join",
    "/forgot-password",
    "/reset-password",
    "/profile",
    "/workflows",
    "/workflows/:graphId",
    "/workflows/:graphId/chat",
    "/workflows/:graphId/form",
    "/workflows/:graphId/triggers",
    "/workflows/:graphId/use",
    "/reference",
    "/runs",
    "/runs/causes",
    "/runs/bulk",
    "/runs/bulk/:jobId",
    "/runs/compare",
    "/runs/:runId",
    "/inbox",
    "/inbox/:requestId",
    "/mentions",
    "/memory",
    "/memory/:factId",
    "/dashboard",
    "/dashboard/:board",
    "/notifications",
    "/settings",
    "/settings/:section",
)


def pattern() -> str:
    """Return the pattern of every address of the front end, as Django's URLs are matched."""
    shapes = (re.sub(r":\w+", "[^/]+", route.lstrip("/")) for route in ROUTES)
    return rf"^(?:{'|'.join(shapes)})/?$"
