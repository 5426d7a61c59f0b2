"""How long the server may work for one thing, and how much is tried."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings

MOST_S: Final = 1.0
"""Seconds of CPU that anything may take on a machine that nobody else uses."""
NEIGHBOURS: Final = 3
"""How many times as long it may take there where others use the same cores, as in the gate."""
CALM_S: Final = 0.036
"""What the yardstick takes there."""
EFFORT: Final = int(os.environ.get("FUZZ_EFFORT", "1"))
"""So many times the examples of the gate, and other ones each time: `make simulate` sets it."""


def slowness() -> float:
    """Return how many times as slow this machine is just now, at least 1."""
    yardstick = {f"k{n}": [n, str(n), {"a": None}] for n in range(20_000)}
    return max(1.0, min(_seconds(yardstick) for _ in range(3)) / CALM_S)


def _seconds(value: Any) -> float:
    began = time.thread_time()
    json.loads(json.dumps(value))
    return time.thread_time() - began


class TooDear(AssertionError):
    """Something took longer than the server may work for it."""


@contextmanager
def soon(what: str) -> Iterator[None]:
    """Hold what the block does to the second of CPU, that of its thread; beside neighbours to three.

    The collector rests: it would look at all that the tests keep, and a server has it run seldom.
    """
    gc.disable()
    began = time.thread_time()
    try:
        yield
    finally:
        took = time.thread_time() - began
        gc.enable()
    if took > MOST_S and took > (allowed := MOST_S * NEIGHBOURS * slowness()):
        raise TooDear(f"{what} took {took:.2f} s of CPU, of {allowed:.2f}")


def tries(examples: int) -> settings:
    """Return how an attempt is made: so many examples, the same ones each time in the gate.

    What fails in the gate is told as it was found: to make what is slow smaller takes minutes.
    """
    once = EFFORT == 1
    return settings(
        max_examples=examples * EFFORT,
        derandomize=once,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate, *(() if once else (Phase.shrink,))],
    )
