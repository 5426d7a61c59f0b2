"""Mail to people whom words on a card or at an item name: one letter of all that is due to a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.core.mail import EmailMessage

from builder.base.clock import now_ms
from builder.models import CardComment, ItemMention, Membership, Outbox
from builder.services.mail import outboxed
from builder.services.mail.comment_letters import letter
from builder.services.mail.notifications import When, rhythms_of, told_at

TOPIC: Final = "comment"


def tell(by: Membership, said: CardComment | ItemMention, people: Sequence[str]) -> None:
    """Have mail sent to these people when each wants to be told, in the caller's transaction."""
    others = [who for who in people if who != by.user_id]
    kind = "comment" if isinstance(said, CardComment) else "mention"
    rhythms, now = rhythms_of(others, by.workspace.zone), now_ms()
    Outbox.objects.bulk_create(
        outboxed.row(
            TOPIC,
            by.workspace_id,
            who,
            {kind: said.pk},
            told_at(rhythms[who], now),
        )
        for who in others
        if who in rhythms and rhythms[who].when != When.NEVER
    )


def deliver_due(now: int | None = None) -> int:
    """Send what is due, one letter for each person and workspace; return how many went out."""
    return outboxed.deliver_due(TOPIC, _letter, now)


def _letter(workspace: str, user: str, due: Sequence[outboxed.Payload]) -> EmailMessage | None:
    comments = {told["comment"] for told in due if "comment" in told}
    mentions = {told["mention"] for told in due if "mention" in told}
    return letter(workspace, user, comments, mentions)
