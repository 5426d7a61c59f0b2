"""The view: what node code may read, fixed when its activation started."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.values.json import EMPTY, FrozenDict, FrozenList, deep_merge, freeze, refuse_change

LANES = frozenset({"input", "previous", "outputs", "metadata", "context"})
ALWAYS = frozenset({"goal", "constraints"})
RESERVED_MEMORY_KEYS = LANES | ALWAYS


class _Unmerged:
    pass


_UNMERGED = _Unmerged()
_ABSENT = object()


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

    def __reduce__(self) -> tuple[Any, ...]:
        """Be the same view in another process."""
        merged = self.input  # what only stands for "not merged yet" is another object there
        lanes = {name: getattr(self, name) for name in View.__slots__}
        return _view_of, ({**lanes, "_input": merged},)

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
        view.memory = memory_slice(self.memory, [key for key in keys if key not in LANES])
        granted = [k for k in keys if k == "outputs" or k.startswith("outputs.")]
        view.outputs = outputs_slice(self.outputs, granted)
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

    def grant(self, lanes: frozenset[str], *, input_: object, previous: object) -> None:
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


def _view_of(lanes: Mapping[str, Any]) -> View:
    view = ViewDraft()
    for name, value in lanes.items():
        setattr(view, name, value)
    return view.sealed()


def memory_slice(memory: Mapping[str, Any], keys: Iterable[str]) -> FrozenDict:
    """Return what `keys` let through of memory: whole keys, or the parts that dots pick."""
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


def _lane_slice(lane: str, value: object, keys: Sequence[str]) -> Any:
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


def outputs_slice(outputs: Mapping[str, Any], keys: Iterable[str]) -> FrozenDict:
    """Return what keys such as `outputs.review.score` let through of the outputs."""
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


def merged_input(start: object, has_input: bool, memory: Mapping[str, Any]) -> Any:
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


def value_at(memory: Mapping[str, Any], key: str, default: object = None) -> Any:
    """Return the value of a memory key, of which dots may pick a part; `default` where absent."""
    if key in memory:
        return memory[key]
    value: Any = memory
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return default
        value = value[part]
    return value


def readable_at(view: View, key: str, default: object = None) -> Any:
    """Return what a read key names in a view: a lane, a memory key or a part of one.

    `default` where it is absent or may not be read.
    """
    lane = key.partition(".")[0]
    if lane not in RESERVED_MEMORY_KEYS:
        return value_at(view.memory, key, default)
    granted = view.may_read(lane) or lane in ALWAYS or (lane == "outputs" and view.outputs)
    return value_at(view.scope(), key, default) if granted else default
