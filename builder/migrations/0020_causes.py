"""Why runs failed, filled from the runs there are; and what is done with many runs at once."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
import orjson
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import builder.models.ids
import builder.models.runs
from builder.base.failure_words import MAX_CODE, MAX_MESSAGE, MAX_NODE, cause_id
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN

PAGE = 500


def count_failures(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Count the failed runs there are, the oldest first, and note which were tried again."""
    alias = editor.connection.alias
    runs = apps.get_model("builder", "Run").objects.using(alias)
    last = -1
    while True:
        rows = list(runs.filter(number__gt=last).order_by("number")[:PAGE])
        if not rows:
            return
        last = rows[-1].number
        for run in rows:
            if run.status in ("failed", "timeout"):
                _count(apps, alias, run)
        _note_retries(apps, alias, [run.number for run in rows])


def _count(apps: Apps, alias: str, run: Any) -> None:
    error = orjson.loads(run.error) if run.error else {}
    node, code = str(error.get("node") or ""), str(error.get("code") or run.status)
    message = str(error.get("message") or "")[:MAX_MESSAGE]
    at = run.ended_at or run.started_at
    key = cause_id(run.workspace_id, run.graph_slug, node, code, message)
    causes = apps.get_model("builder", "FailureCause").objects.using(alias)
    known = causes.filter(pk=key).first()
    if known is None:
        known = causes.model(
            id=key,
            workspace_id=run.workspace_id,
            graph_id=run.graph_id,
            graph_slug=run.graph_slug,
            node=node[:MAX_NODE],
            code=code[:MAX_CODE],
            count=0,
            first_at=at,
            last_at=at,
            first_version_id=run.version_id,
        )
    known.count += 1
    known.first_at = min(known.first_at, at)
    if at >= known.last_at:
        known.last_at, known.last_version_id, known.sample = at, run.version_id, message
    known.save(using=alias)
    failures = apps.get_model("builder", "RunFailure").objects.using(alias)
    failures.create(number=run.number, cause_id=key, at=at)


def _note_retries(apps: Apps, alias: str, numbers: list[int]) -> None:
    events = apps.get_model("builder", "RunEvent").objects.using(alias)
    runs = apps.get_model("builder", "Run").objects.using(alias)
    failures = apps.get_model("builder", "RunFailure").objects.using(alias)
    ids = dict(runs.filter(number__in=numbers).values_list("number", "pk"))
    first = events.filter(place__in=[number * EVENTS_PER_RUN + 1 for number in numbers])
    for place, data in first.order_by("place").values_list("place", "data"):
        if b'"retry"' not in bytes(data):
            continue
        started = orjson.loads(bytes(data))
        if started.get("retry") is True:
            old = runs.filter(pk=started["forked_from"]["run_id"]).values("number")
            mine = failures.filter(number__in=old, retried_by__isnull=True)
            mine.update(retried_by=ids[place // EVENTS_PER_RUN])


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0019_deciding"),
    ]

    operations = [
        migrations.CreateModel(
            name="BulkJob",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=builder.models.ids.new_id,
                        editable=False,
                        max_length=36,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "action",
                    models.CharField(
                        choices=[("retry", "Retry"), ("cancel", "Cancel")], max_length=16
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("preview", "Preview"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("stopped", "Stopped"),
                            ("ended", "Ended"),
                        ],
                        default="preview",
                        max_length=16,
                    ),
                ),
                ("resend", models.BooleanField(default=False)),
                ("version", models.CharField(default="same", max_length=16)),
                ("made_at", models.BigIntegerField()),
                ("started_at", models.BigIntegerField(null=True)),
                ("ended_at", models.BigIntegerField(null=True)),
                ("paused_for", models.CharField(default="", max_length=500)),
                ("looked_from", models.IntegerField(default=0)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bulk_jobs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bulk_jobs",
                        to="builder.workspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BulkItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.IntegerField()),
                ("run", models.CharField(max_length=36)),
                (
                    "result",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("done", "Done"),
                            ("skipped", "Skipped"),
                            ("refused", "Refused"),
                        ],
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("new_run", models.CharField(max_length=36, null=True)),
                ("code", models.CharField(default="", max_length=64)),
                ("why", models.CharField(default="", max_length=500)),
                ("at", models.BigIntegerField(null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="builder.bulkjob",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="FailureCause",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("graph_slug", models.CharField(max_length=128)),
                ("node", models.CharField(default="", max_length=200)),
                ("label", models.CharField(default="", max_length=200)),
                ("code", models.CharField(max_length=128)),
                ("sample", models.TextField()),
                ("count", models.BigIntegerField(default=1)),
                ("first_at", models.BigIntegerField()),
                ("last_at", models.BigIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("muted", "Muted"), ("resolved", "Resolved")],
                        default="open",
                        max_length=16,
                    ),
                ),
                ("muted_until", models.BigIntegerField(null=True)),
                ("resolved_at", models.BigIntegerField(null=True)),
                ("reopened_by", models.CharField(max_length=36, null=True)),
                (
                    "assignee",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "first_version",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="builder.graphversion",
                    ),
                ),
                (
                    "graph",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="causes",
                        to="builder.graph",
                    ),
                ),
                (
                    "last_version",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="builder.graphversion",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="causes",
                        to="builder.workspace",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RunFailure",
            fields=[
                ("number", builder.models.runs.PlaceField(primary_key=True, serialize=False)),
                ("at", models.BigIntegerField()),
                ("retried_by", models.CharField(max_length=36, null=True)),
                (
                    "cause",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="failures",
                        to="builder.failurecause",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="bulkjob",
            index=models.Index(
                condition=models.Q(("status", "running")), fields=["status"], name="bulk_running"
            ),
        ),
        migrations.AddIndex(
            model_name="bulkjob",
            index=models.Index(fields=["workspace", "-made_at"], name="bulk_recent"),
        ),
        migrations.AddIndex(
            model_name="bulkitem",
            index=models.Index(fields=["job", "result", "place"], name="bulk_left"),
        ),
        migrations.AddConstraint(
            model_name="bulkitem",
            constraint=models.UniqueConstraint(fields=("job", "place"), name="bulk_place_once"),
        ),
        migrations.AddConstraint(
            model_name="bulkitem",
            constraint=models.UniqueConstraint(fields=("job", "run"), name="bulk_run_once"),
        ),
        migrations.AddIndex(
            model_name="failurecause",
            index=models.Index(fields=["workspace", "-last_at"], name="cause_recent"),
        ),
        migrations.AddIndex(
            model_name="failurecause",
            index=models.Index(
                condition=models.Q(("reopened_by__isnull", False)),
                fields=["reopened_by"],
                name="cause_reopened",
            ),
        ),
        migrations.AddIndex(
            model_name="runfailure",
            index=models.Index(fields=["cause", "at"], name="failure_of_cause"),
        ),
        migrations.RunPython(count_failures, migrations.RunPython.noop),
    ]
