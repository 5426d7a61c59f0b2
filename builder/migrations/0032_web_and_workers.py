"""Numbers of runs from a sequence, where several processes make runs; and nobody's runs are looked at."""

from typing import Any

from django.db import migrations

MAKE = "CREATE SEQUENCE builder_run_number"
BEGIN = (
    "SELECT setval('builder_run_number', (SELECT COALESCE(MAX(number), 0) FROM builder_run) + 1, "
    "false)"
)
UNOWNED_MAY_MOVE = "UPDATE builder_run SET wake_at = 0 WHERE owner IS NULL AND ended_at IS NULL"


def look(apps: Any, editor: Any) -> None:
    editor.execute(UNOWNED_MAY_MOVE)


def make(apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(MAKE)
        editor.execute(BEGIN)


def drop(apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP SEQUENCE builder_run_number")


class Migration(migrations.Migration):
    dependencies = [("builder", "0031_notices")]
    operations = [
        migrations.RunPython(make, drop),
        migrations.RunPython(look, migrations.RunPython.noop),
    ]
