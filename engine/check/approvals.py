"""Approvals that nobody may decide, given who is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.check.subject import NodeSubject, Subject
from engine.eligibility import DECIDING_ROLES, is_named
from engine.problems import Problem, one_of
from engine.requests import Actor


def find(subject: Subject) -> Iterator[Problem]:
    """Yield the approvals that could only time out."""
    people = subject.world.people()
    for node in subject.nodes:
        if not node.is_gate or node.spec.disabled or node.config is None:
            continue
        policy: Any = getattr(node.config, "policy", None)
        message = _of_policy(policy) or _of_people(policy, people)
        if message is not None:
            yield _problem(node, policy, message)


def _problem(node: NodeSubject, policy: Any, message: str) -> Problem:
    place = "config.policy" if _eligible(policy) is None else "config.policy.eligible"
    return node.problem("NobodyMayDecide", place, message)


def _eligible(policy: Any) -> tuple[str, ...] | None:
    found: tuple[str, ...] | None = getattr(policy, "eligible", None)
    return found


def _of_policy(policy: Any) -> str | None:
    """Return what is wrong whoever there is."""
    eligible = _eligible(policy)
    if eligible is None:
        return None
    people, needed = set(eligible), _needed(policy)
    if not people:
        return "Nobody is eligible, so it can only time out: name people, or remove the list."
    if all(name.startswith("user:") for name in people) and len(people) < needed:
        return f"{needed} approvals are needed, but only {len(people)} people are eligible."
    return None


def _needed(policy: Any) -> int:
    return int(getattr(getattr(policy, "rule", None), "at_least", 1))


def _of_people(policy: Any, people: Sequence[Actor] | None) -> str | None:
    """Return what is wrong given the people of the workspace; None where they are not known."""
    eligible = _eligible(policy)
    if people is None or any(entry.startswith("=") for entry in eligible or ()):
        return None
    if eligible is None:
        able = [person for person in people if person.roles & DECIDING_ROLES]
        if not able:
            return (
                "Nobody in the workspace may decide, so it can only time out:"
                f" give somebody a role ({one_of(DECIDING_ROLES)}), or name people."
            )
    else:
        able = [p for p in people if any(is_named(entry, p) for entry in eligible)]
        if not able:
            return (
                f"Nobody in the workspace is {_or(eligible)}, so it can only time out:"
                " name people who are here."
            )
    return _too_few(policy, able)


def _too_few(policy: Any, able: Sequence[Actor]) -> str | None:
    needed = _needed(policy)
    if len(able) < needed:
        return f"{needed} approvals are needed, but only {len(able)} people here are eligible."
    if len(able) == 1 and "starter" in getattr(policy, "four_eyes", ()):
        who = able[0].name or able[0].id
        return (
            f"Only {who} may decide, and four eyes keeps them from runs that they start:"
            " make somebody else eligible."
        )
    return None


def _or(entries: Sequence[str]) -> str:
    return " or ".join(f'"{entry}"' for entry in entries)
