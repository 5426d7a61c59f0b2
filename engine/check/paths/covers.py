"""Whether the conditions of one node's wires leave no value out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.check.paths.proof import Proof
from engine.check.subject import NodeSubject, Subject
from engine.core.expressions.cel import Constant, ExpressionInvalid, compile_expression
from engine.core.graph.document import EdgeSpec
from engine.core.values.effort import COMPILED, charge


def covers_all(proof: Proof, node: NodeSubject, edges: Sequence[EdgeSpec]) -> bool:
    """Return whether one of the wires is always taken: they name each value of a field.

    The field is one of the start that must be given, or one of memory that is surely written once
    the node has completed; it is a *One of* or a yes or no.
    """
    named: dict[tuple[str, ...], set[Constant]] = {}
    for edge in edges:
        for path, values in _exactly(edge).items():
            named.setdefault(path, set()).update(values)
    for path, found in named.items():
        possible = _possible(proof.subject, path)
        if possible and possible <= found and _is_there(proof, node, path):
            return True
    return False


def _exactly(edge: EdgeSpec) -> Mapping[tuple[str, ...], frozenset[Constant]]:
    """Return the field and the values with which a condition surely holds."""
    if edge.condition is None:
        return {}
    charge(COMPILED)
    try:
        asked = compile_expression(edge.condition).asked
    except ExpressionInvalid:
        return {}
    return asked.values if asked.exact else {}


def _possible(subject: Subject, path: tuple[str, ...]) -> set[Constant]:
    """Return every value that a field can have, nothing where they are not listed."""
    if len(path) != 2:
        return set()
    spec = subject.spec
    inputs = spec.interface.inputs if spec.interface else {}
    schema: Mapping[str, Any] = {"input": inputs, "memory": spec.state_schema}.get(path[0]) or {}
    properties = schema.get("properties")
    field = properties.get(path[1]) if isinstance(properties, Mapping) else None
    if not isinstance(field, Mapping):
        return set()
    listed = field.get("enum")
    if isinstance(listed, Sequence) and all(isinstance(value, str) for value in listed):
        return {("text", value) for value in listed}
    return {("bool", True), ("bool", False)} if field.get("type") == "boolean" else set()


def _is_there(proof: Proof, node: NodeSubject, path: tuple[str, ...]) -> bool:
    if path[0] == "memory":
        return proof.after(node, path)
    interface = proof.subject.spec.interface
    return interface is not None and path[1] in interface.inputs.get("required", ())
