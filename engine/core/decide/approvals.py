"""Approvals that need several people: each decision is recorded, the rule says when it closes.

`docs/decisions/004-approval-quorum.md` has the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from engine.core.decide.transition import Transition
from engine.core.errors import RequestRefused
from engine.core.people.deciding import Deciding
from engine.core.people.edits import recorded_edits
from engine.core.people.eligibility import Asking, asking, candidates, computed
from engine.core.people.quorum import can_be_met, missing
from engine.core.state.event_types.waits import (
    Decision,
    DecisionDropped,
    DecisionRecorded,
    DropReason,
)
from engine.core.state.fold.people import remind_timer
from engine.core.state.requests import Actor
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.core.values.json import FrozenDict, freeze

Closing = Decision | None
"""As what an approval closes, None while it stays open."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's decision, and the content as it leaves it: `edits` of the reviewed slice."""

    right: Deciding
    decision: Decision
    comment: str | None
    edits: FrozenDict
    content_hash: str
    data: FrozenDict
    """The reviewed slice as it was opened."""


def record_vote(
    tx: Transition, opened: OpenInterrupt, vote: Vote, members: Sequence[Actor] | None
) -> Closing:
    """Record a decision that was found to be the actor's to make; return what closes.

    The same decision of the same person again records nothing. Raises `AlreadyDecided` for an
    approval by someone who has rejected.
    """
    actor, stands_for = vote.right.actor, vote.right.stands_for
    who = _person(opened, actor)
    changed = vote.edits != opened.edits
    before = opened.decisions.get(who)
    same = before is not None and (before["decision"], before.get("stands_for")) == (
        vote.decision,
        stands_for,
    )
    if same and not changed:
        return None
    if before is not None and before["decision"] == "rejected":
        raise _stands(who, before)
    asked = asking(tx.state, opened)
    fills = asked.fills(vote.right.who)
    if changed:
        recorded_edits(tx.state, opened, vote.data, vote.edits, who)  # refused before any drop
    _drop(tx, opened, asked, who, members, changed=changed)
    data: DecisionRecorded = {
        "request_id": opened.request_id,
        "by": who,
        "decision": vote.decision,
        "fills": None if fills is None else freeze(fills),
        "content_hash": opened.content_hash,
    }
    if actor.kind == "cli":
        data["cli"] = True
    if stands_for is not None:
        data["stands_for"] = stands_for
    if actor.via:
        data["via"] = actor.via
    if vote.comment:
        data["comment"] = freeze(vote.comment)
    if changed:
        data["edits"], data["content_hash"] = vote.edits, vote.content_hash
        data |= recorded_edits(tx.state, opened, vote.data, vote.edits, who)  # type: ignore[typeddict-item]
    tx.emit("DecisionRecorded", opened.key, data)
    return closing(tx.state, opened, vote.decision, members)


def _stands(who: str, before: Mapping[str, Any]) -> RequestRefused:
    said = {name: before.get(name) for name in ("at", "decision", "comment")}
    message = "you rejected this: a rejection stands"
    return RequestRefused("AlreadyDecided", message, detail={"decided": {"by": who, **said}})


def _person(opened: OpenInterrupt, actor: Actor) -> str:
    """Return under which name a decision counts; each of `cli` is somebody else's."""
    if actor.kind != "cli":
        return actor.id
    names = (actor.id if n == 1 else f"{actor.id}:{n}" for n in count(1))
    return next(name for name in names if name not in opened.decisions)


def _drop(
    tx: Transition,
    opened: OpenInterrupt,
    asked: Asking,
    who: str,
    members: Sequence[Actor] | None,
    *,
    changed: bool,
) -> None:
    """Drop what others said about other content, or may not say any more."""
    by_id = None if members is None else {member.id: member for member in members}
    for person, said in list(opened.decisions.items()):
        reason: DropReason | None = None
        if person != who and changed:
            reason = "content_changed"
        elif person != who and by_id is not None and not said.get("cli"):
            place = by_id.get(said.get("stands_for") or person)
            reason = _lost(asked, said, by_id.get(person), place)
        if reason is not None:
            data: DecisionDropped = {
                "request_id": opened.request_id,
                "by": person,
                "reason": reason,
                "decision": said["decision"],
                "decided": said["seq"],
                "content_hash": said.get("content_hash"),
            }
            tx.emit("DecisionDropped", opened.key, data)


def _lost(
    asked: Asking, said: FrozenDict, member: Actor | None, place: Actor | None
) -> DropReason | None:
    """Return why a decision no longer counts: who made it left, or lost what made them eligible.

    One that was made in another's `place` outlasts the absence; both must still be eligible.
    """
    if member is None or place is None or asked.why_not_as(member, place) is not None:
        return "not_eligible"
    now, then = asked.fills(place), said["fills"]
    kept = now is None or (then is not None and set(then) <= set(now))
    return None if kept else "not_eligible"


def closing(
    state: RunState, opened: OpenInterrupt, decision: str, members: Sequence[Actor] | None
) -> Closing:
    """Return how the approval closes now that `decision` was recorded, None if it stays open."""
    approvals = [s["fills"] for s in opened.decisions.values() if s["decision"] == "approved"]
    if decision == "approved":
        met = not missing(opened.seats, approvals)
        return "approved" if met else None
    if not _survives(state, opened, approvals, members):
        return "rejected"
    return None


def _survives(
    state: RunState, opened: OpenInterrupt, approvals: list[Any], members: Sequence[Actor] | None
) -> bool:
    """Return whether enough people could still approve after a rejection."""
    policy = opened.request.get("policy") or {}
    if policy.get("veto") or opened.rule == "all":
        return False
    left = candidates(state, opened, members)
    return left is not None and can_be_met(opened.seats, approvals, left)


def open_record(opened: OpenInterrupt) -> dict[str, Any]:
    """Return where an approval stands that is not decided yet."""
    return {"outcome": "open", "kind": opened.kind, "decisions": FrozenDict(opened.decisions)}


def remind(tx: Transition, name: str) -> None:
    """Remind once of everything that is due, unless the deadline has passed or it is closed."""
    request_id = name.partition(":")[2].partition("|")[0]
    opened = tx.state.interrupts.get(request_id)
    if opened is None or _late(tx, opened):
        return
    reminders = (opened.request.get("policy") or {}).get("reminders", ())
    timers = tx.state.timers
    due = [
        number
        for number in range(len(reminders))
        if (timer := timers.get(remind_timer(request_id, number))) and timer[0] <= tx.now
    ]
    number = max(due) + 1
    tx.emit("InterruptReminded", opened.key, {"request_id": request_id, "number": number})


def escalate(tx: Transition, request_id: str) -> None:
    """Let the people of the escalation decide too, unless the deadline has passed."""
    opened = tx.state.interrupts.get(request_id)
    if opened is None or _late(tx, opened):
        return
    entries: list[str] = []
    for entry in opened.request["policy"]["escalation"]["to"]:
        entries += computed(tx.state, entry[1:]) if entry.startswith("=") else [entry]
    tx.emit("InterruptEscalated", opened.key, {"request_id": request_id, "to": freeze(entries)})


def _late(tx: Transition, opened: OpenInterrupt) -> bool:
    return opened.expires_at is not None and opened.expires_at <= tx.now
