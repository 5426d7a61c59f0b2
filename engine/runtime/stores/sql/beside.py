"""Rows that whoever embeds the store wants in the same commit as a run's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from engine.core.state.events import Event
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.writer import Plain


class RowsBeside(Protocol):
    """What else a commit writes; `number` is that of the run (`event_keys`)."""

    @property
    def types(self) -> Collection[str]:
        """The types of events of which `of_event` is asked."""
        ...

    def of_start(self, number: int, batch: Batch) -> list[Plain]:
        """Return what is written with a run's first events."""
        ...

    def of_event(self, number: int, event: Event, started: Mapping[str, Any]) -> list[Plain]:
        """Return what is written with an event of a run that was `started` so."""
        ...

    def of_end(self, number: int, batch: Batch) -> list[Plain]:
        """Return what is written with a run's last events."""
        ...


class NothingBeside:
    """Writes runs and nothing else."""

    types: Collection[str] = frozenset()

    def of_start(self, number: int, batch: Batch) -> list[Plain]:
        """Return nothing."""
        return []

    def of_event(self, number: int, event: Event, started: Mapping[str, Any]) -> list[Plain]:
        """Return nothing."""
        return []

    def of_end(self, number: int, batch: Batch) -> list[Plain]:
        """Return nothing."""
        return []
