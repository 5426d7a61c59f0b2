"""What runs have learned: found, corrected, forgotten; and who or what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, ClassVar

from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from builder.adapters.memory import search as finder
from builder.adapters.memory.entities import known_entities
from builder.api.http.pagination import offset_page, page
from builder.api.http.view import ApiView, no_content
from builder.api.http.wire import Body, Listing, Named, Text, Wire, time, time_or_none
from builder.base.errors import NotFound
from builder.models import Entity, Fact, FactEntity, FactTag, Graph, Membership, Run, User
from builder.models.querysets import FactQuerySet
from builder.services import facts
from builder.services.permissions import Right, may
from engine.integrations.memory.facts import MAX_NAME, entity_key
from engine.integrations.models.embeddings.local import LOCAL

MOST_TAGS = 500
RELATED = 12
Tag = Annotated[Text, Field(min_length=1, max_length=128)]
EntityName = Annotated[Text, Field(min_length=1, max_length=MAX_NAME)]
FactText = Annotated[Text, Field(min_length=1, max_length=20_000)]


class FactBody(Body):
    """A fact that somebody writes down."""

    text: FactText
    tags: Annotated[list[Tag], Field(max_length=50)] = []
    entities: Annotated[list[EntityName], Field(max_length=50)] = []


class FactChange(Body):
    """A correction; what is left out stays."""

    text: FactText | None = None
    tags: Annotated[list[Tag], Field(max_length=50)] | None = None
    entities: Annotated[list[EntityName], Field(max_length=50)] | None = None


class FactGraph(Wire):
    """The graph whose run learned a fact; without id once it is gone."""

    id: str | None
    slug: str
    name: str


class FactOut(Wire):
    """A fact; without graph, run and node if a person wrote it. `run` is null once it is gone."""

    id: str
    text: str
    tags: list[str]
    entities: list[str]
    learned_at: str
    graph: FactGraph | None
    run: str | None
    node: str | None
    edited_at: str | None
    edited_by: Named | None


class RelatedOut(Wire):
    """An entity that shares facts with another."""

    name: str
    facts: int


class EntityOut(Wire):
    """Somebody or something that facts are about, with the nearest others."""

    name: str
    facts: int
    related: list[RelatedOut]


class RevisionOut(Wire):
    """What a fact said until `at`, when `by` changed it."""

    text: str
    tags: list[str]
    entities: list[str]
    by: Named | None
    at: str


class FactCan(Wire):
    """What the caller may do with a fact."""

    edit: bool


class FactDetail(FactOut):
    """A fact with what is around it."""

    about: list[EntityOut]
    revisions: list[RevisionOut]
    can: FactCan


class TagOut(Wire):
    """A tag and how many facts carry it."""

    tag: str
    facts: int


class FactsView(ApiView):
    """The memory of the current workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"search", "entity", "tag", "run", "graph"})

    @extend_schema(
        responses=Listing[FactOut],
        operation_id="facts",
        parameters=[
            OpenApiParameter(name)
            for name in ("search", "entity", "tag", "run", "graph", "cursor", "limit")
        ],
    )
    def get(self, request: Request) -> Response:
        """List facts: the newest first, with `search` the most relevant first, as nodes find them."""
        workspace = self.member().workspace_id
        rows = self._filtered(workspace, self.visible(Fact.objects.in_workspace(workspace)))
        if search := self.text("search"):
            ranked = finder.search(
                rows,
                workspace,
                text=search,
                names=(),
                tags=(),
                limit=finder.CANDIDATES,
                embedder=LOCAL,
            )
            shown, after = offset_page([fact.id for fact in ranked], self.window())
            known = {row.key: row for row in _loaded(rows.filter(key__in=shown))}
            still = [known[key] for key in shown if key in known]
            return Response(Listing[FactOut](results=facts_out(workspace, still), next=after))
        found = page(_loaded(rows), self.window(), field="at")
        return Response(Listing[FactOut].of(found, facts_out(workspace, found.rows)))

    def _filtered(self, workspace: str, rows: FactQuerySet) -> FactQuerySet:
        if tag := self.text("tag"):
            rows = rows.tagged([tag])
        if name := self.text("entity"):
            known = known_entities(rows.db, workspace, [entity_key(name)])
            rows = rows.about(list(known.values()))
        if run := self.text("run"):
            rows = rows.filter(run_id=run)
        if graph := self.text("graph"):
            slugs = Graph.objects.in_workspace(workspace).filter(pk=graph).values("slug")
            rows = rows.filter(graph_slug__in=slugs)
        return rows

    @extend_schema(request=FactBody, responses={201: FactDetail}, operation_id="create_fact")
    def post(self, request: Request) -> Response:
        """Write down a fact."""
        member = self.member()
        body = FactBody.read(self.request.data)
        fact = facts.create_fact(member, text=body.text, tags=body.tags, entities=body.entities)
        return Response(fact_detail(fact, member), status=201)


class FactView(ApiView):
    """A fact: read, corrected or forgotten."""

    def _fact(self, fact_id: str) -> Fact:
        found = _loaded(self.visible(Fact.objects.all())).filter(key=fact_id).first()
        if found is None:
            raise NotFound("no such fact", code="FactNotFound")
        return found

    @extend_schema(responses=FactDetail, operation_id="fact")
    def get(self, request: Request, fact_id: str) -> Response:
        """Return a fact with its history and its entities."""
        fact = self._fact(fact_id)
        return Response(fact_detail(fact, self.member_of(fact.workspace_id)))

    @extend_schema(request=FactChange, responses=FactDetail, operation_id="change_fact")
    def patch(self, request: Request, fact_id: str) -> Response:
        """Correct a fact; what it said before is kept beside it."""
        fact = self._fact(fact_id)
        body = FactChange.read(self.request.data)
        member = self.member_of(fact.workspace_id)
        facts.change_fact(member, fact, text=body.text, tags=body.tags, entities=body.entities)
        return Response(fact_detail(self._fact(fact_id), member))

    @extend_schema(responses={204: None}, operation_id="forget_fact")
    def delete(self, request: Request, fact_id: str) -> Response:
        """Forget a fact for good; logs of finished runs keep what they showed."""
        fact = self._fact(fact_id)
        facts.forget_fact(self.member_of(fact.workspace_id), fact)
        return no_content()


