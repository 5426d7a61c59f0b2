"""How long somebody looked at an approval before they decided it, as their page told."""

from __future__ import annotations

from django.db import models

from builder.models.ledger.waits import Interrupt
from builder.models.workspaces import User


class Look(models.Model):
    """What a person did with an item up to their last decision of it.

    `ms` is for how long it was on their screen in all; `opened` whether they scrolled it or opened
    anything of it. Both are null where nothing was told: of many items at once, or by a script.
    `edited` is whether the decision changed what is shown. A row counts only beside a decision.
    """

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="looks")
    ms = models.BigIntegerField(null=True)
    opened = models.BooleanField(null=True)
    edited = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["interrupt", "user"], name="one_look_each"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.ms} ms {self.interrupt_id}"
