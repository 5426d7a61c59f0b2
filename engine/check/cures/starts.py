"""A field of the start in place of a key of memory: `input.cv` wherever a part says `memory.cv`."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.access import covers, root
from engine.check.cures.places import edge_of, inside, node_of, put
from engine.check.mentions import called
from engine.check.renames.edits import language_of
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Edit, allow
from engine.core.graph.problems import Problem


def from_start(subject: Subject, problem: Problem, key: str, field: str) -> tuple[Edit, ...]:
    """Return the edits by which a node or wire reads a start field in place of a memory key.

    The node may read it then. Nothing where the place of the problem cannot name the start.
    """
    edge, node = edge_of(subject, problem), node_of(subject, problem)
    if edge is not None and edge.condition is not None:
        after = called(edge.condition, ("memory", key), ("input", field))
        return (put(subject, problem, after),) if after != edge.condition else ()
    if node is None:
        return ()
    edits = (*_texts(node, key, field), *_read_keys(node, key, field))
    steps = inside(problem)
    mends = any(steps[: len(edit.path)] == edit.path for edit in edits)
    return edits if mends else ()


def _texts(node: NodeSubject, key: str, field: str) -> Iterator[Edit]:
    """Yield the edit of each text of a node that names the key."""
    old, new = ("memory", key), ("input", field)
    query = node.spec.memory_query
    if query is not None and (after := called(query.text, old, new)) != query.text:
        yield Edit("node", node.id, ("memory_query", "text"), after)
    for found in node.fields:
        for place, text in found.texts() if found.value is not None else ():
            after = text
            if found.widget in ("key", "keys"):
                if (found.hint("start") or found.hint("reads")) and root(text) == key:
                    after = _named(text, field)
            elif language_of(found, text) is not None:
                after = called(text, old, new)
            if after != text:
                yield Edit("node", node.id, place[2:], after)


def _read_keys(node: NodeSubject, key: str, field: str) -> Iterator[Edit]:
    """Yield the grant: the start field stands where the key did, else behind the others."""
    given = node.spec.read_keys or ()
    keys = [_named(each, field) if root(each) == key else each for each in given]
    if keys != list(given):
        yield Edit("node", node.id, ("read_keys",), list(dict.fromkeys(keys)))
    elif not covers(node.readable, ("input", field)):
        yield from allow(node.id, f"input.{field}").edits


def _named(text: str, field: str) -> str:
    """Return a memory key, or a part of one, as the part of the start that it means."""
    return ".".join(("input", field, *text.split(".")[1:]))