class FactTagsView(ApiView):
    """The tags of the workspace's facts."""

    @extend_schema(responses=Listing[TagOut], operation_id="fact_tags")
    def get(self, request: Request) -> Response:
        """List tags, the most used first."""
        mine = self.visible(Fact.objects.in_workspace(self.member().workspace_id)).values("pk")
        counted = FactTag.objects.filter(fact__in=mine).order_by().values("tag")
        rows = counted.annotate(facts=Count("pk")).order_by("-facts", "tag")[:MOST_TAGS]
        return Response(Listing[TagOut](results=[TagOut(**row) for row in rows]))


class EntitiesView(ApiView):
    """Who and what the workspace's facts are about."""

    query_names: ClassVar[frozenset[str]] = frozenset({"search"})

    @extend_schema(
        responses=Listing[EntityOut],
        operation_id="entities",
        parameters=[OpenApiParameter(name) for name in ("search", "cursor", "limit")],
    )
    def get(self, request: Request) -> Response:
        """List entities by name, with the number of their facts and the nearest others."""
        rows = self.visible(Entity.objects.in_workspace(self.member().workspace_id)).known()
        if search := self.text("search"):
            rows = rows.filter(key__contains=entity_key(search))
        found = page(rows, self.window(), field="key", newest_first=False)
        return Response(Listing[EntityOut].of(found, entities_out(found.rows)))


def _loaded(rows: FactQuerySet) -> FactQuerySet:
    return rows.select_related("edited_by").prefetch_related("tag_rows", "links")


def facts_out(workspace: str, rows: Sequence[Fact]) -> list[FactOut]:
    """Return facts as they are on the wire."""
    slugs = {row.graph_slug for row in rows}
    graphs = {
        graph.slug: FactGraph(id=graph.pk, slug=graph.slug, name=graph.name)
        for graph in Graph.objects.in_workspace(workspace).active().filter(slug__in=slugs)
    }
    ids = {row.run_id for row in rows}
    runs = set(Run.objects.in_workspace(workspace).filter(pk__in=ids).values_list("pk", flat=True))
    return [fact_out(row, graphs, runs) for row in rows]


def fact_out(row: Fact, graphs: Mapping[str, FactGraph], runs: Iterable[str]) -> FactOut:
    """Return a fact, given the graphs by slug and the runs that are still there."""
    slug = row.graph_slug
    gone = FactGraph(id=None, slug=slug, name=slug)
    return FactOut(
        id=row.key,
        text=row.text,
        tags=[tag.tag for tag in row.tag_rows.all()],
        entities=[link.name for link in row.links.all()],
        learned_at=time(row.at),
        graph=graphs.get(slug, gone) if slug else None,
        run=row.run_id if row.run_id in runs else None,
        node=row.node or None,
        edited_at=time_or_none(row.edited_at),
        edited_by=_named(row.edited_by),
    )


def fact_detail(row: Fact, member: Membership) -> FactDetail:
    """Return a fact with its entities, its history and what `member` may do."""
    [out] = facts_out(row.workspace_id, [row])
    about = Entity.objects.known().filter(pk__in=row.links.values("entity"))
    return FactDetail(
        **out.model_dump(),
        about=entities_out(list(about)),
        revisions=[
            RevisionOut(
                text=old.text,
                tags=old.tags,
                entities=old.entities,
                by=_named(old.by),
                at=time(old.at),
            )
            for old in row.revisions.select_related("by")
        ],
        can=FactCan(edit=may(member, Right.EDIT)),
    )


def entities_out(rows: Sequence[Entity]) -> list[EntityOut]:
    """Return entities with the number of their facts and the nearest others."""
    links = FactEntity.objects.filter(entity__in=[row.pk for row in rows]).order_by()
    counts = dict(links.values_list("entity").annotate(Count("fact")))
    related: dict[int, list[RelatedOut]] = {row.pk: [] for row in rows}
    for entity, other, name, shared in _pairs(links):
        if other != entity:
            related[entity].append(RelatedOut(name=name, facts=shared))
    return [
        EntityOut(name=row.name, facts=counts.get(row.pk, 0), related=related[row.pk])
        for row in rows
    ]


def _pairs(links: QuerySet[FactEntity]) -> Iterable[tuple[int, int, str, int]]:
    """Return entity, an entity of the same facts (itself too), its name, how many they share."""
    other, called = F("fact__links__entity"), F("fact__links__entity__name")
    nearest = Window(
        RowNumber(), partition_by=F("entity"), order_by=[F("shared").desc(), called.asc()]
    )
    rows = (
        links.values("entity", other=other, called=called)
        .annotate(shared=Count("fact", distinct=True))
        .annotate(place=nearest)
        .filter(place__lte=RELATED + 1)
        .order_by("entity", "place")
    )
    return rows.values_list("entity", "other", "called", "shared")


def _named(user: User | None) -> Named | None:
    return None if user is None else Named(id=user.pk, name=str(user))
