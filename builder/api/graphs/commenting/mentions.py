"""What people say to the caller: words that name them, and answers where the caller spoke."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias, cast

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
from builder.services.people.commenting.said_to import Place, places_of, said_to

Kind: TypeAlias = Literal["card", "question", "answer", "comment"]


class MentionOut(Wire):
    """Words that name the caller, or (`named` false) answer where the caller spoke.

    On a card of a workflow (`kind` is `card`) they are in a `thread` of a `node`. A `question` back
    about an `item` of the inbox, the `answer` to it, and a `comment` in its thread are there. `id` is
    that of the words, `label` what the card or the item is called; `graph` is null once it is gone.
    """

    id: str
    kind: Kind
    thread: str | None
    item: str | None
    graph: Named | None
    node: str
    label: str
    by: Named | None
    named: bool
    excerpt: str
    at: str
    read_at: str | None


class ReadBody(Body):
    """The thread or the item of the inbox that was read; without one, all."""

    thread: Annotated[Text, Field(max_length=64)] | None = None
    item: Annotated[Text, Field(max_length=64)] | None = None


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
        places = places_of(found.rows)
        results = [_mention(row, places[row.pk]) for row in found.rows]
        return Response(Listing[MentionOut].of(found, results))


class ReadMentionsView(ApiView):
    """What the caller has read."""

    people_only = WRITES

    @extend_schema(request=ReadBody, responses={204: None}, operation_id="read_mentions")
    def post(self, request: Request) -> Response:
        """Take a thread or an item as read, or everything."""
        member = self.member()
        body = ReadBody.read(request.data)
        telling.read(member, body.thread, body.item)
        return no_content()


def _mention(row: CommentNotice, place: Place) -> MentionOut:
    said = row.comment or row.mention
    assert said is not None  # a notice is of one of the two
    comment, mention = row.comment, row.mention
    return MentionOut(
        id=said.pk,
        kind=cast("Kind", mention.kind) if mention else "card",
        thread=comment.thread_id if comment else None,
        item=mention.interrupt_id if mention else None,
        graph=None if place.graph is None else Named(id=place.graph, name=place.name),
        node=place.node,
        label=place.label,
        by=person(said.author),
        named=row.named,
        excerpt=excerpt(said.text),
        at=moment(row.at),
        read_at=None if row.read_at is None else moment(row.read_at),
    )
