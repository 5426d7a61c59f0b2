"""People whom words about an item of the inbox name: in a question back, its answer, or the thread."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction

from builder.models import Interrupt, ItemMention, Membership
from builder.services.mail import comment_mail
from builder.services.people.commenting import limits, telling
from builder.services.people.commenting.mentions import Mention, mentions_in

Kind = ItemMention.Kind


def named_in(member: Membership, text: str, people: Sequence[str]) -> list[Mention]:
    """Return whom a text names, before it is written. Raises `InvalidInput` as `mentions_in`, and
    `TooMany` for somebody who names people too fast.
    """
    named = mentions_in(member.workspace_id, text, people)
    if named:
        limits.require_pace(member.user)
    return named


def tell(
    member: Membership,
    interrupt: Interrupt,
    kind: ItemMention.Kind,
    text: str,
    named: Sequence[Mention],
    *,
    told: Collection[str] = (),
) -> None:
    """Tell whom the words name, in the app and by mail; the same question or answer again tells nobody.

    `told` are people who learn of these words by another way. All members see the items of their
    workspace, so that whoever is named can open it.
    """
    others = [who for who in named if who["id"] not in told]
    mine = ItemMention.objects.filter(interrupt=interrupt, author=member.user_id, kind=kind)
    again = kind != Kind.COMMENT and mine.filter(text=text.strip()).exists()
    if again or not others:
        return
    with transaction.atomic():
        mention = ItemMention.objects.create(
            interrupt=interrupt,
            author=member.user,
            kind=kind,
            text=text.strip(),
            mentions=others,
        )
        ids = [who["id"] for who in others]
        comment_mail.tell(member, mention, ids)
        telling.tell_at_item(member, mention, ids)
