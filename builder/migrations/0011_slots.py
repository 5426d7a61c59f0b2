"""Live activations in slots of their run; a run's last seq is that of its log."""

from __future__ import annotations

from django.db import migrations, models

import builder.models.runs
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

COPY = f"""
INSERT INTO builder_activation (place, key, node, status, attempt, epoch, worker)
SELECT r.number * {EVENTS_PER_RUN} + ROW_NUMBER() OVER (PARTITION BY r.id ORDER BY a.id) - 1,
       a.key, a.node, a.status, a.attempt, a.epoch, a.worker
FROM builder_plainactivation AS a JOIN builder_run AS r ON r.id = a.run
"""


class Migration(migrations.Migration):
    dependencies = [("builder", "0010_fork")]

    operations = [
        migrations.RemoveField("run", "seq"),
        migrations.RemoveConstraint("activation", "activation_once"),
        migrations.RenameModel("Activation", "PlainActivation"),
        migrations.CreateModel(
            name="Activation",
            fields=[
                ("place", builder.models.runs.PlaceField(primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=500)),
                ("node", models.CharField(max_length=128)),
                ("status", models.CharField(max_length=16)),
                ("attempt", models.IntegerField(default=1)),
                ("epoch", models.BigIntegerField(default=0)),
                ("worker", models.CharField(max_length=64, null=True)),
            ],
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        migrations.DeleteModel("PlainActivation"),
    ]
