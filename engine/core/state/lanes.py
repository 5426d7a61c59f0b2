"""Lanes: what a node may read (the view), what it may write (the gate), and how writes merge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.errors import NodeError
from engine.core.state.events import iso
from engine.core.values.json import (
    EMPTY,
    FrozenDict,
    FrozenList,
    deep_merge,
    freeze,
    is_number,
    refuse_change,
)

if TYPE_CHECKING:
    from engine.core.state.program import NodePlan
    from engine.core.state.run_state import Activation, RunState

LANES = frozenset({"input", "previous", "outputs", "metadata", "context"})
ALWAYS = frozenset({"goal", "constraints"})
RESERVED_MEMORY_KEYS = LANES | ALWAYS


class View:
    """The slice of state one activation may read, fixed when it started. Everything is read-only.

    `memory` holds the readable keys; `outputs` the readable outputs; `previous`, `metadata` and
    `context` are absent (None, {} and {}) unless granted. `input` is the start input deep-merged
    with the readable memory (see `merged_input`). Assigning to any of it raises `TypeError`.
    """

    __slots__ = (
        "_bound",
        "_input",
        "constraints",
        "context",
        "goal",
        "has_input",
        "memory",
        "metadata",
        "outputs",
        "previous",
        "start_input",
    )

    goal: str
    constraints: list[Any]
    memory: dict[str, Any]
    outputs: dict[str, Any]
    metadata: dict[str, Any]
    context: dict[str, Any]
    previous: Any
    has_input: bool
    start_input: Any
    _input: Any
    _bound: frozenset[str]

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change()

    def __delattr__(self, name: str) -> None:
        refuse_change()

    @property
    def input(self) -> Any:
        """The start input merged with the readable memory; None where it may not be read."""
        if self._input is _UNMERGED:
            merged = (
                merged_input(self.start_input, self.has_input, self.memory)
                if "input" in self._bound
                else None
            )
            object.__setattr__(self, "_input", merged)
        return self._input

    def may_read(self, lane: str) -> bool:
        """Return whether `lane` (input, previous, …) was granted."""
        return lane in self._bound

    def scope(self) -> dict[str, Any]:
        """Return the names an expression of this node may use; what is not granted is unbound."""
        scope: dict[str, Any] = {
            "goal": self.goal,
            "constraints": self.constraints,
            "memory": self.memory,
            "outputs": self.outputs,
            "context": self.context,
            "metadata": self.metadata,
        }
        if "input" in self._bound:
            scope["input"] = self.input
        if "previous" in self._bound:
            scope["previous"] = self.previous
        return scope

    def readable(self) -> dict[str, Any]:
        """Return what the node may read as one object, `previous` first (default prompts)."""
        out: dict[str, Any] = {}
        if "previous" in self._bound:
            out["previous"] = self.previous
        if "input" in self._bound:
            out["input"] = self.input
        for name in ("memory", "outputs", "metadata", "context"):
            lane = getattr(self, name)
            if lane:
                out[name] = lane
        return out

    def narrowed(self, ceiling: Iterable[str] | None) -> View:
        """Return the view under an agent's read ceiling (None: no limit)."""
        if ceiling is None or "*" in (keys := tuple(ceiling)):
            return self
        view = ViewDraft()
        view.goal, view.constraints = self.goal, self.constraints
        view.has_input = self.has_input
        held = {"input": self.start_input, "previous": self.previous}
        view.take(keys, {**held, "metadata": self.metadata, "context": self.context})
        view._bound &= self._bound
        view.memory = _memory_slice(self.memory, [key for key in keys if key not in LANES])
        granted = [k for k in keys if k == "outputs" or k.startswith("outputs.")]
        view.outputs = _outputs_slice(self.outputs, granted)
        return view.sealed()


