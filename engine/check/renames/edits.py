"""What a document says once a name in it is another: the edits of its texts, keys and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from engine.check.fields import FieldValue, raw_fields
from engine.check.renames.texts import (
    CannotFollow,
    NewName,
    in_expression,
    in_jsonpath,
    in_template,
)
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Edit
from engine.core.values.json import thaw

Kind: TypeAlias = Literal["node", "field", "input"]
_TEMPLATES: Final = frozenset({"prompt", "template"})


@dataclass(frozen=True, slots=True)
class Stuck:
    """A place that names it and has to be changed by hand."""

    part: Literal["node", "edge"]
    id: str
    path: tuple[str | int, ...]


def names_of(subject: Subject, kind: Kind, old: str, new: str) -> tuple[NewName, ...]:
    """Return every name that changes when a node, a memory field or a start field is renamed.

    A node's own memory keys change with its id; a start field is a memory key too where nothing
    else writes it.
    """
    if kind == "field":
        return (NewName("memory", old, new),)
    if kind == "input":
        shared = _written_besides(subject, old)
        return (NewName("input", old, new), *(() if shared else (NewName("memory", old, new),)))
    node = subject.by_id.get(old)
    own = node.own_keys if node is not None else ()
    keys = [key for key in own if key.startswith(f"{old}_")]
    return (
        NewName("outputs", old, new),
        *(NewName("memory", key, f"{new}{key.removeprefix(old)}") for key in keys),
    )


def _written_besides(subject: Subject, key: str) -> bool:
    """Return whether a memory key of a start field's name is another thing as well."""
    schema = subject.spec.state_schema or {}
    if key in subject.spec.initial_memory or key in (schema.get("properties") or {}):
        return True
    return any(key in (*node.write_keys, *node.own_keys) for node in subject.nodes)


def follow(subject: Subject, names: Iterable[NewName]) -> Iterator[Edit | Stuck]:
    """Yield the edits of all texts and keys that mention one of the names, and where none is possible.

    Ids of nodes and wires are left to who applies the edits.
    """
    renaming = tuple(names)
    for edge in subject.spec.edges:
        if edge.condition is not None:
            place = Stuck("edge", edge.key, ("condition",))
            yield from _text(place, edge.condition, in_expression, renaming)
    for node in subject.nodes:
        yield from in_node(node, renaming)
    yield from _settings(subject, renaming)


def _text(
    place: Stuck, text: str, how: Callable[[str, NewName], str], names: tuple[NewName, ...]
) -> Iterator[Edit | Stuck]:
    """Yield the edit of the text at a place, else the place."""
    after = text
    try:
        for name in names:
            after = how(after, name)
    except CannotFollow:
        yield place
        return
    if after != text:
        yield Edit(place.part, place.id, place.path, after)


def in_node(node: NodeSubject, names: tuple[NewName, ...]) -> Iterator[Edit | Stuck]:
    """Yield the edits of one node's texts, keys and tables, and where none is possible."""
    spec = node.spec
    for side in ("read_keys", "write_keys"):
        keys = getattr(spec, side)
        yield from _keys("node", node.id, (side,), keys, names)
    if spec.memory_query is not None:
        place = Stuck("node", node.id, ("memory_query", "text"))
        yield from _text(place, spec.memory_query.text, in_template, names)
    if node.type is None:
        return
    seen: set[tuple[str | int, ...]] = set()
    for found in raw_fields(node.type.Config, thaw(spec.config), ("config",)):
        if found.place not in seen:
            seen.add(found.place)
            yield from _field(node, found, names)


def _field(
    node: NodeSubject, found: FieldValue, names: tuple[NewName, ...]
) -> Iterator[Edit | Stuck]:
    if found.widget in {"key", "keys"}:
        value = found.value
        keys = value if isinstance(value, list) else None
        if keys is not None:
            yield from _keys("node", node.id, found.place, keys, names)
        elif isinstance(value, str) and (after := _key(value, names)) != value:
            yield Edit("node", node.id, found.place, after)
    elif found.widget is None and isinstance(found.value, Mapping):
        yield from _mapping(node, found, names)
    elif found.widget == "json":
        yield from _answer_schema(node, found, names)
    for path, text in found.texts():
        how = language_of(found, text)
        if how is not None:
            yield from _text(Stuck("node", node.id, path), text, how, names)


