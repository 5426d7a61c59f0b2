"""Who decides: reviewers that race for the same approvals, and the owner, who settles doubts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.chaos import desk
from tests.chaos.crowd.runs import AWAY, listed
from tests.chaos.facts import Journal
from tests.chaos.house import House
from tests.chaos.recorder import TAG
from tests.e2e.server import Client

OPEN: Final = "/api/interrupts/?state=open"
TRIES: Final = 3
REJECTS: Final = 0.3
SAYS_IT_AGAIN: Final = 0.2
RUNS_AGAIN: Final = 0.3
"""How often the owner lets an unsafe call be made again; else it is said to have happened."""
UNSAFE: Final = "/effect/unsafe/"
UNANSWERED: Final = 0


class Reviewer:
    """Decides every approval at once, at random where a rejection leads somewhere."""

    def __init__(self, name: str, person: Client, journal: Journal) -> None:
        self._voice = Voice(name, person, journal)

    def round(self, chance: Random) -> bool:
        """Decide what is open; False where that was nothing."""
        items = [i for i in listed(self._voice.person, OPEN) if i["kind"] == "approval"]
        for item in items:
            rejects = item["run"]["graph"]["slug"] == "orders" and chance.random() < REJECTS
            body: dict[str, Any] = {"decision": "rejected" if rejects else "approved"}
            if item["request"].get("tool"):
                body["edits"] = {"step": desk.EDITED}
            self._voice.say(item, body, again=chance.random() < SAYS_IT_AGAIN)
        return bool(items)


class Owner:
    """Settles what is in doubt: it happened, or run it again."""

    def __init__(self, house: House, journal: Journal) -> None:
        self._voice = Voice("Olga", house.owner, journal)

    def round(self, chance: Random) -> bool:
        """Settle what is open; False where that was nothing."""
        items = [i for i in listed(self._voice.person, OPEN) if i["kind"] == "in_doubt"]
        for item in items:
            unknown = item["request"].get("reason") == "unknown_outcome"
            said = item["request"]
            paid = unknown and (UNSAFE in json.dumps(said) or bool(said.get("tool")))
            happened = paid and chance.random() > RUNS_AGAIN
            body: dict[str, Any] = {"decision": "retry"}
            if happened:
                body = {"decision": "happened", "result": {"status": 200}}
            self._voice.say(item, body)
        return bool(items)


@dataclass(frozen=True, slots=True)
class Voice:
    """Who decides, and the journal in which each answer to them is noted."""

    name: str
    person: Client
    journal: Journal

    def say(self, item: dict[str, Any], body: dict[str, Any], *, again: bool = False) -> None:
        """Send a decision until it is answered; `again`: once more after that."""
        path = f"/api/interrupts/{item['request_id']}/answer/"
        sent = {"token": item.get("resume_token") or "", **body}
        if item.get("content_hash"):
            sent["content_hash"] = item["content_hash"]
        left = 2 if again else 1
        for _ in range(TRIES):
            try:
                status, answer = self.person.request("POST", path, sent)
            except AWAY:
                status, answer = UNANSWERED, None
            self._note(item, body["decision"], status, answer)
            left -= status != UNANSWERED
            if not left:
                return

    def _note(self, item: dict[str, Any], decision: str, status: int, answer: Any) -> None:
        tag = TAG.search(json.dumps(item))
        self.journal.note(
            "decided",
            request=item["request_id"],
            kind=item["kind"],
            run=item["run"]["id"],
            tag=tag.group() if tag else None,
            by=self.name,
            decision=decision,
            status=status,
            code=answer.get("code") if isinstance(answer, dict) else None,
        )
