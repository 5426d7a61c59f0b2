"""By what runs were told apart at their start: names and values that whoever started them gave."""

from __future__ import annotations

from django.db import models


class RunTag(models.Model):
    """One entry of the `metadata` that a run was started with; `number` is the run's."""

    number = models.BigIntegerField()
    name = models.CharField(max_length=64)
    value = models.CharField(max_length=200)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["number", "name"], name="one_tag_of_a_name"),
        )
        indexes = (models.Index(fields=["name", "value"], name="run_tag"),)

    def __str__(self) -> str:
        return f"{self.number} {self.name}: {self.value}"
