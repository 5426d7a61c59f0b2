"""An activation that is held: where it stands, what it has recorded, and its way into the log.

The calls, pauses and children of a node context work on this; none of them sees the whole context.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from weakref import ref

from engine.core.decide.outcomes import Finish
from engine.core.decide.scheduler import Claim
from engine.core.decide.transition import Transition
from engine.core.graph.document import NodeSpec
from engine.core.node_types.view import View
from engine.core.state.lanes import expression_scope
from engine.core.state.run_state import Activation, RunState
from engine.core.values.json import FrozenDict, digest, freeze
from engine.runtime.execution.journal import SCOPE, Journal, Scope, current_scope
from engine.runtime.host import RunHost


class RecordedBag:
    """A `StateBag` that keeps what is set in the log."""

    __slots__ = ("_emit", "_type", "_values")

    def __init__(
        self,
        values: Mapping[str, Any],
        emit: Callable[[str, dict[str, Any]], Awaitable[None]],
        type_: str,
    ) -> None:
        self._values = dict(values)
        self._emit = emit
        self._type = type_

    def get(self, name: str, default: object = None) -> Any:
        """Return the value, or `default` where none was set."""
        return self._values.get(name, default)

    async def set(self, name: str, value: object) -> None:
        """Record the value. Set once per place: a replay does not set it again."""
        frozen = freeze(value, name)
        self._values[name] = frozen
        await self._emit(self._type, {"name": name, "value": frozen})


class Held:
    """One execution of one activation under its lease."""

    def __init__(
        self,
        host: RunHost,
        run_id: str,
        claim: Claim,
        act: Activation,
        task: asyncio.Task[None],
    ) -> None:
        self._host = host
        self.run_id = run_id
        self.claim = claim
        self.act = act
        self.plan = claim.plan
        self.node: NodeSpec = claim.plan.spec
        self.attempt = act.attempt
        self.finish = Finish()
        self.journal = Journal(act)
        self.task = task
        self.root = Scope("", ref(task))
        assert act.view is not None
        self.view: View = act.view
        state = host.state_of(run_id)
        self.context: FrozenDict = state.context
        self.metadata: FrozenDict = act.metadata
        self._runtime = state.runtime
        self.workspace_id: str | None = state.started.get("workspace_id")

    @property
    def run(self) -> RunState:
        """The run's state as it is now. Raises `Cancelled` if it is gone."""
        return self._host.state_of(self.run_id)

    def scope(self) -> dict[str, Any]:
        """The names an expression of this node may use, with the log's time as `now`."""
        return expression_scope(self.view, self.act.started_at)

    def path(self) -> str:
        """Take the next step path. Called at the moment a call is made, before any await."""
        return current_scope(self.root).next_path()

    @property
    def coming(self) -> str:
        """The path of the next call, which is not taken yet."""
        return current_scope(self.root).coming

    @contextmanager
    def apart(self, path: str, index: int) -> Iterator[None]:
        """Give the calls of a block a journal scope of their own, as those of `gather` have."""
        token = SCOPE.set(Scope.of_branch(path, index))
        try:
            yield
        finally:
            SCOPE.reset(token)

    def was_asked(self, path: str) -> bool:
        """Return whether any attempt has put a question at this path."""
        return self.journal.emitted(path, earlier=True)

    def was_sent(self) -> bool:
        """Return whether the call that comes next was sent, and need not be judged again."""
        return self.journal.made(self.coming)

    def was_begun(self) -> bool:
        """Return whether this attempt has made the call that comes next."""
        return (self.attempt, self.coming) in self.act.steps

    def noted(self, path: str) -> Any:
        """Return what this attempt noted at the path, None without anything."""
        step = self.act.steps.get((self.attempt, path))
        return None if step is None else step.result

    async def note(self, path: str, kind: str, value: object) -> None:
        """Note a value at a path of its own, for the replays of this attempt."""
        noted = {"path": path, "attempt": self.attempt, "kind": kind}
        request_hash = digest([kind, None])
        await self.emit("StepRecorded", {**noted, "request_hash": request_hash, "result": value})

    def record(self, fn: Callable[[Transition], object]) -> Awaitable[object]:
        """Apply `fn` to the run under this lease. Raises `Cancelled` if that is no longer held."""
        return self._host.transact_held(self, fn)

    async def emit(self, type_: str, data: dict[str, Any]) -> None:
        """Emit one event of this activation under its lease."""
        await self._host.transact_held(self, lambda tx: tx.append(type_, self.act.key, data))

    async def record_event(self, type_: str, data: dict[str, Any], *, earlier: bool = True) -> None:
        """Emit an event once; with `earlier`, once in all attempts.

        It is known by its content and takes no step path, so that code which emits only the first
        time finds its other calls where they were.
        """
        request_hash = digest([type_, data])
        path = current_scope(self.root).next_mark(request_hash)
        if self.journal.emitted(path, earlier=earlier):
            return
        place = {
            "path": path,
            "attempt": self.attempt,
            "request_hash": request_hash,
            "kind": "emit",
        }
        await self.emit(type_, {**data, **place})
