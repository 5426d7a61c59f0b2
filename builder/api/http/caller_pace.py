"""The pace of callers, where the framework asks whether a request may come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from builder.models import ApiToken
from builder.services.people.pace import PACE, Left, caller_of

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which reads this class as it is imported

HEADERS: Final = "pace_headers"
"""Under which name a request keeps what its answer says of the caller's pace."""


class CallerPace(BaseThrottle):
    """Counts what a person or a token asks. Who is neither is counted where they try to get in."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return that the request may come. Raises `TooMany` `TooManyRequests`."""
        if request.user.is_authenticated:
            token = request.auth.pk if isinstance(request.auth, ApiToken) else None
            left = PACE.take(caller_of(request.user.pk, token))
            if left is not None:
                setattr(request, HEADERS, _headers(left))
        return True


def _headers(left: Left) -> dict[str, str]:
    """Return what tells a program how much it may ask, as RateLimit fields (an IETF draft) say it."""
    return {
        "RateLimit-Policy": f'"caller";q={left.a_minute};w=60',
        "RateLimit": f'"caller";r={left.requests};t={left.full_in_s}',
    }
