"""An index of what was decided, the latest first, for the list of what is done."""

from django.db import migrations, models
from django.db.models import BigIntegerField, F, Func

LATEST = Func(
    F("decided_at"), template="COALESCE(%(expressions)s, 0)", output_field=BigIntegerField()
)


class Migration(migrations.Migration):
    dependencies = [("builder", "0032_web_and_workers")]
    operations = [
        migrations.AddIndex(
            model_name="interrupt",
            index=models.Index(
                F("workspace"), LATEST.desc(), F("request_id").desc(), name="interrupt_done"
            ),
        ),
    ]
