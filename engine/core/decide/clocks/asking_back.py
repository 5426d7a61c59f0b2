"""Asking back: a reviewer asks whom the work is from, and the approval's clock stands still.

It decides nothing, and the approval stays open for whoever may decide. One question at a time; all
of them together stop the clock for `MAX_STOPPED_MS` at most, then it runs on by itself.
"""

from __future__ import annotations

from typing import Any, Final

from engine.core.decide.transition import Transition
from engine.core.errors import RequestRefused
from engine.core.people.eligibility import may_be_asked_back, may_decide
from engine.core.state.event_types.asking import AskedEnd, InterruptAnsweredBack, InterruptAskedBack
from engine.core.state.requests import Actor, Asks
from engine.core.state.run_state import AskedBack, OpenInterrupt
from engine.core.values.json import freeze

MAX_STOPPED_MS: Final = 7 * 86_400_000
MAX_TIMES: Final = 20
"""Questions back about one approval."""
MAX_TEXT: Final = 4_000
"""Characters of a question or a reply."""


def ask_back(tx: Transition, request_id: str, asks: Asks, by: Actor) -> dict[str, Any]:
    """Stop the clock of an approval and ask; the same question again records nothing.

    Raises `RequestRefused`: `InterruptClosed`, `NotEligible` for who may not decide it,
    `AskNotPossible`, `AlreadyAskedBack`, `AskedBackEnough`.
    """
    opened = _open(tx, request_id)
    if opened.kind != "approval":
        raise RequestRefused("AskNotPossible", "only an approval can be asked back about")
    may_decide(tx.state, opened, by)
    question = _text(asks.question, "a question")
    asked = opened.asked_back
    if asked is not None and (asked.by, asked.to, asked.question) == (by.id, asks.to.id, question):
        return _told(opened)
    if asked is not None:
        waits = {"asked_back": {"by": asked.by, "to": asked.to}}
        message = "somebody has been asked already: wait for the reply, or take that question back"
        raise RequestRefused("AlreadyAskedBack", message, detail=waits)
    if asks.to.id == by.id or not may_be_asked_back(tx.state, asks.to):
        raise RequestRefused("AskNotPossible", "ask who started the run, or an author of workflows")
    room = MAX_STOPPED_MS - opened.stopped_ms
    if room <= 0 or opened.asked_times >= MAX_TIMES:
        message = "its clock has stood still long enough: decide, or use the thread below it"
        raise RequestRefused("AskedBackEnough", message)
    data: InterruptAskedBack = {
        "request_id": request_id,
        "by": by.id,
        "to": asks.to.id,
        "question": freeze(question),
        "until": tx.now + room,
    }
    if opened.expires_at is not None:
        data["left_ms"] = opened.expires_at - tx.asked_at
    if by.via:
        data["via"] = by.via
    tx.emit("InterruptAskedBack", opened.key, data)
    return _told(opened)


def answer_back(tx: Transition, request_id: str, reply: str, by: Actor) -> dict[str, Any]:
    """Record the reply of who was asked; the clock goes on. The same reply again records nothing.

    Raises `RequestRefused`: `InterruptClosed`, `NotAskedBack`, `NotEligible` for anybody else.
    """
    opened = _open(tx, request_id)
    text = _text(reply, "a reply")
    asked = opened.asked_back
    if asked is None:
        last = opened.last_reply
        if (last.get("by"), last.get("reply")) == (by.id, text):
            return _told(opened)
        message = "nobody waits for a reply any more: write it into the thread"
        raise RequestRefused("NotAskedBack", message)
    if by.id != asked.to and by.kind != "cli":
        raise RequestRefused("NotEligible", "somebody else was asked")
    _end(tx, opened, asked, "answered", by, reply=text)
    return _told(opened)


def take_back(tx: Transition, request_id: str, by: Actor) -> dict[str, Any]:
    """Wait for no reply any more: the clock goes on. Raises `RequestRefused` as `answer_back` does.

    Whoever may decide the approval may do that.
    """
    opened = _open(tx, request_id)
    may_decide(tx.state, opened, by)
    if opened.asked_back is None:
        if opened.last_reply.get("outcome") == "withdrawn":
            return _told(opened)
        raise RequestRefused("NotAskedBack", "nobody is asked back about it")
    _end(tx, opened, opened.asked_back, "withdrawn", by)
    return _told(opened)


def run_on(tx: Transition, request_id: str) -> None:
    """Let a clock go on that has stood still for as long as it may."""
    opened = tx.state.interrupts.get(request_id)
    if opened is None or opened.asked_back is None or opened.asked_back.until > tx.asked_at:
        return
    _end(tx, opened, opened.asked_back, "lapsed")


def _open(tx: Transition, request_id: str) -> OpenInterrupt:
    """Return what is open now, its clock as it stands; a late deadline is fired by its timer."""
    run_on(tx, request_id)
    opened = tx.state.interrupts.get(request_id)
    if opened is None:
        known = request_id in tx.state.resolved
        code = "InterruptClosed" if known else "InterruptNotFound"
        raise RequestRefused(code, "this is decided already" if known else "no such request")
    if opened.expires_at is not None and opened.expires_at <= tx.asked_at:
        raise RequestRefused("InterruptClosed", "its deadline has passed")
    return opened


def _end(
    tx: Transition,
    opened: OpenInterrupt,
    asked: AskedBack,
    outcome: AskedEnd,
    by: Actor | None = None,
    *,
    reply: str | None = None,
) -> None:
    request_id = opened.request_id
    data: InterruptAnsweredBack = {
        "request_id": request_id,
        "outcome": outcome,
        "asked": asked.seq,
    }
    left = asked.left.get(f"expire:{request_id}")
    if left is not None:
        data["expires_at"] = min(tx.now, asked.until) + left
    if reply is not None:
        data["reply"] = freeze(reply)
    if by is not None:
        data["by"] = by.id
        if by.via:
            data["via"] = by.via
    tx.emit("InterruptAnsweredBack", opened.key, data)


def _text(text: str, what: str) -> str:
    found = text.strip()
    if not found or len(found) > MAX_TEXT:
        raise RequestRefused("AnswerInvalid", f"{what} has 1 to {MAX_TEXT} characters")
    return found


def _told(opened: OpenInterrupt) -> dict[str, Any]:
    return {"request_id": opened.request_id, "expires_at": opened.expires_at}
