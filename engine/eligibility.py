"""Who may decide an interrupt, at the moment of deciding; and whom an approval asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import NodeError, RequestRefused
from engine.expressions import ExpressionInvalid, compile_expression
from engine.quorum import ANYONE, EVERY, NOBODY, Fills
from engine.requests import Actor
from engine.state import OpenInterrupt, RunState

DECIDING_ROLES = frozenset({"reviewer", "operator", "admin"})
"""Roles that may decide where a policy names nobody."""

ANSWERING_ROLES = DECIDING_ROLES | {"author"}
"""Roles that may answer a question: it asks for knowledge, not for a permission."""

QUESTIONS = frozenset({"text", "choice", "multi-choice", "form"})


def may_decide(state: RunState, opened: OpenInterrupt, actor: Actor) -> None:
    """Raise `NotEligible` unless `actor` may decide `opened` now. `cli` always may."""
    if actor.kind == "cli":
        return
    if not _allowed(state, opened, actor):
        raise RequestRefused("NotEligible", "you are not among those who may decide this")
    if fills_of(opened, actor) == []:
        raise RequestRefused("NotEligible", "everyone who was there when it was asked decides this")
    rule = excluded_by(state.started, opened.request.get("policy") or {}, actor)
    if rule is not None:
        raise RequestRefused(
            "NotEligible", f"four eyes: the {rule} of this may not decide it as well"
        )


def _allowed(state: RunState, opened: OpenInterrupt, actor: Actor) -> bool:
    if names_any(opened.escalated, actor):
        return True
    policy: Mapping[str, Any] = opened.request.get("policy") or {}
    eligible = policy.get("eligible") if opened.eligible is None else opened.eligible
    if eligible is None:
        return bool(actor.roles & (ANSWERING_ROLES if opened.kind in QUESTIONS else DECIDING_ROLES))
    return names_any(_computed(state, eligible), actor)


def may_decide_now(state: RunState, opened: OpenInterrupt, actor: Actor) -> bool:
    """Return whether `actor` may decide `opened` now."""
    try:
        may_decide(state, opened, actor)
    except RequestRefused:
        return False
    return True


def excluded_by(started: Mapping[str, Any], policy: Mapping[str, Any], actor: Actor) -> str | None:
    """Return which four-eyes rule keeps the actor out of a run started so, None if none does."""
    people: Mapping[str, Any] = started.get("people") or {}
    for rule in policy.get("four_eyes", ()):
        mine = [started.get("started_by")] if rule == "starter" else people.get(rule, ())
        if actor.id in {str(person) for person in mine}:
            return str(rule)
    return None


def names_any(entries: Sequence[str], actor: Actor) -> bool:
    """Return whether one of `user:x`, `group:y`, `role:z` names the actor."""
    return any(names(entry, actor) for entry in entries)


def names(entry: str, actor: Actor) -> bool:
    """Return whether `user:x`, `group:y` or `role:z` names the actor."""
    kind, _, name = entry.partition(":")
    if kind == "user":
        return name in (actor.id, actor.name)
    if kind == "group":
        return name in actor.groups
    return kind == "role" and name in actor.roles


def fills_of(opened: OpenInterrupt, actor: Actor) -> list[int] | None:
    """Return which seats of an approval the actor can fill; None for any.

    Whom an approval was escalated to stands in for anybody, and so does `cli`.
    """
    if not opened.seats or actor.kind == "cli" or names_any(opened.escalated, actor):
        return None
    return fills_among(opened.seats, actor)


def fills_among(seats: Sequence[str], actor: Actor) -> list[int] | None:
    """Return which of the seats the actor can fill by name, group or role; None for any."""
    if all(seat == ANYONE for seat in seats):
        return None
    return [i for i, seat in enumerate(seats) if seat == ANYONE or names(seat, actor)]


def asked_by(
    state: RunState, policy: Mapping[str, Any], members: Sequence[Actor] | None
) -> dict[str, Any]:
    """Return what opening an approval fixes: `eligible` as computed now, and `quorum`.

    `members` is everyone in the workspace, None where nobody knows (a script without directory).
    """
    eligible = policy.get("eligible")
    entries = None if eligible is None else _computed(state, eligible)
    found: dict[str, Any] = {} if entries is None else {"eligible": entries}
    rule: Any = policy.get("rule", "any")
    known = None if members is None else _allowed_by_four_eyes(state, policy, members)
    seats = seats_for(rule, entries, known)
    if seats:
        found["quorum"] = {"rule": rule if isinstance(rule, str) else "at_least", "seats": seats}
    return found


def _allowed_by_four_eyes(
    state: RunState, policy: Mapping[str, Any], members: Sequence[Actor]
) -> list[Actor]:
    return [member for member in members if not excluded_by(state.started, policy, member)]


def seats_for(
    rule: Any, entries: Sequence[str] | None, members: Sequence[Actor] | None
) -> list[str]:
    """Return the seats of a policy's rule; none for `any`, which one decision answers.

    `members` is who could be asked at all, None where nobody knows.
    """
    if rule == "any":
        return []
    if isinstance(rule, Mapping):
        return [ANYONE] * int(rule["at_least"])
    if rule == "per_group":
        seats = [ANYONE] if entries is None else list(dict.fromkeys(entries))
    else:
        seats = everyone(entries, members)
    return seats or [NOBODY]


def everyone(entries: Sequence[str] | None, members: Sequence[Actor] | None) -> list[str]:
    """Return a seat for each person that the entries name; absent entries: all reviewers."""
    if members is not None:
        mine = [m for m in members if by_default(m, entries) or names_any(entries or (), m)]
        return [f"user:{member.id}" for member in mine]
    listed = [f"role:{role}" for role in sorted(DECIDING_ROLES)] if entries is None else entries
    return [e if e.startswith("user:") else EVERY + e for e in dict.fromkeys(listed)]


def by_default(actor: Actor, entries: Sequence[str] | None) -> bool:
    """Return whether no entries are given and the actor's role decides."""
    return entries is None and bool(actor.roles & DECIDING_ROLES)


def candidates(
    state: RunState, opened: OpenInterrupt, members: Sequence[Actor] | None
) -> list[Fills] | None:
    """Return what everyone could fill who may still decide; None where nobody knows them.

    A decision by `cli` takes the place of one of them.
    """
    if members is None:
        entries = (*(opened.eligible or ("",)), *opened.escalated)
        if not all(entry.startswith("user:") for entry in entries):
            return None
        members = [Actor(entry.partition(":")[2]) for entry in dict.fromkeys(entries)]
    can = [m for m in members if m.id not in opened.decisions and may_decide_now(state, opened, m)]
    stood_in = sum(bool(said.get("cli")) for said in opened.decisions.values())
    return [fills_of(opened, member) for member in can[: max(len(can) - stood_in, 0)]]


def _computed(state: RunState, entries: Sequence[str]) -> list[str]:
    """Return the entries with every `=expression` replaced by what it yields now."""
    found: list[str] = []
    for entry in entries:
        found += computed(state, entry[1:]) if entry.startswith("=") else [entry]
    return found


def computed(state: RunState, expression: str) -> list[str]:
    """Return the entries that a policy's `=expression` yields over memory and context."""
    scope = {"memory": state.memory, "context": state.context, "metadata": state.metadata,
             "goal": state.goal, "outputs": state.outputs}  # fmt: skip
    try:
        value = compile_expression(expression).evaluate(scope)
    except (NodeError, ExpressionInvalid):
        return []
    values = value if isinstance(value, list) else [value]
    return [v for v in values if isinstance(v, str) and not v.startswith("=")]
