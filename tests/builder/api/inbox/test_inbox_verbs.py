"""Claiming, snoozing, delegating and asking: what people do with an item before it is decided."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connections

from builder.models import AuditEntry, Claim, Interrupt, Run, User
from builder.services.people import accounts
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, FakeDoor, open_interrupt


@pytest.fixture
def oscar(people: People) -> Api:
    return Api(people.oscar)


def path(row: Interrupt, verb: str = "") -> str:
    return f"interrupts/{row.pk}/{verb}"


def listed(api: Api, view: str) -> list[str]:
    found = api.get(f"interrupts/?view={view}").json()["results"]
    return [item["request_id"] for item in found]


def soon(hours: float = 1) -> str:
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat()


def actions() -> list[str]:
    found = [json.loads(entry.entry) for entry in AuditEntry.objects.order_by("n")]
    return [one["action"] for one in found if one["action"].startswith("interrupt.")]


def test_a_claim_is_seen_by_all_and_keeps_nobody_out(bob: Api, oscar: Api, run: Run) -> None:
    """C96: Who claimed it is shown; somebody else may still decide."""
    row = open_interrupt(run)
    claimed = bob.post(path(row, "claim/")).json()
    again = bob.post(path(row, "claim/"))

    assert claimed["claim"]["by"]["name"] == "Bob"
    assert (again.status_code, Claim.objects.count()) == (200, 1)
    seen = oscar.get(path(row)).json()
    assert seen["claim"]["by"]["name"] == "Bob"
    assert seen["can_decide"]
    assert (listed(bob, "claimed"), listed(oscar, "claimed")) == ([row.pk], [])
    body = {"token": FakeDoor().resume_token(row.pk), "decision": "approved"}
    assert oscar.post(path(row, "answer/"), body).status_code == 200


def test_a_claim_is_taken_over_only_on_purpose(bob: Api, oscar: Api, run: Run) -> None:
    row = open_interrupt(run)
    bob.post(path(row, "claim/"))
    refused = oscar.post(path(row, "claim/"))
    taken = oscar.post(path(row, "claim/"), {"take_over": True})

    assert (refused.status_code, refused.json()["code"]) == (409, "AlreadyClaimed")
    assert refused.json()["claim"]["by"]["name"] == "Bob"
    assert taken.json()["claim"]["by"]["name"] == "Oscar"
    assert bob.delete(path(row, "claim/")).json()["claim"]["by"]["name"] == "Oscar"
    assert oscar.delete(path(row, "claim/")).json()["claim"] is None
    assert actions() == ["interrupt.claimed", "interrupt.claimed", "interrupt.unclaimed"]


def test_a_snooze_hides_it_from_ones_own_lists_only(bob: Api, oscar: Api, run: Run) -> None:
    row = open_interrupt(run)
    assert listed(bob, "groups") == [row.pk]
    shown = bob.post(path(row, "snooze/"), {"until": soon()}).json()

    assert shown["snoozed_until"]
    assert (listed(bob, "groups"), listed(bob, "snoozed")) == ([], [row.pk])
    assert (listed(oscar, "groups"), listed(oscar, "snoozed")) == ([row.pk], [])
    assert bob.delete(path(row, "snooze/")).json()["snoozed_until"] is None
    assert listed(bob, "groups") == [row.pk]


def test_nobody_snoozes_into_the_past_or_past_the_deadline(bob: Api, run: Run) -> None:
    row = open_interrupt(run)
    past = bob.post(path(row, "snooze/"), {"until": soon(-1)})
    late = datetime.fromtimestamp((NOW + 90_000_000) / 1000, UTC).isoformat()
    beyond = bob.post(path(row, "snooze/"), {"until": late})
    naive = bob.post(path(row, "snooze/"), {"until": "2030-01-01T00:00:00"})

    assert (past.status_code, past.json()["code"]) == (400, "InputInvalid")
    assert (beyond.status_code, beyond.json()["code"]) == (422, "PastDeadline")
    assert naive.status_code == 400


def test_delegating_asks_somebody_who_may_decide(bob: Api, oscar: Api, run: Run) -> None:
    row = open_interrupt(run)
    bob.post(path(row, "claim/"))
    oscar_id = User.objects.get(name="Oscar").pk
    shown = bob.post(path(row, "delegate/"), {"to": oscar_id, "note": "you know them"}).json()

    assert shown["delegation"]["to"]["name"] == "Oscar"
    assert shown["claim"] is None
    seen = oscar.get(path(row)).json()
    assert seen["why_me"] == "Bob asked you to decide."
    assert seen["delegation"]["note"] == "you know them"
    assert listed(oscar, "mine") == [row.pk]
    assert actions() == ["interrupt.claimed", "interrupt.delegated"]


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [
        ("alice", 422, "NotEligible"),
        ("vera", 422, "NotEligible"),
        ("bob", 400, "InputInvalid"),
        ("carol", 404, "NotFound"),
    ],
)
def test_nobody_is_asked_who_may_not_decide(
    bob: Api, people: People, run: Run, who: str, status: int, code: str
) -> None:
    row = open_interrupt(run)
    answer = bob.post(path(row, "delegate/"), {"to": getattr(people, who).user_id})

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_four_eyes_hold_for_who_is_asked(people: People, run: Run) -> None:
    """Delegation leads never to an excluded person."""
    run.started_by = people.oscar.user_id
    row = open_interrupt(run, policy={"four_eyes": ["starter"]})
    answer = Api(people.bob).post(path(row, "delegate/"), {"to": people.oscar.user_id})

    assert (answer.status_code, answer.json()["code"]) == (422, "NotEligible")
    why = "Oscar cannot decide this: they started this run, so somebody else has to decide"
    assert answer.json()["detail"] == why


def test_a_thread_of_questions_and_answers_stays_with_the_item(
    alice: Api, bob: Api, run: Run
) -> None:
    row = open_interrupt(run)
    asked = bob.post(path(row, "comments/"), {"text": "Which order is it?"})
    alice.post(path(row, "comments/"), {"text": "42"})
    thread = bob.get(path(row, "comments/")).json()["results"]

    assert asked.status_code == 201
    assert [(one["by"]["name"], one["text"]) for one in thread] == [
        ("Bob", "Which order is it?"),
        ("Alice", "42"),
    ]
    assert bob.get(path(row)).json()["comments"] == 2
    assert bob.get(path(row)).json()["status"] == "open"
    assert bob.post(path(row, "comments/"), {"text": "  "}).status_code == 400


def test_what_is_decided_cannot_be_claimed_snoozed_delegated_or_discussed(
    bob: Api, people: People, run: Run
) -> None:
    row = open_interrupt(run)
    body = {"token": FakeDoor().resume_token(row.pk), "decision": "approved"}
    bob.post(path(row, "answer/"), body)
    tries = {
        "claim/": {},
        "snooze/": {"until": soon()},
        "delegate/": {"to": people.oscar.user_id},
        "comments/": {"text": "why?"},
    }

    for verb, sent in tries.items():
        answer = bob.post(path(row, verb), sent)
        assert (answer.status_code, answer.json()["code"]) == (409, "InterruptClosed"), verb
    assert listed(bob, "done") == [row.pk]


def test_only_who_may_decide_uses_the_verbs(alice: Api, run: Run) -> None:
    row = open_interrupt(run)

    for verb, sent in (("claim/", {}), ("snooze/", {"until": soon()}), ("delegate/", {"to": "x"})):
        answer = alice.post(path(row, verb), sent)
        assert (answer.status_code, answer.json()["code"]) == (403, "NotAllowed"), verb


def test_programs_use_none_of_the_verbs(people: People, run: Run) -> None:
    row = open_interrupt(run)
    _, text = accounts.create_api_token(people.bob, name="bot")
    program = Api(None, Authorization=f"Bearer {text}")

    assert program.post(path(row, "claim/")).json()["code"] == "NotAllowed"
    assert program.post(path(row, "comments/"), {"text": "x"}).status_code == 403


def test_overdue_is_what_people_were_reminded_of_or_ends_soon(bob: Api, run: Run) -> None:
    fresh, reminded, ending = (open_interrupt(run) for _ in range(3))
    far = int(datetime.now(UTC).timestamp() * 1000) + 86_400_000
    Interrupt.objects.filter(pk__in=[fresh.pk, reminded.pk]).update(expires_at=far)
    Interrupt.objects.filter(pk=reminded.pk).update(reminded_at=NOW)
    Interrupt.objects.filter(pk=ending.pk).update(expires_at=far - 86_000_000)

    assert set(listed(bob, "overdue")) == {reminded.pk, ending.pk}
    assert bob.get("interrupts/?view=sideways").status_code == 400


@pytest.mark.django_db(transaction=True)
def test_of_two_claims_at_once_one_holds(people: People, run: Run) -> None:
    row = open_interrupt(run)
    barrier = threading.Barrier(2, timeout=20)
    statuses: list[int] = []

    def claim(member: Any) -> None:
        api = Api(member)
        barrier.wait()
        statuses.append(api.post(path(row, "claim/")).status_code)
        connections.close_all()

    threads = [threading.Thread(target=claim, args=[who]) for who in (people.bob, people.oscar)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(statuses) == [200, 409]
