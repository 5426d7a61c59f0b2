"""A run as a chat: a tail of its own log in frames, and the whole of it in one answer.

A frame with an `id` is one event of the log, `id` being its seq, so that a client that names the
last one it saw gets every later one once. Token deltas are frames without an id.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from builder.api.inbox.wire import InterruptOut, interrupts_out
from builder.base import engine_door
from builder.base.bells import Frame, Mailbox
from builder.base.failure_words import is_rejection
from builder.live import readers
from builder.models import Blob, Interrupt, Membership, Run
from builder.reads import event_log as log
from builder.reads.runs.asked_below import open_in
from engine.core.state.events import TERMINAL_EVENTS, node_of
from engine.core.state.wire import public_request
from engine.runtime.stores.sql.payloads import decode

POLL_S: Final = 5.0
"""How long a lost bell may delay a frame; then also a comment is sent, so that no proxy gives up."""
RECHECK_S: Final = 60.0
"""How often it is asked whether the reader may still read."""
BEGIN_S: Final = 3.0
"""How long a hand-over is held back for a run that begins a moment later."""
KINDS: Final = (
    "MessageEmitted",
    "StructuredEmitted",
    "InterruptOpened",
    "ChildRunWaiting",
    "RunTransitioned",
    "RunEnding",
    *sorted(TERMINAL_EVENTS),
)
FAILED: Final = frozenset({"failed", "timeout"})
STATUS: Final = {
    "RunCompleted": "completed",
    "RunFailed": "failed",
    "RunTimedOut": "timeout",
    "RunCancelled": "cancelled",
}


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """One frame: `type` is message, structured, interrupt, transition, error, done or delta."""

    type: str
    data: dict[str, Any]
    id: int | None = None

    def encode(self) -> bytes:
        """Return the frame as server-sent events write it."""
        name = b"" if self.id is None else b"id: %d\n" % self.id
        return b"%sevent: %s\ndata: %s\n\n" % (name, self.type.encode(), orjson.dumps(self.data))


@dataclass(frozen=True, slots=True)
class Page:
    """Frames after a seq; everything up to `seen` was read. `more`: ask again at once."""

    frames: Sequence[ChatFrame]
    seen: int
    more: bool
    ended: bool


@dataclass(frozen=True, slots=True)
class ChatReader:
    """Reads a run for one person. Every method reads the database: call them in a reader thread.

    `still_signed_in` tells whether the caller's session or token holds; `interactive` whether it
    is a session.
    """

    run_id: str
    workspace_id: str
    user_id: str
    interactive: bool
    still_signed_in: Callable[[], bool]

    def allowed(self) -> bool:
        """Return whether the person may still read the run."""
        return self.still_signed_in() and self.workspace_id in readers.memberships(self.user_id)

    def status(self) -> str:
        """Return the run's status; a run that is gone counts as cancelled."""
        found = Run.objects.filter(pk=self.run_id).values_list("status", flat=True).first()
        return found or Run.Status.CANCELLED

    def page(self, after: int) -> Page:
        """Return the frames after `after`, at most `log.PAGE` events of them."""
        over = self.status() in Run.ENDED
        head = log.head_of(self.run_id)
        rows = log.page_after(self.run_id, after, until=head, kinds=KINDS)
        frames = [frame for row in rows for frame in self._frames(row)]
        more = len(rows) == log.PAGE
        return Page(frames, rows[-1][0] if more else max(after, head), more, over and not more)

    def answer(self) -> dict[str, Any]:
        """Return the run in one answer: `{runId, status, messages, structured, interrupts}`.

        With `error` when it failed, `transition` when another run goes on.
        """
        frames: list[ChatFrame] = []
        page = Page((), 0, more=True, ended=False)
        while page.more:
            page = self.page(page.seen)
            frames += page.frames
        of: dict[str, list[dict[str, Any]]] = {}
        for frame in frames:
            of.setdefault(frame.type, []).append(frame.data)
        waiting = [item for item in of.get("interrupt", ()) if item["status"] == "open"]
        asked = {item["requestId"]: item for item in waiting}
        found: dict[str, Any] = {
            "runId": self.run_id,
            "status": self.status(),
            "messages": of.get("message", []),
            "structured": engine_door.engine()
            .state_at(self.run_id, None)["ui"]
            .get("structured", {}),
            "interrupts": list(asked.values()),
        }
        for name in ("error", "transition"):
            if name in of:
                found[name] = of[name][-1]
        return found

    def _frames(self, row: log.Row) -> list[ChatFrame]:
        seq, kind, _at, key, raw = row
        data = decode(bytes(raw), _blob)
        if kind == "InterruptOpened":
            return self._asked(seq, [data["request_id"]])
        if kind == "ChildRunWaiting":
            return self._asked(seq, open_in(data["run_id"])) if data["waiting"] else []
        if kind == "RunEnding" and data["status"] not in FAILED:
            return []
        name, wire = _plain_frame(kind, data)
        place = {} if key is None else {"node": node_of(key), "key": key}
        return [ChatFrame(name, {**place, "runId": self.run_id, **wire}, seq)]

    def _asked(self, seq: int, request_ids: Sequence[str]) -> list[ChatFrame]:
        """Return a frame for each request; the last carries the id, so that none is lost."""
        rows = list(Interrupt.objects.filter(pk__in=request_ids).order_by("opened_at", "pk"))
        member = Membership.objects.select_related("workspace", "user").filter(
            user=self.user_id, workspace=self.workspace_id
        )
        shown = [
            interrupt_wire(item)
            for one in member
            for item in interrupts_out(rows, one, interactive=self.interactive)
        ]
        last = len(shown) - 1
        return [
            ChatFrame("interrupt", wire, seq if at == last else None)
            for at, wire in enumerate(shown)
        ]


