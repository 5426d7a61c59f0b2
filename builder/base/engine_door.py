"""The door between services and the engine: what web threads may ask of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from builder.base.bells import Frame
from builder.base.tool_sources import ListedSources
from engine.core.graph.document import GraphSpec
from engine.core.state.requests import ForkRun, StartRun, Supposed
from engine.runtime.stores.requests import Told

Unsubscribe = Callable[[], None]
Listener = Callable[[Frame | None], None]
"""Called from any thread and never blocking: None is a doorbell, a mapping an ephemeral frame."""


class EngineDoor(Protocol):
    """What web threads may ask of the engine. Every call is synchronous and thread-safe.

    All raise `RequestRefused` for what cannot be granted; none may be called inside an open
    transaction.
    """

    def start_run(self, request: StartRun, spec: GraphSpec | None = None) -> str:
        """Record the run's start and return its id; a known `trigger_key` returns its run's.

        `spec` is the document of the request's version where the caller has it parsed.
        """
        ...

    def retry_run(
        self,
        run_id: str,
        by: str,
        *,
        resend: bool = False,
        key: str | None = None,
        source: str | None = None,
    ) -> str:
        """Start a new run that goes on at the failed node and return its id.

        Without `resend` a call that changes something outside is not sent again: `ForkResends`. A
        `key` that was used before returns the run it made. `source` is what started it.
        """
        ...

    def retry_plan(self, run_id: str) -> dict[str, Any]:
        """Return what a retry of a failed run would do: see `engine.runtime.forks.plan`."""
        ...

    def fork_run(self, run_id: str, request: ForkRun) -> str:
        """Start a new run that goes on at a point of an ended one and return its id."""
        ...

    def fork_plan(self, run_id: str, at: int | str) -> dict[str, Any]:
        """Return what a fork at a seq or activation would do: see `engine.runtime.forks.plan`."""
        ...

    def stale_plan(self, run_id: str, spec: GraphSpec, pins: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a run of only what is stale in a draft would do."""
        ...

    def given_to(self, run_id: str, node: str) -> dict[str, Any]:
        """Return `{input, memory, outputs, previous}` as a node found them when it last began."""
        ...

    def answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        """Ring for a request to a run that is committed; return what became of it.

        None where that takes longer: it has its effect all the same.
        """
        ...

    def foresee(self, run_id: str, supposed: Supposed) -> dict[str, Any]:
        """Return what a decision would lead to, without making it: `engine.runtime.foresight`."""
        ...

    def reset_breaker(self, breaker_id: str) -> bool:
        """Close a circuit breaker by an operator's word; return whether there is such a one."""
        ...

    def state_at(self, run_id: str, seq: int | None) -> dict[str, Any]:
        """Return `{seq, memory, outputs, metadata, context, ui}` as of `seq` (None: the head)."""
        ...

    def resume_token(self, request_id: str) -> str:
        """Return the token that an answer to the interrupt must carry."""
        ...

    def tool_sources(self, workspace_id: str) -> ListedSources:
        """Return the sources of tools that the workspace may use, with their tools or problems."""
        ...

    def tools_to_check(self, workspace_id: str) -> ListedSources:
        """Return the same for a check, which waits two seconds for a source and no longer."""
        ...

    def known_tools(self, workspace_id: str) -> ListedSources:
        """Return what the sources listed last, without waiting, and let them be asked again.

        Those that were never asked, and now start, say so.
        """
        ...

    def limits_changed(self) -> None:
        """Let the limits hold that people have set, and whoever waits for one look again."""
        ...

    def is_alive(self, within_s: float) -> bool:
        """Return whether the engine's loop answers in that time."""
        ...

    def is_ready(self, within_s: float) -> bool:
        """Return whether the engine has taken over what was left, or does so in that time."""
        ...

    def subscribe(self, run_id: str, listener: Listener) -> Unsubscribe:
        """Call `listener` for every doorbell and ephemeral frame of the run until unsubscribed."""
        ...


class EngineNotStarted(RuntimeError):
    """The process has no engine: `manage.py serve` starts one."""


_door: EngineDoor | None = None


def engine() -> EngineDoor:
    """Return the process's engine. Raises `EngineNotStarted`."""
    if _door is None:
        raise EngineNotStarted("no engine runs in this process: start it with manage.py serve")
    return _door


def install(door: EngineDoor | None) -> EngineDoor | None:
    """Make `door` the process's engine and return the former one."""
    global _door
    former, _door = _door, door
    return former
