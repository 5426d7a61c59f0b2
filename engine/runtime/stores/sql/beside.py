"""Rows that whoever embeds the store wants in the same commit as a run's own, and the limits it keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from engine.core.state.events import Event
from engine.runtime.stores.buffered import Batch
from engine.runtime.stores.sql.budget_rows import HOLD_SHARED
from engine.runtime.stores.sql.statements import Must, Plain


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

    def hold_shared(self, row: Sequence[Any]) -> Must:
        """Return what holds on a shared budget, judged by the limit that holds in the database.

        `row` is id, level, workspace, the limits that this process remembers, tokens and amount.
        """
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

    def hold_shared(self, row: Sequence[Any]) -> Must:
        """Judge by the row itself: nobody else changes its limit."""
        return Must(HOLD_SHARED, row)
