"""What is proven about a document in the workspace of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from builder.adapters.check_world import workspace_world
from builder.base import engine_door
from builder.models import Graph
from builder.services.graphs.drafts import document_of
from engine.check import Report, WorstCase, worst_case
from engine.check.remainder import remainder
from engine.core.graph.document import GraphSpec, Problem, parse_document
from engine.core.values.effort import TooMuchWork, bounded

Document = str | Mapping[str, Any]


def examine_document(
    graph: Graph, document: Document | None = None, *, for_publication: bool = True
) -> Report:
    """Return what is proven about a document, by default the draft, in the graph's workspace.

    For a publication the graph's own gate counts too: it makes unguarded dangers errors.
    """
    examined = document_of(graph) if document is None else document
    return _examined(graph, examined, parse_document(examined), for_publication=for_publication)


def prove(graph: Graph, document: Document) -> tuple[Report, WorstCase | None]:
    """Return what is proven about a document, and the most that one run of it can spend.

    The latter is None for what is no document, or too much to check.
    """
    parsed = parse_document(document)
    spec = parsed[0]
    report = _examined(graph, document, parsed, for_publication=True)
    if spec is None:
        return report, None
    try:
        with bounded():
            return report, worst_case(spec, workspace_world(spec, graph.workspace_id, ()))
    except TooMuchWork:
        return report, None


def _examined(
    graph: Graph,
    document: Document,
    parsed: tuple[GraphSpec | None, list[Problem]],
    *,
    for_publication: bool,
) -> Report:
    spec, problems = parsed
    if spec is None:
        rest = remainder(
            document, problems, lambda part: workspace_world(part, graph.workspace_id, ())
        )
        return Report((*problems, *rest))
    strict = for_publication and graph.require_approval
    found = engine_door.engine().examine(spec, graph.workspace_id, require_approval=strict)
    return replace(found, problems=(*problems, *found.problems))
