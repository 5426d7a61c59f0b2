"""The order in which tests run: what waits for servers and browsers, beside what computes.

The workers take their tests from one list, each at first a part of its own, and steal from others
once that is done. In the order of folders everything that starts servers came last, on all workers
at once, with twice the load that the machine can carry, after minutes in which it was half idle.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain

import pytest

WAITING = ("browser", "slow")
"""The marks of tests that wait more than they compute."""


def mixed(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests so that half of the workers begin with those that wait, files kept whole."""
    waiting = [item for item in items if any(item.get_closest_marker(mark) for mark in WAITING)]
    others = [item for item in items if not any(item.get_closest_marker(m) for m in WAITING)]
    files: dict[str, list[pytest.Item]] = {}
    for item in waiting:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    begins = max(1, workers // 2)
    piles = [list(chain.from_iterable(list(files.values())[n::begins])) for n in range(begins)]
    found: list[pytest.Item] = []
    for worker in range(workers):
        share = (len(items) - len(found)) // (workers - worker)
        pile = piles[worker // 2] if worker % 2 == 0 and worker // 2 < begins else []
        room = max(0, share - len(pile))
        found += [*pile, *others[:room]]
        others = others[room:]
    return [*found, *others]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix them where several workers share them, each in the same way."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = mixed(items, workers)
