"""Another name for a node, a field or a start field of a draft: what follows, here and in other workflows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from builder.adapters.callers import nodes_that_run
from builder.adapters.check_world import workspace_world
from builder.base import engine_door
from builder.base.errors import Conflict, InvalidInput
from builder.models import Graph, Membership
from builder.services.graphs.drafts import document_of
from builder.services.permissions import Right, require
from engine.check.renames.edits import Kind, Stuck, follow, names_of
from engine.check.subject import Subject
from engine.core.graph.cures import Edit
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.state.lanes import is_reserved
from engine.core.values.effort import TooMuchWork, bounded

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}\Z")
MOST_CALLERS: Final = 100
"""Callers that are named."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A node of another workflow that names the field in a mapping, and cannot follow by itself."""

    graph_id: str
    graph: str
    node: str


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a draft says once a name is another; `stuck` are places that a person has to change."""

    edits: tuple[Edit, ...] = ()
    stuck: tuple[Stuck, ...] = ()
    callers: tuple[Caller, ...] = ()
    kept: bool = False
    """Whether the name better stays as it is."""


def renaming(
    member: Membership, graph: Graph, *, kind: Kind, old: str, new: str, fresh: bool = False
) -> Renaming:
    """Return what follows from a rename in the saved draft; nothing is written.

    With `fresh` the name is `kept` once a graph has run or was published, as history names it, and
    where the draft cannot be read. Ids of nodes, their wires and their own agents are left to who applies the edits. Raises
    `InvalidInput` for a name that is none, `Conflict` `NameTaken`, and `Conflict` `DraftUnreadable`
    where the draft's form is wrong.
    """
    require(member, Right.EDIT)
    if not _NAME.match(new) or (kind != "node" and is_reserved(new)):
        raise InvalidInput(
            "a name has letters, digits, - and _, begins with a letter, and is none of the engine",
            path="to",
        )
    spec, _problems = parse_document(document_of(graph))
    if fresh and (spec is None or graph.versions.exists() or graph.runs.exists()):
        return Renaming(kept=True)
    if spec is None:
        raise Conflict("mend what is wrong in the draft first", code="DraftUnreadable")
    if new in _taken(spec, kind):
        raise Conflict(f"there is a {new!r} already: choose another name", code="NameTaken")
    tools = engine_door.engine().known_tools(graph.workspace_id)
    subject = Subject(spec, workspace_world(spec, graph.workspace_id, tools))
    try:
        with bounded():
            found = list(follow(subject, names_of(subject, kind, old, new)))
    except TooMuchWork:
        raise Conflict("the draft is too large to follow", code="TooMuchToCheck") from None
    return Renaming(
        edits=tuple(each for each in found if isinstance(each, Edit)),
        stuck=tuple(each for each in found if isinstance(each, Stuck)),
        callers=() if kind == "node" else tuple(_callers(graph, old)),
    )


def _taken(spec: GraphSpec, kind: Kind) -> set[str]:
    """Return the names that nodes, fields or start fields have."""
    if kind == "node":
        return {*spec.nodes_by_id, *spec.agents_by_id}
    inputs = (spec.interface.inputs if spec.interface else {}).get("properties") or {}
    if kind == "input":
        return set(inputs)
    properties = (spec.state_schema or {}).get("properties") or {}
    return {*properties, *spec.initial_memory}


def _callers(graph: Graph, name: str) -> Iterator[Caller]:
    """Yield nodes of other workflows that run this one and name the field in a mapping."""
    count = 0
    rows = nodes_that_run(graph.workspace_id, graph.slug).select_related("graph")
    for row in rows.order_by("graph__name", "position").iterator():
        if _maps(row.data.get("config") or {}, name):
            count += 1
            yield Caller(row.graph.pk, row.graph.name, row.data.get("label") or row.node_id)
        if count >= MOST_CALLERS:
            return


def _maps(config: Mapping[str, Any], name: str) -> bool:
    return any(
        isinstance(value, Mapping) and (name in value or name in value.values())
        for value in config.values()
    )
