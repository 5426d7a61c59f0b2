"""What the drawings of some runs say of their steps: their names, and what comes after them."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import ValidationError

from builder.models import GraphVersion, Run
from builder.models.prepared import Prepared, each_of
from builder.reads.inbox.declared import currencies, declared
from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.node_types.form import read_config
from engine.core.node_types.hooks import told_by
from engine.core.node_types.registry import NODE_TYPES

OUTSIDE: Final = frozenset({EffectClass.UNSAFE, EffectClass.KEYED, EffectClass.PROBE})
"""Calls that change something outside."""
MOST: Final = 20
"""Steps that are looked at after one: what lies further on is not next."""
Effects = Callable[[], Mapping[str, EffectClass]]
"""Gives the effect classes of tools by name; asked only where a step calls one."""

DRAWN: Final = Prepared(
    lambda versions: GraphVersion.objects.filter(pk__in=each_of(versions)).values_list(
        "pk", "document", "is_draft"
    )
)


@dataclass(frozen=True)
class Drawing:
    """One version's document, which was proven when it was saved; `is_draft`: it is on trial."""

    document: Mapping[str, Any]
    is_draft: bool = False

    def label(self, node: str) -> str | None:
        """Return what people call a step, None for one that is not drawn."""
        found = self._nodes.get(node)
        return None if found is None else found.get("label") or node

    def stays_done(self, node: str, effects: Effects) -> bool:
        """Return whether a step that comes next changes something that cannot be taken back.

        Steps that only work with values are passed over, other people are not. Each step is judged once:
        many items of a page wait at the same.
        """
        if node not in self._judged:
            self._judged[node] = self._looked_ahead(node, effects)
        return self._judged[node]

    def _looked_ahead(self, node: str, effects: Effects) -> bool:
        line, seen = deque(self._ways[node]), {node}
        while line and len(seen) <= MOST:
            name = line.popleft()
            step = self._nodes.get(name)
            if step is None or name in seen:
                continue
            seen.add(name)
            effect = EffectClass.PURE if step.get("disabled") else _effect(step, effects)
            if effect in OUTSIDE and not _is_undone(step):
                return True
            if effect is EffectClass.PURE:
                line.extend(self._ways[name])
        return False

    def currencies(self, shown: Iterable[str]) -> dict[str, str]:
        """Return the currency of each shown field that is money."""
        return currencies(self._declared, shown)

    @cached_property
    def _judged(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _declared(self) -> Mapping[str, Any]:
        return declared(self.document)

    @cached_property
    def _nodes(self) -> Mapping[str, Mapping[str, Any]]:
        return {node["id"]: node for node in self.document.get("nodes", ())}

    @cached_property
    def _ways(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for edge in self.document.get("edges", ()):
            if edge.get("on", "completed") == "completed":
                found[edge["source"]].append(edge["target"])
        return found


def drawings_of(runs: Iterable[Run]) -> dict[str, Drawing]:
    """Return the drawings of the runs' versions, by version."""
    versions = {run.version_id for run in runs if run.version_id}
    if not versions:
        return {}
    found = DRAWN.tuples(json.dumps(sorted(versions)))
    return {version_id: Drawing(document, is_draft) for version_id, document, is_draft in found}


def _effect(step: Mapping[str, Any], effects: Effects) -> EffectClass | None:
    """Return the effect class of a step; a tool that nobody knows may do anything."""
    kind = NODE_TYPES.find(step["type"])
    if kind is None:
        return None
    try:
        config = read_config(kind, step.get("config") or {})
        effect = told_by(kind, step["id"], config).effect
    except (ValidationError, NodeError):
        return None
    tool = getattr(config, "tool_id", None)
    if isinstance(tool, str):
        return effects().get(tool, EffectClass.UNSAFE)
    return effect


def _is_undone(step: Mapping[str, Any]) -> bool:
    """Return whether the workflow takes a step back itself, should the run fail later."""
    undo = (step.get("config") or {}).get("compensation")
    return bool(step.get("requires_compensation")) and undo is not None
