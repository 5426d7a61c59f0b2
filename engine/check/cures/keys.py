"""Keys that are given, read, combined or narrowed to what is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.check.access import covers
from engine.check.cures.names import near
from engine.check.cures.places import edge_of, node_of, put
from engine.check.cures.starts import from_start
from engine.check.renames.edits import in_node
from engine.check.renames.texts import CannotFollow, NewName, in_expression
from engine.check.rules.writes import describe, schema_properties
from engine.check.subject import NodeSubject, Subject
from engine.check.uses import wanted_keys
from engine.core.graph.cures import Cure, Edit, allow
from engine.core.graph.problems import Problem
from engine.core.values.effort import charge

MOST_NAMED: Final = 12
"""Fields that a narrowed node still gives."""


def write(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield what gives a memory key that nothing writes: another name, a node before, the start."""
    (key, *_rest) = problem.about or ("",)
    name = key.partition(".")[0]
    if name and name != "outputs":
        yield from (cure for cure, _key in _giving(subject, problem, name))


def give(subject: Subject, problem: Problem) -> Iterator[Cure]:
    """Yield what gives a field that nothing gives and the node may not read, and lets it read that."""
    node, path = node_of(subject, problem), problem.about
    if node is None or len(path) < 2 or path[0] != "memory":
        return
    name = path[1]
    if not (subject.lacks(path) or subject.only_start(name)):
        return
    for cure, key in _giving(subject, problem.on(name), name):
        free = key is None or covers(node.readable, ("memory", key))
        granted = () if free else allow(node.id, key or name).edits
        yield Cure(cure.label, (*cure.edits, *granted))


def _giving(subject: Subject, problem: Problem, name: str) -> Iterator[tuple[Cure, str | None]]:
    """Yield what gives a key, with the memory key that is read then: None where it is the start's."""
    only_start = subject.only_start(name)
    meant = name if only_start else near(name, subject.written or ())
    if meant is not None and subject.only_start(meant):
        if edits := from_start(subject, problem, name, meant):
            yield Cure(f"Use input.{meant}", edits), None
    elif meant is not None and (edits := _called(subject, problem, name, meant)):
        yield Cure(f"Use {meant}", edits), meant
    writer = _before(subject, problem)
    if writer is not None:
        known = schema_properties(subject)
        described = describe([name], known).edits if name not in known else ()
        add = Edit("node", writer.id, ("write_keys",), name, "add")
        yield Cure(f"Add to what {writer.label} gives", (add, *described)), name
    if not only_start and (edits := from_start(subject, problem, name, name)):
        path = ("interface", "inputs", "properties", name)
        asked = Edit("graph", "", path, {"type": "string"})
        yield Cure(f"Add start field {name}", (asked, *edits)), None


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
    asked = _still_asked(subject, key, listed)
    yield Cure("Combine as list", (*opened, to_list, *asked))
    keys = list(node.spec.write_keys or ())
    if key in keys:
        other = _free(key, {*known, *(subject.written or ())})
        edits = [Edit("node", node.id, ("write_keys",), [other if k == key else k for k in keys])]
        if key in known:
            edits.append(Edit("graph", "", ("state_schema", "properties", other), known[key]))
        yield Cure("Use two fields", tuple(edits))


def _still_asked(subject: Subject, key: str, listed: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the shapes of answers in which agents are asked for a key that becomes a list.

    A derived shape leaves out what has a reducer (row V5).
    """
    known = {**schema_properties(subject), key: listed}
    for node in subject.nodes:
        charge(1 + len(node.write_keys))
        derives = "result_schema" in type(node.config).model_fields if node.config else False
        if key not in node.write_keys or not derives or node.spec.config.get("result_schema"):
            continue
        rows = {name: dict(known[name]) for name in node.write_keys if name in known}
        for row in rows.values():
            row.pop("reducer", None)
        shape = {"type": "object", "properties": rows, "required": [*rows]}
        path = ("config", "result_schema")
        yield Edit("node", node.id, path, {**shape, "additionalProperties": False})


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
