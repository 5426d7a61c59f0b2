"""What only a test run may ask for: one node alone, pinned results, breakpoints; checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.decide.begin.pinned import SAID
from engine.core.errors import NodeError, RequestRefused
from engine.core.graph.document import GraphSpec
from engine.core.state.lanes import check_writes
from engine.core.state.program import Program
from engine.core.state.requests import StartRun
from engine.core.values.json import EMPTY, FrozenDict, FrozenList, freeze

MOST_BREAKPOINTS: Final = 200
PIN_FIELDS: Final = frozenset({"output", "writes", "results", "is_result", *SAID})
GIVEN_FIELDS: Final = frozenset({"outputs", "previous"})


def trial_fields(start: StartRun, program: Program) -> dict[str, Any]:
    """Return the fields of `RunStarted` that make a run a trial; none for any other.

    Raises `RequestRefused`: `TestOnly` for a published version, `PinDoesNotFit`, `InputInvalid`.
    """
    refuse_published(start.published, start.only, start.pins, start.breakpoints)
    data: dict[str, Any] = {}
    if start.only is not None:
        data["only"] = led_to(start.only, program.spec, "only")
        data["given"] = _given(start)
    if start.pins:
        data["pins"] = _pins(start.pins, program)
    if start.breakpoints:
        data["breakpoints"] = _breakpoints(start.breakpoints, program.spec)
    return data


def refuse_published(published: bool, *asked: object) -> None:
    """Raise `RequestRefused` `TestOnly` where a published version is asked for any of this."""
    if published and any(asked):
        raise RequestRefused(
            "TestOnly",
            "a published version runs as it is: pins, breakpoints and single nodes are for test "
            "runs of the draft",
        )


def led_to(node: str, spec: GraphSpec, name: str) -> str:
    """Return a node that an edge leads to. Raises `RequestRefused` where none does."""
    if node not in spec.nodes_by_id or all(edge.target != node for edge in spec.edges):
        raise RequestRefused("InputInvalid", f"`{name}`: no edge leads to a node {node!r}")
    return node


def _given(start: StartRun) -> FrozenDict:
    unknown = sorted(start.given.keys() - GIVEN_FIELDS)
    if unknown:
        raise RequestRefused("InputInvalid", f"`given.{unknown[0]}`: known are outputs, previous")
    outputs = start.given.get("outputs", {})
    if not isinstance(outputs, Mapping):
        raise RequestRefused("InputInvalid", "`given.outputs` must be an object")
    others = {node: value for node, value in outputs.items() if node != start.only}
    return FrozenDict(
        {
            "outputs": freeze(others, "given.outputs"),
            "previous": freeze(start.given.get("previous", EMPTY), "given.previous"),
        }
    )


def _pins(pins: Mapping[str, Mapping[str, Any]], program: Program) -> FrozenDict:
    for node_id, pin in pins.items():
        problem = pin_problem(node_id, pin, program)
        if problem is not None:
            raise RequestRefused("PinDoesNotFit", f"pin of {node_id!r}: {problem}")
    return FrozenDict({node: freeze(dict(pin), f"pins.{node}") for node, pin in pins.items()})


def pin_problem(node_id: str, pin: Mapping[str, Any], program: Program) -> str | None:
    """Return why nothing, or not this, may be pinned at a node; None if it may."""
    spec = program.spec
    if node_id not in spec.nodes_by_id or all(edge.target != node_id for edge in spec.edges):
        return "no edge leads to this node"
    unknown = sorted(pin.keys() - PIN_FIELDS)
    if unknown or "output" not in pin:
        return f"it needs `output` and may have {', '.join(sorted(PIN_FIELDS - {'output'}))}"
    try:
        plan = program.plan(node_id)
        if plan.type.asks_people:
            return "a person answers here: what they say cannot be pinned"
        writes = {**pin.get("writes", {})}
        check_writes(plan, {k: v for k, v in writes.items() if k not in plan.own_keys}, None)
    except NodeError as error:
        return error.message
    return None


def _breakpoints(nodes: Sequence[str], spec: GraphSpec) -> FrozenList:
    known = [node for node in dict.fromkeys(nodes) if node in spec.nodes_by_id]
    if len(known) < len(set(nodes)) or len(known) > MOST_BREAKPOINTS:
        gone = next((node for node in nodes if node not in spec.nodes_by_id), None)
        why = f"at most {MOST_BREAKPOINTS}" if gone is None else f"there is no node {gone!r}"
        raise RequestRefused("InputInvalid", f"`breakpoints`: {why}")
    return FrozenList(known)
