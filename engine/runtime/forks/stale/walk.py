"""A log walked beside a run of another draft: each activation that would be the same is kept.

Both states are folded side by side, in the order of the log. An activation is kept if it is
defined as it was, the same tokens come to it, and it finds the same; what follows one that is
not kept finds its tokens missing. So nothing has to be proven about who reads what.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.core.graph.tokens import Ready
from engine.core.state.events import Event
from engine.core.state.fold.run import evolve, new_state
from engine.core.state.program import Program
from engine.runtime.forks.points import top
from engine.runtime.forks.stale.blocks import Block
from engine.runtime.forks.stale.left import Left, NotKept
from engine.runtime.forks.stale.views import found_differently
from engine.runtime.forks.stale.ways import Ways

_BEGIN = ("NodeQueued", "NodeStarted", "NodeSkipped")


class Walk:
    """One walk. `left` are the activations that are not kept: those known before, then more."""

    def __init__(
        self, was: Program, now: Program, found: Mapping[str, Block], left: Mapping[str, Left]
    ) -> None:
        self.was, self.now = new_state(was), new_state(now)
        self.left = dict(left)
        self.kept: list[Event] = []
        self._ways = Ways(was.graph, now.graph)
        self._blocks = found
        self._begun: set[str] = set()
        self._ready: list[Ready] = []

    @property
    def comes_to_new(self) -> bool:
        """Whether a token stands before a node that never ran in the old run."""
        ran = {block.node for block in self._blocks.values()}
        graph = self.now.program.graph
        targets = (graph.targets[token.edge] for token in self.now.board.live.values())
        return any(graph.nodes[target].id not in ran for target in targets)

    def go(self, events: Sequence[Event], started: Mapping[str, Any]) -> None:
        """Walk a log. Raises `NotKept` where what was kept so far turns out to be different."""
        for event in events:
            if event.type == "RunStarted":
                evolve(self.was, event)
                self._keep(event, dict(started))
            elif event.key is None:
                evolve(self.was, event)
                if event.type == "MemoryEdited":
                    self._keep(event, event.data)
            else:
                self._of_activation(event, top(event.key))

    def _of_activation(self, event: Event, name: str) -> None:
        if name not in self._begun and name not in self.left:
            self._begin(event, name)
        if name in self.left:
            evolve(self.was, event)
            return
        data = self._retold(event, name)
        evolve(self.was, event)
        if data is None:
            return
        self._keep(event, data)
        if event.type == "NodeStarted" and not event.data.get("resumed"):
            self._look(str(event.key), name)

    def _begin(self, event: Event, name: str) -> None:
        """Keep an activation if the tokens that it took come to it here too."""
        taken = [self.was.board.live[number] for number in event.data.get("tokens", ())]
        if event.type not in _BEGIN or not self._match(event, name, take=False):
            sources = {token.payload.source for token in taken} - {None}
            of = frozenset(node for node in sources if self._is_left(node))
            self.left[name] = Left("reads", of or frozenset(sources))
            return
        self._begun.add(name)

    def _is_left(self, node: str) -> bool:
        return any(self._blocks[key].node == node for key in self.left)

    def _match(self, event: Event, name: str, *, take: bool) -> list[int] | None:
        """Return the tokens here that are those the activation took, None where they are not."""
        self._ready += self.now.board.release()
        taken = [self.was.board.live[number] for number in event.data.get("tokens", ())]
        places = [self._ways.place(token.edge) for token in taken]
        for ready in self._ready:
            same = [token.edge for token in ready.tokens] == places and all(
                a.payload[:3] == b.payload[:3] for a, b in zip(taken, ready.tokens, strict=True)
            )
            if same and taken:
                if take:
                    self._ready.remove(ready)
                return [token.id for token in ready.tokens]
        return None

    def _retold(self, event: Event, name: str) -> dict[str, Any] | None:
        """Return what the event says with the tokens and wires of this draft; None: nothing."""
        data = event.data
        if event.type in _BEGIN and "tokens" in data:
            data = {**data, "tokens": self._match(event, name, take=True)}
        if event.type == "EdgeEvaluated":
            place = self._ways.place(data["edge"])
            return None if place is None else {**data, "edge": place}
        if event is self._blocks[name].end:
            edges = self._ways.after(self.was, self.now, event)
            if edges is None:
                raise NotKept(name, Left("changed", parts=("ways",)))
            data = {**data, "edges": edges}
        return data

    def _keep(self, event: Event, data: dict[str, Any]) -> None:
        told = Event(event.seq, event.type, event.at, event.key, data)
        evolve(self.now, told)
        self.kept.append(told)

    def _look(self, key: str, name: str) -> None:
        """Compare what an attempt finds. Raises `NotKept`."""
        names = found_differently(self.was, self.now, key)
        if names == frozenset():
            return
        raise NotKept(name, Left("reads", self._givers(names or ())))

    def _givers(self, names: Collection[str]) -> frozenset[str]:
        """Return the nodes that gave what is found otherwise, as far as that is known."""
        givers = {name.removeprefix("outputs.") for name in names if name.startswith("outputs.")}
        written = [self.was.written.get(name) for name in names]
        keys = [top(entry[0]) for entry in written if entry is not None]
        return frozenset(givers | {self._blocks[key].node for key in keys if key in self._blocks})
