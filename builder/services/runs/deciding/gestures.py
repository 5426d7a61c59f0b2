"""What an approval takes beside a key, as its policy says: the sum typed, or a word that one means it.

The page asks for it; here it is held, whatever sends the decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.adapters.directory import actor_of
from builder.base import engine_door
from builder.base.item_card import named_amount
from builder.models import Interrupt, InterruptCard, Membership
from builder.reads import event_log as log
from engine.core.errors import RequestRefused
from engine.core.state.requests import Answer, Supposed

WORD: Final = "approve"
MAX_TYPED: Final = 64
SIGNS: Final = str.maketrans("", "", "$€£, \t\u00a0")
"""What people write around a sum."""


def require_gesture(
    member: Membership, interrupt: Interrupt, answer: Answer, *, alone: bool = True
) -> None:
    """Raise `RequestRefused` `NotConfirmed` where the policy takes more than was sent.

    What is not decided `alone` is not looked ahead of: it counts as dangerous.
    """
    if interrupt.kind != "approval" or answer.cancel or answer.decision != "approved":
        return
    request = _request(interrupt)
    asked = (request.get("policy") or {}).get("confirm")
    if asked == "type":
        wanted = _wanted(interrupt, request, answer.edits or {})
        if not _is(wanted, answer.confirmed or ""):
            raise _refused(wanted, "the policy wants this typed")
    is_said = asked != "dangerous" or bool(answer.confirmed)
    if not is_said and (not alone or _is_grave(member, interrupt, answer)):
        raise _refused(WORD, "what follows cannot be taken back")


def _refused(wanted: str, why: str) -> RequestRefused:
    message = f"{why}: open the item and confirm it there, or send confirmed: {wanted!r}"
    return RequestRefused("NotConfirmed", message, detail={"confirm": wanted})


def _request(interrupt: Interrupt) -> Mapping[str, Any]:
    places = [(interrupt.run, interrupt.opened_seq)]
    opened = log.data_at(places).get(places[0], {})
    found: Mapping[str, Any] = opened.get("request") or {}
    return found


def _wanted(interrupt: Interrupt, request: Mapping[str, Any], edits: Mapping[str, Any]) -> str:
    """Return what has to be typed: the sum as it would be approved, else a word."""
    card = InterruptCard.objects.filter(pk=interrupt.pk).only("amount").first()
    amount = card.amount if card is not None else None
    data = request.get("data")
    if amount is None or not isinstance(data, Mapping):
        return WORD
    named = named_amount(data)
    edited = None if named is None else edits.get(named[0])
    found = amount if edited is None else edited
    return str(int(found)) if isinstance(found, float) and found.is_integer() else str(found)


def _is(wanted: str, typed: str) -> bool:
    """Return whether that was typed: a sum in any way of writing it, a word in any case."""
    text = typed.strip()[:MAX_TYPED].lower()
    if text == wanted.lower():
        return True
    try:
        return float(text.translate(SIGNS)) == float(wanted)
    except ValueError:
        return False


def _is_grave(member: Membership, interrupt: Interrupt, answer: Answer) -> bool:
    """Return whether something dangerous, or unsafe to repeat, follows; yes where nobody can tell."""
    supposed = Supposed(interrupt.pk, "approved", actor_of(member), answer.comment, answer.edits)
    try:
        steps = engine_door.engine().foresee(interrupt.run, supposed)["steps"]
    except RequestRefused:
        return True
    return any(
        step["dangerous"] or (step["effect_class"] == "unsafe" and step["does"] != "undo")
        for step in steps
    )
