"""Graphs: lists, drafts that several people edit, versions, checks, starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Final

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import AfterValidator
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.graphs.publication import last_state
from builder.api.graphs.wire import (
    DraftBody,
    GraphBody,
    GraphChange,
    GraphDetail,
    GraphItem,
    Problems,
    PublishBody,
    SavedOut,
    StartBody,
    TemplateOut,
    VersionDetail,
    VersionOut,
    detail_out,
    item_out,
    template_out,
    version_out,
)
from builder.api.http.pagination import USUAL, FirstPage, Page, Window, page
from builder.api.http.view import ApiView, no_content, scoped
from builder.api.http.wire import Body, JsonMap, Listing
from builder.api.runs.views import RunItem, run_item
from builder.base.errors import InvalidInput, NotAllowed, NotFound
from builder.base.turns import turns
from builder.library.templates import template, templates
from builder.models import Graph, GraphVersion, Membership
from builder.models.querysets import GraphQuerySet
from builder.reads import figures
from builder.services.graphs import exports, folders, graphs, proofs
from builder.services.graphs.beginnings import templates as from_templates
from builder.services.graphs.drafts import document_of, save_draft
from builder.services.runs import runs
from engine.core.graph.document import parse_document
from engine.core.values.limits import MAX_IMPORT

ORDERINGS: Final[Mapping[str, tuple[str, bool]]] = {
    "": ("updated_at", True),
    "-updated_at": ("updated_at", True),
    "updated_at": ("updated_at", False),
    "name": ("name", False),
    "-name": ("name", True),
    "-created_at": ("created_at", True),
    "created_at": ("created_at", False),
}


def listed(user_id: str, workspace_id: str) -> GraphQuerySet:
    """Return the graphs of a workspace that a person may see, as lists show them."""
    return scoped(Graph.objects.active(), user_id, workspace_id).defer("header")


NEWEST: Final = FirstPage(listed, newest_by="updated_at")


class CheckBody(Body):
    """A document to check instead of the draft."""

    document: JsonMap | Annotated[str, AfterValidator(str)] | None = None


class GraphsView(ApiView):
    """The graphs of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"search", "tag", "folder", "ordering"})
    max_body: ClassVar[int] = MAX_IMPORT

    @extend_schema(
        responses=Listing[GraphItem],
        operation_id="graphs",
        parameters=[
            OpenApiParameter(name) for name in ("search", "tag", "folder", "ordering", "cursor")
        ],
    )
    def get(self, request: Request) -> Response:
        """List graphs with how they fare."""
        member = self.member()
        window = self.window()
        limited = bool(self.token and self.token.graphs)
        if window in USUAL and not limited and not self.given(self.query_names):
            found = NEWEST.read(self.user.pk, member.workspace_id, window)
        else:
            found = self._page(self.visible(listed(self.user.pk, member.workspace_id)), window)
        numbers = figures.of_graphs(found.rows, _zone(member))
        results = [item_out(graph, numbers[graph.pk]) for graph in found.rows]
        return Response(Listing[GraphItem].of(found, results))

    def _page(self, rows: GraphQuerySet, window: Window) -> Page[Graph]:
        if search := self.text("search"):
            rows = rows.search(search)
        if tag := self.text("tag"):
            rows = rows.tagged(tag)
        if folder := self.text("folder"):
            rows = rows.within(folder)
        ordering = self.text("ordering")
        if ordering not in ORDERINGS:
            raise InvalidInput("no such ordering", path="ordering")
        field, newest_first = ORDERINGS[ordering]
        return page(rows, window, field=field, newest_first=newest_first)

    @extend_schema(request=GraphBody, responses={201: GraphDetail}, operation_id="create_graph")
    def post(self, request: Request) -> Response:
        """Create a graph: blank, from a document, a template, or another graph."""
        member = self.member()
        body = GraphBody.read(self.request.data)
        folder = folders.path_of(body.folder)
        if body.document is not None:
            with turns.taken(self.user.pk):
                graph = graphs.import_graph(member, body.document)
        elif body.template is not None:
            graph = from_templates.create_from_template(member, template(body.template))
        elif body.duplicate_of is not None:
            source = self.graph(body.duplicate_of)
            graph = graphs.duplicate_graph(member, source)
        else:
            graph = graphs.create_graph(
                member,
                name=body.name or "Untitled",
                description=body.description,
                tags=body.tags,
            )
        if folder:
            folders.move(member, [graph.pk], folder)
            graph.folder = folder
        return Response(detail_of(graph, member), status=201)


