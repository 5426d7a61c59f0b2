"""Interrupts as a person finds them in the inbox: what is asked, of whom, and what was said so far.

Reads only, in a number of queries that does not grow with the number of items.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from builder.adapters.directory import actor_of, actors_in, stand_ins_now
from builder.models import (
    Claim,
    Decision,
    Delegation,
    HeldDecision,
    Interrupt,
    InterruptCard,
    Lapse,
    Membership,
    Run,
    Snooze,
    StandIn,
    User,
)
from builder.models.prepared import Prepared, each_of
from builder.reads import event_log as log
from builder.reads.inbox.away import Away, away_of
from builder.reads.inbox.beside import Beside
from builder.reads.inbox.changes import Change, changes_in, net_changes
from builder.reads.inbox.drawn import OUTSIDE, Drawing, Effects, drawings_of
from builder.reads.inbox.ended import Ended, endings_of
from builder.reads.inbox.questions_back import QuestionBack, questions_of
from builder.reads.inbox.said import RecordedDecision, recorded
from builder.reads.inbox.verdicts import Verdicts, VerdictsOfPage
from engine.core.people.asked_calls import TOOL_CALL
from engine.core.people.eligibility import Asking, in_whose_place, kept_out
from engine.core.people.quorum import ANYONE, Fills, can_be_met, missing
from engine.core.state.requests import Actor

CHANGED: Final = "content_changed"
"""Why a decision counts no more of somebody who is asked again."""

NEED_START: Final = frozenset({"publisher", "editor"})
"""Four-eyes rules that only the run's first event can tell."""

RUNS: Final = Prepared(
    lambda ids: (
        Run.objects.filter(pk__in=each_of(ids)).select_related("graph").defer("graph__header")
    )
)


