"""Many approvals with one request: each is decided for what was looked at, each has its result."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.models import Interrupt, Run
from builder.services.runs.deciding import holds
from tests.builder.api.inbox.test_holds import LATER, opened, status
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor


def asked(*rows: Interrupt) -> dict[str, Any]:
    return {
        "items": [{"id": row.pk, "hash": row.content_hash} for row in rows],
        "decision": "approved",
    }


def states(answer: Any) -> list[str]:
    return [one["code"] or one["state"] for one in answer.json()["results"]]


def test_many_are_held_together_and_sent_each(bob: Api, run: Run, door: FakeDoor) -> None:
    rows = [opened(run) for _ in range(3)]
    answer = bob.post("interrupts/decide/", {**asked(*rows), "comment": "All fine."})

    assert states(answer) == ["held"] * 3
    assert [status(row) for row in rows] == ["open"] * 3
    assert holds.commit_due(now_ms() + LATER) == 3
    assert [status(row) for row in rows] == ["answered"] * 3
    assert {sent.comment for _, sent, _ in door.answers} == {"All fine."}


def test_each_has_a_result_of_its_own(bob: Api, alice: Api, people: People, run: Run) -> None:
    good, changed, done = (opened(run) for _ in range(3))
    body = asked(good, changed, done)
    Interrupt.objects.filter(pk=changed.pk).update(content_hash="d" * 64)
    Interrupt.objects.filter(pk=done.pk).update(
        status="answered", decided_by=people.oscar.user_id, outcome="rejected"
    )
    body["items"].append({"id": "nowhere", "hash": "c" * 64})

    found = bob.post("interrupts/decide/", body)

    assert states(found) == ["held", "ContentChanged", "AlreadyDecided", "InterruptNotFound"]
    assert states(alice.post("interrupts/decide/", asked(good))) == ["NotEligible"]


def test_many_are_taken_back_together(bob: Api, run: Run, door: FakeDoor) -> None:
    rows = [opened(run) for _ in range(3)]
    bob.post("interrupts/decide/", asked(*rows))
    back = bob.post("interrupts/withdraw/", {"ids": [row.pk for row in rows]})
    holds.commit_due(now_ms() + LATER)

    assert states(back) == ["withdrawn"] * 3
    assert door.answers == []


def test_who_holds_nothing_decides_many_at_once(bob: Api, run: Run) -> None:
    rows = [opened(run) for _ in range(2)]
    bob.patch("deciding/", {"seconds": 0})

    assert states(bob.post("interrupts/decide/", asked(*rows))) == ["decided"] * 2
    assert [status(row) for row in rows] == ["answered"] * 2


@pytest.mark.parametrize("count", [0, 501])
def test_one_request_has_bounds(bob: Api, run: Run, count: int) -> None:
    row = opened(run)
    items = [{"id": f"{row.pk}{n}", "hash": "c" * 64} for n in range(count)]

    assert bob.post("interrupts/decide/", {**asked(row), "items": items}).status_code == 400


def test_one_item_is_named_once(bob: Api, run: Run) -> None:
    row = opened(run)

    assert bob.post("interrupts/decide/", asked(row, row)).status_code == 400
