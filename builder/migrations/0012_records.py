"""Deeds that runs' logs tell of go into the audit log, those from before this version included."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

import builder.models.runs

FOUND = (
    "INSERT INTO builder_pendingdeed (place) SELECT place FROM builder_runevent WHERE type IN "
    "('RunStarted', 'RunEnding', 'BudgetRaised', 'InterruptResolved', 'DecisionRecorded', "
    "'DecisionDropped')"
)


class Migration(migrations.Migration):
    dependencies = [("builder", "0011_slots")]

    operations = [
        migrations.CreateModel(
            name="Lapse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("decided_by", models.CharField(max_length=64)),
                ("decision", models.CharField(max_length=16)),
                ("decided_seq", models.BigIntegerField()),
                ("lapsed_seq", models.BigIntegerField()),
                ("lapsed_at", models.BigIntegerField()),
                ("reason", models.CharField(max_length=32)),
                (
                    "interrupt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lapses",
                        to="builder.interrupt",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("interrupt", "decided_by"), name="one_lapse_each"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="PendingDeed",
            fields=[
                ("place", builder.models.runs.PlaceField(primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="RefusedSignIns",
            fields=[
                (
                    "account",
                    models.CharField(max_length=36, primary_key=True, serialize=False),
                ),
                ("since", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
                ("count", models.PositiveBigIntegerField()),
            ],
            options={"verbose_name_plural": "refused sign-ins"},
        ),
        migrations.AddField("auditentry", "ref", models.CharField(max_length=64, null=True)),
        migrations.AddConstraint(
            "auditentry",
            models.UniqueConstraint(
                condition=models.Q(("ref__isnull", False)),
                fields=("ref",),
                name="audit_entry_of_event",
            ),
        ),
        migrations.RunSQL(FOUND, migrations.RunSQL.noop),
    ]
