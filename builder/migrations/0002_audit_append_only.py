"""Triggers that refuse to change or remove entries of the audit log."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = [
    f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON builder_auditentry "
    "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
    for verb in ("UPDATE", "DELETE")
]
POSTGRES = [
    "CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$",
    "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON builder_auditentry "
    "FOR EACH ROW EXECUTE FUNCTION audit_append_only()",
]
UNDO_SQLITE = [
    "DROP TRIGGER IF EXISTS audit_no_update",
    "DROP TRIGGER IF EXISTS audit_no_delete",
]
UNDO_POSTGRES = [
    "DROP TRIGGER IF EXISTS audit_append_only ON builder_auditentry",
    "DROP FUNCTION IF EXISTS audit_append_only()",
]


def _guard(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if not settings.AUDIT_GUARD:
        return
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRES:
        editor.execute(statement)


def _unguard(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in UNDO_SQLITE if editor.connection.vendor == "sqlite" else UNDO_POSTGRES:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("builder", "0001_tables")]

    operations = [migrations.RunPython(_guard, _unguard)]
