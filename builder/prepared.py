"""Queries of the hottest paths whose SQL is made once: the ORM makes it anew for each request.

Making the SQL and its plan of reading costs several times what the database takes to answer. The
rule stays where it is, in a queryset; what is kept is its text.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)
_populators: Any = get_related_populators  # the stubs describe a later version


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


class Prepared(Generic[M]):
    """A query with text parameters, and nothing else in it that changes: no time, no list.

    `build` gets a stand-in for each parameter and returns the queryset; what it does besides
    happens once a thread.
    """

    def __init__(self, build: Callable[..., models.QuerySet[M]]) -> None:
        self._build = build
        self._count = len(inspect.signature(build).parameters)
        self._plans = threading.local()

    def first(self, *values: str) -> M | None:
        """Return the first row, None without any."""
        plan = self._plan()
        parameters = [kept if at is None else values[at] for at, kept in plan.parameters]
        with plan.connection.cursor() as cursor:
            cursor.execute(plan.sql, parameters)
            row = cursor.fetchone()
        return None if row is None else self._read(plan, row)

    def _read(self, plan: _Plan, row: Any) -> M:
        if plan.converters:
            [row] = plan.compiler.apply_converters([row], plan.converters)
        model = plan.compiler.klass_info["model"]
        found: M = model.from_db(DEFAULT_DB_ALIAS, plan.names, row[plan.columns])
        for populator in plan.related:
            populator.populate(row, found)
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
        stand_ins = [f"\0parameter {at}" for at in range(self._count)]
        compiler: Any = self._build(*stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        places = tuple((_place(kept, stand_ins), kept) for kept in parameters)
        assert {at for at, _ in places} >= set(range(self._count)), "a parameter was lost"
        fields = compiler.klass_info["select_fields"]
        columns = slice(fields[0], fields[-1] + 1)
        return _Plan(
            connection,
            sql,
            places,
            compiler,
            compiler.get_converters([item[0] for item in compiler.select]),
            columns,
            [item[0].target.attname for item in compiler.select[columns]],
            _populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS),
        )


def _place(kept: Any, stand_ins: list[str]) -> int | None:
    return stand_ins.index(kept) if isinstance(kept, str) and kept in stand_ins else None
