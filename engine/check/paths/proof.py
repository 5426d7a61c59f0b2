"""What has certainly happened before a node runs: which keys are written, which nodes have run.

A forward analysis over sets held as bits of integers. A set is what every way to a node has in
common; where parallel branches join, what all of them did counts, because a join waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from engine.check.access import is_memory, root
from engine.check.paths import ways
from engine.check.paths.facts import Facts
from engine.check.paths.parallel import Alike, Joined
from engine.check.paths.reach import in_order, reach
from engine.check.steps import Steps, TooManySteps
from engine.check.subject import NodeSubject, Subject
from engine.core.values.effort import charge

_NOT_WRITTEN = frozenset({"failed", "rejected", "timed_out"})
"""Groups of edges that leave a node without its result."""


class Proof:
    """Tells whether a reference exists on every way to a node."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.strict = subject.world.sure_failures_block()
        """Whether what surely fails is an error here."""
        self.gave_up = False
        """Whether it took too many steps; nothing is missing then."""

    def missing(self, node: NodeSubject, name: tuple[str, ...]) -> str | None:
        """Return why a readable reference may be absent at a node, None if it is proven."""
        if len(name) < 2 or name[0] not in ("memory", "outputs"):
            return None
        if name[0] == "memory" and (not is_memory(name[1]) or self._given(node, name[1])):
            return None
        before = self._before.get(node.id)
        wanted = self._facts.bit(".".join(name[:2])) | self._facts.bit("memory.*")
        if before is None or before & wanted:
            return None
        what = "something has written" if name[0] == "memory" else "the run has passed"
        text = ".".join(name)
        return (
            f'A way leads here before {what} "{name[1]}":'
            f" guard it with has({text}), or draw the way so that it exists."
        )

    def after(self, node: NodeSubject, name: tuple[str, ...]) -> bool:
        """Return whether a memory key is surely there once the node has completed."""
        if f"memory.{name[1]}" in _written(node):
            return True
        return self.missing(node, name) is None and not self.gave_up and self.may_run(node)

    def may_run(self, node: NodeSubject) -> bool:
        """Return whether a run can come to the node."""
        return not node.spec.disabled and node.id in self._before

    def _given(self, node: NodeSubject, key: str) -> bool:
        spec = self.subject.spec
        required = spec.interface.inputs.get("required", ()) if spec.interface else ()
        charge(len(required) + len(node.given))
        if key in spec.initial_memory or key in node.given:
            return True
        return key in required and self.subject.is_called

    @cached_property
    def _facts(self) -> Facts:
        order = in_order(self._leads, (*ways.entries(self.subject), *self._leads))
        written = {node.id: _written(node) for node in self.subject.nodes}
        return Facts(order, written)

    @cached_property
    def _before(self) -> dict[str, int]:
        """Return what certainly holds when a node starts, for each node a run can reach."""
        try:
            return self._solved(Steps())
        except TooManySteps:
            self.gave_up = True
            return {}

    def _solved(self, steps: Steps) -> dict[str, int]:
        entries = ways.entries(self.subject)
        facts = self._facts
        alike = list(self._alike())
        joins = Joined(self._leads, self._certain, facts, entries, steps, alike=alike)
        waiting = reach(self._leads, entries)
        order = [name for name in facts.order if name in waiting]
        before = dict.fromkeys(order, facts.everything)
        while waiting:
            steps.take(len(order) >> 4)
            for name in order:
                if name not in waiting:
                    continue
                waiting.discard(name)
                found = self._common(name, before, facts, steps)
                if name in entries:
                    found = 0
                if self._waits(name):
                    found |= joins.gained(name, found)
                if found != before[name]:
                    before[name] = found
                    waiting.update(self._leads[name])
        return before

    def _common(self, name: str, before: dict[str, int], facts: Facts, steps: Steps) -> int:
        """Return what all ways to a node have in common."""
        found = facts.everything
        sources = self._sources.get(name, ())
        steps.take(1 + len(sources) * (1 + (found.bit_length() >> 12)))
        for source, gained in sources:
            if source in before:
                found &= before[source] | (facts.gains[source] if gained else 0)
        return found

    def _waits(self, name: str) -> bool:
        several = len(self.subject.spec.edges_to(name)) > 1
        return several and self.subject.by_id[name].spec.join != "any"

    @cached_property
    def _leads(self) -> dict[str, tuple[str, ...]]:
        return ways.successors(self.subject)

    @cached_property
    def _sources(self) -> dict[str, list[tuple[str, bool]]]:
        """Return what leads to each node, and whether with its result."""
        found: dict[str, list[tuple[str, bool]]] = {}
        for node in self.subject.nodes:
            for edge in self.subject.spec.edges_from(node.id):
                found.setdefault(edge.target, []).append((node.id, edge.on not in _NOT_WRITTEN))
            for child in node.children:
                found.setdefault(child, []).append((node.id, child in node.followed))
        return found

    @cached_property
    def _certain(self) -> dict[str, tuple[str, ...] | None]:
        """What `_always` tells of each node; walked through for each join."""
        return {node.id: self._always(node.id) for node in self.subject.nodes}

    def _alike(self) -> Iterator[Alike]:
        """Yield the wires that ask for the same where a node takes all that fit."""
        for node in self.subject.nodes:
            edges = self.subject.spec.edges_from(node.id)
            if node.spec.branching != "all" or any(edge.on in _NOT_WRITTEN for edge in edges):
                continue
            groups: dict[tuple[str, str | None, str | None], list[str]] = {}
            for edge in edges:
                if edge.conditional and not edge.trigger and edge.target in self.subject.by_id:
                    asked = (edge.on, edge.when, edge.condition)
                    groups.setdefault(asked, []).append(edge.target)
            known = [edge.target for edge in edges if edge.target in self.subject.by_id]
            for targets in groups.values():
                others = tuple(name for name in known if name not in targets)
                if len(targets) > 1:
                    yield Alike(node.id, tuple(targets), others)

    def _always(self, name: str) -> tuple[str, ...] | None:
        """Return where a node always leads, () where it chooses, None where it may leave no result."""
        edges = self.subject.spec.edges_from(name)
        if any(edge.on in _NOT_WRITTEN for edge in edges):
            return None
        if any(edge.conditional or edge.trigger or edge.on != "completed" for edge in edges):
            return ()
        return tuple(edge.target for edge in edges if edge.target in self.subject.by_id)


def _written(node: NodeSubject) -> tuple[str, ...]:
    """Return the labels of the memory keys that hold once a node has completed."""
    keys = (*node.write_keys, *node.own_keys, *node.granted("write"))
    return tuple(dict.fromkeys(f"memory.{root(key)}" for key in keys))
