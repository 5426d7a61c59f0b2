"""Lanes of a run: how a view is filled, what a node may write (the gate), how writes merge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.core.errors import NodeError
from engine.core.expressions.cel import (
    ExpressionInvalid,
    MissingReference,
    compile_expression,
    truthy,
)
from engine.core.node_types.view import (
    RESERVED_MEMORY_KEYS,
    View,
    ViewDraft,
    memory_slice,
    outputs_slice,
)
from engine.core.state.events import iso
from engine.core.values.json import (
    EMPTY,
    FrozenDict,
    FrozenList,
    deep_merge,
    is_number,
)

if TYPE_CHECKING:
    from engine.core.node_types.node_type import NodeResult
    from engine.core.state.program import NodePlan
    from engine.core.state.run_state import Activation, RunState

Landed: TypeAlias = tuple[dict[str, Any], dict[str, Any], Any, dict[str, str]]
"""What a result leaves behind: writes, results of its own, output, metadata."""


def build_view(state: RunState, plan: NodePlan, act: Activation) -> View:
    """Return what `act` may read now: `read_keys` of its node, plus what its type may always."""
    view = ViewDraft()
    view.goal = state.goal
    view.constraints = FrozenList(state.constraints)
    keys = plan.read_keys
    if act.isolated:
        view.memory = FrozenDict(item_keys(state, act))
    if not keys and not plan.memory_reads:
        return view.sealed()
    view.has_input = state.has_input
    held = {"input": state.input, "previous": act.previous}
    view.take(keys, {**held, "metadata": act.metadata, "context": state.context})
    if plan.memory_reads:
        memory = memory_slice(state.memory, plan.memory_reads)
        view.memory = FrozenDict({**memory, **view.memory}) if view.memory else memory
    if plan.output_reads:
        view.outputs = outputs_slice(state.outputs, plan.output_reads)
    return view.sealed()


def item_keys(state: RunState, act: Activation) -> dict[str, Any]:
    """Return the item that `act` works on, also where composites stand between it and the map."""
    here: Activation | None = act
    while here is not None and here.parent is not None and here.index is not None:
        around = state.activations.get(here.parent)
        group = None if around is None else around.groups.get(here.parent_path or "")
        if group is not None and group.isolated and "slot" in group.children[here.index]:
            total = len(group.children)
            return {"map_item": here.item, "map_index": here.index, "map_total": total}
        here = around
    return {}


def is_reserved(key: str) -> bool:
    """Return whether no memory key may have this name or begin with it and a point (row C14)."""
    return key.startswith("_") or key.partition(".")[0] in RESERVED_MEMORY_KEYS


def may_write(plan: NodePlan, key: str, ceiling: Iterable[str] | None = None) -> bool:
    """Return whether the node's grant, under an agent's ceiling, covers the memory key."""
    if is_reserved(key):
        return False
    if not ("*" in plan.write_keys or key in plan.write_keys):
        return False
    if ceiling is None:
        return True
    limit = tuple(ceiling)
    return "*" in limit or key in limit


def check_writes(plan: NodePlan, writes: Mapping[str, Any], ceiling: Iterable[str] | None) -> None:
    """Raise `WriteNotAllowed` naming every key of `writes` outside the grant."""
    refused = sorted(key for key in writes if not may_write(plan, key, ceiling))
    if not refused:
        return
    reserved = [key for key in refused if is_reserved(key)]
    why = f"its write_keys are {list(plan.write_keys)}"
    if reserved:
        why = f"keys of lanes and keys that start with '_' are reserved ({', '.join(reserved)})"
    raise NodeError(
        "WriteNotAllowed",
        f"node {plan.id!r} may not write {', '.join(map(repr, refused))}; {why}",
        detail={"keys": refused},
    )


def merge_write(state: RunState, key: str, value: object, *, replace: bool) -> Any:
    """Return what `memory[key]` becomes: by the schema's reducer, else by the merge rule."""
    memory = state.memory
    reducer = state.program.reducers.get(key)
    if reducer is not None and reducer != "merge":
        return reduce_value(reducer, memory.get(key, _ABSENT), value)
    if key in memory and (reducer == "merge" or not replace):
        return deep_merge(memory[key], value)
    return value


_ABSENT = object()


def reduce_value(reducer: str, old: Any, new: Any) -> Any:
    """Return `old` combined with `new`; the first write of a key is taken as it is.

    `append` and `union` take a list's elements or a single value; `sum`, `min` and `max` need
    numbers. Raises `StateSchemaViolation` where the values do not fit the reducer.
    """
    if reducer == "replace":
        return new
    if reducer in ("append", "union"):
        items = FrozenList(old if isinstance(old, list) else [] if old is _ABSENT else [old])
        for item in new if isinstance(new, list) else [new]:
            if reducer == "append" or item not in items:
                list.append(items, item)  # still nobody else's
        return items
    if old is _ABSENT:
        return new
    if not is_number(old) or not is_number(new):
        raise NodeError(
            "StateSchemaViolation", f"reducer {reducer!r} needs numbers, not {new!r} onto {old!r}"
        )
    return {"sum": lambda: old + new, "min": lambda: min(old, new), "max": lambda: max(old, new)}[
        reducer
    ]()


def check_schema(state: RunState, plan: NodePlan, writes: Mapping[str, Any]) -> None:
    """Raise `StateSchemaViolation` if memory after the merge would break the state schema."""
    program = state.program
    if not program.has_state_schema:
        return
    replace = plan.merge == "replace"
    for key, value in writes.items():
        if key in program.elementwise and state.fits.get(key) is state.memory.get(key, _ABSENT):
            added = value if isinstance(value, list) else FrozenList([value])
            if program.schema_problem(key, added) is None:
                continue
        merged = merge_write(state, key, value, replace=replace)
        problem = program.schema_problem(key, merged)
        if problem is not None:
            raise NodeError("StateSchemaViolation", f"memory.{key}: {problem}", detail={"key": key})


def expression_scope(view: View, now_ms: int) -> dict[str, Any]:
    """Return the view's names and `now`, the log's time of this activation as RFC 3339 text."""
    return {**view.scope(), "now": iso(now_ms)}


def edge_scope(
    state: RunState, plan: NodePlan, act: Activation, result: NodeResult, landed: Landed
) -> dict[str, Any]:
    """Return what an edge condition sees: the whole state after this result, and `result`."""
    writes, results, output, metadata = landed
    memory = dict(state.memory)
    replace = plan.merge == "replace"
    for key, value in writes.items():
        memory[key] = merge_write(state, key, value, replace=replace)
    memory.update(results)
    return {
        "goal": state.goal,
        "constraints": FrozenList(state.constraints),
        "input": state.input,
        "previous": act.previous,
        "memory": memory,
        "outputs": {**state.outputs, act.node: output},
        "context": state.context,
        "metadata": {**act.metadata, **metadata},
        "result": {
            "output": output,
            "data": result.data or EMPTY,
            "condition": result.condition,
            "intent": result.intent,
            "metadata": metadata,
        },
    }


def evaluate_condition(text: str, scope: dict[str, Any]) -> tuple[bool, bool]:
    """Return (value, missing) of an edge condition. Raises `NodeError` `ExpressionFailed`."""
    try:
        return truthy(compile_expression(text).evaluate(scope)), False
    except MissingReference:
        return False, True
    except ExpressionInvalid as error:
        raise NodeError("ExpressionFailed", f"condition {text!r}: {error}") from error
