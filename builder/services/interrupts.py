"""The one decision service: every channel answers interrupts through it."""

from __future__ import annotations

from typing import Any

from builder import log, runtime
from builder.directory import actor_of
from builder.errors import NotAllowed
from builder.models import Interrupt, Membership
from builder.permissions import QUESTIONS, Right, require
from builder.services import budgets
from engine.budget_rows import SHARED
from engine.requests import Answer


def answer_interrupt(
    member: Membership, interrupt: Interrupt, answer: Answer, *, interactive: bool
) -> dict[str, Any]:
    """Hand an answer to the engine, which decides who may, and return the decided record.

    Without an interactive session (an API token) only questions can be answered: decisions are
    made by people who look. Raises `RequestRefused` as the engine does.
    """
    require(member, Right.VIEW)
    if not interactive and interrupt.kind not in QUESTIONS:
        raise NotAllowed("a decision needs a signed-in person", code="NotEligible")
    record = runtime.engine().answer(interrupt.pk, answer, actor_of(member))
    if interrupt.kind == "budget" and answer.decision == "raise":
        _audit_raise(member, interrupt, record)
    return record


def _audit_raise(member: Membership, interrupt: Interrupt, record: dict[str, Any]) -> None:
    asked = log.data_at([(interrupt.run, interrupt.opened_seq)])
    request = asked.get((interrupt.run, interrupt.opened_seq), {}).get("request") or {}
    if request.get("level") in SHARED:
        budgets.record_raise(member, request["budget"], record)
