"""When the caller is told by mail of what waits for them."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Wire
from builder.base.clock import now_ms
from builder.base.errors import NotAllowed
from builder.services.mail import notifications

When = Literal["at_once", "hourly", "daily", "never"]


class NotificationsBody(Body):
    """The choice."""

    mail: When


class NotificationsOut(Wire):
    """The choice, where mail goes, and whether this server sends any."""

    mail: When
    email: str
    sends_mail: bool


class NotificationsView(ApiView):
    """A person's own choice. Only signed-in people make it."""

    @extend_schema(responses=NotificationsOut, operation_id="notifications")
    def get(self, request: Request) -> Response:
        """Return the choice; reading it changes nothing."""
        self.member()
        return Response(self._shown())

    @extend_schema(
        request=NotificationsBody, responses=NotificationsOut, operation_id="choose_notifications"
    )
    def patch(self, request: Request) -> Response:
        """Choose."""
        if self.token is not None:
            raise NotAllowed("this takes a signed-in person")
        self.member()
        notifications.choose(self.user, NotificationsBody.read(self.request.data).mail, now_ms())
        return Response(self._shown())

    def _shown(self) -> NotificationsOut:
        chosen = notifications.choice_of(self.user)
        return NotificationsOut.model_validate(
            {"mail": chosen, "email": self.user.email, "sends_mail": settings.MAIL}
        )
