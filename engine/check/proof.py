"""What has certainly happened before a node runs: which keys are written, which nodes have run.

A forward analysis over sets held as bits of integers. A set is what every way to a node has in
common; where parallel branches join, what all of them did counts, because a join waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from engine.check import ways
from engine.check.access import is_memory, root
from engine.check.subject import NodeSubject, Subject
from engine.fields import START

_NOT_WRITTEN = frozenset({"failed", "rejected", "timed_out"})
"""Groups of edges that leave a node without its result."""


class Proof:
    """Tells whether a reference exists on every way to a node."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._bits: dict[str, int] = {}
        for node in subject.nodes:
            self._bit(f"outputs.{node.id}")
        self._gains = {node.id: self._gain(node) for node in subject.nodes}
        self._everything = (1 << len(self._bits)) - 1

    def missing(self, node: NodeSubject, name: tuple[str, ...]) -> str | None:
        """Return why a readable reference may be absent at a node, None if it is proven."""
        if len(name) < 2 or name[0] not in ("memory", "outputs"):
            return None
        if name[0] == "memory" and (not is_memory(name[1]) or self._given(node, name[1])):
            return None
        bit = self._bits.get(".".join(name[:2]), 0)
        before = self._before.get(node.id)
        if before is None or before & (bit | self._wildcard):
            return None
        what = "something has written" if name[0] == "memory" else "the run has passed"
        text = ".".join(name)
        return (
            f'A way leads here before {what} "{name[1]}":'
            f" guard it with has({text}), or draw the way so that it exists."
        )

    def _given(self, node: NodeSubject, key: str) -> bool:
        spec = self._subject.spec
        required = spec.interface.inputs.get("required", ()) if spec.interface else ()
        return key in spec.initial_memory or key in required or key in node.given

    @cached_property
    def _wildcard(self) -> int:
        return self._bits.get("memory.*", 0)

    def _bit(self, label: str) -> int:
        return self._bits.setdefault(label, 1 << len(self._bits))

    def _gain(self, node: NodeSubject) -> int:
        """Return what holds once a node has completed."""
        gain = self._bit(f"outputs.{node.id}")
        for key in (*node.write_keys, *node.own_keys, *node.granted("write")):
            gain |= self._bit(f"memory.{root(key)}")
        return gain

    @cached_property
    def _before(self) -> dict[str, int]:
        """Return what certainly holds when a node starts, for each node a run can reach."""
        entries = ways.entries(self._subject)
        order = _in_order(self._leads, entries)
        before = dict.fromkeys(order, self._everything)
        changed = True
        while changed:
            changed = False
            for name in order:
                found = 0 if name in entries else self._everything
                for source, gained in self._sources.get(name, ()):
                    if source in before:
                        found &= before[source] | (self._gains[source] if gained else 0)
                found = self._joined(name, found)
                changed = changed or found != before[name]
                before[name] = found
        return before

    @cached_property
    def _leads(self) -> dict[str, tuple[str, ...]]:
        return ways.successors(self._subject)

    @cached_property
    def _sources(self) -> dict[str, list[tuple[str, bool]]]:
        """Return what leads to each node, and whether with its result."""
        found: dict[str, list[tuple[str, bool]]] = {}
        for node in self._subject.nodes:
            for edge in self._subject.spec.edges_from(node.id):
                found.setdefault(edge.target, []).append((node.id, edge.on not in _NOT_WRITTEN))
            for child in node.children:
                found.setdefault(child, []).append((node.id, child in node.followed))
        return found

    def _joined(self, name: str, found: int) -> int:
        """Return `found` and what the parallel branches did that a join waits for."""
        node = self._subject.by_id[name]
        if node.spec.join == "any" or len(self._subject.spec.edges_to(name)) < 2:
            return found
        stack = [t for fork, targets in self._forks if self._holds(found, fork) for t in targets]
        seen: set[str] = set()
        while stack:
            branch = stack.pop()
            if branch in seen or branch == name or name not in self._reach(branch):
                continue
            seen.add(branch)
            targets = self._certain[branch]
            if targets is not None:
                found |= self._gains[branch]
                stack += targets
        return found

    def _holds(self, found: int, fork: str) -> bool:
        return fork == START or bool(found & self._bits[f"outputs.{fork}"])

    @cached_property
    def _forks(self) -> list[tuple[str, tuple[str, ...]]]:
        found = [(START, ways.entries(self._subject))]
        found += [(node.id, self._certain[node.id] or ()) for node in self._subject.nodes]
        return [(name, targets) for name, targets in found if len(targets) > 1]

    @cached_property
    def _certain(self) -> dict[str, tuple[str, ...] | None]:
        """What `_always` tells of each node; walked through for each join."""
        return {node.id: self._always(node.id) for node in self._subject.nodes}

    def _always(self, name: str) -> tuple[str, ...] | None:
        """Return where a node always leads, () where it chooses, None where it may leave no result."""
        edges = self._subject.spec.edges_from(name)
        if any(edge.on in _NOT_WRITTEN for edge in edges):
            return None
        if any(edge.conditional or edge.trigger or edge.on != "completed" for edge in edges):
            return ()
        return tuple(edge.target for edge in edges if edge.target in self._subject.by_id)

    def _reach(self, name: str) -> set[str]:
        if name not in self._reached:
            self._reached[name] = ways.reach(self._leads, [name])
        return self._reached[name]

    @cached_property
    def _reached(self) -> dict[str, set[str]]:
        return {}


def _in_order(leads: ways.Successors, starts: tuple[str, ...]) -> list[str]:
    """Return the reachable nodes in reverse postorder, so that most ways are walked forwards."""
    order: list[str] = []
    seen = set(starts)
    stack: list[tuple[str, Iterator[str]]] = [(name, iter(leads[name])) for name in seen]
    while stack:
        name, rest = stack[-1]
        following = next((n for n in rest if n not in seen), None)
        if following is None:
            order.append(name)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(leads[following])))
    return order[::-1]
