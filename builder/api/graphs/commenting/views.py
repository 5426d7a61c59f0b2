"""Comments on the cards of a draft: threads, and what is said in them."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.commenting.wire import (
    CardCommentBody,
    CardCommentChange,
    CardCommentOut,
    ThreadBody,
    ThreadChange,
    ThreadDetail,
    ThreadOut,
    comment_out,
    thread_out,
)
from builder.api.http.pagination import page
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Listing
from builder.base.errors import InvalidInput, NotFound
from builder.models import CardComment, CommentThread, Graph, Membership
from builder.services.people.commenting import own_words, threads
from builder.services.people.commenting.headings import headed, headings


class ThreadsView(ApiView):
    """The threads on the cards of a workflow."""

    query_names: ClassVar[frozenset[str]] = frozenset({"state"})

    @extend_schema(
        responses=Listing[ThreadOut],
        operation_id="card_threads",
        parameters=[OpenApiParameter("state", enum=["open", "resolved"])],
    )
    def get(self, request: Request, graph_id: object) -> Response:
        """List threads, the newest first: the open ones unless `state` says otherwise."""
        graph = self.graph(graph_id)
        state = self.text("state") or "open"
        if state not in ("open", "resolved"):
            raise InvalidInput("open or resolved", path="state")
        rows = headed(graph).filter(resolved_at__isnull=state == "open")
        found = page(rows, self.window(), field="opened_at")
        results = [thread_out(one) for one in headings(graph, found.rows)]
        return Response(Listing[ThreadOut].of(found, results))

    @extend_schema(
        request=ThreadBody, responses={201: ThreadDetail}, operation_id="begin_card_thread"
    )
    def post(self, request: Request, graph_id: object) -> Response:
        """Begin a thread on a card."""
        graph = self.graph(graph_id)
        member = self.member_of(graph.workspace_id)
        threads.require_voice(member)
        body = ThreadBody.read(request.data)
        thread = threads.begin(member, graph, body.node, body.text, body.mentions)
        return Response(_detail(graph, thread), status=201)


class ThreadRoute(ApiView):
    """A route of one thread."""

    def found(self, graph_id: object, thread_id: object) -> tuple[Graph, CommentThread, Membership]:
        """Return the workflow, its thread and the caller's membership. Raises `NotFound`."""
        graph = self.graph(graph_id)
        thread = CommentThread.objects.filter(graph=graph, pk=str(thread_id)).first()
        if thread is None:
            raise NotFound("this thread is gone", code="ThreadNotFound")
        return graph, thread, self.member_of(graph.workspace_id)


class ThreadView(ThreadRoute):
    """One thread: read, resolved, opened again."""

    @extend_schema(responses=ThreadDetail, operation_id="card_thread")
    def get(self, request: Request, graph_id: object, thread_id: object) -> Response:
        """Return the thread with all that was said."""
        graph, thread, _member = self.found(graph_id, thread_id)
        return Response(_detail(graph, thread))

    @extend_schema(request=ThreadChange, responses=ThreadDetail, operation_id="change_card_thread")
    def patch(self, request: Request, graph_id: object, thread_id: object) -> Response:
        """Resolve the thread, or open it again."""
        graph, thread, member = self.found(graph_id, thread_id)
        threads.require_voice(member)
        body = ThreadChange.read(request.data)
        return Response(_detail(graph, threads.resolve(member, thread, resolved=body.resolved)))


class ThreadCommentsView(ThreadRoute):
    """What is said in a thread."""

    @extend_schema(
        request=CardCommentBody,
        responses={201: CardCommentOut},
        operation_id="reply_in_card_thread",
    )
    def post(self, request: Request, graph_id: object, thread_id: object) -> Response:
        """Add to the thread."""
        _graph, thread, member = self.found(graph_id, thread_id)
        threads.require_voice(member)
        body = CardCommentBody.read(request.data)
        added = threads.reply(member, thread, body.text, body.mentions)
        return Response(comment_out(added), status=201)


class ThreadCommentView(ThreadRoute):
    """One's own comment."""

    def _comment(self, thread: CommentThread, comment_id: object) -> CardComment:
        rows = thread.comments.select_related("author", "thread")
        if (found := rows.filter(pk=str(comment_id)).first()) is None:
            raise NotFound("this comment is gone", code="CommentNotFound")
        return found

    @extend_schema(
        request=CardCommentChange, responses=CardCommentOut, operation_id="change_card_comment"
    )
    def patch(
        self, request: Request, graph_id: object, thread_id: object, comment_id: object
    ) -> Response:
        """Say it otherwise."""
        _graph, thread, member = self.found(graph_id, thread_id)
        comment = self._comment(thread, comment_id)
        own_words.require_own(member, comment)
        body = CardCommentChange.read(request.data)
        return Response(comment_out(own_words.change(member, comment, body.text, body.mentions)))

    @extend_schema(responses={204: None}, operation_id="delete_card_comment")
    def delete(
        self, request: Request, graph_id: object, thread_id: object, comment_id: object
    ) -> Response:
        """Take it back; the thread goes with its last comment."""
        _graph, thread, member = self.found(graph_id, thread_id)
        own_words.take_back(member, self._comment(thread, comment_id))
        return no_content()


def _detail(graph: Graph, thread: CommentThread) -> ThreadDetail:
    found = headings(graph, headed(graph).filter(pk=thread.pk))
    if not found:
        raise NotFound("this thread is gone", code="ThreadNotFound")
    said = thread.comments.select_related("author")
    return ThreadDetail(
        **thread_out(found[0]).model_dump(), said=[comment_out(row) for row in said]
    )
