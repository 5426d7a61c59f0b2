"""What was told, and what waits to be told."""

from __future__ import annotations

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.files import csv_file, wants_csv
from builder.api.http.pagination import page
from builder.api.http.schema.api_schema import with_csv
from builder.api.http.wire import Listing
from builder.api.telling.channels import OF, TellingView
from builder.api.telling.wire import NoticeOut, notices_out
from builder.base.errors import NotFound
from builder.doors.telling.carrying import again
from builder.doors.telling.channels.owners import require_owner
from builder.models import ChannelNotice
from builder.reads.operations.told_lines import MAX_ROWS, notice_lines


class NoticesView(TellingView):
    """Notices of the caller's channels, or of the workspace's."""

    query_names: ClassVar[frozenset[str]] = frozenset({"of", "channel", "state", "format"})

    @extend_schema(
        responses=with_csv(Listing[NoticeOut]),
        operation_id="notices",
        parameters=[
            OF,
            OpenApiParameter("channel"),
            OpenApiParameter("state", enum=ChannelNotice.State.values),
            OpenApiParameter("cursor"),
            OpenApiParameter("format", enum=["json", "csv"]),
        ],
    )
    def get(self, request: Request) -> Response | HttpResponse:
        """List them, the newest first; as CSV up to 10,000."""
        member = self.member()
        rows = ChannelNotice.objects.of(member, mine=self.whose(member))
        if channel := self.text("channel"):
            rows = rows.filter(channel=channel)
        if state := self.text("state"):
            rows = rows.filter(state=state)
        rows = rows.select_related("channel")
        if wants_csv(self.text("format")):
            return csv_file(notice_lines(rows.order_by("-at", "-pk")[:MAX_ROWS]), "notices")
        found = page(rows, self.window(), field="at")
        return Response(Listing[NoticeOut].of(found, notices_out(found.rows)))


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
        return Response(notices_out([again.again(member, row)])[0])
