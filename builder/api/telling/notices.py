"""What was told, and what waits to be told."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.wire import Listing
from builder.api.telling.channels import OF, TellingView
from builder.api.telling.wire import NoticeOut, notice_out
from builder.base.errors import NotFound
from builder.doors.telling.carrying import again
from builder.doors.telling.channels.owners import require_owner
from builder.models import ChannelNotice


class NoticesView(TellingView):
    """Notices of the caller's channels, or of the workspace's."""

    query_names: ClassVar[frozenset[str]] = frozenset({"of", "channel", "state"})

    @extend_schema(
        responses=Listing[NoticeOut],
        operation_id="notices",
        parameters=[
            OF,
            OpenApiParameter("channel"),
            OpenApiParameter("state", enum=ChannelNotice.State.values),
            OpenApiParameter("cursor"),
        ],
    )
    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        member = self.member()
        rows = ChannelNotice.objects.of(member, mine=self.whose(member))
        if channel := self.text("channel"):
            rows = rows.filter(channel=channel)
        if state := self.text("state"):
            rows = rows.filter(state=state)
        found = page(rows.select_related("channel"), self.window(), field="at")
        return Response(Listing[NoticeOut].of(found, [notice_out(row) for row in found.rows]))


class NoticeAgainView(TellingView):
    """A notice once more."""

    @extend_schema(request=None, responses=NoticeOut, operation_id="repeat_notice")
    def post(self, request: Request, notice_id: object) -> Response:
        """Send it again; a program gets it under the same id."""
        rows = self.visible(ChannelNotice.objects.select_related("channel"))
        row = rows.filter(pk=str(notice_id)).first()
        if row is None:
            raise NotFound("no such notice", code="NoticeNotFound")
        member = self.member_of(row.channel.workspace_id)
        require_owner(member, row.channel.user_id)
        return Response(notice_out(again.again(member, row)))
