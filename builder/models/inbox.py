"""What people do around an interrupt. The engine's store writes `Decision` and `Asked`; the
services write claims, snoozes, delegations and comments, of which the engine knows nothing.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from builder.models.ids import new_id
from builder.models.ledger.waits import Interrupt
from builder.models.workspaces import User, Workspace


class Decision(models.Model):
    """What one person said of an approval that needs several; a projection of the run's log."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="decisions")
    decided_by = models.CharField(max_length=64)
    decision = models.CharField(max_length=16)
    decided_at = models.BigIntegerField()
    seq = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "decided_by"], name="one_decision_each"),
        )

    def __str__(self) -> str:
        return f"{self.decided_by} {self.decision} {self.interrupt_id}"


class Lapse(models.Model):
    """What one person said of an approval and counts no more, until they decide again.

    `decided_seq` and `lapsed_seq` are the events that recorded it and dropped it; `reason` is
    `content_changed` (they are asked again) or `not_eligible`. A projection of the run's log.
    """

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="lapses")
    decided_by = models.CharField(max_length=64)
    decision = models.CharField(max_length=16)
    decided_seq = models.BigIntegerField()
    lapsed_seq = models.BigIntegerField()
    lapsed_at = models.BigIntegerField()
    reason = models.CharField(max_length=32)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "decided_by"], name="one_lapse_each"),
        )

    def __str__(self) -> str:
        return f"{self.decided_by} {self.reason} {self.interrupt_id}"


class Asked(models.Model):
    """One `user:x`, `group:y` or `role:z` whom an interrupt asks; none: whoever may by role."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="asked")
    principal = models.CharField(max_length=300)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "principal"], name="asked_once"),
        )

    def __str__(self) -> str:
        return f"{self.principal} {self.interrupt_id}"


class InterruptCard(models.Model):
    """What lists sort and search by: the message, an amount, words of what is shown and how the run began.

    `amount` is what the item is about in its own unit, null where nothing tells; `words` stand
    between spaces, as `builder.base.run_text` splits them; `four_eyes` are the rules of the policy.
    `step` is the workflow's id and the node's, `decided_at` in milliseconds; `risk` from 0 to 100;
    `turn_at` is when a reply brought it back on top.
    """

    interrupt = models.OneToOneField(
        Interrupt, primary_key=True, on_delete=models.CASCADE, related_name="card"
    )
    title = models.CharField(max_length=300)
    amount = models.FloatField(null=True)
    words = models.TextField()
    four_eyes = models.CharField(max_length=64, blank=True)
    risk = models.FloatField(null=True)
    step = models.CharField(max_length=200, default="", db_default="")
    decided_at = models.BigIntegerField(null=True)
    turn_at = models.BigIntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=["step", "-decided_at"],
                condition=Q(decided_at__isnull=False),
                name="card_of_step",
            ),
            models.Index(
                fields=["turn_at"],
                condition=Q(turn_at__isnull=False, decided_at__isnull=True),
                name="card_replied",
            ),
        )

    def __str__(self) -> str:
        return self.title


class InterruptField(models.Model):
    """One short value that an item shows: as text in small letters, and as a number if it is one."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="fields")
    name = models.CharField(max_length=100)
    text = models.CharField(max_length=100)
    number = models.FloatField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "name"], name="one_field_each"),
        )
        indexes = (models.Index(fields=["name", "text", "-id"], name="field_alike"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class AskedBack(models.Model):
    """A reviewer's question to the starter or an author, which stops the approval's clock.

    `outcome` is empty while it waits, else `answered`, `withdrawn` or `lapsed`; `left_ms` is what
    was left until the deadline. What was said is in the log, at the two `seq`. A projection of it.
    """

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="asked_back")
    asked_by = models.CharField(max_length=64)
    asked_to = models.CharField(max_length=64, db_index=True)
    asked_at = models.BigIntegerField()
    asked_seq = models.BigIntegerField()
    until = models.BigIntegerField()
    left_ms = models.BigIntegerField(null=True)
    outcome = models.CharField(max_length=16, blank=True)
    ended_at = models.BigIntegerField(null=True)
    ended_seq = models.BigIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "asked_seq"], name="one_asked_back_each"),
        )
        indexes = (
            models.Index(fields=["interrupt"], condition=Q(outcome=""), name="asked_back_waits"),
        )

    def __str__(self) -> str:
        return f"{self.asked_by} asks {self.asked_to} {self.interrupt_id}"


