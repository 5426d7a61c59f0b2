"""Asking back, as one step of a run: who asks or answers hears what was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.decide.clocks import asking_back
from engine.core.decide.transition import Transition
from engine.core.errors import RequestRefused
from engine.core.state.requests import Actor, Asks
from engine.runtime.runner import Runner

Told = dict[str, Any]


async def ask_back(runner: Runner, run_id: str, request_id: str, asks: Asks, by: Actor) -> Told:
    """Ask about an approval and stop its clock; return when it expires, None. Raises `RequestRefused`."""
    return await _done(runner, run_id, lambda tx: asking_back.ask_back(tx, request_id, asks, by))


async def answer_back(runner: Runner, run_id: str, request_id: str, reply: str, by: Actor) -> Told:
    """Answer what was asked; the clock goes on. Raises `RequestRefused`."""
    return await _done(
        runner, run_id, lambda tx: asking_back.answer_back(tx, request_id, reply, by)
    )


async def take_back(runner: Runner, run_id: str, request_id: str, by: Actor) -> Told:
    """Wait for no reply any more; the clock goes on. Raises `RequestRefused`."""
    return await _done(runner, run_id, lambda tx: asking_back.take_back(tx, request_id, by))


async def _done(runner: Runner, run_id: str, verb: Callable[[Transition], Told]) -> Told:
    """Apply `verb`; what it records before it refuses, such as a clock that runs on, stays."""
    found: list[Told | RequestRefused] = []

    def apply(tx: Transition) -> None:
        try:
            found[:] = [verb(tx)]
        except RequestRefused as refused:
            found[:] = [refused]

    await runner.step(run_id, f"ask:{runner.entropy.new_id()}", apply, flush=True)
    [told] = found
    if isinstance(told, RequestRefused):
        raise told
    return told
