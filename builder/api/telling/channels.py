"""Channels: made, changed, tested, verified, removed."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from builder.api.http.pagination import page
from builder.api.http.view import WRITES, ApiView, no_content
from builder.api.http.wire import Listing
from builder.api.telling.wire import (
    ChannelBody,
    ChannelChange,
    ChannelOut,
    CodeBody,
    NewChannelOut,
    TestOut,
    WebhookSecretBody,
    WebhookSecretOut,
    channel_out,
    former_secret_until,
    new_channel_out,
    test_out,
)
from builder.base.errors import InvalidInput, NotFound
from builder.doors.telling.carrying import proving
from builder.doors.telling.channels import verbs as channels
from builder.doors.telling.channels.owners import require_owner
from builder.models import Channel, Membership

OF = OpenApiParameter("of", enum=["me", "workspace"])


class TellingView(ApiView):
    """A route of what is told: a person's own, or the workspace's, which takes an admin."""

    people_only: ClassVar[frozenset[str]] = WRITES

    def whose(self, member: Membership) -> bool:
        """Return whether the caller's own are asked for. Raises `InvalidInput`, `NotAllowed`."""
        said = self.text("of") or "me"
        if said not in ("me", "workspace"):
            raise InvalidInput("me or workspace", path="of")
        require_owner(member, member.user_id if said == "me" else None)
        return said == "me"

    def channel(self, channel_id: object) -> tuple[Membership, Channel]:
        """Return the channel and the caller's membership. Raises `NotFound`, `NotAllowed`."""
        rows = self.visible(Channel.objects.select_related("workspace"))
        row = rows.filter(pk=str(channel_id)).first()
        if row is None:
            raise NotFound("no such channel", code="ChannelNotFound")
        member = self.member_of(row.workspace_id)
        require_owner(member, row.user_id)
        return member, row


class ChannelsView(TellingView):
    """Channels of the caller, or of the workspace."""

    query_names: ClassVar[frozenset[str]] = frozenset({"of"})

    @extend_schema(responses=Listing[ChannelOut], operation_id="channels", parameters=[OF])
    def get(self, request: Request) -> Response:
        """List them, the first made first."""
        member = self.member()
        rows = Channel.objects.of(member, mine=self.whose(member)).prefetch_related("secrets")
        found = page(rows, self.window(), field="made_at", newest_first=False)
        return Response(Listing[ChannelOut].of(found, [channel_out(row) for row in found.rows]))

    @extend_schema(
        request=ChannelBody, responses={201: NewChannelOut}, operation_id="create_channel"
    )
    def post(self, request: Request) -> Response:
        """Make one; the secret of a webhook that we make is shown in this answer only."""
        member, body = self.member(), ChannelBody.read(request.data)
        row, secret = channels.create(
            member, body.kind, body.wanted(), mine=body.of == "me", secret=body.secret
        )
        return Response(new_channel_out(row, secret), status=201)


class ChannelView(TellingView):
    """One channel."""

    @extend_schema(responses=ChannelOut, operation_id="channel")
    def get(self, request: Request, channel_id: object) -> Response:
        """Return it."""
        return Response(channel_out(self.channel(channel_id)[1]))

    @extend_schema(request=ChannelChange, responses=ChannelOut, operation_id="change_channel")
    def patch(self, request: Request, channel_id: object) -> Response:
        """Change it; with another address it has to be tested or verified anew."""
        member, row = self.channel(channel_id)
        wanted = ChannelChange.read(request.data).wanted()
        return Response(channel_out(channels.change(member, row, wanted)))

    @extend_schema(responses={204: None}, operation_id="remove_channel")
    def delete(self, request: Request, channel_id: object) -> Response:
        """Remove it with its rules and notices."""
        channels.remove(*self.channel(channel_id))
        return no_content()


class TestChannelView(TellingView):
    """Whether what is sent arrives."""

    @extend_schema(request=None, responses=TestOut, operation_id="test_channel")
    def post(self, request: Request, channel_id: object) -> Response:
        """Send a test at once; to a person's channel that is not verified, a code."""
        return Response(test_out(proving.test(*self.channel(channel_id))))


class VerifyChannelView(TellingView):
    """The code that was sent."""

    @extend_schema(request=CodeBody, responses=ChannelOut, operation_id="verify_channel")
    def post(self, request: Request, channel_id: object) -> Response:
        """Take it: what is told goes there from now on."""
        member, row = self.channel(channel_id)
        code = CodeBody.read(request.data).code
        return Response(channel_out(proving.verify(member, row, code)))


class ChannelSecretView(TellingView):
    """The secret that a webhook is signed with."""

    @extend_schema(
        request=WebhookSecretBody, responses=WebhookSecretOut, operation_id="rotate_channel_secret"
    )
    def post(self, request: Request, channel_id: object) -> Response:
        """Take another one; for a day there are two signatures."""
        member, row = self.channel(channel_id)
        text = channels.rotate(member, row, WebhookSecretBody.read(request.data).secret)
        return Response(WebhookSecretOut(secret=text, former_until=former_secret_until(row)))