def interrupt_wire(item: InterruptOut) -> dict[str, Any]:
    """Return an interrupt as chat clients get it (row I4); the token only if one may answer."""
    request = public_request(item.request)
    names = ("kind", "question", "prompt", "options", "schema", "data")
    shown = {name: request[name] for name in names if name in request}
    wire: dict[str, Any] = {
        "type": "interrupt",
        "requestId": item.request_id,
        "runId": item.run.id,
        "graph": item.run.graph.slug,
        "node": item.node,
        "status": item.status,
        "input": {**shown, "kind": item.kind, "multiple": item.kind == "multi-choice"},
    }
    if item.content_hash:
        wire["contentHash"] = item.content_hash
    if item.resume_token is not None:
        wire["resumeToken"] = item.resume_token
    return wire


Writer = Callable[[ChatReader, Mailbox], AsyncIterator[bytes]]


class Tail:
    """What a streamed answer is read from. Closing it ends the listening, read to its end or not."""

    def __init__(self, reader: ChatReader, write: Writer) -> None:
        self._reader = reader
        self._write = write
        self._unsubscribe: Callable[[], None] | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the answer piece by piece. Leaving early never touches the run."""
        mailbox = Mailbox(asyncio.get_running_loop())
        self._unsubscribe = engine_door.engine().subscribe(self._reader.run_id, mailbox)
        try:
            async for piece in self._write(self._reader, mailbox):
                yield piece
        finally:
            self.close()

    def close(self) -> None:
        """Stop to listen; called from any thread, any number of times."""
        unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()


def frames(reader: ChatReader, after: int) -> Tail:
    """Return the run's frames after `after`, until it ends."""

    async def write(reader: ChatReader, mailbox: Mailbox) -> AsyncIterator[bytes]:
        yield b": run %s\nretry: 2000\n\n" % reader.run_id.encode()
        async for piece in _follow(reader, mailbox, after):
            yield piece

    return Tail(reader, write)


def whole(reader: ChatReader) -> Tail:
    """Return the one JSON answer, which comes once the run ends or waits for a person."""

    async def write(reader: ChatReader, mailbox: Mailbox) -> AsyncIterator[bytes]:
        while True:
            status = await readers.in_reader(reader.status)
            if status in Run.ENDED or status == Run.Status.WAITING:
                break
            await mailbox.wait(POLL_S)
        if not await readers.in_reader(reader.allowed):
            return
        found = await readers.in_reader(reader.answer)
        if "transition" in found:
            await _begun(found["transition"]["nextRunId"])
        yield orjson.dumps(found)

    return Tail(reader, write)


async def _follow(reader: ChatReader, mailbox: Mailbox, after: int) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    checked = loop.time()
    while True:
        page = await readers.in_reader(reader.page, after)
        after = page.seen
        for frame in page.frames:
            if frame.type == "transition":
                await _begun(frame.data["nextRunId"])
            yield frame.encode()
        if page.ended:
            return
        if page.more:
            continue
        if loop.time() - checked >= RECHECK_S:
            if not await readers.in_reader(reader.allowed):
                return
            checked = loop.time()
        for piece in await _heard(mailbox):
            yield piece


async def _heard(mailbox: Mailbox) -> list[bytes]:
    """Return the deltas that came with the next bell, a comment if it stays quiet."""
    if not await mailbox.rang(POLL_S):
        return [b": still here\n\n"]
    frames = await mailbox.wait(0)
    return [_delta(frame).encode() for frame in frames if frame.get("kind") == "delta"]


async def _begun(run_id: str) -> None:
    """Wait until a run that was announced is there, so that a client may follow at once."""
    loop = asyncio.get_running_loop()
    mailbox, deadline = Mailbox(loop), loop.time() + BEGIN_S
    unsubscribe = engine_door.engine().subscribe(run_id, mailbox)
    try:
        while not await readers.in_reader(_exists, run_id) and loop.time() < deadline:
            await mailbox.rang(BEGIN_S / 10)
    finally:
        unsubscribe()


def _exists(run_id: str) -> bool:
    return Run.objects.filter(pk=run_id).exists()


def _plain_frame(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if kind == "MessageEmitted":
        return "message", {"content": data["content"]}
    if kind == "StructuredEmitted":
        shown = {"dataType": data.get("data_type"), "mode": data["mode"], "data": data["data"]}
        return "structured", shown
    if kind == "RunTransitioned":
        target = {"graph": data["graph_id"], "payload": data["payload"]}
        return "transition", {**target, "nextRunId": data["run_id"]}
    if kind == "RunEnding":
        error = data.get("error") or {}
        code = error.get("code") or data.get("reason") or data["status"]
        message = error.get("message") or f"the run ended: {data['status']}"
        told = {"code": code, "message": message, "node": error.get("node")}
        return "error", told | ({"rejected": True} if is_rejection(code, message) else {})
    return "done", {"status": STATUS[kind], "result": data.get("result")}


def _delta(frame: Frame) -> ChatFrame:
    names = ("key", "text", "reset")
    shown = {name: frame[name] for name in names if name in frame}
    return ChatFrame("delta", {"node": node_of(frame["key"]), **shown})


def _blob(digest: str) -> bytes:
    return bytes(Blob.objects.values_list("data", flat=True).get(pk=digest))
