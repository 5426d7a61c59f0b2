"""What people do with an item of the inbox short of deciding it: claim, snooze, delegate, ask.

None of it changes who may decide, and none of it decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from builder.base.bells import hub, inbox_topic
from builder.base.errors import Conflict, InvalidInput, NotAllowed, NotFound, Unprocessable
from builder.models import Claim, Comment, Delegation, Interrupt, Membership, Snooze
from builder.reads.inbox_items import Item, items_of
from builder.services.audit import chain as audit
from builder.services.people.commenting import at_items
from builder.services.permissions import may_comment


def require_part(member: Membership, interrupt: Interrupt) -> Item:
    """Return the item for somebody who may decide it. Raises `NotAllowed`, and `Conflict`
    `InterruptClosed` once it is decided.
    """
    [item] = items_of([interrupt], member)
    if interrupt.status != Interrupt.Status.OPEN:
        raise Conflict("this is decided already", code="InterruptClosed")
    if item.why_not(item.viewer) is not None:
        why = item.asking.why_not_you(item.viewer)
        raise NotAllowed(f"only who may decide this can do that: {why}")
    return item


def claim(member: Membership, interrupt: Interrupt, *, take_over: bool = False) -> None:
    """Show others that the member is at it; they may still decide.

    Raises `Conflict` `AlreadyClaimed` where somebody else is, unless it is taken over.
    """
    with transaction.atomic():
        row = _locked(member, interrupt)
        held = Claim.objects.filter(interrupt=row).select_related("user").first()
        if held is not None and held.user_id == member.user_id:
            return
        if held is not None and not take_over:
            by = {"id": held.user_id, "name": str(held.user)}
            message = f"{held.user} has claimed this"
            raise Conflict(message, code="AlreadyClaimed", extra={"claim": {"by": by}})
        if held is not None:
            held.delete()
        Claim.objects.create(interrupt=row, user=member.user)
        former = held.user_id if held is not None else None
        _record(member, row, "claimed", **({"from": former} if former else {}))


def unclaim(member: Membership, interrupt: Interrupt) -> None:
    """Let go of one's own claim; without one, nothing happens."""
    with transaction.atomic():
        row = _locked(member, interrupt)
        gone, _ = Claim.objects.filter(interrupt=row, user=member.user_id).delete()
        if gone:
            _record(member, row, "unclaimed")


def snooze(member: Membership, interrupt: Interrupt, until: datetime) -> None:
    """Hide it from the member's own lists until then.

    Raises `InvalidInput` for a moment that has passed, `Unprocessable` `PastDeadline` for one
    that is not before the deadline.
    """
    require_ahead(until)
    with transaction.atomic():
        row = _locked(member, interrupt)
        if row.expires_at is not None and until.timestamp() * 1000 >= row.expires_at:
            raise Unprocessable("its deadline comes before that", code="PastDeadline")
        Snooze.objects.update_or_create(
            interrupt=row, user=member.user, defaults={"until": until.astimezone(UTC)}
        )
        _ring(row)


def require_ahead(until: datetime) -> None:
    """Raise `InvalidInput` for a moment that has passed."""
    if until <= timezone.now():
        raise InvalidInput("a moment in the future", path="until")


def unsnooze(member: Membership, interrupt: Interrupt) -> None:
    """Show it again; one that is not snoozed stays as it is."""
    with transaction.atomic():
        row = _locked(member, interrupt)
        Snooze.objects.filter(interrupt=row, user=member.user_id).delete()
        _ring(row)


def delegate(member: Membership, interrupt: Interrupt, to: str, note: str = "") -> None:
    """Ask another person who may decide it to do so; the member's own claim is let go.

    Raises `InvalidInput` for oneself, `NotFound` for nobody of the workspace, `Unprocessable`
    `NotEligible` for somebody who may not decide it.
    """
    item = require_part(member, interrupt)
    require_another(member, to)
    target = next((person for person in item.people if person.id == to), None)
    if target is None:
        raise NotFound("no such member")
    reason = item.why_not(target)
    if reason is None and any(said.by == to for said in item.said):
        reason = "they have decided already"
    if reason is not None:
        raise Unprocessable(f"{target.name} cannot decide this: {reason}", code="NotEligible")
    with transaction.atomic():
        row = _locked(member, interrupt)
        Delegation.objects.create(interrupt=row, by=member.user, to_id=to, note=note.strip())
        Claim.objects.filter(interrupt=row, user=member.user_id).delete()
        Snooze.objects.filter(interrupt=row, user=to).delete()
        _record(member, row, "delegated", to=to, note=note.strip())


def require_another(member: Membership, to: str) -> None:
    """Raise `InvalidInput` where the member would ask themselves."""
    if to == member.user_id:
        raise InvalidInput("somebody else", path="to")


def comment(
    member: Membership, interrupt: Interrupt, text: str, people: Sequence[str] = ()
) -> Comment:
    """Add to the thread, and tell whom the words name: a question, or somebody's answer.

    Raises `NotAllowed` for people who neither decide nor run, `InvalidInput` for blank text.
    """
    require_voice(member, interrupt)
    if not text.strip():
        raise InvalidInput("text that is not blank", path="text")
    named = at_items.named_in(member, text, people)
    with transaction.atomic():
        row = Interrupt.objects.select_for_update().get(pk=interrupt.pk)
        _require_open(row)
        added = Comment.objects.create(interrupt=row, author=member.user, text=text.strip())
        at_items.tell(member, row, at_items.Kind.COMMENT, text, named)
        _ring(row)
    return added


def require_voice(member: Membership, interrupt: Interrupt) -> None:
    """Raise `NotAllowed` unless the member may decide it, or runs or draws workflows."""
    if may_comment(member):
        return
    require_part(member, interrupt)


def _locked(member: Membership, interrupt: Interrupt) -> Interrupt:
    """Return the row, locked, for somebody who may decide it; the caller is in a transaction."""
    row = Interrupt.objects.select_for_update().get(pk=interrupt.pk)
    require_part(member, row)
    return row


def _require_open(row: Interrupt) -> None:
    if row.status != Interrupt.Status.OPEN:
        raise Conflict("this is decided already", code="InterruptClosed")


def _record(member: Membership, row: Interrupt, action: str, **detail: str) -> None:
    audit.record(row.workspace_id, member.user_id, f"interrupt.{action}", row.pk, **detail)
    _ring(row)


def _ring(row: Interrupt) -> None:
    transaction.on_commit(partial(hub.ring, inbox_topic(row.workspace_id)))
