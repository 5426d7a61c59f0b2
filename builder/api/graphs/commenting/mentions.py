"""What comments say to the caller: whom they name, and answers where the caller spoke."""

from __future__ import annotations

from typing import Annotated, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.commenting.wire import excerpt, person
from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Body, Listing, Named, Text, Wire, moment
from builder.base.errors import InvalidInput
from builder.models import CommentNotice
from builder.services.people.commenting import telling
from builder.services.people.commenting.said_to import labels_of, said_to


class MentionOut(Wire):
    """A comment that names the caller, or (`named` false) answers where the caller spoke.

    `id` is the comment's, `label` what its card is called.
    """

    id: str
    thread: str
    graph: Named
    node: str
    label: str
    by: Named | None
    named: bool
    excerpt: str
    at: str
    read_at: str | None


class ReadBody(Body):
    """The thread that was read; without one, all."""

    thread: Annotated[Text, Field(max_length=64)] | None = None


class MentionsView(ApiView):
    """What was said to the caller in the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"state"})

    @extend_schema(
        responses=Listing[MentionOut],
        operation_id="mentions",
        parameters=[OpenApiParameter("state", enum=["unread", "all"])],
    )
    def get(self, request: Request) -> Response:
        """List it, the newest first: all unless `state` says otherwise."""
        member = self.member()
        state = self.text("state") or "all"
        if state not in ("unread", "all"):
            raise InvalidInput("unread or all", path="state")
        found = page(said_to(member, unread=state == "unread"), self.window(), field="at")
        labels = labels_of(found.rows)
        results = [_mention(row, labels[row.comment.thread_id]) for row in found.rows]
        return Response(Listing[MentionOut].of(found, results))


class ReadMentionsView(ApiView):
    """What the caller has read."""

    people_only = WRITES

    @extend_schema(request=ReadBody, responses={204: None}, operation_id="read_mentions")
    def post(self, request: Request) -> Response:
        """Take a thread as read, or everything."""
        member = self.member()
        telling.read(member, ReadBody.read(request.data).thread)
        return no_content()


def _mention(row: CommentNotice, label: str) -> MentionOut:
    comment, thread = row.comment, row.comment.thread
    return MentionOut(
        id=comment.pk,
        thread=thread.pk,
        graph=Named(id=thread.graph_id, name=thread.graph.name),
        node=thread.node,
        label=label,
        by=person(comment.author),
        named=row.named,
        excerpt=excerpt(comment.text),
        at=moment(row.at),
        read_at=None if row.read_at is None else moment(row.read_at),
    )
