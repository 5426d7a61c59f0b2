"""Decisions that can be taken back for some seconds before the server sends them."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from builder.base.clock import now_ms
from builder.models import AuditEntry, Blob, HeldDecision, Interrupt, Membership, Run, RunRequest
from builder.services.people import accounts
from builder.services.runs.deciding import holds
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, open_interrupt

LATER = 9_000


@pytest.fixture
def oscar(people: People) -> Api:
    return Api(people.oscar)


@pytest.fixture
def item(run: Run) -> Interrupt:
    return opened(run)


def opened(run: Run, **more: Any) -> Interrupt:
    row = open_interrupt(run, **more)
    row.expires_at = now_ms() + 3_600_000
    row.save()
    return row


def answer(row: Interrupt, **more: Any) -> dict[str, Any]:
    token = FakeDoor().resume_token(row.pk)
    return {
        "token": token,
        "content_hash": row.content_hash,
        "decision": "approved",
        "hold": True,
        **more,
    }


def post(api: Api, row: Interrupt, **more: Any) -> Any:
    return api.post(f"interrupts/{row.pk}/answer/", answer(row, **more))


def status(row: Interrupt) -> str:
    return Interrupt.objects.get(pk=row.pk).status


def test_others_see_that_somebody_decides_and_not_how(
    bob: Api, oscar: Api, item: Interrupt, door: FakeDoor
) -> None:
    post(bob, item)
    told = oscar.get(f"interrupts/{item.pk}/").json()
    mine = bob.get(f"interrupts/{item.pk}/").json()
    bob.post("interrupts/withdraw/", {"ids": [item.pk]})

    assert ([one["name"] for one in told["deciding"]], told["held"]) == (["Bob"], None)
    assert (mine["deciding"], mine["held"]["state"]) == ([], "held")
    assert oscar.get(f"interrupts/{item.pk}/").json()["deciding"] == []


def actions() -> list[dict[str, Any]]:
    found = [json.loads(entry.entry) for entry in AuditEntry.objects.order_by("n")]
    return [one for one in found if one["action"].startswith("interrupt.")]


def test_a_held_decision_is_sent_by_the_server_when_its_time_is_over(
    bob: Api, oscar: Api, item: Interrupt, door: FakeDoor
) -> None:
    shown = post(bob, item, comment="Fine.").json()
    assert bob.get("interrupts/?view=held").json()["total"] == 1

    assert (shown["status"], shown["held"]["state"]) == ("open", "held")
    assert (shown["held"]["decision"], shown["held"]["comment"]) == ("approved", "Fine.")
    assert oscar.get(f"interrupts/{item.pk}/").json()["held"] is None
    assert holds.commit_due() == 0
    assert door.answers == []

    assert holds.commit_due(now_ms() + LATER) == 1

    assert status(item) == "answered"
    [(_, sent, actor)] = door.answers
    assert (sent.decision, sent.comment, sent.content_hash) == ("approved", "Fine.", "c" * 64)
    assert actor.via == "page"
    assert bob.get(f"interrupts/{item.pk}/").json()["held"] is None


def test_what_was_sent_is_never_sent_twice(bob: Api, item: Interrupt, door: FakeDoor) -> None:
    """A process that dies after it was written into the mailbox finds it there: it is sent once."""
    post(bob, item)
    holds.commit_due(now_ms() + LATER)
    HeldDecision.objects.update(state="sending")

    holds.commit_due(now_ms() + LATER)
    holds.commit_due(now_ms() + LATER)

    assert len(door.answers) == 1
    assert HeldDecision.objects.get().state == "sent"
    assert status(item) == "answered"


def test_what_the_engine_has_not_come_to_is_sent_once_and_heard_later(
    bob: Api, item: Interrupt, door: FakeDoor
) -> None:
    post(bob, item)
    door.deaf = True
    assert holds.commit_due(now_ms() + LATER) == 0
    assert HeldDecision.objects.get().state == "sending"
    door.deaf = False
    assert holds.commit_due(now_ms() + LATER) == 1

    assert len(door.answers) == RunRequest.objects.count() == 1
    assert HeldDecision.objects.get().state == "sent"


def test_what_is_taken_back_is_not_decided(bob: Api, item: Interrupt, door: FakeDoor) -> None:
    post(bob, item)
    back = bob.post("interrupts/withdraw/", {"ids": [item.pk]}).json()["results"]
    again = bob.post("interrupts/withdraw/", {"ids": [item.pk]}).json()["results"]
    holds.commit_due(now_ms() + LATER)

    assert back == [
        {"id": item.pk, "state": "withdrawn", "commit_at": None, "code": None, "detail": None}
    ]
    assert again[0]["code"] == "TooLate"
    assert (door.answers, status(item)) == ([], "open")
    [entry] = actions()
    assert entry["action"] == "interrupt.withdrawn"
    assert entry["detail"]["decision"] == "approved"
    assert entry["detail"]["content_hash"] == "c" * 64
    assert entry["detail"]["held_ms"] >= 0


def test_nobody_takes_back_what_others_hold(bob: Api, oscar: Api, item: Interrupt) -> None:
    post(bob, item)
    [result] = oscar.post("interrupts/withdraw/", {"ids": [item.pk]}).json()["results"]

    assert result["code"] == "TooLate"
    assert HeldDecision.objects.get().state == "held"


def test_the_same_again_is_the_one_that_is_held_and_another_takes_its_place(
    bob: Api, item: Interrupt, door: FakeDoor
) -> None:
    first = post(bob, item).json()["held"]["commit_at"]
    same = post(bob, item).json()["held"]["commit_at"]
    other = post(bob, item, decision="rejected", comment="No.").json()["held"]
    holds.commit_due(now_ms() + LATER)

    assert (first, other["decision"]) == (same, "rejected")
    assert [sent.decision for _, sent, _ in door.answers] == ["rejected"]
    assert [one["action"] for one in actions()][:1] == ["interrupt.withdrawn"]


def test_content_that_changed_meanwhile_is_not_decided(bob: Api, item: Interrupt) -> None:
    post(bob, item)
    Interrupt.objects.update(content_hash="d" * 64)
    holds.commit_due(now_ms() + LATER)

    held = bob.get(f"interrupts/{item.pk}/").json()["held"]
    assert (held["state"], held["code"]) == ("refused", "ContentChanged")
    assert status(item) == "open"
    told = bob.get("interrupts/?view=held").json()["results"]
    assert [one["request_id"] for one in told] == [item.pk]
    item.refresh_from_db()
    assert post(bob, item).json()["held"]["state"] == "held"


def test_who_lost_their_right_meanwhile_decides_nothing(
    bob: Api, people: People, item: Interrupt, door: FakeDoor
) -> None:
    post(bob, item)
    Membership.objects.filter(pk=people.bob.pk).update(role="viewer")
    holds.commit_due(now_ms() + LATER)

    assert HeldDecision.objects.get().code == "NotEligible"
    assert status(item) == "open"


def test_who_left_the_workspace_meanwhile_decides_nothing(
    bob: Api, people: People, item: Interrupt, door: FakeDoor
) -> None:
    post(bob, item)
    people.bob.delete()
    holds.commit_due(now_ms() + LATER)

    assert (HeldDecision.objects.get().state, door.answers) == ("refused", [])


def test_of_two_who_hold_the_first_that_is_sent_counts(
    bob: Api, oscar: Api, item: Interrupt
) -> None:
    post(oscar, item, decision="rejected", comment="No.")
    HeldDecision.objects.update(commit_at=1)
    post(bob, item)
    holds.commit_due(now_ms() + LATER)

    seen = bob.get(f"interrupts/{item.pk}/").json()
    assert (seen["held"]["code"], seen["decided"]["by"]["name"]) == ("AlreadyDecided", "Oscar")


def test_a_deadline_inside_the_window_sends_at_once(
    bob: Api, item: Interrupt, door: FakeDoor
) -> None:
    Interrupt.objects.update(expires_at=now_ms() + 7_000)
    shown = post(bob, item).json()

    assert (shown["status"], shown["held"], len(door.answers)) == ("answered", None, 1)


def test_a_person_chooses_for_how_long_and_none_means_at_once(
    bob: Api, oscar: Api, run: Run, item: Interrupt
) -> None:
    assert bob.get("deciding/").json() == {"seconds": 8}
    assert bob.patch("deciding/", {"seconds": 0}).json() == {"seconds": 0}
    assert bob.patch("deciding/", {"seconds": 61}).status_code == 400
    assert post(bob, item).json()["status"] == "answered"
    assert oscar.get("deciding/").json() == {"seconds": 8}
    assert post(oscar, opened(run)).json()["held"]["state"] == "held"


def test_without_the_word_hold_an_answer_counts_at_once(
    bob: Api, people: People, run: Run, item: Interrupt
) -> None:
    assert post(bob, item, hold=False).json()["status"] == "answered"
    _, text = accounts.create_api_token(people.bob, name="bot")
    program = Api(None, Authorization=f"Bearer {text}")
    asked = opened(run, kind="text")
    assert program.post(f"interrupts/{asked.pk}/answer/", {**answer(asked)}).status_code == 200
    assert program.post("interrupts/withdraw/", {"ids": [asked.pk]}).status_code == 403


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"content_hash": "e" * 64}, "ContentChanged"),
        ({"token": "x"}, "InterruptNotFound"),
        ({"decision": "raise"}, "AnswerInvalid"),
        ({"content_hash": None}, "InputInvalid"),
    ],
)
def test_what_cannot_count_is_refused_before_it_is_held(
    bob: Api, item: Interrupt, change: dict[str, Any], code: str
) -> None:
    refused = post(bob, item, **change)

    assert (refused.status_code >= 400, refused.json()["code"]) == (True, code)
    assert HeldDecision.objects.count() == 0


def test_a_reason_that_is_asked_for_is_asked_before_it_is_held(bob: Api, run: Run) -> None:
    row = opened(run, require_reason="always")

    assert post(bob, row).json()["code"] == "AnswerInvalid"
    assert post(bob, row, comment="Because.").json()["held"]["state"] == "held"


def test_who_may_not_decide_holds_nothing(alice: Api, item: Interrupt) -> None:
    refused = post(alice, item)

    assert (refused.status_code, refused.json()["code"]) == (403, "NotEligible")


def test_a_trouble_of_the_server_is_no_refusal(
    bob: Api, run: Run, item: Interrupt, door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = opened(run)
    post(bob, item)
    post(bob, other)
    answers = door.answer

    def failing(run_id: str, request_id: str, *rest: Any) -> dict[str, Any]:
        if request_id == item.pk:
            raise TimeoutError("the disk is slow")
        return answers(run_id, request_id, *rest)

    monkeypatch.setattr(door, "answer", failing)
    assert holds.commit_due(now_ms() + LATER) == 1
    assert (status(item), status(other)) == ("open", "answered")
    monkeypatch.setattr(door, "answer", answers)
    assert holds.commit_due(now_ms() + LATER) == 1
    assert status(item) == "answered"


def test_what_cannot_be_sent_for_long_is_told(
    bob: Api, item: Interrupt, door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(bob, item)

    def failing(*_: Any) -> dict[str, Any]:
        raise TimeoutError("the disk is slow")

    monkeypatch.setattr(door, "answer", failing)
    for _ in range(holds.MAX_TRIES):
        holds.commit_due(now_ms() + 10_000_000)
    assert bob.get(f"interrupts/{item.pk}/").json()["held"]["code"] == "NotSent"


CALL: dict[str, Any] = {
    "approval_type": "tool_call",
    "agent": "refunder",
    "tool": "stripe/refund",
    "editable_keys": ["amount"],
    "edit_schema": {
        "type": "object",
        "properties": {"amount": {"type": "number", "maximum": 500}},
    },
}


def test_edits_that_do_not_fit_the_tool_are_refused_before_they_are_held(
    bob: Api, run: Run, door: FakeDoor
) -> None:
    row = opened(run, data={"amount": 250, "charge": "ch_81"}, request=CALL)

    wrong = post(bob, row, edits={"amount": "much"})
    barred = post(bob, row, edits={"charge": "ch_1"})
    fine = post(bob, row, edits={"amount": 200})

    assert [each.status_code for each in (wrong, barred, fine)] == [422, 422, 200]
    assert "edits: amount" in wrong.json()["detail"]
    assert "editable are ['amount']" in barred.json()["detail"]
    assert HeldDecision.objects.count() == 1


def test_a_call_with_a_megabyte_is_edited_and_held(bob: Api, run: Run, door: FakeDoor) -> None:
    """What is large is stored apart: the tool's schema is held against the whole of it."""
    text = orjson.dumps("x" * 1_000_000)
    Blob.objects.create(hash="b" * 64, data=text, size=len(text))
    schema = {"type": "object", "properties": {"amount": {}, "letter": {"type": "string"}}}
    shown = {"amount": 250, "letter": {"$blob": "b" * 64, "bytes": len(text)}}
    row = opened(run, data=shown, request={**CALL, "edit_schema": schema})

    assert post(bob, row, edits={"amount": 200}).status_code == 200
