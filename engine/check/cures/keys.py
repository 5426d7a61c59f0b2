"""Keys that are given, read, combined or narrowed to what is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.check.access import covers
from engine.check.cures.names import near
from engine.check.cures.places import edge_of, node_of, put, there
from engine.check.mentions import called
from engine.check.renames.edits import in_node
from engine.check.renames.texts import CannotFollow, NewName, in_expression
from engine.check.rules.writes import describe, schema_properties
from engine.check.subject import NodeSubject, Subject
from engine.check.uses import wanted_keys
from engine.core.graph.cures import Cure, Edit, allow
from engine.core.graph.problems import Problem
from engine.core.state.grants import read_key

MOST_NAMED: Final = 12
"""Fields that a narrowed node still gives."""


def write(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield what gives a memory key that nothing writes: another name, a node before, the start."""
    (key, *_rest) = problem.about or ("",)
    name = key.partition(".")[0]
    if not name or name == "outputs":
        return
    meant = near(name, subject.written or ())
    if meant is not None and (edits := _called(subject, problem, name, meant)):
        yield Cure(f"Use {meant}", edits)
    writer = _before(subject, problem)
    if writer is not None:
        known = schema_properties(subject)
        described = describe([name], known).edits if name not in known else ()
        add = Edit("node", writer.id, ("write_keys",), name, "add")
        yield Cure(f"Add to what {writer.label} gives", (add, *described))
    start = Edit("graph", "", ("interface", "inputs", "properties", name), {"type": "string"})
    yield Cure(_start(name), (start,))


def _start(name: str) -> str:
    """Return what the button says that asks for a field at the start."""
    return f"Add start field {name}"


def give(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield what gives a field that nothing gives and the node may not read, and lets it read that."""
    node = node_of(subject, problem)
    if node is None or not problem.about or not subject.lacks(problem.about):
        return
    name = problem.about[1]
    meant = near(name, subject.written or ())
    for cure in write(subject, problem.on(name)):
        path = ("memory", meant if meant is not None and cure.label == f"Use {meant}" else name)
        edits = cure.edits
        if cure.label == _start(name):
            text = there(subject, problem)
            if not isinstance(text, str):
                continue
            path = ("input", name)
            edits = (*edits, put(subject, problem, called(text, ("memory", name), path)))
        granted = () if covers(node.readable, path) else allow(node.id, read_key(path) or "").edits
        yield Cure(cure.label, (*edits, *granted))


def _called(subject: Subject, problem: Problem, old: str, new: str) -> tuple[Edit, ...]:
    """Return the edits by which a node or a wire names another key; none where one is stuck."""
    name = NewName("memory", old, new)
    node, edge = node_of(subject, problem), edge_of(subject, problem)
    if node is not None:
        found = list(in_node(node, (name,)))
        return tuple(e for e in found if isinstance(e, Edit)) if _all_edits(found) else ()
    if edge is None or edge.condition is None:
        return ()
    try:
        return (put(subject, problem, in_expression(edge.condition, name)),)
    except CannotFollow:
        return ()


def _all_edits(found: Sequence[Any]) -> bool:
    return all(isinstance(each, Edit) for each in found)


def _before(subject: Subject, problem: Problem) -> NodeSubject | None:
    """Return the nearest node before that can give a field of the author's."""
    edge = edge_of(subject, problem)
    names = (
        [edge.source]
        if edge is not None
        else [e.source for e in subject.spec.edges_to(problem.node or "")]
    )
    nodes = (subject.by_id.get(name) for name in names)
    gives = (n for n in nodes if n is not None and n.type is not None and n.type.writes_data)
    return next(gives, None)


def let_give(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the grant of a key that the node's answer holds."""
    if problem.node is not None and problem.about:
        key = problem.about[0]
        yield Cure(f"Let it give {key}", (Edit("node", problem.node, ("write_keys",), key, "add"),))


def combine(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield one list for what branches write at once, or a field for each of them."""
    node, known = node_of(subject, problem), schema_properties(subject)
    if node is None or not problem.about:
        return
    key = problem.about[0]
    opened = () if known else (Edit("graph", "", ("state_schema", "type"), "object"),)
    inner = {k: v for k, v in dict(known.get(key) or {}).items() if k != "reducer"}
    listed = inner if inner.get("type") == "array" else {"type": "array", "items": inner}
    to_list = Edit(
        "graph", "", ("state_schema", "properties", key), {**listed, "reducer": "append"}
    )
    yield Cure("Combine as list", (*opened, to_list))
    keys = list(node.spec.write_keys or ())
    if key in keys:
        other = _free(key, {*known, *(subject.written or ())})
        edits = [Edit("node", node.id, ("write_keys",), [other if k == key else k for k in keys])]
        if key in known:
            edits.append(Edit("graph", "", ("state_schema", "properties", other), known[key]))
        yield Cure("Use two fields", tuple(edits))


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def narrow_reads(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the read keys that the fields of a node need, in place of all."""
    node = node_of(subject, problem)
    keys = None if node is None else wanted_keys(node)
    if node is not None and keys is not None and "*" not in keys:
        yield Cure("Narrow to what is used", (Edit("node", node.id, ("read_keys",), list(keys)),))


def narrow_writes(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield the fields that a node's answer holds, in place of all."""
    node = node_of(subject, problem)
    if node is None or node.type is None or node.config is None:
        return
    own: Any = getattr(node.config, "result_schema", None)
    fields = (own or {}).get("properties") if own is not None else schema_properties(subject)
    keys = list(fields or ())[:MOST_NAMED] if node.type.writes_data else []
    if keys or not node.type.writes_data:
        yield Cure("Narrow to what is used", (Edit("node", node.id, ("write_keys",), keys),))
