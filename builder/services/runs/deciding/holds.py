"""Decisions that people can take back for some seconds: kept in a table, then sent by the server.

A browser that closes loses nothing. When one is sent, the engine judges anew who may decide, what
was looked at and whether the deadline has passed; one that it refuses is kept for its person to see.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import F, QuerySet

from builder.base import engine_door
from builder.base.bells import hub, inbox_topic
from builder.base.clock import now_ms
from builder.base.errors import Conflict, InvalidInput, NotYet, ServiceError
from builder.models import HeldDecision, HoldChoice, Interrupt, Membership, User
from builder.models.prepared import Prepared, number
from builder.reads import event_log
from builder.reads.inbox_items import Item, items_of
from builder.services.audit import chain as audit
from builder.services.people.accounts import membership_of
from builder.services.runs import mailbox
from builder.services.runs.deciding.gestures import require_gesture
from builder.services.runs.interrupts import answer_interrupt, ask_answer
from engine.core.errors import RequestRefused
from engine.core.people.asked_calls import refuse_argument_edits
from engine.core.people.editors import refuse_edits
from engine.core.state.requests import Answer

USUAL_SECONDS: Final = 8
LONGEST_SECONDS: Final = 60
MARGIN_MS: Final = 1_000
"""Who would be sent so close before a deadline is sent at once."""
AT_ONCE: Final = 50
MAX_TRIES: Final = 20
PAUSE_MS: Final = 1_000
LONGEST_PAUSE_MS: Final = 30_000
NOT_SENT: Final = "NotSent"
PLACE: Final = "place"
"""What of a held answer is there to be read, and is not sent."""
State = HeldDecision.State
WAITING: Final = (State.HELD, State.SENDING)
DUE: Final = Prepared(
    lambda at: (
        HeldDecision.objects.filter(state__in=WAITING, commit_at__lte=number(at))
        .select_related("interrupt", "user")
        .order_by("commit_at", "pk")[:AT_ONCE]
    )
)

log = logging.getLogger("graphwright.holds")


def window_of(user: User) -> int:
    """Return how many seconds the person's decisions can be taken back, 0 for not at all."""
    chosen = HoldChoice.objects.filter(user=user).values_list("seconds", flat=True).first()
    return USUAL_SECONDS if chosen is None else chosen


def choose_window(user: User, seconds: int) -> None:
    """Set it for what the person decides from now on. Raises `InvalidInput`."""
    if not 0 <= seconds <= LONGEST_SECONDS:
        raise InvalidInput(f"0 to {LONGEST_SECONDS} seconds", path="seconds")
    HoldChoice.objects.update_or_create(user=user, defaults={"seconds": seconds})


def hold_or_answer(
    member: Membership,
    interrupt: Interrupt,
    answer: Answer,
    *,
    seconds: int | None = None,
    alone: bool = True,
) -> HeldDecision | None:
    """Keep a decision of an approval, or send it at once and return None.

    What the policy wants confirmed is refused here already, where the person still hears it.
    At once goes what is no approval, what somebody decides who holds nothing, and what its deadline
    would overtake. The same decision again is the one that is held; another takes its place. Raises
    `InvalidInput` where it does not say what was looked at, else `RequestRefused` as the engine does.
    """
    now = now_ms()
    window = 1_000 * (window_of(member.user) if seconds is None else seconds)
    ends = interrupt.expires_at
    is_late = ends is not None and ends <= now + window + MARGIN_MS
    if not window or is_late or interrupt.kind != "approval" or answer.cancel:
        answer_interrupt(member, interrupt, answer, interactive=True, alone=alone)
        return None
    if interrupt.status == Interrupt.Status.OPEN:
        require_gesture(member, interrupt, answer, alone=alone)
    with transaction.atomic():
        row = Interrupt.objects.select_for_update().get(pk=interrupt.pk)
        is_open = row.status == Interrupt.Status.OPEN
        if is_open:
            item = _require_decidable(member, row, answer)
            held = _kept(member, row, _to_json(answer, item), now, now + window)
            _ring(row)
            return held
    answer_interrupt(member, interrupt, answer, interactive=True)
    return None


def withdraw(member: Membership, interrupt: Interrupt) -> HeldDecision:
    """Take back what the member holds; nothing was decided then. Raises `Conflict` `TooLate`."""
    with transaction.atomic():
        mine = _waiting(member, interrupt).select_for_update().first()
        if mine is None or not _moved(mine, State.WITHDRAWN, since=State.HELD):
            raise Conflict("this cannot be taken back any more", code="TooLate")
        _record_withdrawn(member, mine)
        _ring(interrupt)
        return mine


def commit_due(now: int | None = None) -> int:
    """Send what is due, in the order of their moments; return how many were sent.

    What a process took and did not end is taken again, by the request that it wrote if it did.
    """
    moment = now_ms() if now is None else now
    return sum(_sent(row) for row in DUE.all(moment))


