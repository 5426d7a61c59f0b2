"""Who is told of what by mail: what a person chose, what waits to be told, and the mails made of it.

A notice is for one person and one item. Those that are due go into one letter together; a letter is
claimed before it is sent, so that nobody else sends it meanwhile.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.ids import new_id
from builder.models.ledger.waits import Interrupt
from builder.models.workspaces import User, Workspace


class MailChoice(models.Model):
    """When a person wants to be told of what waits for them; without a row, at once."""

    class When(models.TextChoices):
        AT_ONCE = "at_once"
        HOURLY = "hourly"
        DAILY = "daily"
        NEVER = "never"

    user = models.OneToOneField(
        User, primary_key=True, on_delete=models.CASCADE, related_name="mail_choice"
    )
    when = models.CharField(max_length=16, choices=When.choices, default=When.AT_ONCE)
    hour = models.PositiveSmallIntegerField(default=8, db_default=8)
    """Of mail once a day, from 0 to 23 in the person's time zone."""

    def __str__(self) -> str:
        return f"{self.user_id} {self.when}"


class Letter(models.Model):
    """One mail to one person about items of one workspace; its id is that of the mail, for ever.

    Whoever sends it moves `due_at` on first: that is the claim, and it lapses by itself.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="letters")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="letters")
    made_at = models.BigIntegerField()
    due_at = models.BigIntegerField()
    tries = models.IntegerField(default=0)
    done_at = models.BigIntegerField(null=True)
    """When it was sent, was no longer needed, or was given up."""

    class Meta:
        indexes = (
            models.Index(fields=["due_at"], condition=Q(done_at__isnull=True), name="letter_due"),
            models.Index(fields=["user", "workspace", "made_at"], name="letter_recent"),
        )

    def __str__(self) -> str:
        return f"{self.id} to {self.user_id}"


class Notice(models.Model):
    """One item that one person is to be told of; kept after that, so that reminders find it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="notices")
    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="notices")
    why = models.CharField(max_length=16)
    noted_at = models.BigIntegerField()
    due_at = models.BigIntegerField()
    letter = models.ForeignKey(Letter, null=True, on_delete=models.CASCADE, related_name="notices")

    class Meta:
        indexes = (
            models.Index(fields=["due_at"], condition=Q(letter__isnull=True), name="notice_due"),
        )

    def __str__(self) -> str:
        return f"{self.why} {self.interrupt_id} to {self.user_id}"
