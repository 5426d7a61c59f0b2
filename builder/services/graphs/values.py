"""What can be read at a place of a draft: last values, what may be missing, grants that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import orjson

from builder.adapters.check_world import workspace_world
from builder.base import engine_door
from builder.base.errors import NotFound
from builder.models import Graph, Membership, Run
from builder.reads import event_log as log
from builder.services.graphs.drafts import document_of
from builder.services.graphs.evaluation import LONGEST_RUN
from builder.services.permissions import Right, require
from engine.check.paths.proof import Proof
from engine.check.subject import NodeSubject, Subject
from engine.check.uses import idle_keys, wanted_keys
from engine.core.graph.document import parse_document
from engine.core.values.effort import TooMuchWork, bounded

Kind: TypeAlias = Literal["text", "number", "yes/no", "list", "group", "nothing"]
MOST: Final = 500
"""Values that are told."""
SHOWN: Final = 120
"""Characters of a value that are told: it stands in one line of a list."""
_LATEST: Final = 20
_ITEMS: Final = 6
_DEEPEST: Final = 2


@dataclass(frozen=True, slots=True)
class LastValue:
    """What a run has left at a path (`memory`, `level`); `size` counts the items of a list."""

    path: tuple[str, ...]
    kind: Kind
    text: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Readable:
    """What is known of the values at a place; `unproven` may be missing when the node starts."""

    values: tuple[LastValue, ...] = ()
    unproven: tuple[tuple[str, ...], ...] = ()
    idle: tuple[str, ...] = ()
    """Read keys of the node that no field of it uses."""
    used: tuple[str, ...] | None = None
    """The narrowest read keys that its fields need; None where its code may read more."""


def readable(member: Membership, graph: Graph, *, node: str, run: Run | None) -> Readable:
    """Return what a run has left, and what is proven at a node of the saved draft; nothing is written.

    `run` None is the newest one of the draft. It is for those who write the draft. Raises `NotFound`
    for a run of another graph. A draft that cannot be read, or is too large, proves nothing.
    """
    require(member, Right.EDIT)
    if run is not None and run.graph_id != graph.pk:
        raise NotFound("no such run of this workflow", code="RunNotFound")
    values = tuple(_left(run or _newest(graph)))
    return replace(_proven(graph, node), values=values)


def _newest(graph: Graph) -> Run | None:
    """Return the newest run of the draft among the latest, else the newest."""
    runs = Run.objects.filter(graph=graph, parent_run=None).select_related("version")
    latest = list(runs.order_by("-started_at")[:_LATEST])
    drafts = (run for run in latest if run.version is not None and run.version.is_draft)
    return next(drafts, latest[0] if latest else None)


def _left(run: Run | None) -> Iterator[LastValue]:
    """Yield what a run was started with, has in its memory and gave as answers."""
    if run is None or run.seq > LONGEST_RUN:
        return
    given = log.data_at([(run.pk, 1)]).get((run.pk, 1), {}).get("input")
    if given is not None:
        yield _told(("input",), given)
    state = {**engine_door.engine().state_at(run.pk, None), "input": given}
    lanes = [lane for lane in ("input", "memory", "outputs") if isinstance(state[lane], Mapping)]
    named = ((lane, key) for lane in lanes for key in state[lane])
    for lane, key in list(named)[:MOST]:
        if not key.startswith("_"):
            yield _told((lane, key), state[lane][key])


def _told(path: tuple[str, ...], value: Any) -> LastValue:
    kind = _kind(value)
    size = len(value) if kind == "list" else None
    text = value if kind == "text" else orjson.dumps(_brief(value, 0), default=str).decode()
    return LastValue(path, kind, f"{text[:SHOWN]}…" if len(text) > SHOWN else text, size)


def _kind(value: Any) -> Kind:
    if isinstance(value, bool):
        return "yes/no"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, Mapping):
        return "group"
    return "nothing" if value is None else "list"


def _brief(value: Any, depth: int) -> Any:
    """Return so much of a value that its beginning can be told."""
    if isinstance(value, str):
        return value[:SHOWN]
    if isinstance(value, Mapping):
        few = list(value.items())[:_ITEMS] if depth < _DEEPEST else []
        return {str(key)[:SHOWN]: _brief(item, depth + 1) for key, item in few}
    if isinstance(value, list | tuple):
        return [_brief(item, depth + 1) for item in value[:_ITEMS]] if depth < _DEEPEST else []
    return value


def _proven(graph: Graph, node_id: str) -> Readable:
    spec, _problems = parse_document(document_of(graph)) if node_id else (None, None)
    if spec is None:
        return Readable()
    tools = engine_door.engine().known_tools(graph.workspace_id)
    try:
        with bounded():
            subject = Subject(spec, workspace_world(spec, graph.workspace_id, tools))
            node = subject.by_id.get(node_id)
            if node is None:
                return Readable()
            missing = tuple(_unproven(subject, node))
            return Readable(unproven=missing, idle=idle_keys(node), used=wanted_keys(node))
    except TooMuchWork:
        return Readable()


def _unproven(subject: Subject, node: NodeSubject) -> Iterator[tuple[str, ...]]:
    proof = Proof(subject)
    names = [("memory", key) for key in sorted(subject.written or ())]
    names += [("outputs", other.id) for other in subject.nodes]
    for name in names[:MOST]:
        if proof.missing(node, name) is not None:
            yield name
