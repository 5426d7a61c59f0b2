"""Read and write keys: reserved names, wildcards, and keys that nothing writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.check.access import RESERVED, covers, is_memory, is_reserved, root
from engine.check.rules.unknown import ghosts, started
from engine.check.rules.unknown.strangers import strangers, text_at
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.problems import Problem, did_you_mean, json_path
from engine.core.node_types.form import hint
from engine.core.people.start_fields import is_start_field
from engine.core.state.grants import read_key

EDITABLE: Final = "editable_keys"
"""The config of an approval that names what its reviewers may edit."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield problems of the keys that nodes and the graph list."""
    defaults = subject.spec.defaults
    yield from _listed("defaults.read_keys", defaults.read_keys, None, reading=True)
    yield from _listed("defaults.write_keys", defaults.write_keys, None, reading=False)
    yield from _declared(subject)
    for node in subject.nodes:
        for name, keys in (
            ("read_keys", node.spec.read_keys),
            ("write_keys", node.spec.write_keys),
        ):
            path = f"{node.path}.{name}"
            yield from _listed(path, keys or (), node.id, reading=name == "read_keys")
        yield from _in_config(subject, node)
        yield from _shown(subject, node)
        yield from _started(subject, node)
        yield from _unwritten(subject, node)


def _listed(
    path: str, keys: Sequence[str], node: str | None, *, reading: bool
) -> Iterator[Problem]:
    for index, key in enumerate(keys):
        place = f"{path}[{index}]"
        if key == "*":
            code, verb = ("WildcardRead", "read") if reading else ("WildcardWrite", "write")
            message = f'"*" lets the node {verb} every memory key: list the keys it needs.'
            yield Problem.of(code, place, message, node=node)
        elif key.startswith("_") or (not reading and is_reserved(key)):
            yield Problem.of("ReservedKey", place, _reserved(key), node=node)


def _reserved(key: str) -> str:
    if key.startswith("_"):
        return f'Keys that start with "_" belong to the engine: rename "{key}".'
    return f'"{root(key)}" is a lane, no memory key; nodes cannot write it: rename the key.'


def _declared(subject: Subject) -> Iterator[Problem]:
    schema = subject.spec.state_schema or {}
    properties = schema.get("properties")
    for path, keys in (
        ("state_schema.properties", properties if isinstance(properties, dict) else {}),
        ("initial_memory", subject.spec.initial_memory),
    ):
        for key in keys:
            if is_reserved(key):
                yield Problem.of("ReservedKey", json_path((*path.split("."), key)), _reserved(key))


