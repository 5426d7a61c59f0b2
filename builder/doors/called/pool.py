"""Threads of their own for the database work of calls that are answered on the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from django.db import close_old_connections, connections

THREADS: Final = 8
"""Starts wait for the engine here; who only looks is done at once."""
P = ParamSpec("P")
T = TypeVar("T")
_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="called")


async def in_pool(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `function`, which may use the ORM, gives in one of the threads."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, lambda: _fresh(function, *args, **kwargs))


def close_pool() -> None:
    """Close the threads' connections; a later call opens them again."""
    for _ in range(THREADS * 4):
        _pool.submit(connections.close_all)


def _fresh(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    close_old_connections()
    return function(*args, **kwargs)
