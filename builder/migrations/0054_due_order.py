"""Indexes of what is open by its deadline, and of what a reply brought on top, for the inbox's list."""

from django.db import migrations, models
from django.db.models import BigIntegerField, F, Func, Q

DEADLINE = Func(
    F("expires_at"),
    template="COALESCE(%(expressions)s, 4611686018427387904)",
    output_field=BigIntegerField(),
)


class Migration(migrations.Migration):
    dependencies = [("builder", "0053_titled_cards")]
    operations = [
        migrations.AddIndex(
            model_name="interrupt",
            index=models.Index(
                F("workspace"), F("status"), DEADLINE, F("request_id"), name="interrupt_due"
            ),
        ),
        migrations.AddIndex(
            model_name="interruptcard",
            index=models.Index(
                fields=["turn_at"],
                condition=Q(decided_at__isnull=True, turn_at__isnull=False),
                name="card_replied",
            ),
        ),
    ]
