"""The answers of `--decide`: one after the other, in the order in which interrupts open."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TextIO

from engine.cli.files import Decision, problem, say
from engine.core.errors import RequestRefused, RunNotFound
from engine.core.state.events import node_of
from engine.core.state.requests import CLI, Answer
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.local import Local


class Decider:
    """Answers what a run asks, as `cli`, until the answers for a node are used up."""

    def __init__(
        self, local: Local, decisions: Mapping[str, Sequence[Decision]], stderr: TextIO
    ) -> None:
        self._local = local
        self._left = {node: deque(answers) for node, answers in decisions.items()}
        self._stderr = stderr
        self.refused = False
        self._own: set[str] = set()
        local.runner.signals.family = self._own

    def own(self, run_id: str) -> None:
        """Deliver word of and for a run, and what it starts: that of other stored runs waits."""
        self._own.add(run_id)

    async def settle(self, run_id: str) -> RunState:
        """Return the run's state once it is over or waits for what nobody answers here."""
        while True:
            state = await self._rested(run_id)
            if state.terminal or self.refused or not await self._answer_next(state):
                return await self._local.runner.store.warm(run_id)

    async def resume(self, run_id: str) -> None:
        """Take over what a former process held of the run and of its child runs.

        Raises `RunNotFound`, and `StoreError` where a log does not fit the documents.
        """
        runner = self._local.runner
        self.own(run_id)
        await runner.take_over(run_id)
        await runner.signals.deliver_all()
        await runner.quiet()
        for child in list((await runner.store.warm(run_id)).child_runs):
            with suppress(RunNotFound):
                await self.resume(child)

    async def _rested(self, run_id: str) -> RunState:
        """Return the run's state once neither it nor a child run moves without a person."""
        runner = self._local.runner
        while True:
            seq = (await runner.settled(run_id)).seq
            await runner.quiet()
            for child in list((await runner.store.warm(run_id)).child_runs):
                with suppress(RunNotFound):
                    await self._rested(child)
            await runner.quiet()
            state = await runner.store.warm(run_id)
            if state.seq == seq:
                return state

    async def family(self, state: RunState) -> list[RunState]:
        """Return the run and the child runs that it waits for, outermost first."""
        found = [state]
        for run_id in state.child_runs:
            found += await self.family(await self._local.runner.store.warm(run_id))
        return found

    async def _answer_next(self, state: RunState) -> bool:
        """Answer the interrupt that opened first among those with an answer left."""
        opened = [(o, s) for s in await self.family(state) for o in s.interrupts.values()]
        for interrupt, owner in sorted(opened, key=lambda pair: (pair[0].opened_at, pair[0].seq)):
            answers = self._left.get(node_of(interrupt.key))
            if answers:
                await self._give(owner, interrupt, answers.popleft())
                return not self.refused
        return False

    async def _give(self, state: RunState, opened: OpenInterrupt, decision: Decision) -> None:
        try:
            if decision.expire:
                await self._expire(state.run_id, opened)
            else:
                await self._local.runner.answer(
                    opened.request_id, self._answer(opened, decision), CLI
                )
        except RequestRefused as refused:
            self.refused = True
            place = f"--decide: {node_of(opened.key)}"
            say(self._stderr, [problem(refused.code, place, refused.message)])

    async def _expire(self, run_id: str, opened: OpenInterrupt) -> None:
        """Move the clock past the deadline and let it pass."""
        if opened.expires_at is None:
            raise RequestRefused("AnswerInvalid", "this request has no deadline")
        clock = self._local.clock
        clock.offset_ms += max(opened.expires_at - clock.now(), 0)
        await self._local.runner.wake(run_id)

    def _answer(self, opened: OpenInterrupt, decision: Decision) -> Answer:
        given = {
            name: getattr(decision, name) for name in Decision.model_fields if name != "expire"
        }
        return Answer(token=self._local.runner.token(opened.request_id), **given)
