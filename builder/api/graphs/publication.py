"""Publishing that needs another person's approval: the gate, the request, and what it would change."""

from __future__ import annotations

from typing import Annotated

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.view import ApiView
from builder.api.http.wire import Body, JsonMap, Named, Text, Wire, time, time_or_none
from builder.base.errors import NotFound
from builder.base.turns import turns
from builder.models import Graph, GraphVersion, Publication
from builder.reads.figures import people
from builder.services.graphs.publishing import asking, gate


class GateBody(Body):
    """Who has to approve: `user:<id>`, `group:<name>`, `role:<role>`; null for nobody."""

    asks: Annotated[list[Annotated[Text, Field(max_length=300)]], Field(max_length=50)] | None


class AskBody(Body):
    """What is to be published: the draft at a revision, or an older version by its number."""

    revision: Annotated[int, Field(ge=0)] = 0
    version: Annotated[int, Field(ge=1)] | None = None
    note: Annotated[Text, Field(max_length=10_000)] = ""


class RequestOut(Wire):
    """One request for approval, and what became of it."""

    id: str
    state: str
    run: str
    revision: int
    version: int | None
    base: int | None
    note: str
    asked_by: Named
    asked_at: str
    ended_at: str | None
    decided_by: Named | None
    detail: str
    published: int | None


class PublicationOut(Wire):
    """The gate of a workflow, and the request that was made last."""

    asks: list[str] | None
    request: RequestOut | None


class DifferenceOut(Wire):
    """What a run that asks for a publication would make live, and what is live before."""

    graph: Named
    request: RequestOut
    before: JsonMap | None
    after: JsonMap
    draft_moved: bool


class PublicationView(ApiView):
    """What waits for approval before it is live."""

    @extend_schema(responses=PublicationOut, operation_id="publication")
    def get(self, request: Request, graph_id: object) -> Response:
        """Return the gate and the last request."""
        return Response(_out(self.graph(graph_id)))

    @extend_schema(
        request=AskBody, responses={201: PublicationOut}, operation_id="ask_for_publication"
    )
    def post(self, request: Request, graph_id: object) -> Response:
        """Ask for the approval of a version; nothing is published before."""
        graph = self.graph(graph_id)
        body = AskBody.read(self.request.data)
        member = self.member_of(graph.workspace_id)
        with turns.taken(self.user.pk):
            asking.ask(member, graph, revision=body.revision, note=body.note, number=body.version)
        return Response(_out(graph), status=201)

    @extend_schema(responses=PublicationOut, operation_id="withdraw_publication")
    def delete(self, request: Request, graph_id: object) -> Response:
        """Take the open request back."""
        graph = self.graph(graph_id)
        asking.withdraw(self.member_of(graph.workspace_id), graph)
        return Response(_out(graph))


class GateView(ApiView):
    """Who has to approve what is published."""

    @extend_schema(request=GateBody, responses=PublicationOut, operation_id="set_publish_gate")
    def patch(self, request: Request, graph_id: object) -> Response:
        """Set the gate, or take it away (admins)."""
        graph = self.graph(graph_id)
        body = GateBody.read(self.request.data)
        return Response(_out(gate.set_gate(self.member_of(graph.workspace_id), graph, body.asks)))


class PublicationOfRunView(ApiView):
    """What the run of an approval is about."""

    @extend_schema(responses=DifferenceOut, operation_id="publication_of_run")
    def get(self, request: Request, run_id: object) -> Response:
        """Return both documents, as they were when it was asked."""
        run = self.run(run_id)
        rows = Publication.objects.select_related("graph", "version", "base", "asked_by")
        row = rows.filter(run=run.pk, graph__workspace=run.workspace_id).first()
        if row is None:
            raise NotFound("this run asks for no publication", code="PublicationNotFound")
        graph, version = row.graph, row.version
        return Response(
            DifferenceOut(
                graph=Named(id=graph.pk, name=graph.name),
                request=_request_out(row),
                before=None if row.base is None else row.base.document,
                after=version.document,
                draft_moved=version.is_draft and graph.revision != version.revision,
            )
        )


def _last(graph: Graph) -> Publication | None:
    rows = Publication.objects.filter(graph=graph).defer("version__document", "base__document")
    found = rows.select_related("version", "base", "asked_by", "published").order_by("-asked_at")
    return found.first()


def last_state(graph: Graph) -> str | None:
    """Return how the last request to publish stands; None where none was made since what is live."""
    asked = Publication.objects.filter(graph=graph).order_by("-asked_at")
    state, at = asked.values_list("state", "asked_at").first() or (None, 0)
    live = GraphVersion.objects.filter(graph=graph).published()
    since = live.values_list("published_at", flat=True).first()
    return None if since is not None and since.timestamp() * 1000 > at else state


def _out(graph: Graph) -> PublicationOut:
    graph.refresh_from_db(fields=["publish_gate"])
    row = _last(graph)
    return PublicationOut(asks=graph.publish_gate, request=row and _request_out(row))


def _request_out(row: Publication) -> RequestOut:
    names = people([row.decided_by])
    by = row.decided_by
    return RequestOut(
        id=row.pk,
        state=row.state,
        run=row.run,
        revision=row.version.revision,
        version=row.version.number,
        base=row.base.number if row.base else None,
        note=row.note,
        asked_by=Named(id=row.asked_by_id, name=str(row.asked_by)),
        asked_at=time(row.asked_at),
        ended_at=time_or_none(row.ended_at),
        decided_by=Named(id=by, name=names.get(by, by)) if by else None,
        detail=row.detail,
        published=row.published.number if row.published else None,
    )