class TemplatesView(ApiView):
    """What a new graph may start from."""

    @extend_schema(responses=Listing[TemplateOut], operation_id="graph_templates")
    def get(self, request: Request) -> Response:
        """List the templates."""
        return Response(Listing[TemplateOut](results=[template_out(t) for t in templates()]))


class GraphView(ApiView):
    """A workflow with its draft: read, renamed, put away."""

    @extend_schema(responses=GraphDetail, operation_id="graph")
    def get(self, request: Request, graph_id: object) -> Response:
        """Return the graph with its draft."""
        graph = self.graph(graph_id)
        return Response(detail_of(graph, self.member_of(graph.workspace_id)))

    @extend_schema(request=GraphChange, responses=GraphDetail, operation_id="change_graph")
    def patch(self, request: Request, graph_id: object) -> Response:
        """Change name, description, tags or folder."""
        graph = self.graph(graph_id)
        body = GraphChange.read(self.request.data)
        member = self.member_of(graph.workspace_id)
        graph = graphs.rename_graph(
            member,
            graph,
            name=body.name,
            description=body.description,
            tags=body.tags,
            folder=body.folder,
            require_approval=body.require_approval,
        )
        return Response(detail_of(graph, member))

    @extend_schema(responses={204: None}, operation_id="delete_graph")
    def delete(self, request: Request, graph_id: object) -> Response:
        """Put the graph away."""
        graph = self.graph(graph_id)
        graphs.delete_graph(self.member_of(graph.workspace_id), graph)
        return no_content()


class DraftView(ApiView):
    """The draft, saved part by part."""

    max_body: ClassVar[int] = MAX_IMPORT

    @extend_schema(request=DraftBody, responses=SavedOut, operation_id="save_draft")
    def patch(self, request: Request, graph_id: object) -> Response:
        """Save parts, and learn what others changed since `revision`."""
        member = self.graph_member(graph_id)
        body = DraftBody.read(self.request.data)
        saved = save_draft(member, str(graph_id), body, client=body.client)
        return Response(SavedOut.of(saved.proof, revision=saved.revision, others=saved.others))


class CheckView(ApiView):
    """What is wrong with a document."""

    max_body: ClassVar[int] = MAX_IMPORT

    @extend_schema(request=CheckBody, responses=Problems, operation_id="check_graph")
    def post(self, request: Request, graph_id: object) -> Response:
        """Check the draft, or the given document."""
        graph = self.graph(graph_id)
        body = CheckBody.read(self.request.data)
        document = document_of(graph) if body.document is None else body.document
        with turns.taken(self.user.pk):
            proof = proofs.prove(graph, document)
        return Response(Problems.of(proof))


class ExportView(ApiView):
    """The draft as a file."""

    query_names: ClassVar[frozenset[str]] = frozenset({"format"})

    @extend_schema(
        responses={(200, "application/json"): JsonMap, (200, "application/yaml"): JsonMap},
        parameters=[OpenApiParameter("format", enum=["json", "yaml"])],
        operation_id="export_graph",
    )
    def get(self, request: Request, graph_id: object) -> HttpResponse:
        """Return the document as JSON or YAML."""
        graph = self.graph(graph_id)
        wanted = self.text("format") or "json"
        if wanted not in exports.WRITERS:
            raise InvalidInput("json or yaml", path="format")
        media_type, write = exports.WRITERS[wanted]
        with turns.taken(self.user.pk):
            spec, _ = parse_document(document := document_of(graph))
            answer = HttpResponse(write(document, spec), content_type=media_type)
        answer["Content-Disposition"] = f'attachment; filename="{graph.slug}.{wanted}"'
        return answer


