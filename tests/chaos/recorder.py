"""The other side of everything: the model provider and the service that effects are sent to.

`python -m tests.chaos.recorder --record FILE` prints `{"port": N}`. It notes what it was asked, by
whom (the tag in the request), with which key, what it did and what it charged, before it answers.
`POST /control {"model": MODE, "effect": MODE}` makes it break: one request in two, at random.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from tests.chaos import desk
from tests.chaos.facts import Journal
from tests.fake_openai import FakeOpenAI, send

TAG: Final = re.compile(r"\bt\d+x\d+\b")
ASKED: Final = re.compile(r"step=([\w-]+)")
EFFECT: Final = re.compile(r"/effect/(keyed|unsafe)/(t\d+x\d+)/([\w.-]+)")
DOOR: Final = re.compile(r"/door/(\w+)/([^/]+)")

USAGE: Final = {"prompt_tokens": 10, "completion_tokens": 2}
PRICE: Final = sum(USAGE.values())
OUTPUT_LIMIT: Final = 50
HANG_MS: Final = 8_000
"""Longer than any node of the kit waits for a model."""
WORK_S: Final = (0.02, 0.25)
"""How long the service takes to answer once it has done what it was asked: kills hit this."""
FLAKY: Final = "flaky"
UNANSWERED: Final = 0.1
"""How often the connection is cut after something was told: it has to be told again."""
REFUSED: Final = 2
"""How often the service refuses a step of this name before it does it."""

MODELS: Final[dict[str, dict[str, Any]]] = {
    "hang": {"text": "Late.", "delay_ms": HANG_MS, "usage": USAGE},
    "429": {"error": {"status": 429, "message": "slow down", "retry_after": 1}},
    "500": {"error": {"status": 500, "message": "broken"}},
    "nonsense": {"raw": {"status": 200, "type": "text/html", "body": "<h1>It works!</h1>"}},
    "endless": {"text": "and so on ", "forever": True, "piece_delay_ms": 40, "usage": USAGE},
    "cut": {"text": "Cut off in the middle of", "cut_after": 1, "usage": USAGE},
}
"""How a provider breaks, as replies of `FakeOpenAI`."""
CHARGED: Final = {"429": 0, "500": 0, "endless": USAGE["prompt_tokens"] + OUTPUT_LIMIT}
"""Tokens that it asks money for all the same; else the price of a usual answer."""
EFFECTS: Final = ("refuse", "cut_before", "cut_after", "slow")


class Recorder(FakeOpenAI):
    """Model and service in one process."""

    def __init__(self, record: Path) -> None:
        super().__init__(models=["fake-small"])
        self._journal = Journal(record)
        self._model = self._effect = "ok"
        self._said, self._price = "ok", PRICE
        self._done: set[str] = set()
        self._heard: set[str] = set()
        self._refused: Counter[tuple[str, str]] = Counter()

    def next_reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Break as told, else say something that fits."""
        mode = self._model if self._model in MODELS and random.random() < 0.5 else "ok"
        if mode == "endless" and not request.get("stream"):
            mode = "ok"
        self._said, self._price = mode, CHARGED.get(mode, PRICE)
        if mode != "ok":
            return MODELS[mode]
        tag = TAG.search(json.dumps(request["messages"]))
        reply = desk.reply(request, tag.group() if tag else "") or super().next_reply(request)
        return {**reply, "usage": USAGE, "delay_ms": random.randint(20, 250)}

    def note(self, entry: dict[str, Any]) -> None:
        """Note what is charged; what is answered then proves nothing."""
        if entry["event"] == "charged":
            said = json.dumps(entry["request"]["messages"])
            tag, step = TAG.search(said), ASKED.search(said)
            self._journal.note(
                "charged",
                tag=tag.group() if tag else None,
                step=step.group(1) if step else None,
                key=entry["idempotency_key"],
                tokens=self._price,
                answer=self._said,
            )

    async def elsewhere(
        self, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        """Take an effect, or an order to break."""
        if path == "/control":
            wanted = json.loads(body)
            self._model, self._effect = wanted["model"], wanted["effect"]
            return send(writer, 200, wanted)
        if path == "/told":
            return await self._hear(headers, json.loads(body), writer)
        if door := DOOR.fullmatch(path):
            key = headers.get("idempotency-key", "")
            name = {"door": door[1], "key": unquote(door[2])}
            self._journal.note("came", **name, idempotency_key=key)
            await asyncio.sleep(random.uniform(*WORK_S))
            return send(writer, 200, {"came": True})
        found = EFFECT.fullmatch(path)
        if found is None:
            return await super().elsewhere(path, headers, body, writer)
        kind, tag, step = found.groups()
        return await self._take(kind, tag, step, headers.get("idempotency-key", ""), writer)

    async def _hear(
        self, headers: dict[str, str], said: dict[str, Any], writer: asyncio.StreamWriter
    ) -> bool:
        """Hear of something; of what is told the first time now and then without an answer."""
        name, run = headers["webhook-id"], said.get("data", {}).get("run")
        first = name not in self._heard
        self._heard.add(name)
        self._journal.note("told", id=name, run=run, type=said["type"])
        await asyncio.sleep(random.uniform(*WORK_S))
        if run and first and random.random() < UNANSWERED:
            return False
        return send(writer, 200, {"heard": True})

    async def _take(
        self, kind: str, tag: str, step: str, key: str, writer: asyncio.StreamWriter
    ) -> bool:
        mode = self._mode(tag, step)
        does = mode not in ("refuse", "cut_before")
        again = kind == "keyed" and key in self._done
        if does:
            self._done.add(key)
        self._journal.note(
            "effect", kind=kind, tag=tag, step=step, key=key, done=does and not again, answer=mode
        )
        if mode == "refuse":
            return send(writer, 503, {"error": "not now"})
        if mode == "cut_before":
            return False
        await asyncio.sleep(1.5 if mode == "slow" else random.uniform(*WORK_S))
        return mode != "cut_after" and send(writer, 200, {"next": _lap(step) + 1})

    def _mode(self, tag: str, step: str) -> str:
        if step.startswith(FLAKY) and self._refused[tag, step] < REFUSED:
            self._refused[tag, step] += 1
            return "refuse"
        return self._effect if self._effect in EFFECTS and random.random() < 0.5 else "ok"


def _lap(step: str) -> int:
    """Return the number at the end of a step's name, 0 without."""
    end = step.rpartition("-")[2]
    return int(end) if end.isdecimal() else 0


async def _serve(record: Path) -> None:
    async with Recorder(record) as recorder:
        sys.stdout.write(json.dumps({"port": recorder.port}) + "\n")
        sys.stdout.flush()
        await recorder.serve_forever()


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True)
    asyncio.run(_serve(parser.parse_args().record))


if __name__ == "__main__":
    main()
