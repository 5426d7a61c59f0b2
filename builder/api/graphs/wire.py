"""Graphs, drafts, versions and starts as they are on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self, get_args, get_origin

from pydantic import AfterValidator, Field, create_model, model_validator

from builder.api.graphs.last_run import LastRun, last_run_out
from builder.api.http.wire import Body, JsonMap, Name, Named, Text, Tokens, Usd, Wire, moment
from builder.library.templates import Template
from builder.library.templates.needs import Need
from builder.models import Graph, GraphVersion, Membership
from builder.reads.figures import GraphFigures
from builder.services.graphs.drafts import HEADER_KEYS
from builder.services.graphs.proofs import Proof
from builder.services.permissions import Right, may, may_comment
from builder.services.runs.runs import Start
from builder.services.runs.trials import Trial
from engine.check import WorstCase
from engine.core.budgets.money import usd, usd_text_or_none
from engine.core.graph.document import GraphSpec, has_errors
from engine.core.node_types.node_type import UNSET

PartId = Annotated[str, Field(min_length=1, max_length=128)]
Revision = Annotated[int, Field(ge=0, lt=2**53)]
Tag = Annotated[str, Field(min_length=1, max_length=40)]
Tags = Annotated[list[Tag], Field(max_length=20)]
Folder = Annotated[Text, Field(max_length=200)]
"""A path of names; the service says what is wrong with one."""
Description = Annotated[Text, Field(max_length=10_000)]
Parts = Annotated[list[JsonMap], Field(max_length=5_000)]
PartIds = Annotated[list[PartId], Field(max_length=5_000)]
Followers = Annotated[dict[PartId, PartId], Field(max_length=5_000)]
"""In front of which part a new one stands; the others are added at the end."""


class GraphBody(Body):
    """A new graph, of one of four origins; without a folder, a copy lies where its origin does."""

    name: Name | None = None
    description: Description = ""
    tags: Tags = []
    folder: Folder = ""
    document: JsonMap | str | None = None
    template: Name | None = None
    duplicate_of: Name | None = None

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        given = [self.name, self.document, self.template, self.duplicate_of]
        if sum(origin is not None for origin in given) != 1:
            raise ValueError("give one of name, document, template and duplicate_of")
        return self


class GraphChange(Body):
    """What lists show of a graph, and its gate."""

    name: Name | None = None
    description: Description | None = None
    tags: Tags | None = None
    folder: Folder | None = None
    require_approval: bool | None = None


def _shape(declared: Any) -> Any:
    """Return the outermost shape of a document's field: what is wrong inside, a proof says."""
    if get_origin(declared) is tuple:
        return list[str] if str in get_args(declared) else list[JsonMap]
    return str if declared in (str, str | None) else JsonMap


def _given(header: Body) -> JsonMap:
    return header.model_dump(exclude_unset=True)


_header_fields: dict[str, Any] = {
    name: (_shape(GraphSpec.model_fields[name].annotation) | None, None) for name in HEADER_KEYS
}
HeaderBody = create_model(
    "HeaderBody",
    __base__=Body,
    __doc__="The parts of a document that are neither nodes nor edges; null takes a part out.",
    **_header_fields,
)
if TYPE_CHECKING:
    Header = JsonMap
else:
    Header = Annotated[HeaderBody, AfterValidator(_given)]


class DraftBody(Body):
    """One save of a draft: the parts that changed since `revision` was seen."""

    revision: Revision
    set_nodes: Parts = []
    delete_nodes: PartIds = []
    set_edges: Parts = []
    delete_edges: PartIds = []
    set_graph: Header = {}
    nodes_before: Followers = {}
    edges_before: Followers = {}
    client: Annotated[Text, Field(max_length=64)] = ""

    @model_validator(mode="after")
    def _parts_have_ids(self) -> Self:
        for part in (*self.set_nodes, *self.set_edges):
            part_id = part.get("id")
            if not isinstance(part_id, str) or not 1 <= len(part_id) <= 128:
                raise ValueError("every node and edge has an id of 1 to 128 characters")
        return self


class PublishBody(Body):
    """What is published: the draft as it was at `revision`."""

    revision: Revision
    note: Description = ""


class GivenBody(Body):
    """What a node that runs alone finds."""

    input: Any = None
    memory: JsonMap | None = None
    outputs: JsonMap = {}
    previous: Any = None


class StartBody(Body):
    """A run to start; `only`, `pins` and `breakpoints` make it a test run of the draft."""

    input: Any = None
    memory: JsonMap = {}
    goal: str | None = None
    constraints: list[str] | None = None
    context: JsonMap = {}
    metadata: dict[str, str] = {}
    budget_usd: Usd | None = None
    max_token_budget: Tokens | None = None
    draft: bool = False
    version: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    until: str | None = None
    only: PartId | None = None
    given: GivenBody | None = None
    pins: bool = False
    breakpoints: PartIds = []
    accept: bool = False

    @model_validator(mode="after")
    def _draft_or_version(self) -> Self:
        if self.draft and self.version is not None:
            raise ValueError("give draft or version, not both")
        return self

    @property
    def tries_out(self) -> bool:
        """Whether it starts anything but the published version, as it is."""
        trial = self.only is not None or self.given is not None or self.pins or self.breakpoints
        return bool(self.draft or self.version is not None or self.until is not None or trial)

    def _trial(self) -> Trial:
        given = {} if self.given is None else self.given.model_dump(exclude_unset=True)
        return Trial(self.only, given, self.pins, tuple(self.breakpoints), self.accept)

    def to_start(self, key: str | None) -> Start:
        """Return the start as the service takes it."""
        return Start(
            input=self.input if "input" in self.model_fields_set else UNSET,
            memory=self.memory,
            goal=self.goal,
            constraints=self.constraints,
            context=self.context,
            metadata=self.metadata,
            budget_usd=self.budget_usd,
            max_token_budget=self.max_token_budget,
            draft=self.draft,
            version=self.version,
            until=self.until,
            trial=self._trial(),
            key=key,
        )


