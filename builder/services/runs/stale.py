"""What of a run still holds for the draft of its graph, and a new run of only what does not."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from builder.base import engine_door
from builder.base.errors import Conflict, NotFound
from builder.models import Graph, Membership, Run
from builder.reads import event_log as log
from builder.services.graphs.drafts import document_of
from builder.services.graphs.pins import pins_of
from builder.services.permissions import Right, require
from builder.services.runs.runs import draft_of, people_of
from engine.core.errors import GraphHasErrors
from engine.core.graph.document import parse_document
from engine.core.state.requests import ForkRun

LOOKED_AT: Final = 20
"""Newest runs among which that of the whole graph is looked for, where one node was run alone."""


def stale_plan(run: Run) -> dict[str, Any]:
    """Return what a run of only what is stale would do, and as `run` which one was compared.

    Where one node was run alone, that is the last run of the whole graph. Raises `GraphHasErrors`
    for a draft whose form is wrong, `Conflict` `VersionGone`, and as the engine does.
    """
    whole = whole_run(run)
    graph = _graph(whole)
    spec, problems = parse_document(document_of(graph))
    if spec is None:
        raise GraphHasErrors(problems)
    pins = pins_of(graph, frozenset(spec.nodes_by_id))
    return {"run": whole.pk, **engine_door.engine().stale_plan(whole.pk, spec, pins)}


def run_stale(
    member: Membership,
    run: Run,
    *,
    breakpoints: Sequence[str] = (),
    resend: bool = False,
    source: str = "person",
) -> str:
    """Start a run of the draft that takes over what holds, and return its id. Raises as the plan."""
    require(member, Right.RUN)
    whole = whole_run(run)
    graph = _graph(whole)
    version = draft_of(member, whole)
    known = frozenset(str(node["id"]) for node in version.document.get("nodes", ()))
    request = ForkRun(
        run_id=str(uuid.uuid4()),
        at=None,
        by=member.user_id,
        version_id=version.pk,
        people=people_of(version),
        resend=resend,
        stale=True,
        pins=pins_of(graph, known),
        breakpoints=tuple(breakpoints),
        source=source,
    )
    return engine_door.engine().fork_run(whole.pk, request)


def whole_run(run: Run) -> Run:
    """Return the run, or where it tried one node alone the same person's last of the whole graph."""
    if not _alone(run):
        return run
    rows = Run.objects.filter(graph=run.graph_id, started_by=run.started_by, parent_run=None)
    earlier = rows.filter(version__is_draft=True).order_by("-started_at").exclude(pk=run.pk)
    found = next((each for each in earlier[:LOOKED_AT] if not _alone(each)), None)
    if found is None:
        raise NotFound("there is no run of the whole workflow yet: run it", code="RunNotFound")
    return found


def _alone(run: Run) -> bool:
    return log.first_and_last(run.pk, 1)[0].get("only") is not None


def _graph(run: Run) -> Graph:
    if run.graph is None or run.graph.archived_at is not None:
        raise NotFound("the graph of this run is gone", code="GraphNotFound")
    if run.version_id is None:
        raise Conflict("what this run ran is gone: run the draft anew", code="VersionGone")
    return run.graph
