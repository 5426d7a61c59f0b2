"""What nodes write: writes without effect, answers without a place, branches that collide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.check.paths import ways
from engine.check.paths.collisions import Branches
from engine.check.paths.together import starts_together
from engine.check.rules.tools import offered_to
from engine.check.steps import Steps, TooManySteps, too_many
from engine.check.subject import NodeSubject, Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.fields import START
from engine.core.graph.problems import Problem
from engine.core.node_types.rules.written_keys import keys_written


def find(subject: Subject) -> Iterator[Problem]:
    """Yield problems of write grants, derived schemas and parallel branches."""
    for node in subject.nodes:
        if node.config is None:
            continue
        if not getattr(node.type, "writes_data", True):
            yield from _unused(node)
        yield from _undeclared(subject, node)
        if "result_schema" in type(node.config).model_fields:
            yield from _answer(subject, node)
    yield from _parallel(subject)


def _unused(node: NodeSubject) -> Iterator[Problem]:
    for index, key in enumerate(node.spec.write_keys or ()):
        if key != "*" and key not in node.own_keys:
            writes = ", ".join(node.own_keys) or "nothing"
            message = f'A node of type "{node.spec.type}" never writes "{key}": it writes {writes}.'
            problem = node.problem("WriteKeyUnused", f"write_keys[{index}]", message)
            yield problem.mended(f"{node.label} never gives {key}: take it out.")


def _undeclared(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    """Yield writes that stand in the code of the type and are refused when it runs."""
    assert node.type is not None
    grant = {*subject.grant(node), *node.own_keys}
    written, always = keys_written(type(node.type).run)
    for key in () if "*" in grant else sorted(written - grant):
        message = f'A node of type "{node.spec.type}" writes "{key}": add it to write_keys.'
        say = f"{node.label} sets {key}, and that is not among what it gives."
        problem = node.problem("ResultKeyNotWritable", "write_keys", message).on(key).mended(say)
        yield problem if key in always else replace(problem, severity="warning")


def schema_properties(subject: Subject) -> dict[str, Any]:
    """Return the properties of the state schema by name."""
    found = (subject.spec.state_schema or {}).get("properties")
    return found if isinstance(found, dict) else {}


def _answer(subject: Subject, node: NodeSubject) -> Iterator[Problem]:
    concrete = [key for key in subject.grant(node) if key != "*"]
    own: Any = getattr(node.config, "result_schema", None)
    if own is not None:
        yield from _not_writable(subject, node, own)
        return
    properties = schema_properties(subject)
    if properties:
        for index, key in enumerate(node.spec.write_keys or ()):
            if key != "*" and key not in properties:
                message = (
                    f'"{key}" has no property in state_schema, so the agent is not asked for it:'
                    " add the property, or give the node a result_schema."
                )
                problem = node.problem("WriteKeyNotInSchema", f"write_keys[{index}]", message)
                say = f"{node.label} gives {key}, and nothing says what that is."
                yield problem.mended(say, describe([key], properties))
    derived = [key for key in concrete if key in properties]
    if len(concrete) > 1 and not derived and "memory_write" not in offered_to(subject, node):
        message = (
            f"A text answer is not stored in memory: it could go to {' or '.join(concrete)}."
            " Keep one write key, or describe the keys in state_schema."
        )
        say = f"The answer of {node.label} is kept nowhere: say what each of its fields is."
        problem = node.problem("AnswerNotStored", "write_keys", message)
        yield problem.mended(say, describe(concrete, properties))


def describe(keys: Sequence[str], known: Mapping[str, Any]) -> Cure:
    """Return the cure that says of each key that it is a text."""
    opened = () if known else (Edit("graph", "", ("state_schema", "type"), "object"),)
    fields = (
        Edit("graph", "", ("state_schema", "properties", k), {"type": "string"}) for k in keys
    )
    return Cure(f"Describe {', '.join(keys)}", (*opened, *fields))


def _not_writable(
    subject: Subject, node: NodeSubject, schema: Mapping[str, Any]
) -> Iterator[Problem]:
    grant = subject.grant(node)
    properties = schema.get("properties")
    for key in properties if isinstance(properties, dict) else ():
        if "*" not in grant and key not in grant:
            message = f'The node may not write "{key}": add it to write_keys, or remove it here.'
            path = f"config.result_schema.properties.{key}"
            say = f"{node.label} is asked for {key}, and that is not among what it gives."
            yield node.problem("ResultKeyNotWritable", path, message).on(key).mended(say)


def _parallel(subject: Subject) -> Iterator[Problem]:
    writers = _colliding(subject)
    if not writers:
        return
    try:
        branches = Branches(ways.successors(subject), list(_forks(subject)), Steps())
        found = sorted(
            (fork, place, later, key, first)
            for place, (key, nodes) in enumerate(writers.items())
            for fork, first, later in branches.beside([node.id for node in nodes])
        )
    except TooManySteps:
        yield too_many("which nodes write the same key on parallel branches")
        return
    for _fork, _place, later, key, first in found:
        yield _collision(key, writers[key][first], writers[key][later])


def _collision(key: str, first: NodeSubject, second: NodeSubject) -> Problem:
    message = (
        f'"{first.id}" writes "{key}" on a parallel branch, so the later one wins:'
        " give the key a reducer in state_schema, or use two keys."
    )
    say = f"{first.label} and {second.label} give {key} at the same time: the later one wins."
    return second.problem("ParallelWrites", "write_keys", message).on(key).mended(say)


def _colliding(subject: Subject) -> dict[str, list[NodeSubject]]:
    """Return nodes by each key without reducer that more than one of them writes."""
    properties = schema_properties(subject)
    writers: dict[str, list[NodeSubject]] = {}
    for node in subject.nodes:
        declared = subject.grant(node) if getattr(node.type, "writes_data", True) else ()
        for key in dict.fromkeys((*declared, *node.own_keys, *node.granted("write"))):
            if key != "*" and "reducer" not in (properties.get(key) or {}):
                writers.setdefault(key, []).append(node)
    return {key: nodes for key, nodes in writers.items() if len(nodes) > 1}


def _forks(subject: Subject) -> Iterator[tuple[str, list[str]]]:
    yield START, list(ways.entries(subject))
    for node in subject.nodes:
        for edges in starts_together(subject, node):
            yield node.id, [edge.target for edge in edges if edge.target in subject.by_id]
