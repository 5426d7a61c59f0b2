"""Nodes that were pinned after a run at just what they gave in it: for them nothing differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.core.state.program import Program
from engine.core.values.json import digest
from engine.runtime.forks.stale.blocks import Block

_LEFT: Final = ("writes", "results", "condition", "intent", "metadata", "is_result")


def gave_it(was: Program, blocks: Iterable[Block], pin: Mapping[str, Any]) -> bool:
    """Return whether every activation of a node, of which there is one, gave what is pinned."""
    told = list(blocks)
    return bool(told) and all(_gave(was, block, pin) for block in told)


def _gave(was: Program, block: Block, pin: Mapping[str, Any]) -> bool:
    end = block.end
    if end is None or end.type != "NodeCompleted":
        return False
    left = {name: end.data[name] for name in _LEFT if end.data.get(name)}
    left["output"] = end.data["output"] if "output" in end.data else end.data.get("writes", {})
    said = {name: pin[name] for name in _LEFT if pin.get(name)} | {"output": pin["output"]}
    return digest(left) == digest(said) and _went(was, end.data.get("edges", ()), pin)


def _went(was: Program, edges: Iterable[int], pin: Mapping[str, Any]) -> bool:
    """Return whether the ways that a pin names are those that were taken; one without lets edges decide."""
    if not pin.get("next"):
        return True
    taken = set(edges)
    targets = {e.target_id for e in was.graph.edges if e is not None and e.index in taken}
    return targets == set(pin["next"])
