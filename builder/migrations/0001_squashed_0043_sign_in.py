"""All tables as 0001 to 0043 leave them: what an empty database is given at once.

A database that has some of the 43 goes on with the others, and one that has them all has this too.
What they do with rows that are there already is left out; triggers, full-text indexes and the
sequence, which no model tells of, are made by the functions of the migrations that brought them.
"""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import builder.models.catalogue
import builder.models.ids
import builder.models.runs

audit = import_module("builder.migrations.0002_audit_append_only")
facts = import_module("builder.migrations.0004_facts")
run_text = import_module("builder.migrations.0014_run_text")
workers = import_module("builder.migrations.0032_web_and_workers")


class CreateModels(migrations.operations.base.Operation):
    """Makes many tables; what they are is rendered once, and not anew after each of them."""

    def __init__(self, tables):
        self.tables = tables

    def state_forwards(self, app_label, state):
        vars(state).pop("apps", None)
        for table in self.tables:
            table.state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for table in self.tables:
            table.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        for table in reversed(self.tables):
            table.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self):
        return f"Create {len(self.tables)} tables"


TABLES = [
    migrations.CreateModel(
        name='Activation',
        fields=[
            ('place', builder.models.runs.PlaceField(primary_key=True, serialize=False)),
            ('key', models.CharField(max_length=500)),
            ('node', models.CharField(max_length=128)),
            ('status', models.CharField(max_length=16)),
            ('attempt', models.IntegerField(default=1)),
            ('epoch', models.BigIntegerField(default=0)),
            ('worker', models.CharField(max_length=64, null=True)),
        ],
    ),
    migrations.CreateModel(
        name='Attempt',
        fields=[
            ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('count', models.PositiveIntegerField()),
            ('until', models.DateTimeField(db_index=True)),
        ],
    ),
    migrations.CreateModel(
        name='Blob',
        fields=[
            ('hash', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('size', models.BigIntegerField()),
            ('data', models.BinaryField()),
        ],
    ),
    migrations.CreateModel(
        name='BudgetHold',
        fields=[
            ('id', models.CharField(max_length=200, primary_key=True, serialize=False)),
            ('run', models.CharField(db_index=True, max_length=36)),
            ('key', models.CharField(max_length=500)),
            ('budgets', models.TextField()),
            ('tokens', models.BigIntegerField()),
            ('pico', models.BigIntegerField()),
            ('state', models.CharField(max_length=16)),
        ],
    ),
    migrations.CreateModel(
        name='Outbox',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('topic', models.CharField(max_length=32)),
            ('ref', models.CharField(max_length=200)),
            ('payload', models.TextField(default='{}')),
            ('available_at', models.BigIntegerField()),
            ('tries', models.IntegerField(default=0)),
            ('done_at', models.BigIntegerField(null=True)),
        ],
        options={
            'verbose_name_plural': 'outbox',
            'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['available_at'], name='outbox_due')],
        },
    ),
    migrations.CreateModel(
        name='PendingDeed',
        fields=[
            ('place', builder.models.runs.PlaceField(primary_key=True, serialize=False)),
        ],
    ),
    migrations.CreateModel(
        name='RefusedSignIns',
        fields=[
            ('account', models.CharField(max_length=36, primary_key=True, serialize=False)),
            ('since', models.DateTimeField()),
            ('last_at', models.DateTimeField()),
            ('count', models.PositiveBigIntegerField()),
        ],
        options={
            'verbose_name_plural': 'refused sign-ins',
        },
    ),
    migrations.CreateModel(
        name='RunBlob',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('run', models.CharField(max_length=36)),
            ('hash', models.CharField(max_length=64)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('run', 'hash'), name='run_blob_once')],
        },
    ),
    migrations.CreateModel(
        name='RunEvent',
        fields=[
            ('place', builder.models.runs.PlaceField(primary_key=True, serialize=False)),
            ('type', models.CharField(max_length=64)),
            ('at', models.BigIntegerField()),
            ('key', models.CharField(max_length=500, null=True)),
            ('cause', models.CharField(max_length=520, null=True)),
            ('data', models.BinaryField()),
        ],
        options={
            'constraints': [models.UniqueConstraint(condition=models.Q(('cause__isnull', False)), fields=('cause',), name='event_cause_once')],
        },
    ),
    migrations.CreateModel(
        name='RunSnapshot',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('run', models.CharField(max_length=36)),
            ('seq', models.BigIntegerField()),
            ('data', models.BinaryField()),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('run', 'seq'), name='snapshot_once')],
        },
    ),
    migrations.CreateModel(
        name='RunSpending',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('run', models.CharField(max_length=36)),
            ('day', models.CharField(max_length=10)),
            ('node', models.CharField(max_length=128)),
            ('agent', models.CharField(max_length=128)),
            ('model', models.CharField(max_length=200)),
            ('calls', models.BigIntegerField(default=0)),
            ('unpriced', models.BigIntegerField(default=0)),
            ('tokens', models.BigIntegerField(default=0)),
            ('pico', models.BigIntegerField(default=0)),
        ],
        options={
            'verbose_name_plural': 'run spending',
            'indexes': [models.Index(fields=['day', 'node'], name='run_spending_of_day')],
            'constraints': [models.UniqueConstraint(fields=('run', 'day', 'node', 'agent', 'model'), name='one_sum_of_a_run')],
        },
    ),
    migrations.CreateModel(
        name='RunTag',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('number', models.BigIntegerField()),
            ('name', models.CharField(max_length=64)),
            ('value', models.CharField(max_length=200)),
        ],
        options={
            'indexes': [models.Index(fields=['name', 'value'], name='run_tag')],
            'constraints': [models.UniqueConstraint(fields=('number', 'name'), name='one_tag_of_a_name')],
        },
    ),
    migrations.CreateModel(
        name='RunText',
        fields=[
            ('place', builder.models.runs.PlaceField(primary_key=True, serialize=False)),
            ('words', models.TextField()),
        ],
    ),
    migrations.CreateModel(
        name='Timer',
        fields=[
            ('id', models.CharField(max_length=300, primary_key=True, serialize=False)),
            ('run', models.CharField(db_index=True, max_length=36)),
            ('key', models.CharField(max_length=500, null=True)),
            ('kind', models.CharField(max_length=32)),
            ('fire_at', models.BigIntegerField(db_index=True)),
        ],
    ),
    migrations.CreateModel(
        name='User',
        fields=[
            ('password', models.CharField(max_length=128, verbose_name='password')),
            ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
            ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('email', models.EmailField(max_length=254, unique=True)),
            ('name', models.CharField(blank=True, max_length=120)),
            ('is_active', models.BooleanField(default=True)),
            ('is_staff', models.BooleanField(default=False)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
            ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ('kind', models.CharField(choices=[('person', 'Person'), ('service', 'Service')], db_default='person', default='person', max_length=16)),
        ],
        options={
            'abstract': False,
        },
    ),
    migrations.CreateModel(
        name='Worker',
        fields=[
            ('boot_id', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('host', models.CharField(max_length=255)),
            ('pid', models.BigIntegerField()),
            ('started_at', models.BigIntegerField()),
            ('last_seen_at', models.BigIntegerField(db_index=True)),
            ('draining', models.BooleanField(db_default=False, default=False)),
            ('kind', models.CharField(db_default='serve', default='serve', max_length=16)),
            ('version', models.CharField(db_default='', default='', max_length=32)),
        ],
    ),
    migrations.CreateModel(
        name='HoldChoice',
        fields=[
            ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='hold_choice', serialize=False, to=settings.AUTH_USER_MODEL)),
            ('seconds', models.PositiveSmallIntegerField()),
        ],
    ),
    migrations.CreateModel(
        name='MailChoice',
        fields=[
            ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='mail_choice', serialize=False, to=settings.AUTH_USER_MODEL)),
            ('when', models.CharField(choices=[('at_once', 'At Once'), ('hourly', 'Hourly'), ('daily', 'Daily'), ('never', 'Never')], default='at_once', max_length=16)),
        ],
    ),
    migrations.CreateModel(
        name='Workspace',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('name', models.CharField(max_length=120)),
            ('slug', models.SlugField(max_length=64, unique=True)),
            ('settings', models.JSONField(blank=True, default=dict)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('sign_in', models.CharField(choices=[('password', 'Password'), ('second_factor', 'Second Factor'), ('provider', 'Provider')], db_default='password', default='password', max_length=16)),
        ],
    ),
    migrations.CreateModel(
        name='AcceptedProvider',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('provider_id', models.CharField(max_length=200)),
            ('provider', models.CharField(max_length=64)),
            ('label', models.CharField(max_length=120)),
            ('source', models.CharField(max_length=16)),
            ('base_url', models.CharField(blank=True, max_length=300)),
            ('model_names', models.JSONField(default=list)),
            ('accepted_at', models.DateTimeField(auto_now_add=True)),
            ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accepted_providers', to='builder.workspace')),
            ('sealed_headers', models.BinaryField(null=True)),
            ('protocol', models.CharField(db_default='openai_chat', default='openai_chat', max_length=32)),
            ('extra_body', models.JSONField(db_default={}, default=dict)),
            ('capabilities', models.JSONField(db_default={}, default=dict)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'provider_id'), name='provider_once')],
        },
    ),
    migrations.CreateModel(
        name='AcceptedTool',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('name', models.CharField(max_length=200)),
            ('hash', models.CharField(max_length=64)),
            ('accepted_at', models.DateTimeField(auto_now_add=True)),
            ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accepted_tools', to='builder.workspace')),
            ('definition', models.JSONField(blank=True, null=True)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'name'), name='tool_once')],
        },
    ),
    migrations.CreateModel(
        name='Agent',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('slug', models.CharField(max_length=128)),
            ('name', models.CharField(max_length=120)),
            ('model', models.CharField(max_length=200)),
            ('system_prompt', models.TextField(blank=True)),
            ('temperature', models.FloatField(blank=True, null=True)),
            ('max_output_tokens', models.PositiveIntegerField(default=2048)),
            ('max_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
            ('tools', models.JSONField(blank=True, default=list)),
            ('permissions', models.JSONField(blank=True, null=True)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('updated_at', models.DateTimeField(auto_now=True)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agents', to='builder.workspace')),
            ('ask', models.JSONField(blank=True, db_default={}, default=dict)),
        ],
        options={
            'ordering': ('slug',),
            'constraints': [models.UniqueConstraint(fields=('workspace', 'slug'), name='agent_slug_in_workspace')],
        },
    ),
    migrations.CreateModel(
        name='ApiToken',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('name', models.CharField(max_length=120)),
            ('hash', models.CharField(max_length=64, unique=True)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('last_used_at', models.DateTimeField(blank=True, null=True)),
            ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to='builder.workspace')),
            ('expires_at', models.DateTimeField(blank=True, null=True)),
            ('graphs', models.JSONField(db_default=[], default=list)),
            ('scopes', models.JSONField(db_default=['*'], default=builder.models.catalogue.every_scope)),
        ],
    ),
    migrations.CreateModel(
        name='AuditEntry',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('n', models.PositiveBigIntegerField()),
            ('prev_hash', models.CharField(max_length=64)),
            ('entry', models.TextField()),
            ('entry_hash', models.CharField(max_length=64)),
            ('at', models.DateTimeField()),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_log', to='builder.workspace')),
            ('ref', models.CharField(max_length=64, null=True)),
        ],
        options={
            'verbose_name_plural': 'audit entries',
            'ordering': ('workspace', 'n'),
            'constraints': [models.UniqueConstraint(fields=('workspace', 'n'), name='audit_entry_order'), models.UniqueConstraint(condition=models.Q(('ref__isnull', False)), fields=('ref',), name='audit_entry_of_event')],
        },
    ),
    migrations.CreateModel(
        name='Breaker',
        fields=[
            ('id', models.CharField(max_length=300, primary_key=True, serialize=False)),
            ('node', models.CharField(max_length=128)),
            ('target', models.CharField(max_length=200)),
            ('state', models.CharField(default='closed', max_length=16)),
            ('failures', models.IntegerField(default=0)),
            ('successes', models.IntegerField(default=0)),
            ('opened_at', models.BigIntegerField(null=True)),
            ('workspace', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='breakers', to='builder.workspace')),
        ],
    ),
    migrations.CreateModel(
        name='Budget',
        fields=[
            ('id', models.CharField(max_length=200, primary_key=True, serialize=False)),
            ('level', models.CharField(max_length=16)),
            ('limit_tokens', models.BigIntegerField(null=True)),
            ('limit_pico', models.BigIntegerField(null=True)),
            ('spent_tokens', models.BigIntegerField(default=0)),
            ('spent_pico', models.BigIntegerField(default=0)),
            ('held_tokens', models.BigIntegerField(default=0)),
            ('held_pico', models.BigIntegerField(default=0)),
            ('workspace', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='budgets', to='builder.workspace')),
            ('raised_pico', models.BigIntegerField(db_default=0, default=0)),
            ('raised_tokens', models.BigIntegerField(db_default=0, default=0)),
            ('reached', models.IntegerField(db_default=0, default=0)),
        ],
    ),
    migrations.CreateModel(
        name='BulkJob',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('action', models.CharField(choices=[('retry', 'Retry'), ('cancel', 'Cancel')], max_length=16)),
            ('status', models.CharField(choices=[('preview', 'Preview'), ('running', 'Running'), ('paused', 'Paused'), ('stopped', 'Stopped'), ('ended', 'Ended')], default='preview', max_length=16)),
            ('resend', models.BooleanField(default=False)),
            ('version', models.CharField(default='same', max_length=16)),
            ('made_at', models.BigIntegerField()),
            ('started_at', models.BigIntegerField(null=True)),
            ('ended_at', models.BigIntegerField(null=True)),
            ('paused_for', models.CharField(default='', max_length=500)),
            ('looked_from', models.IntegerField(default=0)),
            ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bulk_jobs', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bulk_jobs', to='builder.workspace')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('status', 'running')), fields=['status'], name='bulk_running'), models.Index(fields=['workspace', '-made_at'], name='bulk_recent')],
        },
    ),
    migrations.CreateModel(
        name='Channel',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('kind', models.CharField(choices=[('mail', 'Mail'), ('slack', 'Slack'), ('teams', 'Teams'), ('discord', 'Discord'), ('telegram', 'Telegram'), ('ntfy', 'Ntfy'), ('webhook', 'Webhook')], max_length=16)),
            ('name', models.CharField(max_length=120)),
            ('hint', models.CharField(max_length=120)),
            ('sealed', models.BinaryField()),
            ('verified_at', models.BigIntegerField(null=True)),
            ('code_hash', models.CharField(blank=True, default='', max_length=64)),
            ('code_until', models.BigIntegerField(null=True)),
            ('on', models.BooleanField(default=True)),
            ('off_why', models.CharField(blank=True, default='', max_length=200)),
            ('zone', models.CharField(default='UTC', max_length=64)),
            ('quiet_from', models.IntegerField(null=True)),
            ('quiet_to', models.IntegerField(null=True)),
            ('free_at', models.BigIntegerField(default=0)),
            ('made_at', models.BigIntegerField()),
            ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='channels', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='channels', to='builder.workspace')),
        ],
        options={
            'ordering': ('made_at', 'id'),
        },
    ),
    migrations.CreateModel(
        name='Credential',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('name', models.CharField(max_length=120)),
            ('kind', models.CharField(default='bearer', max_length=32)),
            ('hosts', models.JSONField(default=list)),
            ('ciphertext', models.BinaryField()),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('last_used_at', models.DateTimeField(blank=True, null=True)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='credentials', to='builder.workspace')),
        ],
        options={
            'ordering': ('name',),
            'constraints': [models.UniqueConstraint(fields=('workspace', 'name'), name='credential_name_in_workspace')],
        },
    ),
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
            'constraints': [models.UniqueConstraint(fields=('workspace', 'key'), name='entity_once_in_workspace')],
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
            ('edited_at', models.BigIntegerField(null=True)),
            ('edited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'ordering': ('-at', 'position'),
            'indexes': [models.Index(fields=['workspace', 'source'], name='fact_source'), models.Index(fields=['workspace', '-at', 'position'], name='fact_newest')],
            'constraints': [models.UniqueConstraint(fields=('workspace', 'key'), name='fact_once_in_workspace')],
        },
    ),
    migrations.CreateModel(
        name='Graph',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('slug', models.CharField(max_length=128)),
            ('name', models.CharField(max_length=200)),
            ('description', models.TextField(blank=True)),
            ('tags', models.JSONField(blank=True, default=list)),
            ('revision', models.PositiveBigIntegerField(default=1)),
            ('header', models.JSONField(default=dict)),
            ('header_revisions', models.JSONField(default=dict)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('updated_at', models.DateTimeField(auto_now=True)),
            ('archived_at', models.DateTimeField(blank=True, null=True)),
            ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='graphs', to='builder.workspace')),
            ('editors', models.JSONField(blank=True, default=list)),
            ('require_approval', models.BooleanField(default=False)),
            ('publish_gate', models.JSONField(null=True)),
            ('folder', models.CharField(blank=True, db_default='', default='', max_length=130)),
        ],
        options={
            'indexes': [models.Index(fields=['workspace', '-updated_at'], name='graph_recent')],
            'constraints': [models.UniqueConstraint(condition=models.Q(('archived_at__isnull', True)), fields=('workspace', 'slug'), name='graph_slug_in_workspace')],
        },
    ),
    migrations.CreateModel(
        name='Group',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('name', models.CharField(max_length=64)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='groups', to='builder.workspace')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'name'), name='group_name_in_workspace')],
        },
    ),
    migrations.CreateModel(
        name='HouseEvent',
        fields=[
            ('id', models.BigAutoField(primary_key=True, serialize=False)),
            ('kind', models.CharField(max_length=32)),
            ('ref', models.CharField(max_length=200)),
            ('run', models.CharField(max_length=36, null=True)),
            ('graph', models.CharField(max_length=36, null=True)),
            ('data', models.TextField(default='{}')),
            ('at', models.BigIntegerField()),
            ('key', models.CharField(max_length=240, null=True)),
            ('handed_at', models.BigIntegerField(null=True)),
            ('workspace', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='builder.workspace')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('handed_at__isnull', True)), fields=['id'], name='house_event_new'), models.Index(fields=['at'], name='house_event_age')],
            'constraints': [models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('key',), name='house_event_once')],
        },
    ),
    migrations.CreateModel(
        name='IdentityProvider',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('kind', models.CharField(default='oidc', max_length=16)),
            ('name', models.CharField(max_length=60)),
            ('issuer', models.CharField(max_length=500)),
            ('client_id', models.CharField(max_length=300)),
            ('sealed_secret', models.BinaryField()),
            ('groups_claim', models.CharField(default='groups', max_length=60)),
            ('group_map', models.JSONField(default=list)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identity_providers', to='builder.workspace')),
        ],
        options={
            'ordering': ('created_at', 'id'),
        },
    ),
    migrations.CreateModel(
        name='Interrupt',
        fields=[
            ('request_id', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('run', models.CharField(db_index=True, max_length=36)),
            ('key', models.CharField(max_length=500)),
            ('node', models.CharField(max_length=128)),
            ('kind', models.CharField(max_length=16)),
            ('status', models.CharField(choices=[('open', 'Open'), ('answered', 'Answered'), ('expired', 'Expired'), ('cancelled', 'Cancelled'), ('superseded', 'Superseded')], db_index=True, max_length=16)),
            ('opened_at', models.BigIntegerField()),
            ('expires_at', models.BigIntegerField(null=True)),
            ('opened_seq', models.BigIntegerField()),
            ('resolved_seq', models.BigIntegerField(null=True)),
            ('content_hash', models.CharField(max_length=64, null=True)),
            ('decided_by', models.CharField(max_length=64, null=True)),
            ('decided_at', models.BigIntegerField(null=True)),
            ('outcome', models.CharField(max_length=32, null=True)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interrupts', to='builder.workspace')),
            ('edited_seq', models.BigIntegerField(null=True)),
            ('escalated_seq', models.BigIntegerField(null=True)),
            ('reminded_at', models.BigIntegerField(null=True)),
        ],
        options={
            'indexes': [models.Index(fields=['workspace', 'status', '-opened_at'], name='interrupt_inbox'), models.Index(models.F('workspace'), models.OrderBy(models.Func(models.F('decided_at'), output_field=models.BigIntegerField(), template='COALESCE(%(expressions)s, 0)'), descending=True), models.OrderBy(models.F('request_id'), descending=True), name='interrupt_done')],
        },
    ),
    migrations.CreateModel(
        name='Invitation',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('hash', models.CharField(max_length=64, unique=True)),
            ('email', models.EmailField(blank=True, max_length=254)),
            ('role', models.CharField(choices=[('viewer', 'Viewer'), ('author', 'Author'), ('reviewer', 'Reviewer'), ('operator', 'Operator'), ('admin', 'Admin')], max_length=16)),
            ('groups', models.JSONField(default=list)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('expires_at', models.DateTimeField()),
            ('used_at', models.DateTimeField(null=True)),
            ('revoked_at', models.DateTimeField(null=True)),
            ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('used_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='builder.workspace')),
        ],
        options={
            'ordering': ('-created_at', '-id'),
        },
    ),
    migrations.CreateModel(
        name='Letter',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('made_at', models.BigIntegerField()),
            ('due_at', models.BigIntegerField()),
            ('tries', models.IntegerField(default=0)),
            ('done_at', models.BigIntegerField(null=True)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to='builder.workspace')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['due_at'], name='letter_due'), models.Index(fields=['user', 'workspace', 'made_at'], name='letter_recent')],
        },
    ),
    migrations.CreateModel(
        name='Membership',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('role', models.CharField(choices=[('viewer', 'Viewer'), ('author', 'Author'), ('reviewer', 'Reviewer'), ('operator', 'Operator'), ('admin', 'Admin')], default='viewer', max_length=16)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='builder.workspace')),
        ],
        options={
            'ordering': ('created_at', 'id'),
            'constraints': [models.UniqueConstraint(fields=('user', 'workspace'), name='one_membership_each')],
        },
    ),
    migrations.CreateModel(
        name='ModelPrice',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('provider', models.CharField(max_length=64)),
            ('pattern', models.CharField(max_length=200)),
            ('from_date', models.DateField()),
            ('input', models.CharField(max_length=32)),
            ('output', models.CharField(max_length=32)),
            ('cached', models.CharField(blank=True, max_length=32)),
            ('set_at', models.DateTimeField(auto_now=True)),
            ('set_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_prices', to='builder.workspace')),
        ],
        options={
            'ordering': ('provider', 'pattern', '-from_date'),
            'constraints': [models.UniqueConstraint(fields=('workspace', 'provider', 'pattern', 'from_date'), name='price_once_a_day')],
        },
    ),
    migrations.CreateModel(
        name='ProviderTrial',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('provider', models.CharField(max_length=64)),
            ('model', models.CharField(max_length=300)),
            ('at', models.DateTimeField()),
            ('first_token_ms', models.PositiveIntegerField(null=True)),
            ('total_ms', models.PositiveIntegerField()),
            ('error', models.CharField(blank=True, max_length=600)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='provider_trials', to='builder.workspace')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'provider'), name='trial_of_provider')],
        },
    ),
    migrations.CreateModel(
        name='SavedView',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('name', models.CharField(max_length=60)),
            ('query', models.JSONField()),
            ('shared', models.BooleanField(default=False)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to='builder.workspace')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'user', 'name'), name='one_view_each')],
        },
    ),
    migrations.CreateModel(
        name='Spending',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('day', models.CharField(max_length=10)),
            ('graph', models.CharField(max_length=128)),
            ('node', models.CharField(max_length=128)),
            ('agent', models.CharField(max_length=128)),
            ('model', models.CharField(max_length=200)),
            ('person', models.CharField(max_length=64)),
            ('calls', models.BigIntegerField(default=0)),
            ('unpriced', models.BigIntegerField(default=0)),
            ('tokens', models.BigIntegerField(default=0)),
            ('pico', models.BigIntegerField(default=0)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spending', to='builder.workspace')),
        ],
        options={
            'verbose_name_plural': 'spending',
            'constraints': [models.UniqueConstraint(fields=('workspace', 'day', 'graph', 'node', 'agent', 'model', 'person'), name='one_sum_a_day')],
        },
    ),
    migrations.CreateModel(
        name='StandIn',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('first_day', models.DateField()),
            ('last_day', models.DateField()),
            ('note', models.CharField(blank=True, max_length=200)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('absent', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to=settings.AUTH_USER_MODEL)),
            ('to', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standing_in', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='builder.workspace')),
        ],
        options={
            'ordering': ('first_day', 'id'),
            'indexes': [models.Index(fields=['workspace', 'last_day'], name='standing_in')],
        },
    ),
    migrations.CreateModel(
        name='ToolSetting',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('tool', models.CharField(max_length=200)),
            ('on', models.BooleanField(default=True)),
            ('effect', models.CharField(blank=True, max_length=16)),
            ('timeout_s', models.PositiveIntegerField(blank=True, null=True)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tool_settings', to='builder.workspace')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'tool'), name='tool_setting_once')],
        },
    ),
    migrations.CreateModel(
        name='ToolSource',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('slug', models.CharField(max_length=32)),
            ('kind', models.CharField(choices=[('mcp_http', 'Mcp'), ('openapi', 'Openapi')], max_length=16)),
            ('url', models.CharField(blank=True, max_length=2000)),
            ('credential', models.CharField(blank=True, max_length=120)),
            ('headers', models.JSONField(default=dict)),
            ('document', models.TextField(blank=True)),
            ('document_url', models.CharField(blank=True, max_length=2000)),
            ('operations', models.JSONField(default=list)),
            ('revision', models.PositiveIntegerField(default=1)),
            ('status', models.CharField(default='new', max_length=16)),
            ('error', models.TextField(blank=True)),
            ('checked_at', models.DateTimeField(blank=True, null=True)),
            ('made_at', models.DateTimeField(auto_now_add=True)),
            ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tool_sources', to='builder.workspace')),
        ],
        options={
            'ordering': ('slug',),
            'constraints': [models.UniqueConstraint(fields=('workspace', 'slug'), name='tool_source_once')],
        },
    ),
    migrations.CreateModel(
        name='AlertRule',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('what', models.CharField(choices=[('failures', 'Failures'), ('spend', 'Spend'), ('budget', 'Budget'), ('waiting', 'Waiting'), ('stuck', 'Stuck'), ('in_doubt', 'In Doubt'), ('provider_down', 'Provider Down')], max_length=16)),
            ('threshold', models.BigIntegerField()),
            ('window_minutes', models.IntegerField(default=60)),
            ('to', models.JSONField(default=list)),
            ('muted_until', models.BigIntegerField(null=True)),
            ('made_at', models.BigIntegerField()),
            ('graph', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='alert_rules', to='builder.graph')),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alert_rules', to='builder.workspace')),
        ],
    ),
    migrations.CreateModel(
        name='Asked',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('principal', models.CharField(max_length=300)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='asked', to='builder.interrupt')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'principal'), name='asked_once')],
        },
    ),
    migrations.CreateModel(
        name='AskedBack',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('asked_by', models.CharField(max_length=64)),
            ('asked_to', models.CharField(db_index=True, max_length=64)),
            ('asked_at', models.BigIntegerField()),
            ('asked_seq', models.BigIntegerField()),
            ('until', models.BigIntegerField()),
            ('left_ms', models.BigIntegerField(null=True)),
            ('outcome', models.CharField(blank=True, max_length=16)),
            ('ended_at', models.BigIntegerField(null=True)),
            ('ended_seq', models.BigIntegerField(null=True)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='asked_back', to='builder.interrupt')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('outcome', '')), fields=['interrupt'], name='asked_back_waits')],
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'asked_seq'), name='one_asked_back_each')],
        },
    ),
    migrations.CreateModel(
        name='BudgetLimit',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('period', models.CharField(choices=[('day', 'Day'), ('week', 'Week'), ('month', 'Month'), ('total', 'Total')], default='month', max_length=8)),
            ('limit_tokens', models.BigIntegerField(blank=True, null=True)),
            ('limit_pico', models.BigIntegerField(blank=True, null=True)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('graph', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='budget_limits', to='builder.graph')),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='budget_limits', to='builder.workspace')),
        ],
        options={
            'constraints': [models.UniqueConstraint(condition=models.Q(('graph__isnull', False)), fields=('graph', 'period'), name='one_limit_of_a_graph'), models.UniqueConstraint(condition=models.Q(('graph__isnull', True)), fields=('workspace', 'period'), name='one_limit_of_a_workspace'), models.CheckConstraint(condition=models.Q(('limit_tokens__isnull', False), ('limit_pico__isnull', False), _connector='OR'), name='limit_limits_something')],
        },
    ),
    migrations.CreateModel(
        name='BulkItem',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('place', models.IntegerField()),
            ('run', models.CharField(max_length=36)),
            ('result', models.CharField(choices=[('pending', 'Pending'), ('done', 'Done'), ('skipped', 'Skipped'), ('refused', 'Refused')], default='pending', max_length=16)),
            ('new_run', models.CharField(max_length=36, null=True)),
            ('code', models.CharField(default='', max_length=64)),
            ('why', models.CharField(default='', max_length=500)),
            ('at', models.BigIntegerField(null=True)),
            ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='builder.bulkjob')),
        ],
        options={
            'indexes': [models.Index(fields=['job', 'result', 'place'], name='bulk_left')],
            'constraints': [models.UniqueConstraint(fields=('job', 'place'), name='bulk_place_once'), models.UniqueConstraint(fields=('job', 'run'), name='bulk_run_once')],
        },
    ),
    migrations.CreateModel(
        name='ChannelSecret',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('sealed', models.BinaryField()),
            ('until', models.BigIntegerField(null=True)),
            ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='secrets', to='builder.channel')),
        ],
    ),
    migrations.CreateModel(
        name='Claim',
        fields=[
            ('interrupt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='claim', serialize=False, to='builder.interrupt')),
            ('at', models.DateTimeField(auto_now_add=True)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to=settings.AUTH_USER_MODEL)),
        ],
    ),
    migrations.CreateModel(
        name='Comment',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('text', models.TextField()),
            ('at', models.DateTimeField(auto_now_add=True)),
            ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='builder.interrupt')),
        ],
        options={
            'ordering': ('at', 'id'),
        },
    ),
    migrations.CreateModel(
        name='CommentThread',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('node', models.CharField(max_length=128)),
            ('label', models.CharField(max_length=200)),
            ('opened_at', models.DateTimeField(auto_now_add=True)),
            ('resolved_at', models.DateTimeField(null=True)),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='threads', to='builder.graph')),
            ('resolved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'ordering': ('opened_at', 'id'),
            'indexes': [models.Index(condition=models.Q(('resolved_at__isnull', True)), fields=['graph', 'opened_at'], name='thread_open')],
        },
    ),
    migrations.CreateModel(
        name='Decision',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('decided_by', models.CharField(max_length=64)),
            ('decision', models.CharField(max_length=16)),
            ('decided_at', models.BigIntegerField()),
            ('seq', models.BigIntegerField()),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='builder.interrupt')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'decided_by'), name='one_decision_each')],
        },
    ),
    migrations.CreateModel(
        name='Delegation',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('note', models.CharField(blank=True, max_length=1000)),
            ('at', models.DateTimeField(auto_now_add=True)),
            ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='delegated', to=settings.AUTH_USER_MODEL)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='delegations', to='builder.interrupt')),
            ('to', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='delegations', to=settings.AUTH_USER_MODEL)),
        ],
    ),
    migrations.CreateModel(
        name='DeletedPart',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kind', models.CharField(choices=[('node', 'Node'), ('edge', 'Edge')], max_length=4)),
            ('part_id', models.CharField(max_length=128)),
            ('revision', models.PositiveBigIntegerField()),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deleted_parts', to='builder.graph')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('graph', 'kind', 'part_id'), name='deleted_part_once')],
        },
    ),
    migrations.CreateModel(
        name='DraftProposal',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('words', models.TextField()),
            ('model', models.CharField(max_length=200)),
            ('base', models.JSONField(default=dict)),
            ('run', models.CharField(max_length=36)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('closed_at', models.DateTimeField(null=True)),
            ('taken', models.PositiveIntegerField(null=True)),
            ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('graph', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='builder.graph')),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='builder.workspace')),
        ],
        options={
            'ordering': ('-created_at', 'pk'),
            'indexes': [models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['by', 'workspace'], name='proposal_open')],
        },
    ),
    migrations.CreateModel(
        name='Edge',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('edge_id', models.CharField(max_length=128)),
            ('data', models.JSONField()),
            ('position', models.PositiveIntegerField(default=0)),
            ('revision', models.PositiveBigIntegerField()),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges', to='builder.graph')),
        ],
        options={
            'ordering': ('position', 'id'),
            'constraints': [models.UniqueConstraint(fields=('graph', 'edge_id'), name='edge_id_in_graph')],
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
            'constraints': [models.UniqueConstraint(fields=('fact', 'entity'), name='link_once')],
        },
    ),
    migrations.CreateModel(
        name='FactRevision',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('text', models.TextField()),
            ('tags', models.JSONField(default=list)),
            ('entities', models.JSONField(default=list)),
            ('at', models.BigIntegerField()),
            ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('fact', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='builder.fact')),
        ],
        options={
            'ordering': ('-id',),
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
            'constraints': [models.UniqueConstraint(fields=('fact', 'tag'), name='tag_once_a_fact')],
        },
    ),
    migrations.CreateModel(
        name='FactVector',
        fields=[
            ('fact', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='vector', serialize=False, to='builder.fact')),
            ('model', models.CharField(max_length=64)),
            ('data', models.BinaryField()),
        ],
    ),
    migrations.CreateModel(
        name='GraphVersion',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('number', models.PositiveIntegerField(blank=True, null=True)),
            ('is_draft', models.BooleanField(default=False)),
            ('revision', models.PositiveBigIntegerField()),
            ('document', models.JSONField()),
            ('hash', models.CharField(max_length=64)),
            ('note', models.TextField(blank=True)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('published_at', models.DateTimeField(blank=True, null=True)),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='builder.graph')),
            ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('editors', models.JSONField(blank=True, default=list)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('graph', 'number'), name='version_number_in_graph'), models.UniqueConstraint(condition=models.Q(('is_draft', True)), fields=('graph', 'revision'), name='draft_frozen_once'), models.CheckConstraint(condition=models.Q(models.Q(('is_draft', True), ('number__isnull', True)), models.Q(('is_draft', False), ('number__isnull', False), ('published_at__isnull', False)), _connector='OR'), name='published_versions_are_numbered')],
        },
    ),
    migrations.CreateModel(
        name='HeldDecision',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('content_hash', models.CharField(max_length=64)),
            ('answer', models.JSONField()),
            ('made_at', models.BigIntegerField()),
            ('commit_at', models.BigIntegerField()),
            ('state', models.CharField(choices=[('held', 'Held'), ('sending', 'Sending'), ('sent', 'Sent'), ('withdrawn', 'Withdrawn'), ('refused', 'Refused')], default='held', max_length=16)),
            ('tries', models.PositiveSmallIntegerField(default=0)),
            ('code', models.CharField(blank=True, max_length=64)),
            ('detail', models.CharField(blank=True, max_length=1000)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='held', to='builder.interrupt')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='held', to=settings.AUTH_USER_MODEL)),
            ('request', models.BigIntegerField(null=True)),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('state__in', ('held', 'sending'))), fields=['commit_at'], name='held_due')],
            'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('held', 'sending'))), fields=('interrupt', 'user'), name='one_held_each')],
        },
    ),
    migrations.CreateModel(
        name='HouseTask',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('consumer', models.CharField(max_length=32)),
            ('available_at', models.BigIntegerField()),
            ('tries', models.IntegerField(default=0)),
            ('done_at', models.BigIntegerField(null=True)),
            ('error', models.CharField(blank=True, default='', max_length=300)),
            ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='builder.houseevent')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['available_at'], name='house_task_due')],
            'constraints': [models.UniqueConstraint(fields=('consumer', 'event'), name='house_task_once')],
        },
    ),
    migrations.CreateModel(
        name='Identity',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('issuer', models.CharField(max_length=500)),
            ('subject', models.CharField(max_length=255)),
            ('managed', models.BooleanField(default=False)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('last_used_at', models.DateTimeField(null=True)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identities', to=settings.AUTH_USER_MODEL)),
            ('provider', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identities', to='builder.identityprovider')),
        ],
        options={
            'ordering': ('created_at', 'id'),
            'constraints': [models.UniqueConstraint(fields=('provider', 'issuer', 'subject'), name='identity_at_provider'), models.UniqueConstraint(fields=('provider', 'user'), name='one_identity_each')],
        },
    ),
    migrations.CreateModel(
        name='InterruptCard',
        fields=[
            ('interrupt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='card', serialize=False, to='builder.interrupt')),
            ('title', models.CharField(max_length=300)),
            ('amount', models.FloatField(null=True)),
            ('words', models.TextField()),
            ('four_eyes', models.CharField(blank=True, max_length=64)),
            ('risk', models.FloatField(null=True)),
            ('step', models.CharField(db_default='', default='', max_length=200)),
            ('decided_at', models.BigIntegerField(null=True)),
            ('turn_at', models.BigIntegerField(null=True)),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('decided_at__isnull', False)), fields=['step', '-decided_at'], name='card_of_step')],
        },
    ),
    migrations.CreateModel(
        name='InterruptField',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('name', models.CharField(max_length=100)),
            ('text', models.CharField(max_length=100)),
            ('number', models.FloatField(null=True)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fields', to='builder.interrupt')),
        ],
        options={
            'indexes': [models.Index(fields=['name', 'text', '-id'], name='field_alike')],
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'name'), name='one_field_each')],
        },
    ),
    migrations.CreateModel(
        name='Lapse',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('decided_by', models.CharField(max_length=64)),
            ('decision', models.CharField(max_length=16)),
            ('decided_seq', models.BigIntegerField()),
            ('lapsed_seq', models.BigIntegerField()),
            ('lapsed_at', models.BigIntegerField()),
            ('reason', models.CharField(max_length=32)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lapses', to='builder.interrupt')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'decided_by'), name='one_lapse_each')],
        },
    ),
    migrations.CreateModel(
        name='Look',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('ms', models.BigIntegerField(null=True)),
            ('opened', models.BooleanField(null=True)),
            ('edited', models.BooleanField(default=False)),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='builder.interrupt')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'user'), name='one_look_each')],
        },
    ),
    migrations.CreateModel(
        name='Node',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('node_id', models.CharField(max_length=128)),
            ('data', models.JSONField()),
            ('position', models.PositiveIntegerField(default=0)),
            ('revision', models.PositiveBigIntegerField()),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nodes', to='builder.graph')),
        ],
        options={
            'ordering': ('position', 'id'),
            'constraints': [models.UniqueConstraint(fields=('graph', 'node_id'), name='node_id_in_graph')],
        },
    ),
    migrations.CreateModel(
        name='Notice',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('why', models.CharField(max_length=16)),
            ('noted_at', models.BigIntegerField()),
            ('due_at', models.BigIntegerField()),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='builder.interrupt')),
            ('letter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='builder.letter')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='builder.workspace')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('letter__isnull', True)), fields=['due_at'], name='notice_due')],
        },
    ),
    migrations.CreateModel(
        name='NoticeRule',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('kinds', models.JSONField(default=list)),
            ('graph', models.CharField(max_length=36, null=True)),
            ('mine', models.BooleanField(default=False)),
            ('when', models.CharField(choices=[('at_once', 'At Once'), ('hourly', 'Hourly'), ('daily', 'Daily')], default='at_once', max_length=16)),
            ('at', models.IntegerField(default=480)),
            ('made_at', models.BigIntegerField()),
            ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rules', to='builder.channel')),
        ],
        options={
            'ordering': ('made_at', 'id'),
        },
    ),
    migrations.CreateModel(
        name='Offer',
        fields=[
            ('graph', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='offer', serialize=False, to='builder.graph')),
            ('tool_name', models.CharField(max_length=60, null=True)),
            ('chat', models.BooleanField(default=False)),
            ('changed_at', models.DateTimeField(auto_now=True)),
            ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='builder.workspace')),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('workspace', 'tool_name'), name='tool_name_in_workspace')],
        },
    ),
    migrations.CreateModel(
        name='Pin',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('node', models.CharField(max_length=128)),
            ('value', models.JSONField()),
            ('changed_at', models.DateTimeField(auto_now=True)),
            ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pins', to='builder.graph')),
        ],
        options={
            'ordering': ('node',),
            'constraints': [models.UniqueConstraint(fields=('graph', 'node'), name='pin_of_node')],
        },
    ),
    migrations.CreateModel(
        name='Sample',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('name', models.CharField(max_length=80)),
            ('input', models.JSONField(null=True)),
            ('changed_at', models.DateTimeField(auto_now=True)),
            ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='samples', to='builder.graph')),
        ],
        options={
            'ordering': ('name',),
            'constraints': [models.UniqueConstraint(fields=('graph', 'name'), name='sample_name_in_graph')],
        },
    ),
    migrations.CreateModel(
        name='SignIn',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('session_key', models.CharField(max_length=40, unique=True)),
            ('address', models.CharField(blank=True, max_length=64)),
            ('client', models.CharField(blank=True, max_length=300)),
            ('created_at', models.DateTimeField(auto_now_add=True)),
            ('last_seen_at', models.DateTimeField(auto_now_add=True)),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
            ('second_factor', models.BooleanField(db_default=False, default=False)),
            ('provider', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='builder.identityprovider')),
        ],
        options={
            'ordering': ('-last_seen_at', '-id'),
        },
    ),
    migrations.CreateModel(
        name='Snooze',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('until', models.DateTimeField()),
            ('interrupt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snoozes', to='builder.interrupt')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snoozes', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'constraints': [models.UniqueConstraint(fields=('interrupt', 'user'), name='one_snooze_each')],
        },
    ),
    migrations.CreateModel(
        name='SocketTicket',
        fields=[
            ('hash', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('session_key', models.CharField(max_length=40, null=True)),
            ('expires_at', models.DateTimeField(db_index=True)),
            ('token', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='builder.apitoken')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='builder.workspace')),
        ],
    ),
    migrations.CreateModel(
        name='Trigger',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('kind', models.CharField(choices=[('webhook', 'Webhook'), ('schedule', 'Schedule'), ('event', 'Event')], max_length=16)),
            ('name', models.CharField(max_length=120)),
            ('on', models.BooleanField(default=False)),
            ('config', models.JSONField(default=dict)),
            ('mapping', models.JSONField(default=dict)),
            ('address', models.CharField(max_length=64, null=True, unique=True)),
            ('next_at', models.BigIntegerField(null=True)),
            ('last_at', models.BigIntegerField(null=True)),
            ('made_at', models.BigIntegerField()),
            ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='triggers', to='builder.graph')),
            ('switched_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='triggers', to='builder.workspace')),
            ('told_at', models.BigIntegerField(null=True)),
        ],
        options={
            'ordering': ('made_at', 'id'),
            'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='trigger_due'), models.Index(condition=models.Q(('kind', 'event')), fields=['workspace'], name='trigger_events')],
        },
    ),
    migrations.CreateModel(
        name='Alert',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('opened_at', models.BigIntegerField()),
            ('closed_at', models.BigIntegerField(null=True)),
            ('value', models.BigIntegerField()),
            ('looked_at', models.BigIntegerField()),
            ('told_at', models.BigIntegerField(null=True)),
            ('rule', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alerts', to='builder.alertrule')),
        ],
        options={
            'indexes': [models.Index(fields=['rule', '-opened_at'], name='alert_recent')],
            'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('rule',), name='one_open_alert')],
        },
    ),
    migrations.CreateModel(
        name='CardComment',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('text', models.TextField()),
            ('mentions', models.JSONField(default=list)),
            ('at', models.DateTimeField(auto_now_add=True)),
            ('edited_at', models.DateTimeField(null=True)),
            ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('thread', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='builder.commentthread')),
        ],
        options={
            'ordering': ('at', 'id'),
            'indexes': [models.Index(fields=['author', 'at'], name='card_comment_rate')],
        },
    ),
    migrations.CreateModel(
        name='ChannelNotice',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('event', models.CharField(max_length=36)),
            ('kind', models.CharField(max_length=32)),
            ('ref', models.CharField(max_length=200)),
            ('run', models.CharField(max_length=36, null=True)),
            ('graph', models.CharField(max_length=36, null=True)),
            ('data', models.TextField(default='{}')),
            ('at', models.BigIntegerField()),
            ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed'), ('dropped', 'Dropped')], default='waiting', max_length=16)),
            ('status', models.IntegerField(null=True)),
            ('reason', models.CharField(blank=True, default='', max_length=300)),
            ('tries', models.IntegerField(default=0)),
            ('available_at', models.BigIntegerField()),
            ('done_at', models.BigIntegerField(null=True)),
            ('channel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='builder.channel')),
            ('rule', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='notices', to='builder.noticerule')),
        ],
        options={
            'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['available_at'], name='channel_notice_due'), models.Index(fields=['channel', '-at'], name='channel_notice_recent'), models.Index(fields=['done_at'], name='channel_notice_age')],
            'constraints': [models.UniqueConstraint(fields=('rule', 'event', 'channel'), name='channel_notice_once')],
        },
    ),
    migrations.CreateModel(
        name='Delivery',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('key', models.CharField(max_length=200)),
            ('state', models.CharField(choices=[('received', 'Received'), ('started', 'Started'), ('refused', 'Refused')], default='received', max_length=16)),
            ('code', models.CharField(blank=True, default='', max_length=64)),
            ('reason', models.CharField(blank=True, default='', max_length=500)),
            ('sample', models.TextField(default='null')),
            ('input', models.TextField(default='null')),
            ('body_hash', models.CharField(blank=True, default='', max_length=64)),
            ('run', models.CharField(max_length=36, null=True)),
            ('at', models.BigIntegerField()),
            ('repeats', models.IntegerField(default=0)),
            ('differed', models.BooleanField(default=False)),
            ('available_at', models.BigIntegerField()),
            ('tries', models.IntegerField(default=0)),
            ('door', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='builder.trigger')),
            ('cause', models.CharField(max_length=36, null=True)),
            ('depth', models.SmallIntegerField(db_default=0, default=0)),
        ],
        options={
            'indexes': [models.Index(fields=['door', '-at'], name='delivery_recent'), models.Index(condition=models.Q(('state', 'received')), fields=['available_at'], name='delivery_open'), models.Index(fields=['at'], name='delivery_age'), models.Index(condition=models.Q(('state', 'refused')), fields=['door', '-at'], name='delivery_refused')],
            'constraints': [models.UniqueConstraint(fields=('door', 'key'), name='delivery_once')],
        },
    ),
    migrations.CreateModel(
        name='FailureCause',
        fields=[
            ('id', models.CharField(max_length=64, primary_key=True, serialize=False)),
            ('graph_slug', models.CharField(max_length=128)),
            ('node', models.CharField(default='', max_length=200)),
            ('label', models.CharField(default='', max_length=200)),
            ('code', models.CharField(max_length=128)),
            ('sample', models.TextField()),
            ('count', models.BigIntegerField(default=1)),
            ('first_at', models.BigIntegerField()),
            ('last_at', models.BigIntegerField()),
            ('state', models.CharField(choices=[('open', 'Open'), ('muted', 'Muted'), ('resolved', 'Resolved')], default='open', max_length=16)),
            ('muted_until', models.BigIntegerField(null=True)),
            ('resolved_at', models.BigIntegerField(null=True)),
            ('reopened_by', models.CharField(max_length=36, null=True)),
            ('assignee', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('first_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='builder.graphversion')),
            ('graph', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='causes', to='builder.graph')),
            ('last_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='builder.graphversion')),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='causes', to='builder.workspace')),
        ],
        options={
            'indexes': [models.Index(fields=['workspace', '-last_at'], name='cause_recent'), models.Index(condition=models.Q(('reopened_by__isnull', False)), fields=['reopened_by'], name='cause_reopened')],
        },
    ),
    migrations.CreateModel(
        name='Publication',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('note', models.TextField(blank=True)),
            ('asked_at', models.BigIntegerField()),
            ('run', models.CharField(blank=True, db_index=True, max_length=36)),
            ('state', models.CharField(choices=[('open', 'Open'), ('published', 'Published'), ('rejected', 'Rejected'), ('withdrawn', 'Withdrawn'), ('expired', 'Expired'), ('overtaken', 'Overtaken'), ('refused', 'Refused')], default='open', max_length=16)),
            ('decided_by', models.CharField(blank=True, max_length=64)),
            ('detail', models.TextField(blank=True)),
            ('ended_at', models.BigIntegerField(null=True)),
            ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('base', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='builder.graphversion')),
            ('graph', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='builder.graph')),
            ('published', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='builder.graphversion')),
            ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='builder.graphversion')),
        ],
        options={
            'indexes': [models.Index(fields=['graph', '-asked_at'], name='publication_recent')],
            'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('graph',), name='one_open_publication')],
        },
    ),
    migrations.CreateModel(
        name='Run',
        fields=[
            ('id', models.CharField(max_length=36, primary_key=True, serialize=False)),
            ('graph_slug', models.CharField(max_length=128)),
            ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('waiting', 'Waiting'), ('ending', 'Ending'), ('completed', 'Completed'), ('failed', 'Failed'), ('cancelled', 'Cancelled'), ('timeout', 'Timeout')], max_length=16)),
            ('trigger_key', models.CharField(max_length=200, null=True)),
            ('body_hash', models.CharField(max_length=64, null=True)),
            ('started_by', models.CharField(max_length=64, null=True)),
            ('started_at', models.BigIntegerField()),
            ('ended_at', models.BigIntegerField(null=True)),
            ('wake_at', models.BigIntegerField(db_index=True, null=True)),
            ('waiting_for', models.TextField(default='[]')),
            ('error', models.TextField(null=True)),
            ('spent_tokens', models.BigIntegerField(default=0)),
            ('spent_pico', models.BigIntegerField(default=0)),
            ('held_tokens', models.BigIntegerField(default=0)),
            ('held_pico', models.BigIntegerField(default=0)),
            ('limit_tokens', models.BigIntegerField(null=True)),
            ('limit_pico', models.BigIntegerField(null=True)),
            ('parent_run', models.CharField(max_length=36, null=True)),
            ('parent_key', models.CharField(max_length=500, null=True)),
            ('graph', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='runs', to='builder.graph')),
            ('version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='runs', to='builder.graphversion')),
            ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='builder.workspace')),
            ('number', models.BigIntegerField(null=True, unique=True)),
            ('owner', models.CharField(max_length=36, null=True)),
            ('owner_epoch', models.BigIntegerField(db_default=0, default=0)),
            ('source', models.CharField(max_length=16, null=True)),
            ('trigger', models.CharField(max_length=36, null=True)),
        ],
        options={
            'indexes': [models.Index(models.F('workspace'), models.OrderBy(models.F('started_at'), descending=True), name='run_recent'), models.Index(fields=['workspace', 'status'], name='run_by_status'), models.Index(fields=['graph', '-started_at'], name='run_of_graph'), models.Index(condition=models.Q(('status__in', ('completed', 'failed', 'cancelled', 'timeout')), _negated=True), fields=['status', 'started_at'], name='run_unfinished'), models.Index(condition=models.Q(('trigger__isnull', False)), fields=['trigger', '-started_at'], name='run_of_trigger')],
            'constraints': [models.UniqueConstraint(fields=('workspace', 'trigger_key'), name='run_trigger_once')],
        },
    ),
    migrations.CreateModel(
        name='TriggerSecret',
        fields=[
            ('id', models.CharField(default=builder.models.ids.new_id, editable=False, max_length=36, primary_key=True, serialize=False)),
            ('sealed', models.BinaryField()),
            ('until', models.BigIntegerField(null=True)),
            ('trigger', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='secrets', to='builder.trigger')),
        ],
    ),
    migrations.CreateModel(
        name='VersionReference',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kind', models.CharField(choices=[('agent', 'Agent'), ('tool', 'Tool'), ('graph', 'Graph')], max_length=8)),
            ('name', models.CharField(max_length=200)),
            ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='builder.graphversion')),
        ],
        options={
            'indexes': [models.Index(fields=['kind', 'name'], name='reference_by_name')],
            'constraints': [models.UniqueConstraint(fields=('version', 'kind', 'name'), name='reference_once')],
        },
    ),
    migrations.CreateModel(
        name='CommentNotice',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('named', models.BooleanField()),
            ('at', models.DateTimeField(auto_now_add=True)),
            ('read_at', models.DateTimeField(null=True)),
            ('comment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='builder.cardcomment')),
            ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comment_notices', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'indexes': [models.Index(fields=['user', 'at'], name='comment_notice_list'), models.Index(condition=models.Q(('read_at__isnull', True)), fields=['user'], name='comment_notice_unread')],
            'constraints': [models.UniqueConstraint(fields=('user', 'comment'), name='comment_notice_once')],
        },
    ),
    migrations.CreateModel(
        name='RunFailure',
        fields=[
            ('number', builder.models.runs.PlaceField(primary_key=True, serialize=False)),
            ('at', models.BigIntegerField()),
            ('retried_by', models.CharField(max_length=36, null=True)),
            ('cause', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='failures', to='builder.failurecause')),
        ],
        options={
            'indexes': [models.Index(fields=['cause', 'at'], name='failure_of_cause')],
        },
    ),
    migrations.CreateModel(
        name='RunRequest',
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('kind', models.CharField(max_length=16)),
            ('payload', models.TextField()),
            ('by', models.CharField(max_length=64)),
            ('created', models.BigIntegerField()),
            ('answer', models.TextField(null=True)),
            ('answered', models.BigIntegerField(null=True)),
            ('run', models.ForeignKey(db_column='run', on_delete=django.db.models.deletion.CASCADE, related_name='requests', to='builder.run')),
        ],
        options={
            'db_table': 'builder_request',
            'indexes': [models.Index(condition=models.Q(('answered__isnull', True)), fields=['run'], name='request_open')],
        },
    ),
]


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("builder", "0001_tables"),
        ("builder", "0002_audit_append_only"),
        ("builder", "0003_editors"),
        ("builder", "0004_facts"),
        ("builder", "0005_places"),
        ("builder", "0006_decisions"),
        ("builder", "0007_budgets"),
        ("builder", "0008_memory"),
        ("builder", "0009_access"),
        ("builder", "0010_fork"),
        ("builder", "0011_slots"),
        ("builder", "0012_records"),
        ("builder", "0013_letters"),
        ("builder", "0014_run_text"),
        ("builder", "0015_doors"),
        ("builder", "0016_own_providers"),
        ("builder", "0017_accepted_definitions"),
        ("builder", "0018_samples"),
        ("builder", "0019_deciding"),
        ("builder", "0020_causes"),
        ("builder", "0021_pins"),
        ("builder", "0022_operator"),
        ("builder", "0023_alike"),
        ("builder", "0024_askback"),
        ("builder", "0025_gates"),
        ("builder", "0026_from_words"),
        ("builder", "0027_owner"),
        ("builder", "0028_standin"),
        ("builder", "0029_remarks"),
        ("builder", "0030_mailbox"),
        ("builder", "0031_notices"),
        ("builder", "0032_web_and_workers"),
        ("builder", "0033_done_order"),
        ("builder", "0034_processes"),
        ("builder", "0035_triggers"),
        ("builder", "0036_trigger_notices"),
        ("builder", "0037_model_providers"),
        ("builder", "0038_called"),
        ("builder", "0039_house_events"),
        ("builder", "0040_channels"),
        ("builder", "0041_call_approval"),
        ("builder", "0042_tool_sources"),
        ("builder", "0043_sign_in"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        CreateModels(TABLES),
        migrations.AddField(
            model_name='workspace',
            name='members',
            field=models.ManyToManyField(related_name='workspaces', through='builder.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='membership',
            name='groups',
            field=models.ManyToManyField(blank=True, related_name='memberships', to='builder.group'),
        ),
        migrations.RunPython(audit._guard, audit._unguard),
        migrations.RunPython(facts._index, facts._unindex),
        migrations.RunPython(run_text.index, run_text.drop_index),
        migrations.RunPython(workers.make, workers.drop),
    ]