class VersionsView(ApiView):
    """Published versions."""

    @extend_schema(responses=Listing[VersionOut], operation_id="versions")
    def get(self, request: Request, graph_id: object) -> Response:
        """List versions, the newest first."""
        graph = self.graph(graph_id)
        rows = GraphVersion.objects.filter(graph=graph).published().defer("document")
        found = page(rows.select_related("published_by"), self.window(), field="number")
        results = [version_out(row) for row in found.rows]
        return Response(Listing[VersionOut].of(found, results))


class VersionView(ApiView):
    """A published document, whole."""

    @extend_schema(responses=VersionDetail, operation_id="version")
    def get(self, request: Request, graph_id: object, number: int) -> Response:
        """Return the version with its document."""
        version = _version(self.graph(graph_id), number)
        return Response(
            VersionDetail(**version_out(version).model_dump(), document=version.document)
        )


class RestoreView(ApiView):
    """Going back to a version."""

    @extend_schema(request=None, responses=GraphDetail, operation_id="restore_version")
    def post(self, request: Request, graph_id: object, number: int) -> Response:
        """Put the version into the draft."""
        graph = self.graph(graph_id)
        member = self.member_of(graph.workspace_id)
        return Response(detail_of(graphs.restore(member, graph, _version(graph, number)), member))


class PromoteView(ApiView):
    """Making an older version live again."""

    @extend_schema(request=None, responses={201: VersionOut}, operation_id="promote_version")
    def post(self, request: Request, graph_id: object, number: int) -> Response:
        """Publish the version's content anew."""
        graph = self.graph(graph_id)
        member = self.member_of(graph.workspace_id)
        with turns.taken(self.user.pk):
            version = graphs.promote(member, graph, _version(graph, number))
        return Response(version_out(version), status=201)


class PublishView(ApiView):
    """Making the draft live."""

    @extend_schema(request=PublishBody, responses={201: VersionOut}, operation_id="publish_graph")
    def post(self, request: Request, graph_id: object) -> Response:
        """Publish the draft at the given revision."""
        graph = self.graph(graph_id)
        body = PublishBody.read(self.request.data)
        member = self.member_of(graph.workspace_id)
        with turns.taken(self.user.pk):
            version = graphs.publish(member, graph, revision=body.revision, note=body.note)
        return Response(version_out(version), status=201)


class StartView(ApiView):
    """Starting a run."""

    @extend_schema(
        request=StartBody,
        responses={201: RunItem},
        parameters=[OpenApiParameter("Idempotency-Key", location=OpenApiParameter.HEADER)],
        operation_id="start_run",
    )
    def post(self, request: Request, graph_id: object) -> Response:
        """Start a run; the same `Idempotency-Key` and body return the same run."""
        graph = self.graph(graph_id)
        body = StartBody.read(self.request.data)
        if self.token is not None and self.token.is_limited and body.tries_out:
            raise NotAllowed(
                "this API token starts what is published: a draft, an earlier version and trials"
                " take one that may do everything",
                code="ScopeMissing",
            )
        start = replace(body.to_start(self.idempotency_key()), source=self.source)
        run_id = runs.start_run(self.member_of(graph.workspace_id), graph, start)
        return Response(run_item(self.run(run_id), {self.user.pk: str(self.user)}), status=201)


def detail_of(graph: Graph, member: Membership) -> GraphDetail:
    """Return a graph with its draft and everything wrong with it."""
    document = document_of(graph)
    with turns.taken(member.user_id):
        proof = proofs.prove(graph, document)
    numbers = figures.of_graphs([graph], _zone(member))[graph.pk]
    asked = last_state(graph) if graph.publish_gate else None
    return detail_out(graph, numbers, document, proof, member, publication=asked)


def _zone(member: Membership) -> str:
    zone: Any = member.workspace.all_settings["timezone"]
    return str(zone)


def _version(graph: Graph, number: int) -> GraphVersion:
    rows = GraphVersion.objects.filter(graph=graph, number=number)
    found = rows.select_related("published_by").first()
    if found is None:
        raise NotFound("no such version", code="VersionNotFound")
    return found