class ViewDraft(View):
    """A view that is being made: `sealed` makes it read-only."""

    __slots__ = ()
    __setattr__ = object.__setattr__  # type: ignore[assignment]

    def __init__(self) -> None:
        self.goal = ""
        self.constraints = FrozenList()
        self.memory = self.outputs = self.metadata = self.context = EMPTY
        self.previous = self.start_input = None
        self.has_input = False
        self._input = _UNMERGED
        self._bound = frozenset()

    def grant(self, lanes: frozenset[str], *, input_: Any, previous: Any) -> None:
        """Let `input` and `previous` be read as they are, where they are among the lanes."""
        self._bound, self._input, self.previous = lanes, input_, previous

    def take(self, keys: Sequence[str], lanes: Mapping[str, Any]) -> None:
        """Take over what `keys` let through of lanes by name, whole or in parts."""
        for lane, value in lanes.items():
            found = _lane_slice(lane, value, keys)
            if found is not _ABSENT:
                setattr(self, "start_input" if lane == "input" else lane, found)
                self._bound |= {lane}

    def sealed(self) -> View:
        """Return this object as a view that nobody can change any more."""
        self.__class__ = View  # type: ignore[assignment]
        return self


class _Unmerged:
    pass


_UNMERGED = _Unmerged()


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
        memory = _memory_slice(state.memory, plan.memory_reads)
        view.memory = FrozenDict({**memory, **view.memory}) if view.memory else memory
    if plan.output_reads:
        view.outputs = _outputs_slice(state.outputs, plan.output_reads)
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


def _memory_slice(memory: Mapping[str, Any], keys: Iterable[str]) -> FrozenDict:
    out: dict[str, Any] = {}
    for key in keys:
        if key == "*":
            return FrozenDict(
                {name: value for name, value in memory.items() if not name.startswith("_")}
            )
        if key in memory:
            if not key.startswith("_"):
                out[key] = memory[key]
        elif "." in key:
            _copy_path(memory, key.split("."), out)
    return freeze(out)  # type: ignore[no-any-return]


def _lane_slice(lane: str, value: Any, keys: Sequence[str]) -> Any:
    """Return a lane as far as `keys` let it through: whole, or the parts that dots pick."""
    if lane in keys:
        return value
    out: dict[str, Any] = {}
    for key in keys:
        if key.startswith(f"{lane}.") and isinstance(value, Mapping):
            _copy_path(value, key.split(".")[1:], out)
    return freeze(out) if out else _ABSENT


def _copy_path(source: Mapping[str, Any], parts: list[str], out: dict[str, Any]) -> None:
    value: Any = source
    for part in parts:
        if not isinstance(value, Mapping) or part not in value:
            return
        value = value[part]
    patch: Any = value
    for part in reversed(parts[1:]):
        patch = {part: patch}
    out[parts[0]] = deep_merge(out[parts[0]], patch) if parts[0] in out else patch


def value_at(memory: Mapping[str, Any], key: str, default: Any = None) -> Any:
    """Return the value of a memory key, of which dots may pick a part; `default` where absent."""
    if key in memory:
        return memory[key]
    value: Any = memory
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return default
        value = value[part]
    return value


def readable_at(view: View, key: str, default: Any = None) -> Any:
    """Return what a read key names in a view: a lane, a memory key or a part of one.

    `default` where it is absent or may not be read.
    """
    lane = key.partition(".")[0]
    if lane not in RESERVED_MEMORY_KEYS:
        return value_at(view.memory, key, default)
    granted = view.may_read(lane) or lane in ALWAYS or (lane == "outputs" and view.outputs)
    return value_at(view.scope(), key, default) if granted else default


def _outputs_slice(outputs: Mapping[str, Any], keys: Iterable[str]) -> FrozenDict:
    out: dict[str, Any] = {}
    for key in keys:
        if key == "outputs":
            return FrozenDict(outputs)
        parts = key.split(".")[1:]
        if parts and parts[0] in outputs:
            if len(parts) == 1:
                out[parts[0]] = outputs[parts[0]]
            else:
                _copy_path(outputs, parts, out)
    return freeze(out)  # type: ignore[no-any-return]


def merged_input(start: Any, has_input: bool, memory: Mapping[str, Any]) -> Any:
    """Return what a node sees as `input` (rows K16 to K20).

    An object start input is merged with the memory the node may read; any other is kept beside it
    as `rawInput`; with nothing merged yet it is the raw value itself.
    """
    if not has_input:
        return FrozenDict(memory) if memory else None
    if not memory:
        return start
    if isinstance(start, dict):
        return deep_merge(start, FrozenDict(memory))
    return FrozenDict({"rawInput": start, **memory} | {"rawInput": start})


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


def merge_write(state: RunState, key: str, value: Any, *, replace: bool) -> Any:
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
