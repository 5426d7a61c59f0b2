"""The websocket: a tail of logs by cursor, bells of lists, drafts and presence.

Each subscription is a task of its own that joins its doorbell before it reads, reads pages from
the database and sends at the socket's pace; a slow socket delays nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import orjson
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from builder.base import engine_door
from builder.base.bells import (
    Mailbox,
    hub,
    inbox_topic,
    mentions_topic,
    person_topic,
    runs_topic,
)
from builder.live import readers
from builder.live.forms import Inbound, Ping, Select, Subscribe, Unsubscribe
from builder.live.inbound import MAX_SUBSCRIPTIONS, BadFrame, UnknownOp, read_frame
from builder.live.meter import Meter
from builder.live.pages import Pages
from builder.live.presence import TOPICS, presence, topic_of
from builder.models import User
from builder.services.people.socket_tickets import Pass, is_good
from engine.core.values.limits import MAX_SOCKET_FRAME

logger = logging.getLogger(__name__)
pages = Pages()
Target = tuple[str, str]

UNKNOWN_OP = 4400
NOT_SIGNED_IN = 4401
SLOW = 4408
TOO_LARGE = 4413
TOO_MANY = 4429
INTERNAL = 4500


@dataclass(slots=True)
class Subscription:
    """One thing that a socket listens to; of no workspace before it is known to be allowed."""

    task: asyncio.Task[None] | None = None
    workspace_id: str | None = None


class LiveConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket of a signed-in person."""

    poll_s: ClassVar[float] = 5.0
    bell_s: ClassVar[float] = 0.1
    head_s: ClassVar[float] = 15.0
    recheck_s: ClassVar[float] = 60.0
    send_s: ClassVar[float] = 30.0

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a message on, where the framework's own would first visit a thread of the loop's.

        It closes old connections to the database there, and a socket has none: it reads in readers.
        """
        await getattr(self, get_handler_name(message))(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """End, as `dispatch` does without a thread."""
        await self.disconnect(message["code"])
        raise StopConsumer

    async def connect(self) -> None:
        """Accept the socket; an anonymous one is closed at once with a reason."""
        self.subscriptions: dict[Target, Subscription] = {}
        self.meter = Meter()
        self.guard: asyncio.Task[None] | None = None
        user = self.scope.get("user")
        await self.accept()
        if not isinstance(user, User) or not (user.is_active or user.kind == User.Kind.SERVICE):
            await self.close(NOT_SIGNED_IN)
            return
        self.user = user
        self.given: Pass | None = self.scope.get("pass")
        self.socket = f"{id(self)}"
        self.guard = asyncio.create_task(self._watch_access())

    async def disconnect(self, code: int) -> None:
        """End every subscription."""
        tasks = [sub.task for sub in self.subscriptions.values() if sub.task is not None]
        if self.guard is not None:
            tasks.append(self.guard)
        ended = list(self.subscriptions.values())
        self.subscriptions.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # a task that was cut off keeps where, and by that the socket, in a circle
        self.guard = None
        for sub in ended:
            sub.task = None

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Act on one frame; malformed and too many close the socket."""
        if self.guard is None:
            return
        if text_data is None or len(text_data.encode()) > MAX_SOCKET_FRAME:
            await self.close(TOO_LARGE)
            return
        if not self.meter.allows():
            await self.close(TOO_MANY)
            return
        with contextlib.suppress(TimeoutError):  # the socket is closed
            try:
                await self._act(read_frame(text_data))
            except UnknownOp:
                await self.close(UNKNOWN_OP)
            except BadFrame as error:
                await self._send({"op": "refused", "code": "InputInvalid", "detail": str(error)})

    async def _act(self, frame: Inbound) -> None:
        if isinstance(frame, Ping):
            await self._send({"op": "pong"})
        elif isinstance(frame, Select):
            place = frame.target
            if place is not None and place in self.subscriptions:
                presence.select(place, self.socket, frame.selection)
        elif isinstance(frame, Unsubscribe):
            if frame.target is not None:
                await self._unsubscribe(frame.target)
        else:
            await self._subscribe(frame)

    async def _subscribe(self, frame: Subscribe) -> None:
        target = frame.target
        if target is None:
            raise BadFrame("name one of run, topic, graph and item")
        if target not in self.subscriptions and len(self.subscriptions) >= MAX_SUBSCRIPTIONS:
            await self._refuse(target, "TooManySubscriptions", f"at most {MAX_SUBSCRIPTIONS}")
            return
        await self._unsubscribe(target)
        found = self.subscriptions[target] = Subscription()
        found.task = asyncio.create_task(self._guarded(target, frame, found))

    async def _authorised(self, target: Target, workspace: str) -> str | None:
        """Return the workspace of what is asked for, None unless the socket may listen there."""
        kind, _name = target
        only = None if self.given is None else self.given.workspace_id
        if self.given is not None and self.given.runs_only and kind != "run":
            return None
        wanted = readers.Wanted(
            target,
            workspace or only or "",
            () if self.given is None else self.given.graphs,
            self._session_key,
            by_token=self._by_token,
        )
        found = await readers.in_reader(readers.opened, self.user, wanted)
        return found if only is None or found == only else None

    @property
    def _session_key(self) -> str | None:
        return self.scope.get("session_key") if self.given is None else self.given.session_key

    @property
    def _by_token(self) -> bool:
        """Whether an API token let the socket in, which no session's rules bar."""
        return self.given is not None and self.given.session_key is None

    async def _unsubscribe(self, target: Target) -> None:
        known = self.subscriptions.pop(target, None)
        if known is not None and known.task is not None:
            known.task.cancel()
            await asyncio.gather(known.task, return_exceptions=True)
            known.task = None

    async def _guarded(self, target: Target, frame: Subscribe, found: Subscription) -> None:
        """Follow what was asked for if it may be; all of it ends with the socket, the look-up too."""
        mailbox = Mailbox(asyncio.get_running_loop())
        kind, name = target
        try:
            workspace_id = await self._authorised(target, frame.workspace)
            if workspace_id is None:
                self.subscriptions.pop(target, None)
                await self._refuse(target, "NotFound", f"no such {kind}")
                return
            found.workspace_id = workspace_id
            if kind == "run":
                await self._follow_run(name, frame.after, mailbox)
            elif kind in TOPICS:
                await self._stay(target, frame.client, mailbox)
            else:
                await self._follow_list(name, workspace_id, mailbox)
        except TimeoutError:
            return  # the socket is closed
        except asyncio.CancelledError:
            raise
        except Exception:  # one broken stream must end its socket, not hang in silence
            logger.exception("the stream of %s %s broke", kind, name)
            await self.close(INTERNAL)

    async def _follow_run(self, run_id: str, after: int, mailbox: Mailbox) -> None:
        last, told_at, rung = after, 0.0, False
        loop = asyncio.get_running_loop()
        with _listening(engine_door.engine().subscribe(run_id, mailbox)):
            while True:
                page = await pages.after(run_id, last, rung=rung)
                last = page.last
                if page.frame:
                    await self._send_text(page.frame)
                rung = not page.more
                if page.more:
                    continue
                if loop.time() - told_at >= self.head_s:
                    await self._send({"op": "head", "run": run_id, "seq": last})
                    told_at = loop.time()
                for ephemeral in await mailbox.wait(self.poll_s):
                    await self._send({"op": "eph", "run": run_id, **ephemeral})

    async def _stay(self, place: Target, client: str, mailbox: Mailbox) -> None:
        """Be among those who look at a draft or an item, and tell what is told there."""
        with _listening(hub.subscribe(topic_of(place), mailbox)):
            user = {"id": self.user.pk, "name": str(self.user)}
            presence.join(place, self.socket, client, user)
            try:
                while True:
                    for frame in await mailbox.wait(self.head_s):
                        await self._send(dict(frame))
            finally:
                presence.leave(place, self.socket)

    async def _follow_list(self, topic: str, workspace_id: str, mailbox: Mailbox) -> None:
        name = {
            "inbox": inbox_topic(workspace_id),
            "mentions": mentions_topic(workspace_id, self.user.pk),
            "runs": runs_topic(workspace_id),
        }[topic]
        with _listening(hub.subscribe(name, mailbox)):
            await self._send({"op": "bell", "topic": topic})
            while True:
                rung = await mailbox.rang(self.head_s)
                if rung:
                    await self._send({"op": "bell", "topic": topic})
                    await asyncio.sleep(self.bell_s)

    async def _watch_access(self) -> None:
        mailbox = Mailbox(asyncio.get_running_loop())
        with _listening(hub.subscribe(person_topic(self.user.pk), mailbox)):
            while True:
                await mailbox.rang(self.recheck_s)
                if not await self._is_welcome():
                    await self._end_all()
                    await self.close(NOT_SIGNED_IN)
                    return
                allowed = await readers.in_reader(readers.memberships, self.user.pk)
                if not self._by_token:
                    allowed -= await readers.in_reader(
                        readers.barred, self.user.pk, self._session_key
                    )
                for target, sub in list(self.subscriptions.items()):
                    if sub.workspace_id is not None and sub.workspace_id not in allowed:
                        await self._unsubscribe(target)
                        await self._refuse(target, "NotFound", f"no such {target[0]}")

    async def _is_welcome(self) -> bool:
        """Return whether what let the socket in still would: the session, or the API token."""
        session_key = self.scope.get("session_key")
        if self.given is not None:
            if not await readers.in_reader(is_good, self.given):
                return False
            session_key = self.given.session_key
            if session_key is None:
                return True
        return await readers.in_reader(readers.still_signed_in, session_key, self.user.pk)

    async def _end_all(self) -> None:
        for target in list(self.subscriptions):
            await self._unsubscribe(target)

    async def _refuse(self, target: Target, code: str, detail: str) -> None:
        kind, name = target
        await self._send({"op": "refused", kind: name, "code": code, "detail": detail})

    async def _send(self, frame: dict[str, Any]) -> None:
        await self._send_text(orjson.dumps(frame).decode())

    async def _send_text(self, frame: str) -> None:
        """Send a frame; to a browser that has just left, nothing: `disconnect` is on its way.

        One that has not read for too long is closed, and may come back. Raises `TimeoutError`.
        """
        try:
            with contextlib.suppress(Disconnected):
                async with asyncio.timeout(self.send_s):
                    await self.send(text_data=frame)
        except TimeoutError:
            await self.close(SLOW)
            raise


@contextlib.contextmanager
def _listening(unsubscribe: Callable[[], None]) -> Any:
    try:
        yield
    finally:
        unsubscribe()
