"""What a person agreed to at an MCP server that asks for OAuth."""

from __future__ import annotations

from django.db import models

from builder.models.catalogue.tool_sources import ToolSource
from builder.models.ids import new_id
from builder.models.workspaces import User


class ToolGrant(models.Model):
    """The consent of one source: who gave it, to whom it belongs there, the sealed tokens.

    `sealed` holds access and refresh token and the client's secret. `serial` grows with each
    renewal; who renews holds it until `claimed_until`. `ended` says why it is over: empty while it
    holds. `account` is whose it is at the other side, where that is told.
    """

    id = models.CharField(primary_key=True, max_length=36, default=new_id, editable=False)
    source = models.OneToOneField(ToolSource, on_delete=models.CASCADE, related_name="grant")
    resource = models.CharField(max_length=2000)
    issuer = models.CharField(max_length=2000)
    token_url = models.CharField(max_length=2000)
    client_id = models.CharField(max_length=2000)
    client_method = models.CharField(max_length=40)
    sealed = models.BinaryField()
    serial = models.PositiveIntegerField(default=1)
    claimed_until = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    account = models.CharField(max_length=200, blank=True)
    ended = models.TextField(blank=True)
    given_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    given_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.source} at {self.issuer}"
