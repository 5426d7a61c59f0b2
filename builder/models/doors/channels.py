"""Where people and programs are told of what happens, by which rules, and each notice of it.

A channel is of a workspace, or of one person in a workspace. Times are milliseconds since the epoch,
times of a day minutes since its midnight in the channel's zone.
"""

# ruff: noqa: DJ001  (absent is null here: partial indexes rely on it)
from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q

from builder.models.ids import new_id
from builder.models.querysets import ScopedQuerySet
from builder.models.workspaces import Membership, User, Workspace


class ChannelQuerySet(ScopedQuerySet["Channel"]):
    """Channels: those of a workspace, and one's own."""

    def visible_to(self, user: User) -> Self:
        """Rows of the workspaces of `user`; of what is a person's, their own alone."""
        return super().visible_to(user).filter(Q(user=None) | Q(user=user.pk))

    def of(self, member: Membership, *, mine: bool) -> Self:
        """The member's own channels, or those of the workspace."""
        owner = member.user_id if mine else None
        return self.filter(workspace=member.workspace_id, user=owner)


class Channel(models.Model):
    """A place where something is told; its address is a secret, and only a hint of it is shown."""

    class Kind(models.TextChoices):
        MAIL = "mail"
        SLACK = "slack"
        TEAMS = "teams"
        DISCORD = "discord"
        TELEGRAM = "telegram"
        NTFY = "ntfy"
        WEBHOOK = "webhook"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="channels")
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="channels")
    """Whose it is; null for the workspace's."""
    kind = models.CharField(max_length=16, choices=Kind.choices)
    name = models.CharField(max_length=120)
    hint = models.CharField(max_length=120)
    sealed = models.BinaryField()
    """JSON of `{address, key}`, sealed for this row."""
    verified_at = models.BigIntegerField(null=True)
    """When it was shown that what is sent arrives; until then nothing is told there."""
    code_hash = models.CharField(max_length=64, default="", blank=True)
    """Of the code that was sent to a person's channel."""
    code_until = models.BigIntegerField(null=True)
    on = models.BooleanField(default=True)
    off_why = models.CharField(max_length=200, default="", blank=True)
    """Why it went off by itself."""
    zone = models.CharField(max_length=64, default="UTC")
    quiet_from = models.IntegerField(null=True)
    quiet_to = models.IntegerField(null=True)
    free_at = models.BigIntegerField(default=0)
    """From when on something may be sent there: who sends moves it on first."""
    made_at = models.BigIntegerField()

    objects = ChannelQuerySet.as_manager()

    class Meta:
        ordering = ("made_at", "id")

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class ChannelSecret(models.Model):
    """What a webhook's calls are signed with, sealed; while it is changed there are two."""

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="secrets")
    sealed = models.BinaryField()
    until = models.BigIntegerField(null=True)
    """Until when a former one is signed with, too; null for the present one."""

    def __str__(self) -> str:
        return f"a secret of {self.channel_id}"


class NoticeRuleQuerySet(ScopedQuerySet["NoticeRule"]):
    """Rules: those of a workspace's channels, and those of one's own."""

    workspace_path = "channel__workspace"

    def visible_to(self, user: User) -> Self:
        """Rows of the workspaces of `user`; of a person's channels, their own alone."""
        return super().visible_to(user).filter(Q(channel__user=None) | Q(channel__user=user.pk))

    def of(self, member: Membership, *, mine: bool) -> Self:
        """The rules of the member's own channels, or of the workspace's."""
        owner = member.user_id if mine else None
        return self.filter(channel__workspace=member.workspace_id, channel__user=owner)


class NoticeRule(models.Model):
    """What is told in a channel, and when."""

    class When(models.TextChoices):
        AT_ONCE = "at_once"
        HOURLY = "hourly"
        DAILY = "daily"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="rules")
    kinds = models.JSONField(default=list)
    """Kinds of house events."""
    graph = models.CharField(max_length=36, null=True)
    """The one workflow that it is about; null for all."""
    folder = models.CharField(max_length=130, blank=True, default="", db_default="")
    """The folder in which, or below which, the workflows lie; empty for anywhere."""
    tag = models.CharField(max_length=64, blank=True, default="", db_default="")
    """The tag that the workflows have; empty for any."""
    minutes = models.PositiveIntegerField(null=True)
    """For how long an item waits before it is told that it does; null where that is not asked for."""
    mine = models.BooleanField(default=False)
    """Of runs: only those that the channel's person started."""
    when = models.CharField(max_length=16, choices=When.choices, default=When.AT_ONCE)
    at = models.IntegerField(default=480)
    """The time of the day, where it is daily."""
    made_at = models.BigIntegerField()

    objects = NoticeRuleQuerySet.as_manager()

    class Meta:
        ordering = ("made_at", "id")

    def __str__(self) -> str:
        return f"{', '.join(self.kinds)} to {self.channel_id}"


class ChannelNoticeQuerySet(ScopedQuerySet["ChannelNotice"]):
    """What is told, of a workspace's channels and of one's own."""

    workspace_path = "channel__workspace"

    def visible_to(self, user: User) -> Self:
        """Rows of the workspaces of `user`; of a person's channels, their own alone."""
        return super().visible_to(user).filter(Q(channel__user=None) | Q(channel__user=user.pk))

    def of(self, member: Membership, *, mine: bool) -> Self:
        """What goes to the member's own channels, or to the workspace's."""
        owner = member.user_id if mine else None
        return self.filter(channel__workspace=member.workspace_id, channel__user=owner)


class ChannelNotice(models.Model):
    """One event that is told in one channel; to a program its id is that of the delivery, for ever.

    Who sends it moves `available_at` on first: that is the claim, and it lapses by itself.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"
        DROPPED = "dropped"

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="notices")
    rule = models.ForeignKey(
        NoticeRule, null=True, on_delete=models.SET_NULL, related_name="notices"
    )
    event = models.CharField(max_length=36)
    """The id of the house event; it goes before this does."""
    kind = models.CharField(max_length=32)
    ref = models.CharField(max_length=200)
    run = models.CharField(max_length=36, null=True)
    graph = models.CharField(max_length=36, null=True)
    data = models.TextField(default="{}")
    """JSON: what the event says of it."""
    at = models.BigIntegerField()
    """When it happened."""
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    status = models.IntegerField(null=True)
    """What the receiver answered the last time; null without an answer."""
    reason = models.CharField(max_length=300, default="", blank=True)
    """Why it was not sent, or not yet."""
    tries = models.IntegerField(default=0)
    available_at = models.BigIntegerField()
    done_at = models.BigIntegerField(null=True)

    objects = ChannelNoticeQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["rule", "event", "channel"], name="channel_notice_once"
            ),
        )
        indexes = (
            models.Index(
                fields=["available_at"],
                condition=Q(done_at__isnull=True),
                name="channel_notice_due",
            ),
            models.Index(fields=["channel", "-at"], name="channel_notice_recent"),
            models.Index(fields=["done_at"], name="channel_notice_age"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.ref} in {self.channel_id}"
