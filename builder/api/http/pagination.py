"""Pages by position, not by number: a cursor names the last row that was seen."""

from __future__ import annotations

import binascii
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from builder.api.http import cursors
from builder.base.errors import InvalidInput
from builder.models.prepared import Prepared

DEFAULT_LIMIT: Final = 50
MAX_LIMIT: Final = 200
MAX_COUNTED: Final = 1_000
RANKED: Final = "ranked"
M = TypeVar("M", bound=Model)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a list is asked for."""

    cursor: str | None = None
    limit: int = DEFAULT_LIMIT


USUAL: Final = (Window(), Window(limit=MAX_LIMIT))
"""What nearly everybody asks for: the first page, as long as it is by itself, or at most."""


@dataclass(frozen=True)
class Page(Generic[M]):
    """Rows and the cursor of what follows them, None at the end.

    `total` is how many rows there are in all, on the first page only: those that follow do not
    count again. Above `MAX_COUNTED` it is that, and `total_is_more`.
    """

    rows: list[M]
    next: str | None
    total: int | None = None
    total_is_more: bool = False


@dataclass(frozen=True, slots=True)
class Top(Generic[M]):
    """Rows of a list that come before the `others`, whatever those are sorted by: few, sorted by `field`.

    No index could hold one order of both; apart, each is read from its own.
    """

    rows: QuerySet[M]
    others: QuerySet[M]
    field: str


def page(
    rows: QuerySet[M],
    window: Window,
    *,
    field: str,
    newest_first: bool = True,
    top: Top[M] | None = None,
) -> Page[M]:
    """Return one window of `rows`, ordered by `field`, a column or an annotation, then by key."""

    def cut(found: list[M]) -> Page[M]:
        on_top = None if top is None else top.field
        return _cut(found, window, field, lambda: _countable(rows).count(), on_top)

    if top is None:
        after = _after(rows, window.cursor, field, newest_first=newest_first)
        return cut(list(after[: window.limit + 1]))
    found: list[M] = []
    below = window.cursor if window.cursor and not cursors.is_on_top(window.cursor) else None
    if below is None:
        first = _after(top.rows, window.cursor, top.field, newest_first=newest_first, on_top=True)
        found = list(first[: window.limit + 1])
    if len(found) <= window.limit:
        known = {row.pk for row in found}  # one of them may have come down meanwhile
        others = _after(top.others, below, field, newest_first=newest_first)
        found += [row for row in others[: window.limit + 1] if row.pk not in known]
    return cut(found[: window.limit + 1])


def _after(
    rows: QuerySet[M],
    cursor: str | None,
    field: str,
    *,
    newest_first: bool,
    on_top: bool = False,
) -> QuerySet[M]:
    """Return what comes after a cursor, None for the beginning."""
    sign, compare = ("-", "lt") if newest_first else ("", "gt")
    ordered = rows.order_by(f"{sign}{field}", f"{sign}pk")
    if not cursor:
        return ordered
    value, key = cursors.read(rows, cursor, field, on_top=on_top)
    after = Q(**{f"{field}__{compare}": value}) | Q(**{field: value, f"pk__{compare}": key})
    from_it = Q(**{f"{field}__{compare}e": value})  # said apart, as no index starts at an `or`
    return ordered.filter(from_it, after)


class PreparedPage(Generic[M]):
    """The first page of a list, by two queries that are made once: its rows, and how many there are.

    `rows` gets stand-ins for what `read` is given; of those some may be `spare`, as `Prepared` says.
    """

    def __init__(
        self,
        rows: Callable[..., QuerySet[M]],
        limit: int,
        *,
        field: str,
        newest_first: bool = True,
        spare: bool = False,
    ) -> None:
        self._window, self._field = Window(limit=limit), field
        sign = "-" if newest_first else ""
        takes = len(inspect.signature(rows).parameters)

        def found(*values: str) -> QuerySet[M]:
            return rows(*values).order_by(f"{sign}{field}", f"{sign}pk")[: limit + 1]

        def counted(*values: str) -> QuerySet[M, Any]:
            return _countable(rows(*values))

        self._rows = Prepared(found, takes=takes, spare=spare)
        self._counted = Prepared(counted, takes=takes, spare=spare)

    def read(self, *values: str) -> Page[M]:
        """Return what `page` returns without a cursor."""
        found = self._rows.all(*values)
        return _cut(found, self._window, self._field, lambda: self._counted.count(*values))


class FirstPage(Generic[M]):
    """The pages `USUAL` of a list as it is, the newest first.

    `rows` gets stand-ins for the caller's id and the workspace's.
    """

    def __init__(self, rows: Callable[[str, str], QuerySet[M]], *, newest_by: str) -> None:
        limits = [window.limit for window in USUAL]
        self._pages = {limit: PreparedPage(rows, limit, field=newest_by) for limit in limits}

    def read(self, user_id: str, workspace_id: str, window: Window) -> Page[M]:
        """Return what `page` returns for one of `USUAL`."""
        return self._pages[window.limit].read(user_id, workspace_id)


def _countable(rows: QuerySet[M]) -> QuerySet[M, Any]:
    return rows.order_by().values("pk")[: MAX_COUNTED + 1]


def _cut(
    found: list[M],
    window: Window,
    field: str,
    count: Callable[[], int],
    top_field: str | None = None,
) -> Page[M]:
    """Return a page of rows that are one more than it holds, if there are so many."""
    if len(found) <= window.limit:
        return Page(found, None, None if window.cursor else len(found))
    last = found[window.limit - 1]
    on_top = top_field is not None and hasattr(last, top_field)
    value = getattr(last, top_field if top_field is not None and on_top else field)
    after_it = cursors.write(value, last.pk, on_top=on_top)
    if window.cursor:
        return Page(found[: window.limit], after_it)
    counted = count()
    return Page(found[: window.limit], after_it, min(counted, MAX_COUNTED), counted > MAX_COUNTED)


def offset_page(found: Sequence[T], window: Window) -> tuple[Sequence[T], str | None]:
    """Return one window of a ranked list, and the cursor of what follows: its place in the list."""
    start = 0
    if window.cursor:
        try:
            name, start = cursors.decoded(window.cursor)
        except (binascii.Error, ValueError, TypeError, RecursionError):
            name = None
        if name != RANKED or type(start) is not int or start < 0:
            raise InvalidInput("this cursor is not from a list of ours", path="cursor")
    end = start + window.limit
    return found[start:end], cursors.write(RANKED, end) if end < len(found) else None
