"""What the engine needs from outside, as small Protocols.

In-memory and scripted implementations ship in this package; `builder` brings the durable ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engine.core.graph.document import AgentSpec, GraphSpec
from engine.core.values.json import digest

if TYPE_CHECKING:
    from engine.core.state.program import Program
    from engine.core.state.requests import Actor


class Clock(Protocol):
    """The only source of time. Milliseconds since the epoch."""

    def now(self) -> int: ...

    async def sleep(self, seconds: float) -> None: ...


class Entropy(Protocol):
    """The only source of randomness and fresh ids."""

    def random(self) -> float:
        """Return a number in [0, 1)."""
        ...

    def new_id(self) -> str:
        """Return a fresh id, unique for ever."""
        ...


class Feed(Protocol):
    """Where committed events ring and token deltas go. Losing any of it loses no fact."""

    def committed(self, run_id: str, seq: int) -> None:
        """Tell listeners that the log of `run_id` now reaches `seq`."""
        ...

    def delta(self, run_id: str, key: str, text: str, *, reset: bool = False) -> None:
        """Send a piece of streamed text of an activation; never stored."""
        ...


class PlaceKeeper(Protocol):
    """Says how many runs of each workspace may move at once, and whose turn it is."""

    def limited(self, workspace_id: str | None) -> bool:
        """Return whether runs of the workspace have to have a place before they move."""
        ...

    async def admitted(self) -> Sequence[str]:
        """Give what places are free to those who wait; return which runs of this process have one.

        A run is named until its log says that it moves. Raises `StoreError`.
        """
        ...


class CallTurns(Protocol):
    """Says how many calls of models may be under way at once, and whose turn it is."""

    async def take(self, workspace_id: str | None, run_id: str, key: str, model: str) -> int | None:
        """Return once `provider/name` may be called, with what `over` takes; None: nobody counts.

        `key` names the activation that waits. Raises `StoreError`.
        """
        ...

    async def wants_money(
        self, workspace_id: str | None, run_id: str, key: str, model: str
    ) -> int | None:
        """Note that a call waits for money that others hold; return what `over` takes.

        Raises `StoreError`.
        """
        ...

    def over(self, turn: int | None) -> None:
        """Say that a call has ended, will not be made, or waits no more. Waits for nothing."""
        ...

    async def pause(self, workspace_id: str | None, model: str, wait_ms: int) -> None:
        """Give no turn to calls that use the same credential as `provider/name`, for so long.

        Its provider asked for that. Where it cannot be noted, those calls are not kept waiting.
        """
        ...


class GraphSource(Protocol):
    """Graphs and agents by name, as the run's workspace sees them."""

    async def graph_of_run(self, run_id: str, started: Mapping[str, Any]) -> Program:
        """Return the immutable graph that the run of this `RunStarted` runs, ready to run."""
        ...

    async def program(self, spec: GraphSpec, workspace_id: str | None) -> Program:
        """Return `spec` ready to run."""
        ...

    async def find_graph(self, graph_id: str, workspace_id: str | None) -> GraphSpec | None:
        """Return what a subgraph or transition to `graph_id` runs now; None if there is none."""
        ...

    async def find_agent(self, agent_id: str, workspace_id: str | None) -> AgentSpec | None:
        """Return the workspace's agent, None if it has none of that id."""
        ...


class Directory(Protocol):
    """The people of a workspace, as approvals need to know them."""

    async def members(self, workspace_id: str | None) -> Sequence[Actor]:
        """Return everyone who may sign in to the workspace now, with their roles and groups."""
        ...


MemoryRecord = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be stored. `entities` are names as they were written."""

    text: str
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the fact as a step's request holds it."""
        return {"text": self.text, "tags": list(self.tags), "entities": list(self.entities)}


@dataclass(frozen=True, slots=True)
class FactSource:
    """Who learned something: one visit of one node in one run. `at` is in milliseconds."""

    run_id: str
    activation: str
    graph_id: str
    node_id: str
    at: int

    @property
    def id(self) -> str:
        """The identity of the visit: facts of one visit are stored once."""
        return digest([self.run_id, self.activation])[:32]

    def fact_id(self, index: int) -> str:
        """Return the id of the visit's fact number `index`."""
        return digest([self.run_id, self.activation, index])[:32]


class MemoryStore(Protocol):
    """Facts that outlive runs (written by reflection, read by `memory_query`).

    Both methods raise `StoreError` where the store cannot be reached.
    """

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        """Keep the facts of one visit of a node and return their ids.

        A visit that has stored facts keeps those: their ids are returned and nothing is written.
        """
        ...

    async def search(
        self,
        workspace_id: str | None,
        *,
        text: str,
        entity_ids: Sequence[str],
        tags: Sequence[str],
        limit: int,
    ) -> list[MemoryRecord]:
        """Return `{id, text, tags, entities}` of the facts that match, most relevant first.

        What is given must match: `tags` at least one, `entity_ids` (names) the fact or another
        fact that shares an entity with it, `text` at least one word or, where a store compares
        meanings, its meaning. Nothing given: no facts.
        """
        ...
