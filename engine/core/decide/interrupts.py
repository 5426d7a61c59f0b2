"""Interrupts: opening a pause, and the one place where an answer counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from engine.core.budgets.rows import limit_moved
from engine.core.decide.approvals import Vote, open_record, record_vote
from engine.core.decide.begin.breakpoints import end_at_breakpoint
from engine.core.decide.clocks.asking_back import run_on
from engine.core.decide.endings import begin_ending
from engine.core.decide.in_doubt import request_id_of, resolve_doubt
from engine.core.decide.transition import Transition
from engine.core.errors import RequestRefused
from engine.core.node_types.view import memory_slice, value_at
from engine.core.people.answers import raw_answer, typed_answer
from engine.core.people.asked_calls import bound_hash, is_asked_call, refusal_text
from engine.core.people.deciding import Deciding
from engine.core.people.edits import recorded_edits
from engine.core.people.eligibility import asking, in_whose_place, may_decide, may_raise
from engine.core.people.start_fields import is_start_field, shown_of_start
from engine.core.state.event_types.waits import (
    Asked,
    Covered,
    InterruptKind,
    InterruptOpened,
    InterruptResolved,
    Resolution,
)
from engine.core.state.lanes import item_keys
from engine.core.state.requests import Actor, Answer
from engine.core.state.run_state import Activation, OpenInterrupt, RunState
from engine.core.values.json import FrozenDict, FrozenList, InvalidJson, digest, freeze


def open_interrupt(
    tx: Transition,
    act: Activation,
    path: str,
    kind: InterruptKind,
    request: FrozenDict,
    *,
    timeout_ms: int | None = None,
    asked: Asked | None = None,
) -> str:
    """Emit `InterruptOpened` for `act` at `path` and return the request id."""
    request_id = request_id_of(tx.state.run_id, act.key, path, tx.state.seq + 1)
    data: InterruptOpened = {
        "request_id": request_id,
        "kind": kind,
        "request": request,
        "path": path,
        "request_hash": digest(request) if asked is None else asked["request_hash"],
    }
    if timeout_ms is not None:
        data["expires_at"] = tx.now + timeout_ms
    if asked is not None:
        data |= asked  # type: ignore[typeddict-item]
    tx.emit("InterruptOpened", act.key, data)
    return request_id


def reviewed_slice(state: RunState, keys: Sequence[str], key: str | None = None) -> FrozenDict:
    """Return what a reviewer of these keys sees of memory, and of the start.

    Where the activation `key` works on an item of a map, the item stands beside memory.
    """
    act = state.activations.get(key or "")
    item = item_keys(state, act) if act is not None and act.isolated else {}
    found = memory_slice(
        {**state.memory, **item} if item else state.memory,
        [name for name in keys if not is_start_field(name)],
    )
    given = shown_of_start(state.started.get("input"), keys)
    return FrozenDict({**found, **given}) if given else found


def reviewed_digests(state: RunState, keys: Sequence[str]) -> dict[str, str]:
    """Return a digest for each reviewed key as it stands; a map's item never changes.

    Of a key with dots it is that of the part which it names.
    """
    found: dict[str, str] = {}
    given = shown_of_start(state.started.get("input"), keys)
    for key in (name for name in keys if not is_start_field(name)):
        shown = memory_slice(state.memory, (key,))
        if key in state.memory or "." not in key:
            found |= {name: digest(value) for name, value in shown.items()}
        elif shown:
            found[key] = digest(value_at(shown, key))
    return found | {key: digest(value) for key, value in given.items()}


def content_hash(state: RunState, node: str, data: FrozenDict) -> str:
    """Return the hash that binds a decision to the graph version and the reviewed slice."""
    return digest([state.started.get("graph_hash", ""), node, data])


def _shown(state: RunState, opened: OpenInterrupt) -> FrozenDict:
    """Return what a decision is about: a call's arguments, else the reviewed slice as it is now."""
    if is_asked_call(opened):
        return opened.request["data"]  # type: ignore[no-any-return]
    return reviewed_slice(state, opened.review_keys, opened.key)


def _bound(state: RunState, opened: OpenInterrupt, content: dict[str, Any]) -> str:
    """Return the hash that binds a decision to this content."""
    if is_asked_call(opened):
        return bound_hash(opened, content)
    return content_hash(state, opened.request["node"], FrozenDict(content))


