"""Approvals that nobody, or not enough people, may give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.check.subject import Subject
from engine.core.graph.problems import Problem
from engine.core.people.eligibility import fills_among, may_be_asked, seats_for
from engine.core.people.quorum import ANYONE, Fills, can_be_met
from engine.core.state.requests import Actor

DEFAULTS: Final[dict[str, Any]] = {
    "eligible": None,
    "rule": "any",
    "four_eyes": [],
    "escalation": None,
}
"""What an approval without a policy asks: anybody whose role may decide."""


def find(subject: Subject) -> Iterator[Problem]:
    """Yield approvals that can only time out, as far as the document and the workspace tell."""
    people = subject.world.people()
    for node in subject.nodes:
        if node.is_gate and node.config is not None and not node.spec.disabled:
            policy = getattr(node.config, "policy", None)
            asked = DEFAULTS if policy is None else policy.model_dump(mode="json")
            short = short_of_people(
                in_time(asked, getattr(node.config, "timeout_ms", None)), people
            )
            if short is not None:
                yield node.problem("NobodyMayDecide", f"config.policy.{short[0]}", short[1])


def in_time(policy: Mapping[str, Any], timeout_ms: int | None) -> Mapping[str, Any]:
    """Return a policy without an escalation that comes when the time is over; None: it never is."""
    escalation = policy["escalation"]
    late = timeout_ms is not None and escalation and escalation["after_ms"] >= timeout_ms
    return {**policy, "escalation": None} if late else policy


def short_of_people(
    policy: Mapping[str, Any], people: Sequence[Actor] | None
) -> tuple[str, str] | None:
    """Return which field of a policy asks for people that there are not, and why; else None."""
    eligible, escalation = policy["eligible"], policy["escalation"]
    later = [] if escalation is None else escalation["to"]
    listed = [*(eligible or ()), *later]
    if any(entry.startswith("=") for entry in listed):
        return None
    if people is None:
        if eligible is None or not all(entry.startswith("user:") for entry in listed):
            return None
        people = [Actor(entry.partition(":")[2]) for entry in dict.fromkeys(listed)]
    first = [p for p in people if may_be_asked(p, eligible)]
    spare = [p for p in people if p not in first and may_be_asked(p, later)]
    seats = seats_for(policy["rule"], eligible, people) or [ANYONE]
    fills: list[Fills] = [fills_among(seats, person) for person in first]
    if can_be_met(seats, [], [*fills, *(None for _ in spare)]):
        return _alone(policy, [*first, *spare])
    return "rule" if eligible is None else "eligible", _why(len(seats), [*first, *spare])


def _alone(policy: Mapping[str, Any], pool: Sequence[Actor]) -> tuple[str, str] | None:
    """Return that the only one who may decide is kept out of the runs that they start."""
    if len(pool) == 1 and "starter" in policy["four_eyes"]:
        message = (
            f"Only {pool[0].name or pool[0].id} may decide, and may not in runs that they"
            " start: make somebody else eligible."
        )
        return "four_eyes", message
    return None


def _why(needed: int, pool: Sequence[Actor]) -> str:
    if not pool:
        return "Nobody is eligible, so it can only time out: name people, or remove the list."
    named = ", ".join(person.name or person.id for person in pool[:3])
    who = named if len(pool) <= 3 else f"{named} and {len(pool) - 3} more"
    return f"{needed} people must approve, and only {who} may: name others, or ask for fewer."
