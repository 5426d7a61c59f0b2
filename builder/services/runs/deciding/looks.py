"""Keeps how an approval was looked at before it was decided, for the figures of reviewers."""

from __future__ import annotations

from dataclasses import dataclass

from builder.models import Interrupt, Look, Membership
from engine.core.state.requests import Answer


@dataclass(frozen=True, slots=True)
class Seen:
    """For how long an item was on screen, and whether it was scrolled, opened or read whole."""

    ms: int
    opened: bool


def keep_look(
    member: Membership, interrupt: Interrupt, answer: Answer, seen: Seen | None = None
) -> None:
    """Keep it beside what the member is about to decide; the last one stays.

    Written before the decision, so that none counts without it; a decision that is refused leaves a
    row that no figure looks at.
    """
    if interrupt.kind != "approval" or interrupt.status != Interrupt.Status.OPEN or answer.cancel:
        return
    look = Look(
        interrupt=interrupt,
        user=member.user,
        ms=None if seen is None else seen.ms,
        opened=None if seen is None else seen.opened,
        edited=bool(answer.edits),
    )
    Look.objects.bulk_create(
        [look],
        update_conflicts=True,
        unique_fields=["interrupt", "user"],
        update_fields=["ms", "opened", "edited"],
    )  # one statement: who writes a transaction keeps the engine from writing