@dataclass
class Item:
    """One interrupt, as `viewer` sees it; what is read of it several times is worked out once."""

    row: Interrupt
    viewer: Actor
    people: Sequence[Actor]
    verdicts: Verdicts
    run: Run | None
    label: str
    asked: Mapping[str, Any]
    edited: Mapping[str, Any]
    resolved: Mapping[str, Any]
    said: list[RecordedDecision] = field(default_factory=list)
    claim: Claim | None = None
    snooze: Snooze | None = None
    delegation: Delegation | None = None
    comments: int = 0
    lapse: Lapse | None = None
    held: HeldDecision | None = None
    deciding: Sequence[User] = ()
    card: InterruptCard | None = None
    asked_back: Sequence[QuestionBack] = ()
    drawing: Drawing | None = None
    absences: Sequence[StandIn] = ()
    ended: Ended | None = None

    @property
    def asking(self) -> Asking:
        """Whom it asks."""
        return self.verdicts.asking

    @property
    def is_test(self) -> bool:
        """Whether its run tries a draft."""
        return self.drawing is not None and self.drawing.is_draft

    def currencies(self) -> dict[str, str]:
        """Return the currency of what a step shows that is money, also where nobody may edit it."""
        shown = self.request.get("data")
        if self.drawing is None or self.row.approval_type == TOOL_CALL:
            return {}
        return self.drawing.currencies(shown) if isinstance(shown, Mapping) else {}

    def stays_done(self, effects: Effects) -> bool:
        """Return whether what an approval lets happen next cannot be taken back."""
        if self.row.kind != "approval":
            return False
        if self.row.approval_type == TOOL_CALL:
            return self.request.get("effect") in OUTSIDE
        return self.drawing is not None and self.drawing.stays_done(self.row.node, effects)

    @property
    def away(self) -> list[Away]:
        """Who could decide it and is away today, and who does so for them."""
        return away_of(self.absences, self.people, self.asking)

    @property
    def places(self) -> Sequence[Actor]:
        """In whose place the viewer may decide: first in their own, where they may."""
        return self.verdicts.places(self.viewer)

    def require_place(self, wanted: str | None) -> None:
        """Raise `RequestRefused` unless the viewer may decide in that place, None for any."""
        if not self.verdicts.open_to_all:
            in_whose_place(self.asking, self.viewer, wanted)

    @property
    def waits_for(self) -> QuestionBack | None:
        """The question back that stops its clock now."""
        if self.row.status != Interrupt.Status.OPEN:
            return None
        return next((one for one in self.asked_back if one.waits), None)

    @cached_property
    def request(self) -> dict[str, Any]:
        """What is shown, or ran: the request with what approvers edited, its message written anew."""
        request = dict(self.asked.get("request") or {})
        edits = self.edited.get("edits")
        if not edits and not self.changes:
            return request
        told = {name: self.edited[name] for name in ("prompt",) if name in self.edited}
        return {**request, **told, "data": {**request.get("data", {}), **(edits or {})}}

    @property
    def first_prompt(self) -> str | None:
        """The message as it was first shown, None where it still reads so."""
        first = (self.asked.get("request") or {}).get("prompt")
        return first if first != self.request.get("prompt") else None

    @cached_property
    def changes(self) -> list[Change]:
        """What approvers changed, by key: from what was first shown to what it is."""
        return net_changes(self._edits)

    @cached_property
    def _edits(self) -> Sequence[Mapping[str, Any]]:
        """Every change in order; of a log from before they were recorded, what can be told."""
        if not self.edited:
            return ()
        if "changes" in self.edited:
            return changes_in(self.edited)
        shown: Mapping[str, Any] = (self.asked.get("request") or {}).get("data") or {}
        edits: Mapping[str, Any] = self.edited.get("edits") or {}
        by = self.edited.get("by")
        return [
            {"key": key, "after": value, "by": by, "seq": self.row.edited_seq or 0}
            | ({"before": shown[key]} if key in shown else {})
            for key, value in edits.items()
            if key not in shown or shown[key] != value
        ]

    @property
    def asked_again(self) -> bool:
        """Whether the viewer approved it before somebody changed what it shows."""
        lapse = self.lapse
        opened = self.row.status == Interrupt.Status.OPEN
        return opened and lapse is not None and lapse.reason == CHANGED and self.mine is None

    @property
    def changes_since(self) -> list[Change]:
        """What was changed since the viewer approved it."""
        since = 0 if self.lapse is None else self.lapse.decided_seq
        return net_changes([one for one in self._edits if one["seq"] > since])

    @property
    def policy(self) -> Mapping[str, Any]:
        """The approval's policy, empty where there is none."""
        found: Mapping[str, Any] = (self.asked.get("request") or {}).get("policy") or {}
        return found

    @property
    def rule(self) -> str:
        """The rule of the approval: any, all, at_least or per_group."""
        quorum: Mapping[str, Any] = self.asked.get("quorum") or {}
        return str(quorum.get("rule", "any"))

    @property
    def seats(self) -> Sequence[str]:
        """The places that people who approve fill."""
        return self.asking.seats or (ANYONE,)

    @property
    def missing(self) -> list[str]:
        """The places that are empty."""
        return missing(self.seats, self._approvals)

    @property
    def _approvals(self) -> list[Fills]:
        return [one.fills for one in self.said if one.decision == "approved"]

    @cached_property
    def mine(self) -> RecordedDecision | None:
        """What the viewer said."""
        return next((one for one in self.said if one.by == self.viewer.id), None)

    @property
    def others(self) -> list[Actor]:
        """Who else can decide, and has not."""
        gone = {self.viewer.id, *(one.by for one in self.said)}
        return [p for p in self.verdicts.may if p.id not in gone]

    @property
    def reachable(self) -> bool:
        """Whether the people there are could still approve it."""
        return self._is_met_by_others(self.said)

    @property
    def no_ends_it(self) -> bool:
        """Whether the viewer's rejection would end it: no others are left who could approve it."""
        if self.rule in ("any", "all") or self.policy.get("veto"):
            return True
        said = [one for one in self.said if one.by != self.viewer.id]
        return not self._is_met_by_others(said, self.viewer.id)

    def _is_met_by_others(self, said: Sequence[RecordedDecision], but: str = "") -> bool:
        """Return whether it can be approved by who said so and those, `but` for one, who said nothing."""
        approvals = [one.fills for one in said if one.decision == "approved"]
        heard = {but, *(one.by for one in said)}
        left = [fills for who, fills in self.verdicts.oneself.items() if who not in heard]
        return can_be_met(self.seats, approvals, left)

    def why_not(self, person: Actor) -> str | None:
        """Return why the person may not decide, None if they may; the engine has the last word."""
        return None if self.verdicts.open_to_all else self.asking.why_not(person)

    def why_not_told(self, person: Actor) -> str | None:
        """Return why it waits for nothing of the person: neither a decision nor a reply.

        Who is away is left in peace where somebody decides for them.
        """
        asked = self.waits_for
        if asked and asked.row.asked_to == person.id:
            return None
        if any(one.absent.id == person.id and one.why_not is None for one in self.away):
            return "they are away, and somebody decides for them"
        return self.why_not(person)

    @property
    def why_not_me(self) -> str | None:
        """Why the viewer may not decide it, None if they may."""
        if self.row.status != Interrupt.Status.OPEN:
            return None
        if self.mine is not None and self.mine.decision == "rejected":
            return "you rejected it, and a rejection stands"
        return None if self.verdicts.open_to_all else self.asking.why_not_you(self.viewer)


