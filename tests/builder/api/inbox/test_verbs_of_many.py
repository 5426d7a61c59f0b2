"""Claiming, snoozing and delegating many items with one request: each has its result."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from builder.base.clock import now_ms
from builder.models import AuditEntry, Claim, Delegation, Interrupt, Run, Snooze
from tests.builder.api.inbox.test_decide_many import states
from tests.builder.api.inbox.test_holds import opened
from tests.builder.conftest import Api, People


def ids(*rows: Interrupt) -> dict[str, Any]:
    return {"ids": [row.pk for row in rows]}


def soon(minutes: float) -> str:
    return (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()


@pytest.fixture
def oscar(people: People) -> Api:
    return Api(people.oscar)


def test_many_are_claimed_and_what_somebody_has_stays_theirs(
    bob: Api, oscar: Api, run: Run
) -> None:
    first, theirs, done = (opened(run) for _ in range(3))
    oscar.post(f"interrupts/{theirs.pk}/claim/")
    Interrupt.objects.filter(pk=done.pk).update(status="answered", outcome="rejected")

    answer = bob.post("interrupts/claim/", ids(first, theirs, done))
    taken = bob.post("interrupts/claim/", {**ids(theirs), "take_over": True})

    assert states(answer) == ["claimed", "AlreadyClaimed", "InterruptClosed"]
    assert answer.json()["results"][1]["detail"] == "Oscar has claimed this"
    assert states(taken) == ["claimed"]
    assert {str(one.user) for one in Claim.objects.select_related("user")} == {"Bob"}
    said = [json.loads(entry.entry)["action"] for entry in AuditEntry.objects.order_by("n")]
    assert said.count("interrupt.claimed") == 3


def test_many_are_snoozed_but_what_ends_before(bob: Api, run: Run) -> None:
    late, early = opened(run), opened(run)
    Interrupt.objects.filter(pk=early.pk).update(expires_at=now_ms() + 600_000)

    answer = bob.post("interrupts/snooze/", {**ids(late, early), "until": soon(30)})

    assert states(answer) == ["snoozed", "PastDeadline"]
    assert [one.interrupt_id for one in Snooze.objects.all()] == [late.pk]


def test_many_are_delegated_to_who_may_decide_each(
    bob: Api, alice: Api, people: People, run: Run
) -> None:
    rows = [opened(run) for _ in range(2)]
    body = {**ids(*rows), "to": people.oscar.user_id, "note": "Yours?"}

    assert states(bob.post("interrupts/delegate/", body)) == ["delegated"] * 2
    assert {one.note for one in Delegation.objects.all()} == {"Yours?"}
    to_alice = bob.post("interrupts/delegate/", {**body, "to": people.alice.user_id})
    assert states(to_alice) == ["NotEligible"] * 2
    assert states(alice.post("interrupts/delegate/", body)) == ["NotAllowed"] * 2
    assert Delegation.objects.count() == 2


@pytest.mark.parametrize(
    ("verb", "wrong"), [("snooze", {"until": soon(-1)}), ("delegate", {"to": "oneself"})]
)
def test_what_is_wrong_for_all_is_said_once(
    bob: Api, people: People, run: Run, verb: str, wrong: dict[str, Any]
) -> None:
    body = {**ids(opened(run), opened(run)), **wrong}
    if verb == "delegate":
        body["to"] = people.bob.user_id
    refused = bob.post(f"interrupts/{verb}/", body)

    assert refused.status_code == 400
    assert [one["path"] for one in refused.json()["problems"]] == list(wrong)


@pytest.mark.parametrize(
    ("verb", "more"),
    [("claim", {}), ("snooze", {"until": "soon"}), ("delegate", {"to": "oscar"})],
)
def test_items_of_elsewhere_are_not_there(
    people: People, bob: Api, run: Run, verb: str, more: dict[str, Any]
) -> None:
    mine = opened(run)
    if verb == "snooze":  # the hour of the test, not of when it was collected
        more = {"until": soon(5)}
    answer = Api(people.carol).post(f"interrupts/{verb}/", {**ids(mine), **more})

    assert states(answer) == ["InterruptNotFound"]
    assert not Claim.objects.exists() and not Snooze.objects.exists()


def test_one_request_names_a_thousand_each_once(bob: Api, run: Run) -> None:
    row = opened(run)
    many = [f"{row.pk}{n}" for n in range(1_001)]
    too_many = bob.post("interrupts/claim/", {"ids": many})

    assert too_many.status_code == 400
    assert "1000" in json.dumps(too_many.json()["problems"])
    assert bob.post("interrupts/claim/", {"ids": []}).status_code == 400
    assert bob.post("interrupts/claim/", ids(row, row)).status_code == 400
    assert states(bob.post("interrupts/claim/", {"ids": many[:1_000]})) == (
        ["InterruptNotFound"] * 1_000
    )


def test_an_item_more_takes_no_more_queries_than_its_own(bob: Api, run: Run) -> None:
    rows = [opened(run) for _ in range(6)]

    def queries(*some: Interrupt) -> int:
        with CaptureQueriesContext(connection) as seen:
            bob.post("interrupts/claim/", ids(*some))
        return len(seen)

    queries(rows[0])
    one, four = queries(rows[1]), queries(*rows[2:])
    assert four <= one + 3 * 22
