"""The one decision service: every channel answers interrupts through it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from builder.adapters.directory import actor_of
from builder.base import engine_door
from builder.base.errors import NotAllowed
from builder.models import Interrupt, Membership
from builder.services.permissions import QUESTIONS, Right, require
from builder.services.runs.deciding.gestures import require_gesture
from engine.core.state.requests import Answer


def answer_interrupt(
    member: Membership,
    interrupt: Interrupt,
    answer: Answer,
    *,
    interactive: bool,
    via: str = "",
    alone: bool = True,
) -> dict[str, Any]:
    """Hand an answer to the engine, which decides who may, and return the decided record.

    Without an interactive session (an API token) only questions can be answered: decisions are
    made by people who look. `via` names the channel where that says it not; what is not decided
    `alone` takes a gesture wherever its policy may ask for one. Raises `RequestRefused` as the engine
    does, and `NotConfirmed`.
    """
    require(member, Right.VIEW)
    if not interactive and interrupt.kind not in QUESTIONS:
        raise NotAllowed("a decision needs a signed-in person", code="NotEligible")
    if interrupt.status == Interrupt.Status.OPEN:
        require_gesture(member, interrupt, answer, alone=alone)
    actor = replace(actor_of(member), via=via or ("page" if interactive else "token"))
    return engine_door.engine().answer(interrupt.run, interrupt.pk, answer, actor)
