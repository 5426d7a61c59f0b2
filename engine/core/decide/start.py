"""How a run begins: what was asked for, checked, and the first event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.budgets.money import usd_text_or_none
from engine.core.decide.begin.trials import led_to, trial_fields
from engine.core.decide.endings import begin_ending
from engine.core.decide.transition import Transition
from engine.core.errors import NodeError, RequestRefused
from engine.core.graph.document import GraphSpec
from engine.core.node_types.node_type import UNSET
from engine.core.node_types.view import RESERVED_MEMORY_KEYS
from engine.core.ports import MemoryStore
from engine.core.state.event_types.runs import RunStarted
from engine.core.state.events import error_data
from engine.core.state.requests import StartRun
from engine.core.values.json import EMPTY, FrozenDict, InvalidJson, as_text, deep_merge, freeze
from engine.core.values.json_schema import schema_problem

ENGINE_CONTEXT = ("tenant_id", "user_id", "session_id", "correlation_id")


def begin_run(tx: Transition, start: StartRun, spec: GraphSpec) -> None:
    """Emit `RunStarted`. Raises `RequestRefused` `InputInvalid` for what does not fit."""
    try:
        data = _started(start, spec)
        data |= trial_fields(start, tx.state.program)  # type: ignore[typeddict-item]
    except InvalidJson as error:
        raise RequestRefused("InputInvalid", str(error)) from error
    tx.emit("RunStarted", None, data)


def require_memory(tx: Transition, memory: MemoryStore | None) -> None:
    """End the run as failed if a node of its graph writes facts and nothing keeps them."""
    if memory is not None:
        return
    program = tx.state.program
    for node in program.spec.nodes:
        kind = program.types.find(node.type)
        if kind is not None and kind.remembers and not node.disabled:
            message = f"node {node.id!r} writes facts, and no memory store is configured"
            error = NodeError("MemoryStoreMissing", message)
            begin_ending(tx, "failed", "failed", error_data(error, node.id))
            return


def _context(start: StartRun) -> dict[str, Any]:
    given = _object(start.context, "context")
    own = {"graph_id": start.graph_id, "run_id": start.run_id}
    taken = sorted(own.keys() & given.keys())
    if taken:
        raise RequestRefused("InputInvalid", f"`context.{taken[0]}` is set by the engine")
    return {**own, **given}


def _memory(start: StartRun) -> Any:
    """Return the memory to begin with. Raises `RequestRefused` for a key that none may have."""
    given = _object(start.memory or {}, "memory")
    for key in sorted(map(str, given)):
        if key.startswith("_"):
            raise RequestRefused("InputInvalid", f"`memory.{key}`: keys with _ are the engine's")
        if key.partition(".")[0] in RESERVED_MEMORY_KEYS:
            raise RequestRefused("InputInvalid", f"`memory.{key}` is the name of a lane: rename it")
    return freeze(given, "memory")


def _started(start: StartRun, spec: GraphSpec) -> RunStarted:
    context = _context(start)
    metadata = _object(start.metadata, "metadata")
    memory = _memory(start)
    if start.only is None or start.memory is None:
        memory = deep_merge(spec.initial_memory, memory)
    data: RunStarted = {
        "graph_id": start.graph_id,
        "graph_hash": start.graph_hash or spec.hash,
        "version_id": start.version_id,
        "workspace_id": start.workspace_id,
        "goal": spec.goal if start.goal is None else start.goal,
        "constraints": freeze(
            list(spec.constraints if start.constraints is None else start.constraints)
        ),
        "memory": memory,
        "context": freeze(context, "context"),
        "metadata": FrozenDict({k: as_text(freeze(v, k)) for k, v in metadata.items()}),
        "limits": _limits(start, spec),
        "started_by": start.started_by,
        "unknown_price": start.unknown_price,
        "people": freeze({role: list(ids) for role, ids in start.people.items()}),
        "parent": _parent(start),
        "messages": freeze([dict(m) for m in start.messages]),
    }
    if start.trigger is not None:
        data["trigger"] = start.trigger
    if start.chat:
        data["chat"] = True
    if start.until is not None:
        data["until"] = led_to(start.until, spec, "until")
    if start.input is not UNSET:
        data["input"] = checked_input(spec, freeze(start.input, "input"))
    elif spec.interface is not None and spec.interface.inputs and start.only is None:
        checked = checked_input(spec, EMPTY)
        if checked:
            data["input"] = checked
    return data


def _object(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise RequestRefused("InputInvalid", f"`{name}` must be an object")
    return value


def _limits(start: StartRun, spec: GraphSpec) -> FrozenDict:
    limits = spec.limits
    usd = limits.budget_usd if start.budget_usd is None else start.budget_usd
    tokens = limits.max_token_budget if start.max_token_budget is None else start.max_token_budget
    iterations = limits.max_iterations
    if start.max_iterations is not None:
        iterations = min(iterations, start.max_iterations)
    return FrozenDict(
        {
            "max_iterations": iterations,
            "max_execution_time_ms": limits.max_execution_time_ms,
            "budget_usd": usd_text_or_none(usd),
            "max_token_budget": tokens,
        }
    )


def _parent(start: StartRun) -> FrozenDict | None:
    parent = start.parent
    if parent is None:
        return None
    trigger = {} if parent.trigger is None else {"trigger": parent.trigger}
    return freeze(  # type: ignore[no-any-return]
        {
            "run_id": parent.run_id,
            "key": parent.key,
            "path": parent.path,
            "budgets": list(parent.budgets),
            "graphs": list(parent.graphs),
            "kind": parent.kind,
            "depth": parent.depth,
            "transitions": parent.transitions,
            "charged": list(parent.charged),
            **trigger,
        }
    )


def checked_input(spec: GraphSpec, value: object) -> Any:
    """Return the input with the interface's defaults filled in, checked against it.

    Raises `RequestRefused` `InputInvalid`.
    """
    schema = None if spec.interface is None else spec.interface.inputs
    if not schema:
        return value
    if isinstance(value, dict):
        properties: Mapping[str, Any] = schema.get("properties", {})
        missing = {
            name: field["default"]
            for name, field in properties.items()
            if name not in value and isinstance(field, Mapping) and "default" in field
        }
        if missing:
            value = freeze({**value, **missing})
    problem = schema_problem(schema, value)
    if problem is not None:
        raise RequestRefused("InputInvalid", f"input: {problem}")
    return value
