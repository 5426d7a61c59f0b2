"""Row C13: which time counts against `max_execution_time_ms`, in virtual time."""

from __future__ import annotations

import asyncio

import pytest

from tests.engine.lab import Lab, document, in_virtual_time

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
LIMIT_MS = 1_000


async def _ended(before_ms: int, after_ms: int, *, crash: bool) -> tuple[str, str | None]:
    """Work, wait a minute for a person, work again; return how the run ended."""
    nodes = [
        {"id": "before", "type": "delay", "config": {"duration_ms": before_ms}},
        {"id": "ask", "type": "question", "config": {"question": "Go on?"}},
        {"id": "after", "type": "delay", "config": {"duration_ms": after_ms}},
    ]
    edges = ("__start__ > before", "before > ask", "ask > after", "after > __end__")
    lab = Lab(document(nodes, *edges, limits={"max_execution_time_ms": LIMIT_MS}))
    await lab.start()
    await asyncio.sleep(60)
    if crash:
        await lab.crash()
    state = await lab.answer(selected="yes")
    return state.status, None if state.error is None else state.error["code"]


@pytest.mark.parametrize("crash", [False, True])
def test_time_on_both_sides_of_a_pause_is_added_up(crash: bool) -> None:
    """C13: What a run worked before a pause counts after it, the pause itself never."""
    late = in_virtual_time(lambda: _ended(600, 600, crash=crash))
    done = in_virtual_time(lambda: _ended(600, 300, crash=crash))

    assert late == ("timeout", "RunTimeout")
    assert done == ("completed", None)
