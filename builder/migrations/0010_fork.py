from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("builder", "0009_access"),
    ]

    operations = [
        migrations.AddField(
            model_name="graph",
            name="require_approval",
            field=models.BooleanField(default=False),
        ),
    ]