def language_of(found: FieldValue, text: str) -> Callable[[str, NewName], str] | None:
    """Return how a text of a field is read; None where it names nothing."""
    if found.widget in _TEMPLATES:
        return in_template
    if found.widget == "jsonpath" or (text.startswith("$") and found.hint("also-jsonpath")):
        return in_jsonpath if found.hint("over-view") else None
    prefix = found.hint("expression-prefix")
    if prefix and text.startswith(prefix):
        return lambda whole, name: prefix + in_expression(whole.removeprefix(prefix), name)
    return in_expression if found.widget == "expression" else None


def _mapping(node: NodeSubject, found: FieldValue, names: tuple[NewName, ...]) -> Iterator[Edit]:
    """Yield the edit of a mapping between memory here and memory elsewhere: only the side that is here."""
    given = {str(key): value for key, value in found.value.items()}
    reads, writes = set(node.granted_reads), set(node.own_keys)
    if given and set(given) <= reads:
        after = {_key(key, names): value for key, value in given.items()}
    elif given and all(isinstance(value, str) and value in writes for value in given.values()):
        after = {key: _key(value, names) for key, value in given.items()}
    else:
        return
    if after != given:
        yield Edit("node", node.id, found.place, after)


def _answer_schema(
    node: NodeSubject, found: FieldValue, names: tuple[NewName, ...]
) -> Iterator[Edit]:
    """Yield the edit of the schema of an answer whose properties are what the node writes."""
    schema = found.value
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return
    after = schema
    for name in names:
        if name.root == "memory" and name.old in node.write_keys:
            after = renamed_property(after, name.old, name.new)
    if after is not schema:
        yield Edit("node", node.id, found.place, after)


def _key(key: str, names: tuple[NewName, ...]) -> str:
    for name in names:
        key = name.of_key(key)
    return key


def _keys(
    part: Literal["node", "graph"],
    part_id: str,
    path: tuple[str | int, ...],
    keys: Iterable[Any] | None,
    names: tuple[NewName, ...],
) -> Iterator[Edit]:
    before = list(keys or ())
    after = [_key(key, names) if isinstance(key, str) else key for key in before]
    if after != before:
        yield Edit(part, part_id, path, list(dict.fromkeys(after)))


def _settings(subject: Subject, names: tuple[NewName, ...]) -> Iterator[Edit]:
    spec = subject.spec
    yield from _keys("graph", "", ("defaults", "read_keys"), spec.defaults.read_keys, names)
    yield from _keys("graph", "", ("defaults", "write_keys"), spec.defaults.write_keys, names)
    if spec.interface is not None:
        yield from _keys("graph", "", ("interface", "outputs"), spec.interface.outputs, names)
    for index, agent in enumerate(spec.agents):
        for side in ("read_keys", "write_keys"):
            keys = getattr(agent.permissions, side) if agent.permissions else None
            yield from _keys("graph", "", ("agents", index, "permissions", side), keys, names)
    for name in names:
        if name.root == "memory":
            yield from _memory_tables(subject, name)
        elif name.root == "input" and spec.interface is not None:
            inputs = thaw(spec.interface.inputs)
            after = renamed_property(inputs, name.old, name.new)
            if after is not inputs:
                yield Edit("graph", "", ("interface", "inputs"), after)


def _memory_tables(subject: Subject, name: NewName) -> Iterator[Edit]:
    schema = thaw(subject.spec.state_schema) if subject.spec.state_schema else {}
    after = renamed_property(schema, name.old, name.new)
    if after is not schema:
        yield Edit("graph", "", ("state_schema",), after)
    memory = thaw(subject.spec.initial_memory)
    if name.old in memory:
        value = {name.new if key == name.old else key: item for key, item in memory.items()}
        yield Edit("graph", "", ("initial_memory",), value)


def renamed_property(schema: Any, old: str, new: str) -> Any:
    """Return an object's schema with a property called otherwise, in its place; the same without it."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or old not in properties:
        return schema
    after = {
        **schema,
        "properties": {new if key == old else key: item for key, item in properties.items()},
    }
    if isinstance(schema.get("required"), list):
        after["required"] = [new if key == old else key for key in schema["required"]]
    return after