def _require_decidable(member: Membership, row: Interrupt, answer: Answer) -> Item:
    """Return the item; refuse what the engine would refuse for certain, while the person is still there to hear it."""
    if answer.content_hash is None:
        raise InvalidInput("the hash of what was looked at", path="content_hash")
    expected = engine_door.engine().resume_token(row.pk)
    if not hmac.compare_digest(answer.token.encode(), expected.encode()):
        raise RequestRefused("InterruptNotFound", "token and request do not match")
    [item] = items_of([row], member)
    if item.why_not_me is not None:
        raise RequestRefused("NotEligible", item.why_not_me)
    item.require_place(answer.stands_for)
    refuse_edits(
        item.request,
        item.request.get("data", {}),
        answer.edits or {},
        [item.viewer, *item.places],
    )
    if answer.edits:
        refuse_argument_edits(event_log.whole(item.request), answer.edits)
    if answer.content_hash != row.content_hash:
        raise RequestRefused("ContentChanged", "what was decided on has changed: look at it again")
    if answer.decision not in ("approved", "rejected"):
        raise RequestRefused("AnswerInvalid", "approved or rejected")
    required = item.request.get("require_reason", "never")
    needed = required == "always" or (required == "reject" and answer.decision == "rejected")
    if needed and not (answer.comment or "").strip():
        raise RequestRefused("AnswerInvalid", "a reason is required: add a comment")
    return item


def _kept(
    member: Membership, row: Interrupt, said: dict[str, Any], now: int, commit_at: int
) -> HeldDecision:
    before = _waiting(member, row).select_for_update().first()
    if before is not None:
        if before.answer == said and before.content_hash == row.content_hash:
            return before
        if not _moved(before, State.WITHDRAWN, since=State.HELD):
            raise Conflict("your decision is being sent", code="TooLate")
        _record_withdrawn(member, before)
    return HeldDecision.objects.create(
        interrupt=row,
        user=member.user,
        content_hash=row.content_hash or "",
        answer=said,
        made_at=now,
        commit_at=commit_at,
    )


def _to_json(answer: Answer, item: Item) -> dict[str, Any]:
    """Return what is sent, and in whose place it is decided where nobody had to say."""
    first = next(iter(item.places), item.viewer)
    edits = None if answer.edits is None else dict(answer.edits)
    found = {
        "decision": answer.decision,
        "comment": answer.comment,
        "edits": edits,
        "confirmed": answer.confirmed,
        "stands_for": answer.stands_for,
        PLACE: None if answer.stands_for or first.id == item.viewer.id else first.id,
    }
    return {name: value for name, value in found.items() if value}


def _waiting(member: Membership, interrupt: Interrupt) -> QuerySet[HeldDecision]:
    return HeldDecision.objects.filter(interrupt=interrupt, user=member.user_id, state__in=WAITING)


def _moved(held: HeldDecision, state: str, *, since: str, **fields: Any) -> bool:
    """Bring it from one state to another; return whether it still was in that one."""
    found = HeldDecision.objects.filter(pk=held.pk, state=since)
    if not found.update(state=state, **fields):
        return False
    held.state = state
    return True


def _record_withdrawn(member: Membership, held: HeldDecision) -> None:
    row = held.interrupt
    said: Mapping[str, Any] = held.answer
    audit.record(
        row.workspace_id,
        member.user_id,
        "interrupt.withdrawn",
        row.pk,
        decision=said["decision"],
        content_hash=held.content_hash,
        held_ms=now_ms() - held.made_at,
    )


def _ring(row: Interrupt) -> None:
    transaction.on_commit(lambda: hub.ring(inbox_topic(row.workspace_id)))


def _sent(held: HeldDecision) -> bool:
    """Send one that is due; return whether it counts now."""
    if not _moved(held, State.SENDING, since=held.state, tries=F("tries") + 1):
        return False
    row = held.interrupt
    try:
        member = membership_of(held.user, row.workspace_id)
        token = engine_door.engine().resume_token(row.pk)
        said = {name: value for name, value in held.answer.items() if name != PLACE}
        answer = Answer(token=token, content_hash=held.content_hash, **said)
        mailbox.outcome(row.run, held.request or _asked(held, member, answer))
    except NotYet:
        pause = min(PAUSE_MS << held.tries, LONGEST_PAUSE_MS)
        HeldDecision.objects.filter(pk=held.pk).update(commit_at=now_ms() + pause)
        return False
    except (RequestRefused, ServiceError) as refused:
        _refused(held, refused.code, str(refused))
        return False
    except Exception as error:  # noqa: BLE001 - others wait behind it, and it is tried again
        _try_again(held, error)
        return False
    _moved(held, State.SENT, since=State.SENDING)
    return True


def _asked(held: HeldDecision, member: Membership, answer: Answer) -> int:
    """Write it into the mailbox of the run, and that it is there: one commit, so it is sent once."""
    with transaction.atomic():
        number = ask_answer(member, held.interrupt, answer, interactive=True).pk
        HeldDecision.objects.filter(pk=held.pk).update(request=number)
    return number


def _refused(held: HeldDecision, code: str, detail: str) -> None:
    limit = HeldDecision._meta.get_field("detail").max_length
    _moved(held, State.REFUSED, since=State.SENDING, code=code, detail=detail[:limit])
    hub.ring(inbox_topic(held.interrupt.workspace_id))


def _try_again(held: HeldDecision, error: Exception) -> None:
    """Try it again later, in ever longer pauses; at last its person is told that it was not sent."""
    log.warning("decision %s was not sent (try %s): %r", held.pk, held.tries + 1, error)
    if held.tries + 1 >= MAX_TRIES:
        _refused(held, NOT_SENT, "it could not be sent: decide again")
        return
    pause = min(PAUSE_MS << held.tries, LONGEST_PAUSE_MS)
    HeldDecision.objects.filter(pk=held.pk).update(commit_at=now_ms() + pause)
