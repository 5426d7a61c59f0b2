"""A log as activations that began with a token, each with everything that happened inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.state.events import TERMINAL_EVENTS, Event, node_of
from engine.runtime.forks.points import top

_ENDS = frozenset({"NodeCompleted", "NodeFailed", "NodeSkipped"})


@dataclass(slots=True)
class Block:
    """One such activation: `nodes` ran inside it, `end` is how it ended, None where it did not.

    `approved`: a person let it pass. `handed_over`: another run went on from it.
    """

    key: str
    nodes: set[str] = field(default_factory=set)
    end: Event | None = None
    approved: bool = False
    handed_over: bool = False

    @property
    def node(self) -> str:
        """The node that it is an activation of."""
        return node_of(self.key)

    @property
    def failed(self) -> bool:
        """Whether it failed and no way led on from that."""
        return self.end is not None and self.end.type == "NodeFailed" and not self.end.data["edges"]


def until_ending(events: Sequence[Event]) -> list[Event]:
    """Return what happened before the run began to end."""
    out: list[Event] = []
    for event in events:
        if event.type == "RunEnding" or event.type in TERMINAL_EVENTS:
            break
        out.append(event)
    return out


def blocks(events: Sequence[Event]) -> dict[str, Block]:
    """Return the activations of a log by key, in the order in which they began."""
    found: dict[str, Block] = {}
    for event in events:
        if event.key is None:
            continue
        name = top(event.key)
        block = found.setdefault(name, Block(name))
        block.nodes.add(node_of(event.key))
        if event.type == "InterruptResolved" and event.data.get("decision") == "approved":
            block.approved = True
        elif event.type == "RunTransitioned":
            block.handed_over = True
        elif event.key == name and event.type in _ENDS:
            block.end = event
    return found
