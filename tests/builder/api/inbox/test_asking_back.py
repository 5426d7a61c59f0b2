"""Asking back over HTTP with the real engine: views, clock, order, mail, audit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from asgiref.sync import sync_to_async
from django.core import mail as outgoing

from builder.adapters.run_store import ask_rows
from builder.models import AuditEntry, Interrupt, InterruptCard, Outbox, RunEvent
from builder.process.engine_thread import EmbeddedEngine
from builder.services.audit.run_actions import enter_all
from builder.services.mail import inbox_mail
from builder.services.runs.runs import Start, start_run
from engine.core.state.events import Event
from engine.runtime.stores.sql.event_keys import EVENTS_PER_RUN
from tests.builder.conftest import Api, People
from tests.builder.talk import engine, publish, seen

__all__ = ["engine", "seen"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
REVIEW = {
    "id": "review",
    "type": "approval",
    "human_description": "Looks at it.",
    "config": {"prompt_message": "Pay?", "timeout_ms": 14_400_000},
}


def asked(people: People, many: int = 1) -> list[Interrupt]:
    """Open as many approvals, of runs that Alice started."""
    graph = publish(people.alice, "pay", [REVIEW])
    for _ in range(many):
        start_run(people.alice, graph, Start())
    until(lambda: Interrupt.objects.filter(status="open").count() == many)
    return list(Interrupt.objects.order_by("opened_at", "pk"))


def until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come true")


def tell(kind: str, row: Interrupt) -> None:
    """Write what the engine would, were there a mail server."""
    event = RunEvent.objects.filter(type=kind).latest("place")
    seq = event.place % EVENTS_PER_RUN
    data = orjson.loads(bytes(event.data))
    [(_, (ref, payload, at))] = ask_rows.mail_of(Event(seq, kind, event.at, event.key, data))
    Outbox.objects.create(topic="mail", ref=ref, payload=payload, available_at=at)


def listed(api: Api, view: str, **more: str) -> list[str]:
    query = "&".join(f"{name}={value}" for name, value in more.items())
    found = api.get(f"interrupts/?state=open&view={view}&{query}").json()["results"]
    return [item["request_id"] for item in found]


def actions() -> list[dict[str, Any]]:
    enter_all()
    found = [json.loads(entry.entry) for entry in AuditEntry.objects.order_by("n")]
    return [one for one in found if one["action"].startswith("interrupt.")]


async def test_a_question_goes_to_the_starter_and_comes_back_as_the_next_turn(
    people: People, engine: EmbeddedEngine
) -> None:
    """C93: The clock stands still, the content stays, the reply decides nothing."""

    @sync_to_async
    def act() -> None:
        first, second = asked(people, 2)
        at = f"interrupts/{second.pk}"
        bob, alice, oscar = Api(people.bob), Api(people.alice), Api(people.oscar)
        whom = bob.get(f"{at}/ask-back/").json()["results"]
        assert (whom[0]["name"], whom[0]["started"]) == ("Alice", True)
        body = {"to": people.alice.user_id, "question": "Which bank?"}

        told = bob.post(f"{at}/ask-back/", body)
        assert bob.post(f"{at}/ask-back/", body).status_code == 200
        clash = oscar.post(f"{at}/ask-back/", {**body, "question": "Why?"})
        assert (clash.status_code, clash.json()["code"]) == (409, "AlreadyAskedBack")

        item = told.json()
        [question] = item["asked_back"]
        assert (item["expires_at"], item["content_hash"]) == (None, second.content_hash)
        assert 14_300_000 < question["left_ms"] <= 14_400_000
        assert (question["to"]["name"], question["outcome"]) == ("Alice", "")
        assert (listed(bob, "decide"), listed(bob, "asked")) == ([first.pk], [second.pk])
        assert listed(alice, "decide") == [second.pk] and listed(alice, "asked") == []
        assert listed(alice, "asks-me") == [second.pk] and listed(bob, "asks-me") == []
        mine = alice.get(f"{at}/").json()
        assert (mine["can_decide"], mine["asked_back"][0]["asks_me"]) == (False, True)
        refused = bob.post(f"{at}/answer-back/", {"reply": "Ours"})
        assert (refused.status_code, refused.json()["code"]) == (403, "NotEligible")

        replied = alice.post(f"{at}/answer-back/", {"reply": "The old one"}).json()

        assert (replied["status"], replied["content_hash"]) == ("open", second.content_hash)
        assert replied["expires_at"] is not None
        [question] = bob.get(f"{at}/").json()["asked_back"]
        assert (question["outcome"], question["reply"]) == ("answered", "The old one")
        assert listed(bob, "decide", ordering="deadline")[0] == second.pk
        assert listed(bob, "decide", ordering="opened") == [first.pk, second.pk]
        assert listed(alice, "decide") == listed(alice, "asks-me") == []
        decided = bob.post(
            f"{at}/answer/",
            {"token": replied_token(bob, at), "decision": "approved"},
        )
        assert decided.json()["decided"]["decision"] == "approved"
        assert decided.json()["asked_back"][0]["reply"] == "The old one"
        late = alice.post(f"{at}/answer-back/", {"reply": "Another"})
        assert (late.status_code, late.json()["code"]) == (409, "InterruptClosed")
        assert [one["action"] for one in actions()] == [
            "interrupt.asked_back",
            "interrupt.asking_answered",
            "interrupt.decided",
        ]

    await act()


def replied_token(api: Api, at: str) -> str:
    return str(api.get(f"{at}/").json()["resume_token"])


async def test_pages_of_a_list_go_on_below_what_came_back(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        rows = asked(people, 3)
        InterruptCard.objects.filter(pk=rows[1].pk).update(turn_at=rows[1].opened_at + 5)
        bob = Api(people.bob)
        for ordering in ("opened", "-opened", "deadline", "-risk"):
            seen: list[str] = []
            path: str | None = f"interrupts/?state=open&limit=1&ordering={ordering}"
            while path is not None:
                answer = bob.get(path).json()
                seen += [item["request_id"] for item in answer["results"]]
                cursor = answer["next"]
                base = f"interrupts/?state=open&limit=1&ordering={ordering}"
                path = None if cursor is None else f"{base}&cursor={cursor}"
            assert len(seen) == len(set(seen)) == 3, ordering
            if ordering != "-risk":  # of which all have the same
                assert (seen[0] == rows[1].pk) == (ordering == "deadline"), ordering

    await act()


async def test_who_is_asked_and_who_asked_get_a_mail_and_nobody_else(
    people: People, engine: EmbeddedEngine
) -> None:
    """C95."""

    @sync_to_async
    def act() -> None:
        [row] = asked(people)
        at = f"interrupts/{row.pk}"
        body = {"to": people.alice.user_id, "question": "Which bank?"}
        Api(people.bob).post(f"{at}/ask-back/", body)
        tell("InterruptAskedBack", row)
        inbox_mail.deliver_due()
        inbox_mail.deliver_due(row.opened_at + 10**7)
        Api(people.olga).patch("workspace/", {"settings": {"mail_titles": True}})
        Api(people.alice).post(f"{at}/answer-back/", {"reply": "The old one"})
        tell("InterruptAnsweredBack", row)
        inbox_mail.deliver_due(row.opened_at + 2 * 10**7)
        inbox_mail.deliver_due(row.opened_at + 4 * 10**7)

        sent = [(one.to, one.subject.split(":")[0]) for one in outgoing.outbox]
        assert sent == [
            (["alice@example.com"], "A question to you"),
            (["bob@example.com"], "Answered"),
        ]
        asks, answers = [str(one.body) for one in outgoing.outbox]
        assert "waits for an answer of yours: Bob asks you before they decide" in asks
        assert "Which bank?" not in asks  # what people write stays in the app unless allowed
        assert "Question: Which bank?\nAnswer: The old one\n" in answers

    await act()


async def test_the_question_is_taken_back_and_tokens_ask_nothing(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        [row] = asked(people)
        at = f"interrupts/{row.pk}/ask-back/"
        body = {"to": people.alice.user_id, "question": "Which bank?"}
        bob = Api(people.bob)
        bob.post(at, body)
        [ended] = Api(people.oscar).delete(at).json()["asked_back"]
        assert (ended["outcome"], ended["by"]["name"]) == ("withdrawn", "Bob")
        assert ended["ended_by"] == {"id": people.oscar.user_id, "name": "Oscar"}
        assert listed(bob, "decide") == [row.pk]
        vera = Api(people.vera)
        assert vera.post(at, body).json()["code"] == "NotAllowed"
        nobody = bob.post(at, {**body, "to": "nobody"})
        assert nobody.status_code == 404
        wrong = bob.post(at, {**body, "to": people.vera.user_id})
        assert (wrong.status_code, wrong.json()["code"]) == (422, "AskNotPossible")

    await act()
