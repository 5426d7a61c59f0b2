"""The form in which interrupts are told to clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final

from pydantic import Field

from builder.api.http.wire import JsonMap, Named, Wire, absent, moment, time, time_or_none
from builder.api.inbox.origin import InterruptRun, Told, person, run_out
from builder.api.inbox.places import AwayOut, away_out, labels, not_theirs_out, places_out, why_me
from builder.api.inbox.questions_back import QuestionBackOut, questions_out
from builder.base import engine_door
from builder.models import Interrupt, Membership
from builder.reads import figures
from builder.reads.inbox.changes import ABSENT, Change
from builder.reads.inbox.ended import Ended
from builder.reads.inbox_items import Item, items_of
from builder.reads.runs.origins import triggers_of
from builder.reads.runs.titles import titles_of
from builder.services.permissions import QUESTIONS
from engine.core.budgets.money import usd
from engine.core.effects import EffectClass
from engine.core.state.wire import public_request

MAX_NAMED: Final = 20
"""People of `eligible` that are named; `eligible_count` counts all."""
A_PERSON_DECIDES: Final = "an API token answers questions; decisions take a signed-in person"


class DecidedOut(Wire):
    """What was decided, by whom and when."""

    by: Named | str | None
    stands_for: Annotated[Named | str | None, Field(exclude_if=absent)] = None
    at: str | None
    decision: str
    comment: str | None
    answer: Any = None
    given: Annotated[Any, Field(exclude_if=absent)] = None
    edits: JsonMap | None = None


class ChangeOut(Wire):
    """What an approver changed of one key; one that was `added` has no value before."""

    key: str
    before: Any
    after: Any
    added: bool
    by: Named | str | None


class AskedAgainOut(Wire):
    """The caller decided, and then somebody changed what it shows: since when, and what."""

    at: str
    decision: str
    changes: list[ChangeOut]


class SaidOut(Wire):
    """One decision of several."""

    by: Named | str
    stands_for: Annotated[Named | str | None, Field(exclude_if=absent)] = None
    at: str
    decision: str
    comment: str | None


class EndedOut(Wire):
    """How the run ended that an item was closed with, and who wanted that."""

    status: str
    by: Named | str | None


class QuorumOut(Wire):
    """How many must approve, who said what, what is missing, and whether it can be reached."""

    rule: str
    needed: int
    remaining: int
    missing: list[str]
    approvals: list[SaidOut]
    reachable: bool
    no_ends_it: Annotated[
        bool,
        Field(description="whether the reader's rejection would end it: else others may approve"),
    ]


class ClaimOut(Wire):
    """Who is at it."""

    by: Named
    at: str


class DelegationOut(Wire):
    """Who asked whom to decide."""

    by: Named
    to: Named
    note: str
    at: str


class HeldOut(Wire):
    """What the caller decided and can take back until `commit_at`; `refused` says what came of it."""

    decision: str
    comment: str | None
    edits: JsonMap | None
    stands_for: Annotated[str | None, Field(exclude_if=absent)] = None
    commit_at: str
    state: str
    code: str
    detail: str


class InterruptOut(Wire):
    """A pause that waits, or waited, for a person."""

    request_id: str
    run: InterruptRun
    node: str
    node_label: str
    key: str
    kind: str
    status: str
    opened_at: str
    expires_at: str | None
    request: JsonMap
    content_hash: str | None
    resume_token: Annotated[str | None, Field(exclude_if=absent)] = None
    can_decide: bool
    why_not: Annotated[str | None, Field(exclude_if=absent)] = None
    why_me: str | None = None
    my_decision: str | None = None
    decided: DecidedOut | None
    ended: Annotated[EndedOut | None, Field(exclude_if=absent)] = None
    quorum: QuorumOut | None = None
    edited_by: Named | str | None = None
    changes: list[ChangeOut] = []
    shown_prompt: str | None = None
    asked_again: AskedAgainOut | None = None
    eligible: list[Named]
    eligible_count: int
    places: list[Named] = []
    away: list[AwayOut] = []
    not_mine_to_edit: dict[str, list[str]] = {}
    reminded_at: str | None = None
    next_reminder_at: str | None = None
    escalated: list[str] | None = None
    claim: ClaimOut | None = None
    snoozed_until: str | None = None
    delegation: DelegationOut | None = None
    comments: int = 0
    asked_back: list[QuestionBackOut] = []
    held: HeldOut | None = None
    deciding: Annotated[
        list[Named], Field(description="who else decided it and can still take that back")
    ] = []
    amount: float | None = None
    currencies: Annotated[
        dict[str, str], Field(description="of what is shown and is money, by the field's name")
    ] = {}
    risk: float | None = None
    stays_done: Annotated[
        bool, Field(description="whether what an approval lets happen next cannot be taken back")
    ] = False
    spend_usd: str


def interrupts_out(
    rows: Sequence[Interrupt], member: Membership, *, interactive: bool = True
) -> list[InterruptOut]:
    """Return interrupts as `member` sees them, in as many queries for one as for fifty.

    Not `interactive` is an API token: it answers questions and decides nothing.
    """
    items = items_of(rows, member)
    ids = [item.run.started_by for item in items if item.run]
    ids += [item.row.decided_by for item in items] + [item.edited.get("by") for item in items]
    ids += [item.ended.by for item in items if item.ended]
    ids += [item.resolved.get("stands_for") for item in items]
    ids += [who for item in items for one in item.said for who in (one.by, one.stands_for)]
    ids += [one.by for item in items for one in item.changes]
    asked = [(one.row, one.ended_by) for item in items for one in item.asked_back]
    ids += [who for one, ended in asked for who in (one.asked_by, one.asked_to, ended)]
    names = figures.people(ids)
    runs = [item.run for item in items if item.run]

    @cache
    def effects() -> Mapping[str, EffectClass]:
        return engine_door.engine().known_tools(str(member.workspace_id)).effects

    told = Told(names, triggers_of(runs), titles_of(runs), effects)
    return [_interrupt_out(item, told, interactive) for item in items]


def _interrupt_out(item: Item, told: Told, interactive: bool) -> InterruptOut:
    names, row, run, card = told.names, item.row, item.run, item.card
    opened = row.status == Interrupt.Status.OPEN
    why_not = _why_not(item, interactive=interactive)
    may_decide, others = opened and why_not is None, item.others if opened else []
    return InterruptOut(
        request_id=row.pk,
        run=run_out(item, told),
        node=row.node,
        node_label=item.label,
        key=row.key,
        kind=row.kind,
        status=row.status,
        opened_at=time(row.opened_at),
        expires_at=time_or_none(row.expires_at),
        request=public_request(item.request),
        content_hash=row.content_hash,
        resume_token=engine_door.engine().resume_token(row.pk) if may_decide else None,
        can_decide=may_decide,
        why_not=why_not,
        why_me=why_me(item) if may_decide else None,
        my_decision=item.mine.decision if item.mine else None,
        decided=_decided(item, names),
        ended=ended_out(item.ended, names),
        quorum=_quorum(item, names) if row.kind == "approval" else None,
        edited_by=_edited_by(item, names),
        changes=[_change(one, names) for one in item.changes],
        shown_prompt=item.first_prompt,
        asked_again=_asked_again(item, names),
        eligible=[told.named(one) for one in others[:MAX_NAMED]],
        eligible_count=len(others),
        places=places_out(item) if may_decide else [],
        away=away_out(item) if opened else [],
        not_mine_to_edit=not_theirs_out(item) if may_decide else {},
        reminded_at=time_or_none(row.reminded_at),
        next_reminder_at=_next_reminder(item) if opened else None,
        escalated=labels(item, item.asking.escalated) if row.escalated_seq else None,
        claim=_claim(item),
        snoozed_until=moment(item.snooze.until) if item.snooze else None,
        delegation=_delegation(item),
        comments=item.comments,
        asked_back=questions_out(item, names),
        held=_held(item),
        deciding=[Named(id=one.pk, name=str(one)) for one in item.deciding] if opened else [],
        amount=card.amount if card else None,
        currencies=item.currencies(),
        risk=card.risk if card else None,
        stays_done=opened and item.stays_done(told.effects),
        spend_usd=usd(run.spent_pico) if run else "0",
    )


def _why_not(item: Item, *, interactive: bool) -> str | None:
    """Return why the caller may not decide it, None where they may."""
    opened = item.row.status == Interrupt.Status.OPEN
    answers = interactive or item.row.kind in QUESTIONS
    return item.why_not_me if answers or not opened else A_PERSON_DECIDES


def _decided(item: Item, names: Mapping[str, str]) -> DecidedOut | None:
    row = item.row
    if row.status == Interrupt.Status.OPEN:
        return None
    answer = item.resolved.get("answer")
    decision = answer.get("decision") if isinstance(answer, dict) else None
    return DecidedOut(
        by=person(row.decided_by, names),
        stands_for=person(item.resolved.get("stands_for"), names),
        at=time_or_none(row.decided_at),
        decision=str(decision or row.outcome or row.status),
        comment=item.resolved.get("comment"),
        answer=answer,
        given=item.resolved.get("given"),
        edits=item.resolved.get("edits"),
    )


def ended_out(ended: Ended | None, names: Mapping[str, str]) -> EndedOut | None:
    """Return how a run ended, with the name of who wanted that."""
    return None if ended is None else EndedOut(status=ended.status, by=person(ended.by, names))


def _edited_by(item: Item, names: Mapping[str, str]) -> Named | str | None:
    """Return who changed it last, None where it is what was first shown."""
    changes = item.changes
    return person(changes[-1].by, names) if changes else None


def _change(one: Change, names: Mapping[str, str]) -> ChangeOut:
    added = one.before is ABSENT
    before, after = (None if value is ABSENT else value for value in (one.before, one.after))
    by = person(one.by, names)
    return ChangeOut(key=one.key, before=before, after=after, added=added, by=by)


def _asked_again(item: Item, names: Mapping[str, str]) -> AskedAgainOut | None:
    lapse = item.lapse
    if lapse is None or not item.asked_again:
        return None
    changes = [_change(one, names) for one in item.changes_since]
    return AskedAgainOut(at=time(lapse.lapsed_at), decision=lapse.decision, changes=changes)


def _quorum(item: Item, names: Mapping[str, str]) -> QuorumOut:
    approved = item.row.status == Interrupt.Status.ANSWERED and item.row.outcome == "approved"
    empty = [] if approved else item.missing
    return QuorumOut(
        rule=item.rule,
        needed=len(item.seats),
        remaining=len(empty),
        missing=labels(item, [seat for seat in empty if seat != "*"]),
        approvals=[
            SaidOut(
                by=person(one.by, names) or one.by,
                stands_for=person(one.stands_for, names),
                at=time(one.at),
                decision=one.decision,
                comment=one.comment,
            )
            for one in item.said
        ],
        reachable=item.row.status != Interrupt.Status.OPEN or item.reachable,
        no_ends_it=item.no_ends_it,
    )


def _next_reminder(item: Item) -> str | None:
    """Return when people will be reminded next."""
    row = item.row
    due = [row.opened_at + after for after in item.policy.get("reminders", ())]
    ahead = [
        at
        for at in due
        if at > (row.reminded_at or row.opened_at) and at < (row.expires_at or at + 1)
    ]
    return time(min(ahead)) if ahead else None


def _claim(item: Item) -> ClaimOut | None:
    claim = item.claim
    if claim is None or item.row.status != Interrupt.Status.OPEN:
        return None
    return ClaimOut(by=Named(id=claim.user_id, name=str(claim.user)), at=moment(claim.at))


def _held(item: Item) -> HeldOut | None:
    held = item.held
    if held is None:
        return None
    said: Mapping[str, Any] = held.answer
    place = said.get("stands_for") or said.get("place")
    return HeldOut(
        decision=said["decision"],
        comment=said.get("comment"),
        edits=said.get("edits"),
        stands_for=next((one.name for one in item.people if one.id == place), None),
        commit_at=time(held.commit_at),
        state=held.state,
        code=held.code,
        detail=held.detail,
    )


def _delegation(item: Item) -> DelegationOut | None:
    found = item.delegation
    if found is None:
        return None
    by, to = ((str(user.pk), str(user)) for user in (found.by, found.to))
    return DelegationOut(
        by=Named(id=by[0], name=by[1]),
        to=Named(id=to[0], name=to[1]),
        note=found.note,
        at=moment(found.at),
    )
