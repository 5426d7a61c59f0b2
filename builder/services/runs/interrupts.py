"""The one decision service: every channel answers interrupts through it."""

from __future__ import annotations

import hmac
from dataclasses import replace
from typing import Any

from builder.adapters.directory import actor_of
from builder.base import engine_door
from builder.base.errors import NotAllowed
from builder.models import Interrupt, Membership, RunRequest
from builder.services.permissions import QUESTIONS, Right, require
from builder.services.runs import mailbox
from builder.services.runs.deciding.gestures import require_gesture
from engine.core.errors import RequestRefused
from engine.core.state.requests import Answer
from engine.runtime.mailbox import wishes


def answer_interrupt(
    member: Membership,
    interrupt: Interrupt,
    answer: Answer,
    *,
    interactive: bool,
    via: str = "",
    alone: bool = True,
) -> dict[str, Any]:
    """Ask that an answer counts, of the engine, which decides who may; return the decided record.

    Without an interactive session (an API token) only questions can be answered: decisions are
    made by people who look. `via` names the channel where that says it not; what is not decided
    `alone` takes a gesture wherever its policy may ask for one. Raises `RequestRefused` as the engine
    does, `NotConfirmed`, and `NotYet`.
    """
    more: Any = {"interactive": interactive, "via": via, "alone": alone}
    asked = ask_answer(member, interrupt, answer, **more)
    return mailbox.outcome(asked.run_id, asked.pk)


def ask_answer(
    member: Membership,
    interrupt: Interrupt,
    answer: Answer,
    *,
    interactive: bool,
    via: str = "",
    alone: bool = True,
) -> RunRequest:
    """Write the same wish without waiting for what becomes of it."""
    require(member, Right.VIEW)
    if not interactive and interrupt.kind not in QUESTIONS:
        raise NotAllowed("a decision needs a signed-in person", code="NotEligible")
    if interrupt.status == Interrupt.Status.OPEN:
        require_gesture(member, interrupt, answer, alone=alone)
    actor = replace(actor_of(member), via=via or ("page" if interactive else "token"))
    expected = engine_door.engine().resume_token(interrupt.pk)
    if not hmac.compare_digest(answer.token.encode(), expected.encode()):
        raise RequestRefused("InterruptNotFound", "no such request, or the token is not its own")
    return mailbox.ask(interrupt.run, wishes.answer(interrupt.pk, answer, actor))
