"""What is proven about a document in the workspace of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from builder.adapters.check_world import workspace_world
from builder.base import engine_door
from builder.models import Graph
from engine.check import Danger, StaticWorld, WorstCase, examine
from engine.check.remainder import remainder
from engine.core.errors import GraphHasErrors
from engine.core.graph.document import GraphSpec, Problem, has_errors, parse_document

Document = str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proven about a document. `spec` is its checked form, None where that is wrong.

    `worst_case` is the most that one run can spend, None where that is too much to tell.
    """

    spec: GraphSpec | None
    problems: tuple[Problem, ...]
    dangers: tuple[Danger, ...] = ()
    worst_case: WorstCase | None = None

    def runnable(self) -> GraphSpec:
        """Return the checked form. Raises `GraphHasErrors` with every problem."""
        if self.spec is None or has_errors(self.problems):
            raise GraphHasErrors(list(self.problems))
        return self.spec


def prove(
    graph: Graph, document: Document, *, for_publication: bool = True, wait: bool = True
) -> Proof:
    """Return what is proven about a document, given what the workspace has now.

    For a publication the graph's own gate counts too: it makes unguarded dangers errors. Sources
    of tools are asked, which takes up to two seconds where one starts or hangs; without `wait`
    the tools count that are known, and it waits for nobody.
    """
    engine, workspace_id = engine_door.engine(), graph.workspace_id
    tools = engine.tools_to_check(workspace_id) if wait else engine.known_tools(workspace_id)
    strict = for_publication and graph.require_approval

    def world(of: GraphSpec) -> StaticWorld:
        return workspace_world(of, workspace_id, tools, require_approval=strict)

    spec, problems = parse_document(document)
    if spec is None:
        return Proof(None, (*problems, *remainder(document, problems, world)))
    found = examine(spec, world(spec))
    return Proof(spec, (*problems, *found.problems), found.dangers, found.worst_case)
