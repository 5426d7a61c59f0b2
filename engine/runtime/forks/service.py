"""Runs that go on where another stopped: retry, fork, and the plan that is shown first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.core.decide.begin.places import wait_for_place
from engine.core.decide.begin.takeover import take_over
from engine.core.decide.scheduler import Advance, advance
from engine.core.decide.transition import Transition
from engine.core.errors import RequestRefused
from engine.core.state.events import Event
from engine.core.state.program import Program
from engine.core.state.requests import ForkRun, StartRun
from engine.core.state.run_state import RunState
from engine.runtime.forks.given import given, last_start
from engine.runtime.forks.plan import ForkPlan, plan, runs_below
from engine.runtime.forks.points import ForkPoint, top, undone_keys
from engine.runtime.forks.prefix import (
    Emission,
    fork_point,
    forked,
    require_ended,
    require_failed,
    retried,
    start_of,
)
from engine.runtime.forks.resent import Resent, resent
from engine.runtime.forks.retry import retry_point
from engine.runtime.forks.stale.again import (
    begins_at,
    run_again,
    seqs_kept,
    stale_plan,
    what_is_stale,
)
from engine.runtime.forks.stale.compare import Draft, draft_of
from engine.runtime.stores.warm_run import RunExists

if TYPE_CHECKING:
    from engine.runtime.host import RunControl


class Forks:
    """Makes new runs of old ones for one runner."""

    def __init__(self, runner: RunControl) -> None:
        self._runner = runner

    async def retry(
        self,
        run_id: str,
        by: str,
        *,
        resend: bool = False,
        key: str | None = None,
        source: str | None = None,
    ) -> str:
        """Start a new run that goes on at the node that ended `run_id`; return its id.

        With a trigger `key` that was used before, that is the run it made. Raises `RequestRefused` `RunNotRetryable`, and `ForkResends` with the plan where calls would
        be sent again that neither failed nor were undone, and `resend` does not accept it.
        """
        old, events = await self._read(run_id)
        new_id, now = self._runner.entropy.new_id(), self._runner.clock.now()
        start, prefix = retried(old, events, new_id, by, now)
        start = replace(start, trigger_key=key, source=source)
        if not resend:
            point, beside = retry_point(run_id, events)
            found = await self._planned(run_id, events, point, beside)
            undone = undone_keys(events)
            if any(c.outcome != "failed" and top(c.key) not in undone for c in found.resent):
                raise _resends(found)
        return await self._go_on(start, prefix, old.program)

    async def fork(self, run_id: str, request: ForkRun, program: Program | None = None) -> str:
        """Start a new run that goes on at a point of `run_id`; return its id.

        `program` is that of `request.version_id`. Raises `RequestRefused` as `forked` does, and
        `ForkResends` with the plan where calls would be sent again and nobody accepted it.
        """
        old, events = await self._read(run_id)
        program = program or old.program
        if request.stale:
            return await self._run_stale(old, events, request, program)
        start, prefix = forked(old, events, request, program, self._runner.clock.now())
        start = replace(start, trigger_key=request.trigger_key, source=request.source)
        if not request.resend:
            await self._ask(run_id, request)
        return await self._go_on(start, prefix, program)

    async def _ask(self, run_id: str, request: ForkRun) -> None:
        old, events = await self._read(run_id)
        found = await self._planned(run_id, events, fork_point(old, events, request))
        again = request.at is None  # who retries knows that the call which failed is made again
        if any(call.outcome != "failed" or not again for call in found.resent):
            raise _resends(found)

    async def plan(self, run_id: str, at: int | str) -> ForkPlan:
        """Return what a fork at `at` would do. Raises `RequestRefused` as `fork` does."""
        old, events = await self._read(run_id)
        return await self._planned(run_id, events, fork_point(old, events, ForkRun("", at, "")))

    async def stale_plan(self, run_id: str, program: Program, pins: Mapping[str, Any]) -> ForkPlan:
        """Return what a run of only what is stale would do. Raises `RequestRefused` as `compare`."""
        old, events = await self._read(run_id)
        draft = await draft_of(self._runner.graphs, _workspace(old), program, pins)
        return await self._stale_plan(old, events, draft)

    async def _stale_plan(self, old: RunState, events: Sequence[Event], draft: Draft) -> ForkPlan:
        stale = await asyncio.to_thread(what_is_stale, old, events, draft)
        point, kept = begins_at(old.run_id, events, stale), seqs_kept(stale)
        below = await self._resent_below(events, point.seq, kept)
        return stale_plan(old.run_id, events, draft, stale, below)

    async def _run_stale(
        self, old: RunState, events: Sequence[Event], request: ForkRun, program: Program
    ) -> str:
        require_ended(old)
        draft = await draft_of(self._runner.graphs, _workspace(old), program, request.pins)
        if not request.resend:
            found = await self._stale_plan(old, events, draft)
            if found.resent:
                raise _resends(found)
        now = self._runner.clock.now()
        prefix = await asyncio.to_thread(run_again, old, events, request, draft, now)
        start = start_of(old, request.run_id, request.by, request.version_id)
        return await self._go_on(replace(start, source=request.source), prefix, program)

    async def retry_plan(self, run_id: str) -> ForkPlan:
        """Return what a retry would do. Raises `RequestRefused` `RunNotRetryable`."""
        old, events = await self._read(run_id)
        require_failed(old)
        return await self._planned(run_id, events, *retry_point(run_id, events))

    async def given_to(self, run_id: str, node: str) -> dict[str, Any]:
        """Return what a node found when it last began. Raises `RequestRefused` where it did not."""
        _state, events = await self._read(run_id)
        seq, key = last_start(run_id, events, node)
        return given(await self._runner.store.state(run_id, seq), key)

    async def _planned(
        self,
        run_id: str,
        events: Sequence[Event],
        point: ForkPoint,
        beside: frozenset[int] = frozenset(),
    ) -> ForkPlan:
        below = await self._resent_below(events, point.seq, beside)
        return plan(run_id, events, point, below, beside)

    async def _read(self, run_id: str) -> tuple[RunState, Sequence[Event]]:
        old = await self._runner.store.warm(run_id)
        return old, await self._runner.store.events(run_id, 0, old.seq)

    async def _resent_below(
        self, events: Sequence[Event], seq: int, beside: frozenset[int]
    ) -> list[Resent]:
        """Return every call of the child runs that would run again."""
        found = runs_below(events, seq, beside)
        return [call for child in found for call in await self._resent_by(child)]

    async def _resent_by(self, run_id: str) -> list[Resent]:
        """Return every call of a child run, and of those below it, that would be made again."""
        _old, events = await self._read(run_id)
        below = await self._resent_below(events, 0, frozenset())
        return [*resent(run_id, events, 0), *below]

    async def _go_on(self, start: StartRun, prefix: list[Emission], program: Program) -> str:
        runner = self._runner

        def begin(tx: Transition) -> Advance:
            for type_, key, fields in prefix:
                tx.append(type_, key, fields)
            wait_for_place(tx, runner.env.limited)
            claims = take_over(tx, runner.env)
            moved = advance(tx, runner.env)
            moved.claims[:0] = claims
            return moved

        try:
            moved = await runner.store.create(start, program, begin)
        except RunExists as exists:
            return exists.run_id
        runner.follow(start.run_id, moved)
        return start.run_id


def _workspace(old: RunState) -> str | None:
    found: str | None = old.started.get("workspace_id")
    return found


def _resends(found: ForkPlan) -> RequestRefused:
    count = len(found.resent)
    calls = "1 call" if count == 1 else f"{count} calls"
    return RequestRefused(
        "ForkResends",
        f"{calls} would be sent again: accept it, or start later",
        detail={"plan": found.to_json()},
    )
