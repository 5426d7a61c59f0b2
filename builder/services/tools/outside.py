"""Requests that wait for somebody else's server: so few at once that all the others are answered.

Each holds a thread of the server for as long as the other side hangs.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from builder.base import engine_door
from builder.base.errors import TooMany
from builder.base.tool_sources import ListedSources

MOST: Final = 8
"""Requests of a process that may wait so; a quarter of its threads."""
AGAIN_S: Final = 5
_places = threading.BoundedSemaphore(MOST)
T = TypeVar("T")


@contextmanager
def waiting() -> Iterator[None]:
    """Take one of the places for what is done inside. Raises `TooMany` where none is free."""
    if not _places.acquire(blocking=False):
        raise TooMany(
            "as many requests wait for other servers as may: try again in some seconds",
            code="TooManyRequests",
            retry_after_s=AGAIN_S,
        )
    try:
        yield
    finally:
        _places.release()


def asked(asking: Coroutine[Any, Any, T]) -> T:
    """Return what another server is asked for. Raises `TooMany`, and what the asking raises."""
    try:
        with waiting():
            return asyncio.run(asking)
    finally:
        asking.close()


def listed_tools(workspace_id: str) -> ListedSources:
    """Return the sources of a workspace with their tools, asked now. Raises `TooMany`."""
    with waiting():
        return engine_door.engine().tool_sources(workspace_id)
