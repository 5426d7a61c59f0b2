"""What the engine needs from outside, as small Protocols.

In-memory and scripted implementations ship in this package; `builder` brings the durable ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engine.core.graph.document import AgentSpec, GraphSpec

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.core.state.events import Event
    from engine.core.state.program import Program
    from engine.core.state.requests import Actor, StartRun
    from engine.core.state.run_state import RunState
    from engine.integrations.memory.facts import FactSource, NewFact

T = TypeVar("T")


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


class RunStore(Protocol):
    """Logs of runs, and the one door through which they change.

    A transition is a closure over the run's state that emits events. It runs to its end without
    awaiting; what it emitted is applied at once and becomes durable with the next flush, in order.
    `flush=True` returns only after that. A closure that raises has emitted nothing.
    """

    async def create(self, start: StartRun, program: Program, fn: Callable[[Transition], T]) -> T:
        """Make the run with its first transition, durable on return.

        A `trigger_key` that exists returns without effect by raising `RunExists`.
        """
        ...

    async def transact(
        self, run_id: str, cause: str, fn: Callable[[Transition], T], *, flush: bool = True
    ) -> T:
        """Apply `fn` to the run. Raises `RunNotFound`; a failed flush raises `StoreError`."""
        ...

    async def flush(self, run_id: str) -> None:
        """Return once everything emitted so far for the run is durable."""
        ...

    async def events(self, run_id: str, after: int = 0, limit: int = 200) -> Sequence[Event]:
        """Return durable events with `seq > after`, oldest first."""
        ...

    async def state(self, run_id: str, seq: int | None = None) -> RunState:
        """Return a private copy of the state at `seq` (default: now), folded from the log."""
        ...

    async def unfinished(self) -> Sequence[str]:
        """Return the ids of all runs without terminal event: what recovery looks at."""
        ...

    async def run_of_request(self, request_id: str) -> str | None:
        """Return the run that opened an interrupt, None for an unknown one."""
        ...

    def forget(self, run_id: str) -> None:
        """Drop what is cached of a run, such as after a crash of its executor."""
        ...


class Directory(Protocol):
    """The people of a workspace, as approvals need to know them."""

    async def members(self, workspace_id: str | None) -> Sequence[Actor]:
        """Return everyone who may sign in to the workspace now, with their roles and groups."""
        ...


class Secrets(Protocol):
    """Keys of this installation."""

    def mac_key(self) -> bytes:
        """Return the key of single-use tokens."""
        ...


MemoryRecord = dict[str, Any]


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
