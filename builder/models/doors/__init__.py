"""What stands at the doors: counted attempts, tickets for sockets, who is signed in from where."""

from __future__ import annotations

from django.db import models

from builder.models.catalogue import ApiToken
from builder.models.ids import new_id
from builder.models.workspaces import User, Workspace


class Attempt(models.Model):
    """How often something was tried in a window of time; `key` is a hash, not a name."""

    key = models.CharField(primary_key=True, max_length=64)
    count = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%H:%M:%S}"


class SocketTicket(models.Model):
    """A ticket for one websocket, once, soon. Only its hash is kept."""

    hash = models.CharField(primary_key=True, max_length=64)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    token = models.ForeignKey(ApiToken, null=True, on_delete=models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=40, null=True)  # noqa: DJ001  (None: by a token)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.workspace_id}"


class SignIn(models.Model):
    """A browser in which somebody is signed in; it goes with its session.

    Beside a password they have shown a second factor there, or a provider vouched for them alone.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_ins")
    session_key = models.CharField(max_length=40, unique=True)
    address = models.CharField(max_length=64, blank=True)
    client = models.CharField(max_length=300, blank=True)
    second_factor = models.BooleanField(default=False, db_default=False)
    provider = models.ForeignKey(
        "IdentityProvider", null=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-last_seen_at", "-id")

    def __str__(self) -> str:
        return f"{self.user_id} from {self.address}"
