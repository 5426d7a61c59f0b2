"""What people refused in a workflow that was called counts as refused, where it counted as failed."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from builder.base.failure_words import CALLED, as_said


def name(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give such causes, which have the code of the step that called, that and the words of the refusal."""
    model = apps.get_model("builder", "FailureCause")
    causes = model.objects.using(editor.connection.alias)
    for pk, code, sample in causes.filter(code=CALLED).values_list("pk", "code", "sample"):
        told, said = as_said(code, sample)
        if told != code:
            causes.filter(pk=pk).update(code=told, sample=said)


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0059_item_mentions"),
    ]

    operations = [
        migrations.RunPython(name, migrations.RunPython.noop),
    ]