def supersede_changed(tx: Transition) -> None:
    """Close open approvals whose reviewed slice is no longer what they showed; they open anew."""
    for opened in list(tx.state.interrupts.values()):
        if opened.kind != "approval" or opened.slice_hash is None or is_asked_call(opened):
            continue
        data = reviewed_slice(tx.state, opened.review_keys, opened.key)
        node = opened.request.get("node", "")
        if content_hash(tx.state, node, data) != opened.slice_hash:
            tx.emit(
                "InterruptResolved",
                opened.key,
                {"request_id": opened.request_id, "outcome": "superseded"},
            )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an answer: the recorded decision, or why it does not count."""

    record: dict[str, Any] | None = None
    refused: RequestRefused | None = None


def decide(
    tx: Transition,
    request_id: str,
    answer: Answer,
    actor: Actor,
    members: Sequence[Actor] | None = None,
) -> Verdict:
    """Let an answer count, once. Never raises: a refusal may come with a late timeout it fired.

    `members` are the people of the workspace now, where an approval needs several.
    """
    state = tx.state
    run_on(tx, request_id)
    opened = state.interrupts.get(request_id)
    if opened is None:
        return _already(state, request_id, answer, actor)
    if opened.expires_at is not None and opened.expires_at <= tx.asked_at:
        expire(tx, request_id)
        return _already(state, request_id, answer, actor)
    try:
        right = _right(state, opened, answer, actor)
        _check_seen(opened, answer, actor)
        if opened.kind == "budget":
            if answer.decision == "raise":
                may_raise(opened, actor)
            _same_limit(tx, opened)
        if opened.seats and not answer.cancel:
            data = _vote(tx, opened, answer, right, members)
        else:
            data = _resolution(state, opened, answer, right)
    except RequestRefused as refused:
        return Verdict(refused=refused)
    if not data:
        return Verdict(record=open_record(opened))
    resolved: InterruptResolved = {"request_id": request_id, "by": actor.id, **data}  # type: ignore[typeddict-item]
    if actor.via:
        resolved["via"] = actor.via
    if right.stands_for is not None:
        resolved["stands_for"] = right.stands_for
    tx.emit("InterruptResolved", opened.key, resolved)
    _follow(tx, opened, answer, data, actor)
    return Verdict(record=state.resolved[request_id])


def _right(state: RunState, opened: OpenInterrupt, answer: Answer, actor: Actor) -> Deciding:
    """Return who decides and in whose place. Raises `RequestRefused` `NotEligible`."""
    may_decide(state, opened, actor)
    if opened.kind == "breakpoint":
        return Deciding(actor)
    asked = asking(state, opened)
    place = in_whose_place(asked, actor, answer.stands_for)
    return Deciding(actor, place, asked.as_whom(actor))


def _check_seen(opened: OpenInterrupt, answer: Answer, actor: Actor) -> None:
    """Raise `ContentChanged` unless the answer is about what the request shows now.

    Once an approver has edited it, a person has to say which content they mean.
    """
    seen = answer.content_hash
    unsaid = seen is None and bool(opened.edits) and actor.kind != "cli"
    if unsaid or seen not in (None, opened.content_hash or seen):
        raise RequestRefused("ContentChanged", "what was decided on has changed: look at it again")


def _vote(
    tx: Transition,
    opened: OpenInterrupt,
    answer: Answer,
    right: Deciding,
    members: Sequence[Actor] | None,
) -> Resolution | None:
    """Record one decision of several; return what closes the request, None while it stays open."""
    said = typed_answer(tx.state, opened, answer, right)
    data = _shown(tx.state, opened)
    merged = {**opened.edits, **(said.get("edits") or {})}
    edits = FrozenDict({k: v for k, v in merged.items() if k not in data or data[k] != v})
    shown = _bound(tx.state, opened, {**data, **edits})
    vote = Vote(right, said["decision"], answer.comment, edits, shown, data)
    decision = record_vote(tx, opened, vote, members)
    if decision is None:
        return None
    closed: Resolution = {"outcome": "answered", "decision": decision, "answer": decision}
    if answer.comment:
        closed["comment"] = freeze(answer.comment)
    closed["content_hash"] = opened.content_hash
    if decision == "rejected" and is_asked_call(opened):
        closed["told"] = refusal_text(right.actor.name or right.actor.id, answer.comment)
    if opened.changes:
        closed["changes"] = FrozenList(opened.changes)
    if opened.prompt is not None:
        closed["prompt"] = opened.prompt
    if closed["decision"] == "approved":
        if opened.edits:
            closed["edits"] = opened.edits
        closed |= _covered(tx.state, opened, opened.edits)  # type: ignore[typeddict-item]
    return closed


def _covered(state: RunState, opened: OpenInterrupt, edits: Mapping[str, Any]) -> Covered:
    """Return what an approval covers: digests of the reviewed keys, edits included.

    One of a call covers that call and nothing that comes after it.
    """
    if is_asked_call(opened):
        return {}
    digests = reviewed_digests(state, opened.review_keys)
    digests |= {key: digest(value) for key, value in edits.items()}
    return {
        "reviewed": FrozenDict(digests),
        "approval": opened.request.get("approval", opened.key),
    }


def _same_limit(tx: Transition, opened: OpenInterrupt) -> None:
    """Refuse to decide on a shared budget that others have raised, or cut, since the question."""
    row = tx.ledger.rows.get(opened.request["budget"])
    if row is not None and limit_moved(row, opened.request):
        raise RequestRefused("ContentChanged", "the limit has changed meanwhile: look at it again")


def _resolution(
    state: RunState, opened: OpenInterrupt, answer: Answer, right: Deciding
) -> Resolution:
    if answer.cancel:
        return {"outcome": "cancelled"}
    data: Resolution = {"outcome": "answered", **typed_answer(state, opened, answer, right)}  # type: ignore[typeddict-item]
    given = raw_answer(answer)
    if given is not None and given != data["answer"]:
        data["given"] = freeze(given)
    if answer.comment:
        data["comment"] = freeze(answer.comment)
    if opened.kind == "approval":
        _decided_on(state, opened, data, right.actor)
    return data


def _decided_on(state: RunState, opened: OpenInterrupt, data: Resolution, actor: Actor) -> None:
    """Add what one person's decision was about: the content by its hash, what they changed."""
    edits: Mapping[str, Any] = data.get("edits") or {}
    data["content_hash"] = opened.content_hash
    if data["decision"] == "rejected" and is_asked_call(opened):
        data["told"] = refusal_text(actor.name or actor.id, data.get("comment"))
    if edits:
        slice_ = _shown(state, opened)
        data |= recorded_edits(state, opened, slice_, edits, actor.id)  # type: ignore[typeddict-item]
        data["content_hash"] = _bound(state, opened, {**slice_, **edits})
    if data["decision"] == "approved":
        data |= _covered(state, opened, edits)  # type: ignore[typeddict-item]