def items_of(rows: Sequence[Interrupt], member: Membership) -> list[Item]:
    """Return interrupts as `member` sees them."""
    if not rows:
        return []
    absences = stand_ins_now(rows[0].workspace_id)
    people = actors_in(rows[0].workspace_id, absences)
    viewer = next((p for p in people if p.id == member.user_id), None) or actor_of(member)
    beside = Beside.of(rows, member.user_id)
    around = _LogContext.of(rows, [one for found in beside.decisions.values() for one in found])
    verdicts = VerdictsOfPage(people)
    found = [_item(row, viewer, verdicts, around, beside) for row in rows]
    endings = endings_of(rows)
    asked_back = questions_of(rows)
    for item in found:
        item.absences = absences
        item.asked_back = asked_back.get(item.row.pk, ())
        item.ended = endings.get(item.row.pk)
    return found


@dataclass(frozen=True, slots=True)
class _LogContext:
    """What the log and the graphs say about a page of interrupts."""

    runs: Mapping[str, Run]
    drawings: Mapping[str, Drawing]
    events: Mapping[tuple[str, int], dict[str, Any]]
    starts: Mapping[tuple[str, int], dict[str, Any]]

    @classmethod
    def of(cls, rows: Sequence[Interrupt], decisions: Iterable[Decision]) -> _LogContext:
        runs = {run.pk: run for run in RUNS.all(json.dumps(sorted({row.run for row in rows})))}
        numbers = {key: run.number for key, run in runs.items() if run.number is not None}
        run_of = {row.pk: row.run for row in rows}
        seqs = ("opened_seq", "resolved_seq", "edited_seq", "escalated_seq")
        places = [(row.run, getattr(row, name)) for row in rows for name in seqs]
        places += [(run_of[one.interrupt_id], one.seq) for one in decisions]
        events = log.data_at(places, numbers)
        asked = [(row.run, events.get((row.run, row.opened_seq), {})) for row in rows]
        strict = {
            (run, 1) for run, data in asked if NEED_START & set(_policy(data).get("four_eyes", ()))
        }
        return cls(runs, drawings_of(runs.values()), events, log.data_at(strict, numbers))

    def at(self, row: Interrupt, seq: int | None) -> dict[str, Any]:
        """Return what the event of the interrupt's run at `seq` carries."""
        return self.events.get((row.run, seq or 0), {})


def _item(
    row: Interrupt,
    viewer: Actor,
    verdicts: VerdictsOfPage,
    around: _LogContext,
    beside: Beside,
) -> Item:
    run = around.runs.get(row.run)
    asked = around.at(row, row.opened_seq)
    started = {"started_by": run.started_by if run else None, **around.starts.get((row.run, 1), {})}
    policy = _policy(asked)
    said = [recorded(one, around.at(row, one.seq)) for one in beside.decisions.get(row.pk, ())]
    asking = Asking(
        row.kind,
        asked.get("eligible", policy.get("eligible")),
        around.at(row, row.escalated_seq).get("to", ()),
        (asked.get("quorum") or {}).get("seats", ()),
        kept_out(started, policy),
        {one.stands_for or one.by: one.by for one in said},
    )
    drawing = around.drawings.get(run.version_id or "") if run else None
    return Item(
        row,
        viewer,
        verdicts.people,
        verdicts.of(asking),
        run,
        (drawing and drawing.label(row.node)) or row.node,
        asked,
        _edited(row, around),
        around.at(row, row.resolved_seq),
        said,
        beside.claims.get(row.pk),
        beside.snoozes.get(row.pk),
        beside.delegations.get(row.pk),
        beside.comments.get(row.pk, 0),
        beside.lapses.get(row.pk),
        beside.held.mine.get(row.pk),
        beside.held.others.get(row.pk, ()),
        beside.cards.get(row.pk),
        drawing=drawing,
    )


def _edited(row: Interrupt, around: _LogContext) -> dict[str, Any]:
    """Return the event that says what was edited: the decision itself where that carries edits."""
    resolved = around.at(row, row.resolved_seq)
    return resolved if "edits" in resolved else around.at(row, row.edited_seq)


def _policy(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    return (asked.get("request") or {}).get("policy") or {}
