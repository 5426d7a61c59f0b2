"""When the caller is told by mail of what waits for them."""

from __future__ import annotations

from typing import Annotated, Literal

from django.conf import settings
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, Wire
from builder.base.clock import now_ms
from builder.base.errors import NotAllowed
from builder.models import Membership
from builder.services.mail import notifications

When = Literal["at_once", "hourly", "daily", "never"]


class NotificationsBody(Body):
    """The choice."""

    mail: When
    hour: Annotated[int, Field(ge=0, le=23)] | None = None
    """Of mail once a day; absent: as it was."""


class NotificationsOut(Wire):
    """The choice, where mail goes, and whether this server sends any. `zone`: of the hour."""

    mail: When
    hour: int
    zone: str
    email: str
    sends_mail: bool


class NotificationsView(ApiView):
    """A person's own choice. Only signed-in people make it."""

    @extend_schema(responses=NotificationsOut, operation_id="notifications")
    def get(self, request: Request) -> Response:
        """Return the choice; reading it changes nothing."""
        return Response(self._shown(self.member()))

    @extend_schema(
        request=NotificationsBody, responses=NotificationsOut, operation_id="choose_notifications"
    )
    def patch(self, request: Request) -> Response:
        """Choose."""
        if self.token is not None:
            raise NotAllowed("this takes a signed-in person")
        member = self.member()
        body = NotificationsBody.read(self.request.data)
        notifications.choose(self.user, body.mail, now_ms(), body.hour)
        return Response(self._shown(member))

    def _shown(self, member: Membership) -> NotificationsOut:
        zone = self.user.zone or member.workspace.zone
        chosen = notifications.rhythm_of(self.user, zone)
        return NotificationsOut.model_validate(
            {
                "mail": chosen.when,
                "hour": chosen.hour,
                "zone": zone,
                "email": self.user.email,
                "sends_mail": settings.MAIL,
            }
        )
