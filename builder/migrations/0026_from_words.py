"""Drafts from words."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import builder.models.ids


class Migration(migrations.Migration):
    dependencies = [
        ("builder", "0025_gates"),
    ]

    operations = [
        migrations.CreateModel(
            name="DraftProposal",
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
                ("words", models.TextField()),
                ("model", models.CharField(max_length=200)),
                ("base", models.JSONField(default=dict)),
                ("run", models.CharField(max_length=36)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("taken", models.PositiveIntegerField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "graph",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="builder.graph",
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="builder.workspace",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "pk"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=["by", "workspace"],
                        name="proposal_open",
                    )
                ],
            },
        ),
    ]
