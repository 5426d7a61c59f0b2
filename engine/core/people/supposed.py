"""Who could decide an approval that would open now: the rules of `eligibility`, before there is a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.people.eligibility import Asking, kept_out, names, opening_seats
from engine.core.people.quorum import ANYONE, can_be_met
from engine.core.state.requests import Actor


@dataclass(frozen=True, slots=True)
class Refused:
    """Somebody who is asked and may not decide: why, and the four-eyes rule if it is one."""

    actor: Actor
    why: str
    rule: str | None


@dataclass(frozen=True, slots=True)
class Supposed:
    """Who could decide. `later` may once it is escalated; `strangers` are entries that name nobody.

    `met`: whether those who can are enough by the rule; None where an `=expression` of
    `computed` names people that only a run knows.
    """

    can: Sequence[Actor]
    later: Sequence[Actor]
    cannot: Sequence[Refused]
    strangers: Sequence[str]
    computed: Sequence[str]
    met: bool | None


def supposed(
    policy: Mapping[str, Any], started: Mapping[str, Any], members: Sequence[Actor]
) -> Supposed:
    """Return who of the members could decide under the policy, in a run that was started so."""
    eligible, escalation = policy.get("eligible"), policy.get("escalation") or {}
    entries, to = None if eligible is None else _said(eligible), _said(escalation.get("to", ()))
    seats = opening_seats(started, policy, entries, members)
    out = kept_out(started, policy)
    now = Asking("approval", entries, (), seats, out)
    then = Asking("approval", entries, to, seats, out)
    refused = {m.id: why for m in members if (why := now.why_not(m)) is not None}
    can = [m for m in members if m.id not in refused]
    later = [m for m in members if m.id in refused and to and then.why_not(m) is None]
    spared = {m.id for m in later}
    asked = [m for m in members if m.id in refused and m.id not in spared and then.why(m)]
    computed = [e for e in (*(eligible or ()), *escalation.get("to", ())) if e.startswith("=")]
    own = [m for m in can if now.why_not_oneself(m) is None]
    met = can_be_met(seats or [ANYONE], [], [now.fills(m) for m in own])
    return Supposed(
        can,
        later,
        [Refused(m, refused[m.id], now.kept_out_as(m)) for m in asked],
        [
            e
            for e in dict.fromkeys((*(entries or ()), *to))
            if not any(names(e, m) for m in members)
        ],
        computed,
        None if computed else met,
    )


def _said(entries: Sequence[str]) -> list[str]:
    """Return the entries that say whom they mean without a run."""
    return [entry for entry in entries if not entry.startswith("=")]
