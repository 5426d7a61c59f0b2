"""Templates, expressions and JSONPaths: they compile, and what they name can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from engine.check import ways
from engine.check.access import covers, is_memory, root
from engine.check.fields import FieldValue
from engine.check.keys import never_written
from engine.check.subject import NodeSubject, Subject
from engine.expressions import ExpressionInvalid, Reference, compile_expression
from engine.jsonpath import compile_path
from engine.problems import Problem, json_path
from engine.templates import compile_template

_TEMPLATES = frozenset({"prompt", "template"})


def find(subject: Subject) -> Iterator[Problem]:
    """Yield problems of everything that is evaluated."""
    proof = _Proof(subject)
    for edge in subject.spec.edges:
        if edge.condition is not None:
            yield from _condition(subject, edge.index)
    for node in subject.nodes:
        for found in node.fields:
            yield from _field(proof, node, found)
        if node.spec.memory_query is not None:
            path = f"{node.path}.memory_query.text"
            yield from _template(proof, node, path, node.spec.memory_query.text)


def _condition(subject: Subject, index: int) -> Iterator[Problem]:
    edge = subject.spec.edges[index]
    try:
        references = compile_expression(edge.condition or "").references
    except ExpressionInvalid as error:
        yield subject.edge_problem("ExpressionInvalid", edge, "condition", _where(error))
        return
    known = subject.written
    for path in _unguarded(references):
        if known is not None and path[0] == "memory" and len(path) > 1 and path[1] not in known:
            message = never_written(path[1], known)
            yield subject.edge_problem("UnwrittenKey", edge, "condition", message)


def _field(proof: _Proof, node: NodeSubject, found: FieldValue) -> Iterator[Problem]:
    if found.value is None:
        return
    prefix = found.hint("expression-prefix")
    for place, text in found.texts():
        path = json_path(place)
        if found.widget in _TEMPLATES:
            yield from _template(proof, node, path, text)
        elif found.widget == "jsonpath" or (text.startswith("$") and found.hint("also-jsonpath")):
            yield from _compiled(node, path, partial(compile_path, text))
        elif found.widget == "expression":
            yield from _expression(proof, node, path, text)
        elif prefix and text.startswith(prefix):
            yield from _expression(proof, node, path, text.removeprefix(prefix))


def _compiled(node: NodeSubject, path: str, compile_: Callable[[], object]) -> Iterator[Problem]:
    try:
        compile_()
    except ExpressionInvalid as error:
        yield node.at("ExpressionInvalid", path, _where(error))


def _expression(proof: _Proof, node: NodeSubject, path: str, text: str) -> Iterator[Problem]:
    try:
        references = compile_expression(text).references
    except ExpressionInvalid as error:
        yield node.at("ExpressionInvalid", path, _where(error))
        return
    yield from _references(proof, node, path, references)


def _template(proof: _Proof, node: NodeSubject, path: str, text: str) -> Iterator[Problem]:
    try:
        references = compile_template(text).references
    except ExpressionInvalid as error:
        yield node.at("ExpressionInvalid", path, _where(error))
        return
    yield from _references(proof, node, path, references)


def _where(error: ExpressionInvalid) -> str:
    return f"Line {error.line}, column {error.column}: {error.message}"


def _unguarded(references: Iterable[Reference]) -> list[tuple[str, ...]]:
    """Return the paths without those that are guarded somewhere, sorted."""
    guarded = {ref.path for ref in references if ref.guarded}
    return sorted({r.path for r in references if not r.guarded} - guarded)


def _references(
    proof: _Proof, node: NodeSubject, path: str, references: Iterable[Reference]
) -> Iterator[Problem]:
    for name in _unguarded(references):
        if name[0] == "result":
            message = '"result" exists on edges only: use previous or outputs.'
            yield node.at("ExpressionInvalid", path, message)
        elif not covers(node.readable, name):
            yield node.at("UnreadableKey", path, _unreadable(name))
        elif ".compensation." not in path and (reason := proof.missing(node, name)):
            yield node.at("UnprovenReference", path, reason)


def _unreadable(name: tuple[str, ...]) -> str:
    key = ".".join(
        name[1:2] if name[0] == "memory" else name[:2] if name[0] == "outputs" else name[:1]
    )
    if key.startswith("_"):
        return f'"{key}" belongs to the engine and cannot be read.'
    return f'The node may not read {".".join(name)}: add "{key}" to its read keys.'


@dataclass
class _Proof:
    """Tells whether a key exists on every way to a node."""

    subject: Subject
    _without: dict[str, set[str]] = field(default_factory=dict)
    _leads: dict[str, tuple[str, ...]] | None = None

    def missing(self, node: NodeSubject, name: tuple[str, ...]) -> str | None:
        """Return why a readable reference may be absent at a node, None if it is proven."""
        if name[0] == "outputs" and len(name) > 1:
            writers, what = {name[1]}, f'"{name[1]}" has run'
        elif name[0] == "memory" and len(name) > 1 and is_memory(name[1]):
            if self._given(name[1]):
                return None
            writers, what = self._writers(name[1]), f'something has written "{name[1]}"'
        else:
            return None
        if node.id not in self._reached_without(writers, ".".join(name[:2])):
            return None
        text = ".".join(name)
        return f"A way leads here before {what}: guard it with has({text}), or write it first."

    def _given(self, key: str) -> bool:
        spec = self.subject.spec
        required = spec.interface.inputs.get("required", ()) if spec.interface else ()
        return key in spec.initial_memory or key in required

    def _writers(self, key: str) -> set[str]:
        return {
            node.id
            for node in self.subject.nodes
            if "*" in node.write_keys
            or any(
                root(k) == key for k in (*node.write_keys, *node.own_keys, *node.granted("write"))
            )
        }

    def _reached_without(self, writers: set[str], label: str) -> set[str]:
        """Return the nodes that some way reaches before any of the writers has completed."""
        if label not in self._without:
            if self._leads is None:
                self._leads = ways.successors(self.subject)
            entries = ways.entries(self.subject)
            found = ways.reach(self._leads, entries, lambda name: name not in writers)
            self._without[label] = found
        return self._without[label]
