"""The reviewers' dashboard: open, overdue, time to decide, edits, rejections, expiry."""

from __future__ import annotations

import csv
from typing import Any

from builder.base import clock
from builder.models import Asked, Interrupt, Run
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, open_interrupt

MINUTE = 60_000
HOUR = 60 * MINUTE


def closed(
    run: Run, outcome: str, *, took: int, ago: int = MINUTE, asks: str = "", edits: Any = None
) -> Interrupt:
    """An approval of the run that was closed so many milliseconds ago."""
    end = clock.now_ms() - ago
    row = open_interrupt(run)
    event = append(run, "InterruptResolved", key=row.key, **({"edits": edits} if edits else {}))
    row.status = "expired" if outcome == "timed_out" else "answered"
    row.outcome, row.resolved_seq = outcome, event.seq
    row.opened_at, row.decided_at = end - took, end
    row.save()
    if asks:
        Asked.objects.create(interrupt=row, principal=asks)
    return row


def test_rates_and_times_are_told_for_all_and_for_who_is_asked(
    people: People, run: Run, alice: Api
) -> None:
    for minutes in (1, 2, 3):
        closed(run, "approved", took=minutes * MINUTE, asks="group:finance")
    closed(run, "approved", took=4 * MINUTE, asks=f"user:{people.bob.user_id}", edits={"a": 1})
    closed(run, "rejected", took=60 * MINUTE)
    closed(run, "timed_out", took=24 * HOUR)
    closed(run, "rejected", took=MINUTE, ago=30 * HOUR)
    seen = alice.get("approvals/").json()

    total = seen["total"]
    assert (total["decided"], total["approved"], total["rejected"], total["expired"]) == (
        5,
        4,
        1,
        1,
    )
    assert (total["edit_rate"], total["rejection_rate"]) == (0.2, 0.2)
    assert total["expiry_rate"] == round(1 / 6, 4)
    assert (total["median_ms"], total["p95_ms"]) == (3 * MINUTE, 60 * MINUTE)
    assert (seen["before"]["decided"], seen["before"]["rejection_rate"]) == (1, 1)
    lines = {line["asked"]: line for line in seen["by_asked"]}
    assert lines["group:finance"]["median_ms"] == 2 * MINUTE
    assert lines["group:finance"]["name"] == "finance"
    assert lines[f"user:{people.bob.user_id}"]["name"] == "Bob"
    assert lines[f"user:{people.bob.user_id}"]["edited"] == 1
    assert lines["anyone"]["expired"] == 1


def test_who_is_asked_by_an_address_is_called_by_name_among_members_alone(
    people: People, run: Run, alice: Api
) -> None:
    strangers = people.carol.user.email
    closed(run, "approved", took=MINUTE, asks=f"user:{people.bob.user.email.upper()}")
    closed(run, "approved", took=MINUTE, asks=f"user:{strangers}")
    closed(run, "approved", took=MINUTE, asks="user:nobody@example.com")

    lines = alice.get("approvals/").json()["by_asked"]
    names = {line["name"] for line in lines}
    assert names == {"Bob", strangers, "nobody@example.com"}


def test_open_and_overdue_are_what_waits_now(run: Run, alice: Api) -> None:
    now = clock.now_ms()
    fresh, late, told = (open_interrupt(run) for _ in range(3))
    Interrupt.objects.filter(pk=fresh.pk).update(expires_at=now + 5 * HOUR, opened_at=now - 5)
    Interrupt.objects.filter(pk=late.pk).update(expires_at=now + MINUTE, opened_at=now - HOUR)
    Interrupt.objects.filter(pk=told.pk).update(expires_at=None, reminded_at=now, opened_at=now)
    open_interrupt(run, "budget")
    Asked.objects.create(interrupt=late, principal="group:finance")
    seen = alice.get("approvals/").json()

    assert (seen["open"], seen["overdue"]) == (3, 2)
    lines = {line["asked"]: (line["open"], line["overdue"]) for line in seen["by_asked"]}
    assert lines == {"group:finance": (1, 1), "anyone": (2, 1)}


def test_another_workspace_has_its_own(run: Run, carol: Api) -> None:
    closed(run, "approved", took=MINUTE)
    open_interrupt(run)
    seen = carol.get("approvals/").json()

    assert (seen["open"], seen["total"]["decided"], seen["by_asked"]) == (0, 0, [])


def test_decisions_can_be_had_as_a_file_without_a_formula(run: Run, alice: Api) -> None:
    closed(run, "approved", took=2 * MINUTE, edits={"a": 1})
    Interrupt.objects.update(node="=HYPERLINK()")
    lines = alice.get("approvals/?format=csv").content.decode().splitlines()

    head = "workflow,node,run,outcome,edited,opened,closed,seconds,decided_by,decided_by_id"
    called = "workflow_name,step,asked,run_title,amount_before,amount_after,currency"
    assert lines[0] == f"{head},comment,changes,decided_for,decided_for_id,{called}"
    assert lines[1].startswith(f"support,'=HYPERLINK(),{run.pk},approved,1,")
    assert ",120," in lines[1]
    assert ",a: -> 1,,,Support," in lines[1]


def test_decisions_in_a_file_have_names_and_amounts(run: Run, alice: Api) -> None:
    item = open_interrupt(run, data={"amount": 77.08})
    closed_at = {"status": "answered", "outcome": "approved", "decided_at": clock.now_ms()}
    Interrupt.objects.filter(pk=item.pk).update(**closed_at)

    text = alice.get("approvals/?format=csv").content.decode()

    [line] = csv.DictReader(text.splitlines())
    assert (line["workflow"], line["workflow_name"], line["asked"]) == (
        "support",
        "Support",
        "Send it?",
    )
    assert (line["amount_before"], line["amount_after"]) == ("77.08", "77.08")
