"""Questions back about approvals, and when a reply brought an item back on top."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('builder', '0023_alike'),
    ]

    operations = [
        migrations.AddField(
            model_name='interruptcard',
            name='turn_at',
            field=models.BigIntegerField(null=True),
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
    ]
