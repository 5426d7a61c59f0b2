"""Migrations only add: what the former version reads and writes is still there while it goes on.

In a rolling upgrade the tables are the new ones while processes of both versions stand beside each
other. So each migration is compared with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import models
from django.db.migrations.loader import MigrationLoader
from django.db.models.fields import NOT_PROVIDED

FIRST = "0044"
"""Before it nobody upgraded without a gap."""
LOADER = MigrationLoader(None, ignore_no_migrations=True)
NAMES = sorted(
    name for app, name in LOADER.disk_migrations if app == "builder" and name[:4] >= FIRST
)


def tables(*, before: bool, name: str) -> dict[str, type[models.Model]]:
    """Return the models by table as they are before or after a migration."""
    state = LOADER.project_state([("builder", name)], at_end=not before)
    return {m._meta.db_table: m for m in state.apps.get_models() if m._meta.app_label == "builder"}


def columns(model: type[models.Model]) -> dict[str, models.Field[Any, Any]]:
    return {str(field.column): field for field in model._meta.concrete_fields}


def is_filled(field: models.Field[Any, Any]) -> bool:
    """Return whether the database itself fills a column that who writes does not know."""
    return field.null or field.primary_key or field.db_default is not NOT_PROVIDED


def holds_as_much(former: models.Field[Any, Any], now: models.Field[Any, Any]) -> bool:
    """Return whether a column takes all that it took, and gives it in the same type."""
    wider = (former.max_length or 0) <= (now.max_length or 10**9)
    return type(former) is type(now) and wider and former.null <= now.null


def uniques(model: type[models.Model]) -> Iterator[frozenset[str]]:
    """Give what may stand there once only, by the names of the fields."""
    for field in model._meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield frozenset({field.name})
    for rule in model._meta.constraints:
        if isinstance(rule, models.UniqueConstraint):
            yield frozenset(rule.fields)


@pytest.mark.parametrize("name", NAMES)
def test_a_migration_leaves_what_the_version_before_it_needs(name: str) -> None:
    former, now = tables(before=True, name=name), tables(before=False, name=name)

    assert set(former) <= set(now), "a table is gone: let it go one version later"
    for table, model in former.items():
        old, new = columns(model), columns(now[table])
        assert set(old) <= set(new), f"{table}: a column is gone: let it go one version later"
        for column, field in old.items():
            assert holds_as_much(field, new[column]), f"{table}.{column} takes less than before"
        for column in set(new) - set(old):
            assert is_filled(new[column]), f"{table}.{column} needs db_default or null"
        known = {field.name for field in model._meta.concrete_fields}
        for fields in set(uniques(now[table])) - set(uniques(model)):
            assert not fields <= known, (
                f"{table}: {sorted(fields)} may be twice in what was written"
            )


def test_the_rule_sees_what_it_is_for() -> None:
    """A column that nobody fills, and one that takes less."""
    assert NAMES
    assert not is_filled(models.IntegerField(default=1))
    assert is_filled(models.IntegerField(db_default=1))
    assert not holds_as_much(models.CharField(max_length=9), models.CharField(max_length=8))
    assert not holds_as_much(models.IntegerField(null=True), models.IntegerField())
