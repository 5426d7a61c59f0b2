"""What counts as one cause now counts as one also where it was counted under an earlier rule.

Refusals of a budget and rejections have one cause at a step, whatever was said. Those from before that
rule kept the id of their words, and stood in a second line. A line that is counted no more stays as an
empty row: the audit log names it.
"""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Q

from builder.base.failure_words import (
    MAX_NODE,
    REJECTED,
    cause_id,
    is_breach,
    is_rejection,
)
from engine.core.budgets.refusals import BREACH_CODES


def unite(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Count the failures of such causes for the cause that they would be counted for today."""
    alias = editor.connection.alias
    causes = apps.get_model("builder", "FailureCause").objects.using(alias)
    failures = apps.get_model("builder", "RunFailure").objects.using(alias)
    one_each = Q(code__in=BREACH_CODES.values()) | Q(code=REJECTED)
    for row in causes.filter(one_each).order_by("-last_at"):
        if not is_breach(row.code) and not is_rejection(row.code, row.sample):
            continue
        of = str(row.workspace_id), row.graph_slug, row.node, row.code, row.sample
        to = cause_id(*of)
        if to == row.pk or len(row.node) == MAX_NODE:  # a cut name may not be the whole of it
            continue
        _add(causes, row, to)
        failures.filter(cause=row.pk).update(cause=to)
        causes.filter(pk=row.pk).update(count=0)


def _add(causes: Any, row: Any, to: str) -> None:
    """Count what a row counts for another one; where that is there, it stands as that does."""
    known = causes.filter(pk=to)
    first = known.filter(first_at__gt=row.first_at)
    first.update(first_at=row.first_at, first_version=row.first_version_id)
    last = known.filter(last_at__lt=row.last_at)
    last.update(last_at=row.last_at, last_version=row.last_version_id)
    if not known.update(count=F("count") + row.count):
        values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        causes.create(**{**values, "id": to, "reopened_by": None})


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0061_called_as_people_call_them"),
    ]

    operations = [
        migrations.RunPython(unite, migrations.RunPython.noop),
    ]