class PublishedOut(Wire):
    """The live version."""

    number: int
    published_at: str
    note: str


class GraphItem(Wire):
    """A graph in a list."""

    id: str
    slug: str
    name: str
    description: str
    tags: list[str]
    folder: str
    updated_at: str
    revision: int
    has_draft_changes: bool
    published: PublishedOut | None
    last_run: LastRun | None
    runs_30d: int
    success_rate: float | None
    spend_month_usd: str
    open_approvals: int
    waits_for: Annotated[
        list[str],
        Field(
            description="who may approve the version that waits for it: `user:<id>`, `group:<name>`, `role:<role>`"
        ),
    ]


class GraphCan(Wire):
    """What the caller may do with a graph."""

    edit: bool
    publish: bool
    run: bool
    comment: bool


class WorstCaseOut(Wire):
    """The most that one run can spend, and what bounds it; null where nothing does."""

    usd: str | None
    tokens: int | None
    unbounded: bool
    why: str

    @classmethod
    def of(cls, worst: WorstCase) -> Self:
        """Return it as a proof found it."""
        return cls(
            usd=usd_text_or_none(worst.cost_usd),
            tokens=worst.tokens,
            unbounded=worst.unbounded,
            why=worst.why,
        )


class Problems(Wire):
    """Everything wrong with a document, its dangerous steps, and the most that a run can spend."""

    problems: list[JsonMap]
    dangers: list[JsonMap]
    worst_case: WorstCaseOut | None

    @classmethod
    def of(cls, proof: Proof, **more: Any) -> Self:
        """Return what is proven about a document, with the fields that an answer adds."""
        worst = proof.worst_case
        return cls(
            problems=[problem.to_json() for problem in proof.problems],
            dangers=[danger.to_json() for danger in proof.dangers],
            worst_case=None if worst is None else WorstCaseOut.of(worst),
            **more,
        )


class GraphDetail(GraphItem, Problems):
    """A graph with its draft."""

    document: JsonMap
    require_approval: bool
    publication: Annotated[
        str | None,
        Field(
            description="how the last request since what is live stands, where one has to be made"
        ),
    ]
    can: GraphCan


class SavedOut(Problems):
    """A save's new revision and what others changed meanwhile."""

    revision: int
    others: JsonMap


class VersionOut(Wire):
    """A published version."""

    number: int
    published_at: str
    published_by: Named | None
    note: str
    hash: str


class VersionDetail(VersionOut):
    """A published version with its document."""

    document: JsonMap


class TemplateOut(Wire):
    """A template: its card, and the document that a graph is made from."""

    id: str
    name: str
    description: str
    pattern: str
    category: str
    needs: Need
    node_types: list[str]
    examples: list[Any]
    brings: list[str]
    document: JsonMap


def template_out(template: Template) -> TemplateOut:
    """Return a template as it is in the gallery; `brings` names the graphs that come along."""
    spec = template.spec
    return TemplateOut(
        id=template.id,
        name=spec.name,
        description=spec.description,
        pattern=template.card.pattern,
        category=template.card.category,
        needs=template.needs,
        node_types=list(dict.fromkeys(node.type for node in spec.nodes)),
        examples=template.examples,
        brings=[str(child["name"]) for child in template.children],
        document=template.document,
    )


def item_out(graph: Graph, numbers: GraphFigures) -> GraphItem:
    """Return a graph as in lists."""
    live = numbers.published
    return GraphItem(
        id=graph.pk,
        slug=graph.slug,
        name=graph.name,
        description=graph.description,
        tags=graph.tags,
        folder=graph.folder,
        updated_at=moment(graph.updated_at),
        revision=graph.revision,
        has_draft_changes=live is None or live.revision != graph.revision,
        published=None
        if live is None or live.number is None or live.published_at is None
        else PublishedOut(
            number=live.number, published_at=moment(live.published_at), note=live.note
        ),
        last_run=last_run_out(numbers),
        runs_30d=numbers.runs_30d,
        success_rate=numbers.success_rate,
        spend_month_usd=usd(numbers.spend_month_pico),
        open_approvals=numbers.open_approvals,
        waits_for=list(numbers.waits_for),
    )


def detail_out(
    graph: Graph,
    numbers: GraphFigures,
    document: JsonMap,
    proof: Proof,
    member: Membership,
    *,
    publication: str | None,
) -> GraphDetail:
    """Return a graph with its draft."""
    edit = may(member, Right.EDIT)
    return GraphDetail.of(
        proof,
        **item_out(graph, numbers).model_dump(),
        document=document,
        require_approval=graph.require_approval,
        publication=publication,
        can=GraphCan(
            edit=edit,
            publish=edit and not has_errors(proof.problems),
            run=may(member, Right.RUN),
            comment=may_comment(member),
        ),
    )


def version_out(version: GraphVersion) -> VersionOut:
    """Return a published version as in lists."""
    assert version.number is not None
    assert version.published_at is not None
    by = version.published_by
    return VersionOut(
        number=version.number,
        published_at=moment(version.published_at),
        published_by=None if by is None else Named(id=by.pk, name=str(by)),
        note=version.note,
        hash=version.hash,
    )
