"""How a run that a program started stands: what it said, what came of it, whom it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from builder.base.address import public
from builder.base.failure_words import is_rejection
from builder.models import Blob, Interrupt, Membership, Run
from builder.reads import event_log
from builder.reads.inbox_items import Item, items_of
from builder.reads.runs.asked_below import open_in
from engine.core.state.events import TERMINAL_EVENTS
from engine.core.state.wire import public_request
from engine.runtime.stores.sql.payloads import decode

TOLD: Final = ("MessageEmitted", "RunTransitioned", *sorted(TERMINAL_EVENTS))
MOST_NAMES: Final = 10


@dataclass(frozen=True, slots=True)
class Wait:
    """Something that a run asks of people: what, of whom, and the page on which they answer."""

    id: str
    kind: str
    question: str
    people: Sequence[str]
    link: str

    @property
    def plain(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "id": self.id,
            "kind": self.kind,
            "question": self.question,
            "waits_for": list(self.people),
            "link": self.link,
        }


@dataclass(frozen=True, slots=True)
class Look:
    """A run at one moment. `said` are its messages since the last look, up to the event `seen`."""

    run: str
    status: str
    seen: int = 0
    said: Sequence[str] = ()
    result: Any = None
    error: dict[str, str] | None = None
    next_run: str | None = None
    waits: Sequence[Wait] = ()
    tokens: int = 0

    @property
    def ended(self) -> bool:
        """Whether it is over, and no other run goes on in its place."""
        return self.status in Run.ENDED and self.next_run is None

    @property
    def settled(self) -> bool:
        """Whether nothing moves until a person does something, or ever."""
        return self.ended or bool(self.waits)

    @property
    def failed(self) -> bool:
        """Whether it came to no result: it ended badly, or somebody said no."""
        return self.ended and self.status != Run.Status.COMPLETED

    @property
    def rejected(self) -> bool:
        """Whether it ended as a person said no, which is a decision."""
        error = self.error or {}
        return self.failed and is_rejection(error.get("code", ""), error.get("message", ""))


def look(run_id: str, member: Membership, after: int = 0) -> Look:
    """Return how the run stands, with what it said after the event `after`."""
    run = Run.objects.get(pk=run_id)
    rows = event_log.page_after(run_id, after, until=run.seq, kinds=TOLD)
    seen = rows[-1][0] if len(rows) == event_log.PAGE else max(after, run.seq)
    said: list[str] = []
    next_run: str | None = None
    result: Any = None
    for _seq, kind, _at, _key, raw in rows:
        data = decode(bytes(raw), _blob)
        if kind == "MessageEmitted":
            said.append(str(data["content"]))
        elif kind == "RunTransitioned":
            next_run = data["run_id"]
        else:
            result = data.get("result")
    more = len(rows) == event_log.PAGE
    ended = run.status in Run.ENDED and not more
    status = run.status if ended or run.status not in Run.ENDED else Run.Status.RUNNING
    waits = waits_of(run_id, member) if status == Run.Status.WAITING and not more else ()
    error = _error(run) if ended else None
    return Look(run_id, status, seen, said, result, error, next_run, waits, run.spent_tokens)


def waits_of(run_id: str, member: Membership) -> list[Wait]:
    """Return what a run and those that it called ask of people now."""
    rows = Interrupt.objects.filter(pk__in=open_in(run_id)).order_by("opened_at", "pk")
    return [_wait(item) for item in items_of(list(rows), member)]


def text_of(value: Any) -> str:
    """Return a result as text: text as it is, nothing as none, anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def words_of(look: Look) -> str:
    """Return in a sentence for each what a run waits for, of whom, and where they answer."""
    return "\n".join(_sentence(wait) for wait in look.waits)


def _sentence(wait: Wait) -> str:
    people = ", ".join(wait.people) or "somebody who may"
    return f"{wait.question or wait.kind} (waits for {people}: {wait.link})"


def _wait(item: Item) -> Wait:
    request = public_request(item.request)
    question = str(request.get("question") or request.get("prompt") or item.label or "")
    names = [p.name or p.login for p in item.people if item.why_not(p) is None]
    link = f"{public()}/inbox/{item.row.pk}"
    return Wait(item.row.pk, item.row.kind, question, names[:MOST_NAMES], link)


def _error(run: Run) -> dict[str, str] | None:
    if run.status == Run.Status.COMPLETED:
        return None
    found = orjson.loads(run.error) if run.error else {}
    code = str(found.get("code") or run.status)
    return {"code": code, "message": str(found.get("message") or f"the run ended: {run.status}")}


def _blob(digest: str) -> bytes:
    return bytes(Blob.objects.values_list("data", flat=True).get(pk=digest))
