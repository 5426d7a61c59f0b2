"""What a job of the writer is made of: statements, and rows that go in with those of other jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Plain = tuple[str, Sequence[Any]]


class Must(NamedTuple):
    """A statement that has to change a row: where it changes none, the whole job is refused."""

    sql: str
    parameters: Sequence[Any]


class Gives(NamedTuple):
    """A statement that returns one value, which `found` holds after the commit."""

    sql: str
    parameters: Sequence[Any]
    found: list[Any]


class Shared(NamedTuple):
    """A statement about a row that commits of several processes move.

    Those of a commit come last, sorted by `key`: whoever locks such rows does so in one order. Of
    one key they stay in the order in which they came.
    """

    key: tuple[int, str]
    statement: Plain | Must | Gives


class Once(NamedTuple):
    """Statements that are executed only where `first` changed a row: who comes second does nothing."""

    first: Plain
    then: list[Plain | Shared]


Statement = Plain | Once | Must | Gives | Shared
Fence = tuple[int, int]
"""The number of a run, and the epoch in which the writer must own it."""


class Rows(NamedTuple):
    """Rows that go into a table where nothing of the same commit looks at them.

    `head` is the statement up to `VALUES`. Rows of all jobs of a commit are inserted together.
    """

    head: str
    rows: list[Sequence[Any]]
