"""How long the server may work for one thing, and how much is tried."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings

MOST_S: Final = 1.0
"""Seconds of CPU that anything may take on a machine that nobody else uses."""
CALM_S: Final = 0.055
"""What the yardstick takes there."""
EFFORT: Final = int(os.environ.get("FUZZ_EFFORT", "1"))
"""So many times the examples of the gate, and other ones each time: `make simulate` sets it."""


@lru_cache(maxsize=1)
def allowed_s() -> float:
    """Return the seconds that one thing may take here: a busy machine is slower."""
    yardstick = {f"k{n}": [n, str(n), {"a": None}] for n in range(20_000)}
    best = min(_seconds(yardstick) for _ in range(3))
    return MOST_S * max(1.0, best / CALM_S)


def _seconds(value: Any) -> float:
    began = time.process_time()
    json.loads(json.dumps(value))
    return time.process_time() - began


class TooDear(AssertionError):
    """Something took longer than the server may work for it."""


@contextmanager
def soon(what: str) -> Iterator[None]:
    """Hold what the block does to the second of this process's CPU."""
    began = time.process_time()
    yield
    took = time.process_time() - began
    if took > allowed_s():
        raise TooDear(f"{what} took {took:.2f} s of CPU, of {allowed_s():.2f}")


def tries(examples: int) -> settings:
    """Return how an attempt is made: so many examples, the same ones each time in the gate."""
    once = EFFORT == 1
    return settings(
        max_examples=examples * EFFORT,
        derandomize=once,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )
