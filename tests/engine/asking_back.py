"""Asking back by a runner's mailbox, as services do by the table."""

from __future__ import annotations

from typing import Any

from engine.core.state.requests import Actor, Asks
from engine.runtime.mailbox import wishes
from engine.runtime.runner import Runner
from tests.engine import posted

Told = dict[str, Any]


async def ask_back(runner: Runner, run_id: str, request_id: str, asks: Asks, by: Actor) -> Told:
    """Ask about an approval and stop its clock."""
    return await posted.ask(runner, run_id, wishes.ask_back(request_id, asks, by))


async def answer_back(runner: Runner, run_id: str, request_id: str, reply: str, by: Actor) -> Told:
    """Answer what was asked."""
    return await posted.ask(runner, run_id, wishes.answer_back(request_id, reply, by))


async def take_back(runner: Runner, run_id: str, request_id: str, by: Actor) -> Told:
    """Wait for no reply any more."""
    return await posted.ask(runner, run_id, wishes.take_back(request_id, by))
