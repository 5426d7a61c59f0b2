"""Stores over one SQL database, as successive processes have them, for the contracts of stores."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engine.runtime.stores.sql.store import SqlRunStore


class SqlProcesses:
    """Makes stores and closes them; a new one has read what is in the database."""

    def __init__(self, make: Callable[[], SqlRunStore]) -> None:
        self._make = make
        self._made: list[SqlRunStore] = []

    def open(self) -> SqlRunStore:
        """Return a store that is open: contracts ask for it where they cannot wait."""
        store = self._make()
        self._made.append(store)
        with ThreadPoolExecutor(1) as beside:
            beside.submit(asyncio.run, store.open()).result()
        return store

    def close(self) -> None:
        """Close every store that was made."""
        for store in self._made:
            store.close()
