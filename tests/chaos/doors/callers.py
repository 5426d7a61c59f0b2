"""Who comes to the doors: each sends what it has under one id, until it is answered, and then again."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import logging
import time
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from standardwebhooks.webhooks import Webhook

from tests.chaos.crowd.runs import Runs
from tests.chaos.doors.doorway import Doorway
from tests.chaos.doors.workflows import RANG, TALKED
from tests.chaos.facts import Journal
from tests.e2e.server import Client

PAUSE_S: Final = (2.2, 4.0)
"""Between two new ids: a webhook takes 60 calls a minute, and each id comes twice."""
PATIENCE_S: Final = 12
logging.getLogger("mcp").setLevel(logging.CRITICAL)  # a server that is killed is no news here
TIMES: Final = 2
"""How often each id must be answered."""


class Caller(ABC):
    """Sends one id after the other."""

    door: str

    def __init__(self, doorway: Doorway, runs: Runs, journal: Journal, seed: int) -> None:
        self.doorway = doorway
        self._runs = runs
        self._journal = journal
        self._keys = (f"{self.door}-{number}x{seed}" for number in itertools.count(1))
        self._key, self._answered, self._next_at = "", TIMES, 0.0

    @property
    def idle(self) -> bool:
        """Whether nothing of it waits for an answer."""
        return self._answered >= TIMES

    def round(self, chance: Random) -> bool:
        """Send what is to be sent; False where nothing is, or where it was not answered."""
        if self.idle:
            if not self._runs.may_start or time.monotonic() < self._next_at:
                return False
            self._key, self._answered = next(self._keys), 0
            self._next_at = time.monotonic() + chance.uniform(*PAUSE_S)
        run = self.send(self._key)
        if run is None:
            return False
        self._answered += 1
        self._journal.note("taken", door=self.door, key=self._key, run=run)
        return True

    @abstractmethod
    def send(self, key: str) -> str | None:
        """Send one id; return its run, "" where it was taken and has none yet, None unanswered."""

    def refused(self, status: int, answer: Any) -> None:
        """Note an answer that took nothing."""
        text = json.dumps(answer)[:300]
        self._journal.note("turned_away", door=self.door, key=self._key, status=status, answer=text)


class Sender(Caller):
    """A program that calls the webhook, signed."""

    door = "webhook"

    def send(self, key: str) -> str | None:
        """Call the address."""
        now, body = datetime.now(UTC), json.dumps({"key": key})
        headers = {
            "Content-Type": "application/json",
            "webhook-id": key,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": Webhook(self.doorway.secret).sign(key, now, body),
        }
        port = self.doorway.owner.port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            connection.request("POST", self.doorway.hook, body, headers)
            answer = connection.getresponse()
            said = json.loads(answer.read())
        finally:
            connection.close()
        if answer.status not in (200, 202):
            self.refused(answer.status, said)
            return None
        return str(said["run"] or "")


class Talker(Caller):
    """A program that calls a workflow as a model."""

    door = "openai"

    def send(self, key: str) -> str | None:
        """Ask for a completion."""
        body = {"model": TALKED, "messages": [{"role": "user", "content": key}]}
        headers = {"Authorization": f"Bearer {self.doorway.token}", "Idempotency-Key": key}
        asking = Client(self.doorway.owner.port, PATIENCE_S)
        status, answer = asking.request("POST", "/v1/chat/completions", body, **headers)
        if status != 200:
            self.refused(status, answer)
            return None
        return str(answer["id"]).removeprefix("chatcmpl-")


class Agent(Caller):
    """An agent that calls a workflow as a tool, by the official client."""

    door = "mcp"

    def send(self, key: str) -> str | None:
        """Call the tool."""
        try:
            return asyncio.run(self._call(key))
        except Exception as away:  # the client wraps what broke off in groups of its own
            raise ConnectionError(str(away)) from away

    async def _call(self, key: str) -> str | None:
        place = f"http://127.0.0.1:{self.doorway.owner.port}/mcp/{self.doorway.workspace}/"
        headers = {"Authorization": f"Bearer {self.doorway.token}"}
        meta: Any = {"idempotencyKey": key}
        async with (
            asyncio.timeout(PATIENCE_S),
            httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http_client,
            streamable_http_client(place, http_client=http_client) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            answer = await session.call_tool(RANG, {"door": self.door, "key": key}, meta=meta)
        said = answer.structured_content
        if answer.is_error or not said:
            self.refused(0, str(answer.content))
            return None
        return str(said["run"])


CALLERS: Final = (Sender, Talker, Agent)
