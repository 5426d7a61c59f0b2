"""Queries of the hottest paths whose SQL is made once: the ORM makes it anew for each request.

Making the SQL and its plan of reading costs several times what the database takes to answer. The
rule stays where it is, in a queryset; what is kept is its text.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.expressions import RawSQL
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)
Seen = dict[tuple[Any, Any], models.Model]
"""The related objects of a page so far, by how they are joined and their key."""
_populators: Any = get_related_populators  # the stubs describe a later version
_EACH: Final = {
    "sqlite": "SELECT value FROM json_each(%s)",
    "postgresql": "SELECT jsonb_array_elements_text(%s::jsonb)",
}
_EACH_NUMBER: Final = {
    "sqlite": _EACH["sqlite"],
    "postgresql": "SELECT value::bigint FROM jsonb_array_elements_text(%s::jsonb)",
}
_DAY: Final = {"sqlite": "%s", "postgresql": "%s::date"}
_MOMENT: Final = {"sqlite": "%s", "postgresql": "%s::timestamptz"}
_MARK: Final = "\0parameter "


def each_of(parameter: str) -> RawSQL:
    """Return what `__in` takes where the parameter is a list: its texts as a JSON array."""
    sql = _EACH[connections[DEFAULT_DB_ALIAS].vendor]
    return RawSQL(sql, (parameter,))  # noqa: S611  (a constant)


def each_number_of(parameter: str) -> RawSQL:
    """Return what `__in` takes where the parameter is a list: its whole numbers as a JSON array."""
    sql = _EACH_NUMBER[connections[DEFAULT_DB_ALIAS].vendor]
    return RawSQL(sql, (parameter,))  # noqa: S611  (a constant)


def number(parameter: str) -> RawSQL:
    """Return what a comparison takes where the parameter is a whole number."""
    return RawSQL("%s", (parameter,), output_field=models.BigIntegerField())


def day(parameter: str) -> RawSQL:
    """Return what a comparison takes where the parameter is a day (`2026-11-22`)."""
    sql = _DAY[connections[DEFAULT_DB_ALIAS].vendor]
    return RawSQL(sql, (parameter,), output_field=models.DateField())  # noqa: S611  (a constant)


def moment(parameter: str) -> RawSQL:
    """Return what a comparison takes where the parameter is a moment, as `moment_text` spells it."""
    sql = _MOMENT[connections[DEFAULT_DB_ALIAS].vendor]
    return RawSQL(sql, (parameter,), output_field=models.DateTimeField())  # noqa: S611  (a constant)


def moment_text(now: datetime) -> str:
    """Return a moment as columns of the database compare with it."""
    return str(connections[DEFAULT_DB_ALIAS].ops.adapt_datetimefield_value(now))


def any_case(text: str) -> str:
    """Return a text for a parameter that is compared by `__iexact`: what is no letter is itself."""
    return str(connections[DEFAULT_DB_ALIAS].ops.prep_for_iexact_query(text))


@dataclass(frozen=True, slots=True)
class _Plan:
    """The SQL for one connection, which argument each parameter is, and how a row is read."""

    connection: Any
    sql: str
    parameters: tuple[tuple[int | None, Any], ...]
    compiler: Any
    converters: dict[Any, Any]
    columns: slice
    names: list[str]
    related: list[Any]

    def filled(self, values: Sequence[str | int]) -> list[Any]:
        """Return the parameters of the SQL with `values` in their places."""
        return [kept if at is None else values[at] for at, kept in self.parameters]

    def converted(self, rows: list[Any]) -> list[Any]:
        """Return rows of the database with the values of their fields."""
        if not self.converters:
            return rows
        return list(self.compiler.apply_converters(rows, self.converters))


class Prepared(Generic[M]):
    """A query with text parameters, and nothing else in it that changes: no time.

    A number goes through `number`, a day through `day`, a moment through `moment`, a list through `each_of` or
    `each_number_of`, and what is compared in letters of any case was through `any_case`. `build` gets a
    stand-in for each parameter and returns the queryset; what it does besides happens once a thread.

    `takes` says how many parameters `build` has where its signature does not; of a query that is one of a
    kind some may be `spare`: given, and not asked for.
    """

    def __init__(
        self,
        build: Callable[..., models.QuerySet[M, Any]],
        *,
        takes: int | None = None,
        spare: bool = False,
    ) -> None:
        self._build = build
        self._count = len(inspect.signature(build).parameters) if takes is None else takes
        self._spare = spare
        self._plans = threading.local()

    def first(self, *values: str | int) -> M | None:
        """Return the first row, None without any."""
        plan = self._plan()
        with plan.connection.cursor() as cursor:
            cursor.execute(plan.sql, plan.filled(values))
            row = cursor.fetchone()
        return None if row is None else self._read(plan, plan.converted([row])[0], {})

    def all(self, *values: str | int) -> list[M]:
        """Return every row; rows of one related row (runs of a graph) share the object of it."""
        plan = self._plan()
        seen: Seen = {}
        return [self._read(plan, row, seen) for row in self._fetched(plan, values)]

    def tuples(self, *values: str | int) -> list[Any]:
        """Return every row of a queryset of `values_list`, in the order of its columns."""
        return self._fetched(self._plan(), values)

    def count(self, *values: str | int) -> int:
        """Return how many rows there are."""
        plan = self._plan()
        with plan.connection.cursor() as cursor:
            cursor.execute(f"SELECT COUNT(*) FROM ({plan.sql}) counted", plan.filled(values))  # noqa: S608
            return int(cursor.fetchone()[0])

    def _fetched(self, plan: _Plan, values: Sequence[str | int]) -> list[Any]:
        with plan.connection.cursor() as cursor:
            cursor.execute(plan.sql, plan.filled(values))
            rows = cursor.fetchall()
        return plan.converted(rows)

    def _read(self, plan: _Plan, row: Any, seen: Seen) -> M:
        model = plan.compiler.klass_info["model"]
        found: M = model.from_db(DEFAULT_DB_ALIAS, plan.names, row[plan.columns])
        for populator in plan.related:
            _relate(populator, row, found, seen)
        for name, at in plan.compiler.annotation_col_map.items():
            setattr(found, name, row[at])
        return found

    def _plan(self) -> _Plan:
        connection = connections[DEFAULT_DB_ALIAS]
        known: _Plan | None = getattr(self._plans, "kept", None)
        if known is None or known.connection is not connection:
            known = self._plans.kept = self._made(connection)
        return known

    def _made(self, connection: Any) -> _Plan:
        stand_ins = [f"{_MARK}{at}" for at in range(self._count)]
        compiler: Any = self._build(*stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        places = tuple((_place(kept, stand_ins), kept) for kept in parameters)
        used = {at for at, _ in places}
        assert self._spare or used >= set(range(self._count)), "a parameter was lost"
        whole = (kept for at, kept in places if at is None)
        assert not any(isinstance(kept, str) and _MARK in kept for kept in whole), "one was changed"
        info = compiler.klass_info
        fields = info["select_fields"] if info else ()
        columns = slice(fields[0], fields[-1] + 1) if fields else slice(0)
        return _Plan(
            connection,
            sql,
            places,
            compiler,
            compiler.get_converters([item[0] for item in compiler.select]),
            columns,
            [item[0].target.attname for item in compiler.select[columns]],
            _populators(info, compiler.select, DEFAULT_DB_ALIAS) if info else [],
        )


def _relate(populator: Any, row: Any, found: models.Model, seen: Seen) -> None:
    """Give `found` its related object: making one costs as much as the row that it belongs to."""
    if populator.reorder_for_init is not None:  # of a model that extends another
        populator.populate(row, found)
        return
    columns = row[populator.cols_start : populator.cols_end]
    key = columns[populator.pk_idx]
    related = seen.get((populator, key))
    if related is None and key is not None:
        related = populator.model_cls.from_db(DEFAULT_DB_ALIAS, populator.init_list, columns)
        for deeper in populator.related_populators:
            _relate(deeper, row, related, seen)
        seen[populator, key] = related
    populator.local_setter(found, related)
    if related is not None:
        populator.remote_setter(related, found)


def _place(kept: Any, stand_ins: list[str]) -> int | None:
    return stand_ins.index(kept) if isinstance(kept, str) and kept in stand_ins else None
