"""What models cost a workspace by its own word, and whether its providers answered when tried."""

from __future__ import annotations

from django.db import models

from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import User, Workspace

RATE = 32
"""Characters of a rate: an exact decimal number, as text."""


class ModelPriceQuerySet(ScopedQuerySet["ModelPrice"]):
    """Prices that workspaces set themselves."""


class ProviderTrialQuerySet(ScopedQuerySet["ProviderTrial"]):
    """The last test of each provider."""


class ModelPrice(models.Model):
    """What the models of `provider` that fit `pattern` cost from a day on, in UTC.

    USD per million tokens, as exact text: `input`, `output`, and `cached` for input that the
    provider had in its cache, empty where that costs as other input does.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="model_prices")
    provider = models.CharField(max_length=64)
    pattern = models.CharField(max_length=200)
    from_date = models.DateField()
    input = models.CharField(max_length=RATE)
    output = models.CharField(max_length=RATE)
    cached = models.CharField(max_length=RATE, blank=True)
    set_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    set_at = models.DateTimeField(auto_now=True)

    objects = ModelPriceQuerySet.as_manager()

    class Meta:
        ordering = ("provider", "pattern", "-from_date")
        constraints = (
            models.UniqueConstraint(
                fields=["workspace", "provider", "pattern", "from_date"], name="price_once_a_day"
            ),
        )

    def __str__(self) -> str:
        return f"{self.provider}/{self.pattern} from {self.from_date}"


class ProviderTrial(models.Model):
    """How the last test of a provider went; `error` is empty where its model answered."""

    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="provider_trials"
    )
    provider = models.CharField(max_length=64)
    model = models.CharField(max_length=300)
    at = models.DateTimeField()
    first_token_ms = models.PositiveIntegerField(null=True)
    total_ms = models.PositiveIntegerField()
    error = models.CharField(max_length=600, blank=True)

    objects = ProviderTrialQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "provider"], name="trial_of_provider"),
        )

    def __str__(self) -> str:
        return f"{self.provider} at {self.at:%H:%M:%S}"
