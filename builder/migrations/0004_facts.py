"""Facts and what finds them: tags, entities, and a full-text index of either database."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

INDEX = "builder_fact_words"
REMOVE = f"INSERT INTO {INDEX}({INDEX}, rowid, words) VALUES ('delete', old.id, old.words);"
ADD = f"INSERT INTO {INDEX}(rowid, words) VALUES (new.id, new.words);"
SQLITE = [
    f"CREATE VIRTUAL TABLE {INDEX} USING fts5(words, content='builder_fact', content_rowid='id')",
    f"CREATE TRIGGER fact_indexed AFTER INSERT ON builder_fact BEGIN {ADD} END",
    f"CREATE TRIGGER fact_unindexed AFTER DELETE ON builder_fact BEGIN {REMOVE} END",
    "CREATE TRIGGER fact_indexed_anew AFTER UPDATE OF words ON builder_fact "
    f"BEGIN {REMOVE} {ADD} END",
]
UNDO_SQLITE = [
    *(
        f"DROP TRIGGER IF EXISTS {name}"
        for name in ("fact_indexed", "fact_unindexed", "fact_indexed_anew")
    ),
    f"DROP TABLE IF EXISTS {INDEX}",
]
POSTGRES = [
    f"CREATE INDEX {INDEX} ON builder_fact "
    "USING gin (array_to_tsvector(string_to_array(words, ' ')))"
]
UNDO_POSTGRES = [f"DROP INDEX IF EXISTS {INDEX}"]


def _index(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the index; an SQLite without FTS5 does without and looks at every fact."""
    if editor.connection.vendor != "sqlite":
        statements = POSTGRES
    else:
        with editor.connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
            statements = SQLITE if cursor.fetchone() else []
    for statement in statements:
        editor.execute(statement)


def _unindex(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in UNDO_SQLITE if editor.connection.vendor == "sqlite" else UNDO_POSTGRES:
        editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ('builder', '0003_editors'),
    ]

    operations = [
        migrations.CreateModel(
            name='Entity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=600)),
                ('name', models.CharField(max_length=200)),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entities', to='builder.workspace')),
            ],
            options={
                'verbose_name_plural': 'entities',
                'ordering': ('key',),
            },
        ),
        migrations.CreateModel(
            name='Fact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=32)),
                ('text', models.TextField()),
                ('words', models.TextField(blank=True, editable=False)),
                ('source', models.CharField(max_length=32)),
                ('position', models.PositiveIntegerField(default=0)),
                ('run_id', models.CharField(max_length=64)),
                ('graph_slug', models.CharField(max_length=128)),
                ('node', models.CharField(max_length=128)),
                ('at', models.BigIntegerField()),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='builder.workspace')),
            ],
            options={
                'ordering': ('-at', 'position'),
            },
        ),
        migrations.CreateModel(
            name='FactEntity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='builder.entity')),
                ('fact', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='builder.fact')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='FactTag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tag', models.CharField(db_index=True, max_length=128)),
                ('fact', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tag_rows', to='builder.fact')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.AddConstraint(
            model_name='entity',
            constraint=models.UniqueConstraint(fields=('workspace', 'key'), name='entity_once_in_workspace'),
        ),
        migrations.AddIndex(
            model_name='fact',
            index=models.Index(fields=['workspace', 'source'], name='fact_source'),
        ),
        migrations.AddIndex(
            model_name='fact',
            index=models.Index(fields=['workspace', '-at', 'position'], name='fact_newest'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.UniqueConstraint(fields=('workspace', 'key'), name='fact_once_in_workspace'),
        ),
        migrations.AddConstraint(
            model_name='factentity',
            constraint=models.UniqueConstraint(fields=('fact', 'entity'), name='link_once'),
        ),
        migrations.AddConstraint(
            model_name='facttag',
            constraint=models.UniqueConstraint(fields=('fact', 'tag'), name='tag_once_a_fact'),
        ),
        migrations.RunPython(_index, _unindex),
    ]
