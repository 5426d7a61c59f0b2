"""What a policy's `confirm` asks for is held by the server: by the page's gesture, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import HeldDecision, Interrupt, InterruptCard, Run
from builder.services.runs.deciding import holds
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, open_interrupt

GRAVE = {"does": "http", "dangerous": False, "effect_class": "unsafe"}
MILD = {"does": "http", "dangerous": False, "effect_class": "read"}


def asked(run: Run, confirm: str | None) -> Interrupt:
    """Open an approval of $2,087.70."""
    policy = {} if confirm is None else {"confirm": confirm}
    row = open_interrupt(run, policy=policy, data={"total": 2087.7, "name": "Nora"})
    InterruptCard.objects.create(interrupt=row, title="Pay?", amount=2087.7, words="")
    return row


def say(api: Api, door: FakeDoor, row: Interrupt, **more: Any) -> Any:
    body = {"token": door.resume_token(row.pk), "content_hash": row.content_hash}
    return api.post(f"interrupts/{row.pk}/answer/", {**body, "decision": "approved", **more})


@pytest.mark.parametrize("hold", [False, True])
def test_the_sum_has_to_be_sent(bob: Api, door: FakeDoor, run: Run, hold: bool) -> None:
    """C96: A key alone approves nothing that has to be typed; the refusal says what would be right."""
    row = asked(run, "type")

    for confirmed in (None, "", "2087", "approve", "nan", "9" * 60):
        refused = say(bob, door, row, hold=hold, confirmed=confirmed)
        assert (refused.status_code, refused.json()["code"]) == (422, "NotConfirmed")
        assert "2087.7" in refused.json()["detail"]
    assert door.answers == [] and not HeldDecision.objects.exists()

    assert say(bob, door, row, hold=hold, confirmed="$2,087.70").status_code == 200


def test_the_sum_is_that_which_is_approved(bob: Api, door: FakeDoor, run: Run) -> None:
    row = asked(run, "type")
    edits = {"total": 1500}

    assert say(bob, door, row, edits=edits, confirmed="2087.7").status_code == 422
    assert say(bob, door, row, edits=edits, confirmed="1,500").status_code == 200


def test_another_field_of_the_same_number_is_not_taken_for_the_sum(
    bob: Api, door: FakeDoor, run: Run
) -> None:
    row = open_interrupt(
        run, policy={"confirm": "type"}, data={"paid": 2087.7, "total": 2087.7, "name": "Nora"}
    )
    InterruptCard.objects.create(interrupt=row, title="Pay?", amount=1800, words="")  # edited since

    assert say(bob, door, row, edits={"total": 1500}, confirmed="1800").status_code == 422
    assert say(bob, door, row, edits={"total": 1500}, confirmed="1500").status_code == 200


def test_a_rejection_and_an_approval_without_that_policy_take_no_more(
    bob: Api, door: FakeDoor, run: Run
) -> None:
    assert say(bob, door, asked(run, "type"), decision="rejected").status_code == 200
    assert say(bob, door, asked(run, "never")).status_code == 200
    assert say(bob, door, asked(run, None)).status_code == 200


def test_before_what_is_dangerous_one_has_to_say_that_one_means_it(
    bob: Api, door: FakeDoor, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead: dict[str, Any] = {"steps": [MILD], "ends": None, "why": None}
    monkeypatch.setattr(door, "foresee", lambda run_id, supposed: ahead)
    assert say(bob, door, asked(run, "dangerous")).status_code == 200

    ahead["steps"] = [MILD, GRAVE]
    row = asked(run, "dangerous")
    refused = say(bob, door, row)
    assert (refused.status_code, refused.json()["code"]) == (422, "NotConfirmed")
    assert say(bob, door, row, confirmed="approve").status_code == 200


def test_many_at_once_confirm_nothing(bob: Api, door: FakeDoor, run: Run) -> None:
    """C96: Those that want a gesture are decided one by one."""
    rows = [asked(run, confirm) for confirm in ("type", "dangerous", "never")]
    items = [{"id": row.pk, "hash": row.content_hash} for row in rows]

    found = bob.post("interrupts/decide/", {"items": items, "decision": "approved"}).json()

    assert [one["code"] for one in found["results"]] == ["NotConfirmed", "NotConfirmed", None]
    again = bob.post("interrupts/decide/", {"items": items[:2], "decision": "rejected"}).json()
    assert [one["code"] for one in again["results"]] == [None, None]


def test_a_held_approval_keeps_what_was_typed(
    bob: Api, people: People, door: FakeDoor, run: Run
) -> None:
    row = asked(run, "type")
    say(bob, door, row, hold=True, confirmed="2087.7")
    [held] = HeldDecision.objects.all()

    assert holds.commit_due(held.commit_at) == 1
    [(_, answer, _)] = door.answers
    assert answer.confirmed == "2087.7"
