"""What facts mean to an embedding model."""

from __future__ import annotations

from django.db import models

from builder.models.memory.facts import Fact


class FactVector(models.Model):
    """What a fact means to one embedding model: numbers of four bytes each."""

    fact = models.OneToOneField(
        Fact, primary_key=True, on_delete=models.CASCADE, related_name="vector"
    )
    model = models.CharField(max_length=64)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.model} {self.fact_id}"