def _in_config(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    for found in node.with_widget("key", "keys"):
        for place, key in found.texts():
            if found.hint("start") and is_start_field(key):
                yield from _undeclared(subject, node, place, key)
            elif found.hint("start") and root(key) in RESERVED:
                message = f'"{key}" cannot be shown: name memory keys, or Start fields as input.cv.'
                yield node.at("ReservedKey", json_path(place), message)
            elif EDITABLE in place and is_start_field(key):
                message = f'"{key}" comes from the start: it can be shown, but nobody can edit it.'
                yield node.at("ReservedKey", json_path(place), message)
            elif is_reserved(key) and not (found.hint("reads") and not key.startswith("_")):
                yield node.at("ReservedKey", json_path(place), _reserved(key))
            elif "." in key and not found.hint("reads") and found.hint("grants") != "read":
                message = f'"{key}" names a part; what is written is a whole memory key.'
                yield node.at("InvalidValue", json_path(place), message)
            elif found.hint("reads") and ghosts.is_ghost(subject, _place(key)):
                yield _ghost(subject, node, json_path(place), key)
            elif (reads := found.hint("reads")) and not covers(node.read_keys, _place(key)):
                message = f'The node may not read "{key}": add it to its read keys.'
                lacking = node.unreadable(json_path(place), message, read_key(_place(key)))
                must = node.at("SourceNotReadable", json_path(place), message)
                cured = replace(must, fix=lacking.fix, say=lacking.say, fixes=lacking.fixes)
                yield cured if reads == "must" else lacking
    yield from _left_empty(node)


def _undeclared(
    subject: Subject, node: NodeSubject, place: Sequence[str | int], key: str
) -> Iterator[Problem]:
    """Yield that a Start field which is to be shown is none of the workflow's."""
    for stranger in strangers(subject, [tuple(key.split("."))], ()):
        path = json_path(place)
        problem = node.at(stranger.code, path, stranger.message)
        yield stranger.told(problem, text_at(node, path), fails=False)


def _shown(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield keys that reviewers are to see and nothing writes."""
    known = subject.written
    for found in node.with_widget("key", "keys") if known is not None else ():
        for place, key in found.texts() if found.hint("grants") == "read" else ():
            if known is not None and is_memory(key) and root(key) not in known:
                at = node.at("UnwrittenKey", json_path(place), never_written(key, known))
                yield _told(at, key)


def _started(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield keys that are read as memory and are the start's.

    A read key alone is none of them: it lets a node read what may be there, and nothing fails.
    """
    for found in node.with_widget("key", "keys"):
        for place, key in found.texts() if found.hint("start") or found.hint("reads") else ():
            if started.is_meant(subject, _place(key)):
                at = node.at(started.CODE, json_path(place), started.message(root(key)))
                yield started.told(at, root(key))


def _ghost(subject: Subject, node: NodeSubject, path: str, key: str) -> Problem:
    problem = node.at(ghosts.CODE, path, ghosts.no_node(subject, _place(key)))
    return ghosts.told(subject, problem, _place(key), text_at(node, path))


def _left_empty(node: NodeSubject) -> Iterator[Problem]:
    """Yield what is said of an empty field, also where another field of the config is wrong."""
    for found in node.fields:
        if (warning := found.hint("warn-empty")) and not found.value:
            yield node.at(warning[0], found, warning[1])
    if node.type is None or node.config is not None:
        return
    for name, info in node.type.Config.model_fields.items():
        label = info.alias or name
        given = node.spec.config.get(label, info.get_default(call_default_factory=True))
        if (warning := hint(info, "warn-empty")) and given in (None, "", (), []):
            yield node.problem(warning[0], f"config.{label}", warning[1])


def _place(key: str) -> tuple[str, ...]:
    """Return what a key of the config refers to: a lane, a memory key or a part of one."""
    parts = tuple(key.split("."))
    return parts if root(key) in RESERVED else ("memory", *parts)


def never_written(key: str, known: set[str]) -> str:
    """Return the message about a key that nothing writes, with a near miss if there is one."""
    return f'Nothing in the graph writes "{key}".{did_you_mean(root(key), known)}'


def unwritten(key: str) -> str:
    """Return what people are told of a key that nothing writes."""
    return f"Nothing gives {key} yet."


def _unwritten(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    known = subject.written
    for index, key in enumerate(node.spec.read_keys or ()):
        place = f"{node.path}.read_keys[{index}]"
        if root(key) == "outputs" and "." in key:
            name = key.split(".")[1]
            if name not in subject.by_id:
                message = f'There is no node "{name}".{did_you_mean(name, subject.by_id)}'
                yield node.at("UnwrittenKey", place, message)
        elif known is not None and is_memory(key) and root(key) not in known:
            yield _told(node.at("UnwrittenKey", place, never_written(key, known)), key)
    for key in node.granted_reads:
        if known is not None and root(key) not in known:
            found = node.at("UnwrittenKey", _named_at(node, key), never_written(key, known))
            yield _told(found, key)


def _told(problem: Problem, key: str) -> Problem:
    return problem.on(key).mended(unwritten(key))


def _named_at(node: NodeSubject, key: str) -> str:
    """Return the place of the mapping in the config that names the key."""
    for found in node.fields:
        if isinstance(found.value, Mapping) and key in found.value:
            return json_path((*found.place, key))
    return f"{node.path}.config"