class Claim(models.Model):
    """Somebody is looking at it: others see that, and may still decide."""

    interrupt = models.OneToOneField(
        Interrupt, primary_key=True, on_delete=models.CASCADE, related_name="claim"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="claims")
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.interrupt_id}"


class Snooze(models.Model):
    """Somebody does not want to see it before `until`."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="snoozes")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="snoozes")
    until = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["interrupt", "user"], name="one_snooze_each"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.interrupt_id} until {self.until}"


class Delegation(models.Model):
    """Somebody asked another person, who may decide it too, to do so."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="delegations")
    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="delegated")
    to = models.ForeignKey(User, on_delete=models.CASCADE, related_name="delegations")
    note = models.CharField(max_length=1_000, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.by_id} to {self.to_id} {self.interrupt_id}"


class Comment(models.Model):
    """One entry of the thread beside an interrupt: asked or answered before it is decided."""

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.author_id} {self.interrupt_id}"


class ItemMention(models.Model):
    """What somebody wrote about an item and whom it names, `{id, name}` as they were called.

    A question back and its answer are in the log of the run, a comment is an entry of the thread; this
    is kept for those whom it names, as they are told of it.
    """

    class Kind(models.TextChoices):
        QUESTION = "question"
        ANSWER = "answer"
        COMMENT = "comment"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="mentions")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    text = models.TextField()
    mentions = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("at", "id")
        indexes = (models.Index(fields=["author", "at"], name="item_mention_rate"),)

    def __str__(self) -> str:
        return f"{self.author_id} {self.kind} {self.interrupt_id}"


class SavedView(models.Model):
    """What somebody narrows the inbox to, and in which order, under a name; `shared` with everyone."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="saved_views")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=60)
    query = models.JSONField()
    shared = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["workspace", "user", "name"], name="one_view_each"),
        )

    def __str__(self) -> str:
        return self.name


class HoldChoice(models.Model):
    """How long a person's decisions can be taken back; without a row the usual time, 0: not at all."""

    user = models.OneToOneField(
        User, primary_key=True, on_delete=models.CASCADE, related_name="hold_choice"
    )
    seconds = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.user_id}: {self.seconds} s"


class HeldDecision(models.Model):
    """What a person said of an approval and can still take back; it is sent at `commit_at`.

    `answer` is what is sent, without the token. Times are in milliseconds. One that was sent stays:
    the audit log tells how long it was held.
    """

    class State(models.TextChoices):
        HELD = "held"
        SENDING = "sending"
        SENT = "sent"
        WITHDRAWN = "withdrawn"
        REFUSED = "refused"

    interrupt = models.ForeignKey(Interrupt, on_delete=models.CASCADE, related_name="held")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="held")
    content_hash = models.CharField(max_length=64)
    answer = models.JSONField()
    made_at = models.BigIntegerField()
    commit_at = models.BigIntegerField()
    state = models.CharField(max_length=16, choices=State.choices, default=State.HELD)
    tries = models.PositiveSmallIntegerField(default=0)
    code = models.CharField(max_length=64, blank=True)
    detail = models.CharField(max_length=1_000, blank=True)
    request = models.BigIntegerField(null=True)
    """The request to the run by which it was sent."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["interrupt", "user"],
                condition=Q(state__in=("held", "sending")),
                name="one_held_each",
            ),
        )
        indexes = (
            models.Index(
                fields=["commit_at"], condition=Q(state__in=("held", "sending")), name="held_due"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.state} {self.interrupt_id}"
