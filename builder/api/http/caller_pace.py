"""The pace of callers, where the framework asks whether a request may come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from builder.models import ApiToken
from builder.services.people.pace import Pace, caller_of

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which reads this class as it is imported

PACE: Final = Pace(settings.API_PACE)


class CallerPace(BaseThrottle):
    """Counts what a person or a token asks. Who is neither is counted where they try to get in."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return that the request may come. Raises `TooMany` `TooManyRequests`."""
        if request.user.is_authenticated:
            token = request.auth.pk if isinstance(request.auth, ApiToken) else None
            PACE.take(caller_of(request.user.pk, token))
        return True
