"""The audit log."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import DatabaseError, connection, transaction

from builder.models import AuditEntry
from builder.services.audit import chain as audit
from builder.services.people import accounts
from tests.builder.conftest import People


def three_deeds(people: People) -> None:
    for name in ("a", "b", "c"):
        accounts.change_workspace(people.olga, name=name, settings={})


def test_entries_follow_each_other_in_one_chain(people: People) -> None:
    three_deeds(people)

    entries = list(AuditEntry.objects.order_by("n"))

    assert [e.n for e in entries] == [1, 2, 3]
    assert [e.prev_hash for e in entries[1:]] == [e.entry_hash for e in entries[:-1]]
    assert audit.first_broken(people.olga.workspace_id) is None


@pytest.mark.parametrize("change", ["edit", "remove"])
def test_a_change_of_the_past_is_found(people: People, change: str) -> None:
    three_deeds(people)
    second = AuditEntry.objects.filter(n=2)

    if change == "edit":
        second.update(entry='{"action":"nothing"}')
    else:
        second.delete()

    assert audit.first_broken(people.olga.workspace_id) == 2


def test_the_database_refuses_to_change_or_remove_entries(people: People) -> None:
    three_deeds(people)
    guard = import_module("builder.migrations.0002_audit_append_only")
    with connection.cursor() as cursor:
        for statement in guard.SQLITE if connection.vendor == "sqlite" else guard.POSTGRES:
            cursor.execute(statement)

    for act in ("update", "delete"):
        entry = AuditEntry.objects.filter(n=2)
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            entry.update(entry="x") if act == "update" else entry.delete()


def test_an_entry_outside_a_transaction_is_refused(people: People) -> None:
    with pytest.raises(RuntimeError):
        _record_without_transaction(people)


def _record_without_transaction(people: People) -> None:
    kept = connection.in_atomic_block
    connection.in_atomic_block = False
    try:
        audit.record(people.olga.workspace_id, None, "x", "y")
    finally:
        connection.in_atomic_block = kept
