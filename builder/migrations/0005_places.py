"""Logs under one key: an event's place is its run's number and its seq."""

from __future__ import annotations

from django.db import migrations, models

import builder.models.runs
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

COUNT = """
UPDATE builder_run SET number = counted.n
FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY started_at, id) AS n FROM builder_run) AS counted
WHERE counted.id = builder_run.id
"""
COPY = f"""
INSERT INTO builder_runevent (place, type, at, key, cause, data)
SELECT r.number * {EVENTS_PER_RUN} + e.seq, e.type, e.at, e.key,
       CASE WHEN e.cause IS NULL THEN NULL ELSE r.number || ':' || e.cause END, e.data
FROM builder_plainevent AS e JOIN builder_run AS r ON r.id = e.run ORDER BY r.number, e.seq
"""


class Migration(migrations.Migration):
    dependencies = [("builder", "0004_facts")]

    operations = [
        migrations.AddField("run", "number", models.BigIntegerField(null=True)),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
        migrations.AlterField("run", "number", models.BigIntegerField(null=True, unique=True)),
        migrations.RemoveConstraint("runevent", "event_seq_in_run"),
        migrations.RemoveConstraint("runevent", "event_cause_once"),
        migrations.RenameModel("RunEvent", "PlainEvent"),
        migrations.CreateModel(
            name="RunEvent",
            fields=[
                (
                    "place",
                    builder.models.runs.PlaceField(primary_key=True, serialize=False),
                ),
                ("type", models.CharField(max_length=64)),
                ("at", models.BigIntegerField()),
                ("key", models.CharField(max_length=500, null=True)),
                ("cause", models.CharField(max_length=520, null=True)),
                ("data", models.BinaryField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["cause"],
                        condition=models.Q(("cause__isnull", False)),
                        name="event_cause_once",
                    )
                ]
            },
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        migrations.DeleteModel("PlainEvent"),
    ]