def _follow(
    tx: Transition, opened: OpenInterrupt, answer: Answer, data: Resolution, actor: Actor
) -> None:
    """Apply what some answers cause beyond waking the activation."""
    if data["outcome"] == "cancelled":
        begin_ending(tx, "cancelled", "cancelled", None, by=actor.id)
    elif opened.kind == "breakpoint" and data["decision"] == "stop":
        begin_ending(tx, "cancelled", "stopped at a breakpoint", None, by=actor.id)
    elif opened.kind == "in_doubt":
        value = answer.result if data["decision"] == "happened" else None
        resolve_doubt(tx, opened.key, opened.request, data["decision"], _plain(value))
    elif opened.kind == "budget" and data["decision"] == "raise":
        raised = data["answer"]
        usd, tokens = Decimal(raised["add_usd"]), raised["add_tokens"]
        tx.ledger.raise_limit(opened.request["budget"], usd, tokens, run_id=tx.state.run_id)
        tx.emit(
            "BudgetRaised",
            opened.key,
            {
                "budget": opened.request["budget"],
                "add_usd": raised["add_usd"],
                "add_tokens": tokens,
                "by": actor.id,
            },
        )


def _plain(value: object) -> Any:
    from engine.core.node_types.node_type import UNSET

    return None if value is UNSET else value


def _already(state: RunState, request_id: str, answer: Answer, actor: Actor) -> Verdict:
    record = state.resolved.get(request_id)
    if record is None:
        refused = RequestRefused("InterruptNotFound", "no such request")
        return Verdict(refused=refused)
    if _said_so(record, answer, actor):
        return Verdict(record=record)
    decided = {k: v for k, v in record.items() if k not in ("kind", "decisions")}
    if record["kind"] == "approval":
        said = record.get("decision") or record["outcome"]
        return Verdict(
            refused=RequestRefused(
                "AlreadyDecided", f"already decided: {said}", detail={"decided": decided}
            )
        )
    return Verdict(
        refused=RequestRefused(
            "InterruptClosed", f"already {record['outcome']}", detail={"decided": decided}
        )
    )


def _said_so(record: dict[str, Any], answer: Answer, actor: Actor) -> bool:
    """Return whether this is a decision again that the actor has made already."""
    mine = record.get("decisions", {}).get(actor.id)
    if mine is not None:
        return bool(mine["decision"] == answer.decision)
    if record.get("by") != actor.id:
        return False
    if answer.cancel or record["outcome"] != "answered":
        return answer.cancel and record["outcome"] == "cancelled"
    return _same_answer(record, answer)


def _same_answer(record: dict[str, Any], answer: Answer) -> bool:
    if answer.decision is not None:
        return record.get("decision") == answer.decision
    try:
        given = freeze(raw_answer(answer))
    except (RequestRefused, InvalidJson):
        return False
    said = record.get("given", record.get("answer"))
    if record["kind"] in ("choice", "multi-choice"):
        return given is not None and _chosen(given) == _chosen(said)
    return given is not None and given == said


def _chosen(said: object) -> Any:
    """Return option ids in one form: `"a"` and `["a"]` are the same choice, in any order."""
    ids = [said] if isinstance(said, str) else said
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        return said
    return sorted(set(ids))


def expire(tx: Transition, request_id: str) -> None:
    """Let a deadline pass: the one outcome event of an interrupt that nobody answered."""
    opened = tx.state.interrupts.get(request_id)
    if opened is None:
        return
    data: InterruptResolved = {"request_id": request_id, "outcome": "expired"}
    if opened.kind == "approval":
        data["decision"] = "timed_out"
    tx.emit("InterruptResolved", opened.key, data)
    if opened.kind == "breakpoint":
        end_at_breakpoint(tx)
