"""What helps to decide: what would follow, and what the item is like."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.apps import apps
from django.db import connection

from builder.adapters.run_store import card_rows
from builder.models import Interrupt, InterruptCard, InterruptField, Run
from builder.services.runs.runs import Start, start_run
from engine.core.state.events import Event
from tests.builder.api.inbox.test_holds import opened
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, FakeDoor

STEP = "g:review"


def decided(run: Run, n: int, amount: float, outcome: str = "approved", by: str = "") -> Interrupt:
    row = opened(run)
    Interrupt.objects.filter(pk=row.pk).update(
        status="answered", outcome=outcome, decided_by=by, decided_at=NOW + n, opened_at=NOW
    )
    InterruptCard.objects.create(
        interrupt=row, title=f"Pay {amount}", amount=amount, words="", step=STEP, decided_at=NOW + n
    )
    return row


def waiting(run: Run, amount: float = 2087.7) -> Interrupt:
    row = opened(run, data={"customer": "Nora Marsh", "amount": amount})
    InterruptCard.objects.create(
        interrupt=row, title=f"Pay {amount}", amount=amount, words="", step=STEP
    )
    InterruptField.objects.create(interrupt=row, name="customer", text="nora marsh")
    return row


def test_a_look_ahead_is_asked_of_the_engine_and_decides_nothing(
    bob: Api, people: People, run: Run, door: FakeDoor
) -> None:
    row = waiting(run)
    body = {"decision": "approved", "edits": {"amount": 12}, "comment": "ok"}

    found = bob.post(f"interrupts/{row.pk}/foresee/", body)

    assert found.json() == {"steps": [], "ends": None, "why": None, "passes": []}
    [supposed] = door.supposed
    assert (supposed.decision, supposed.edits, supposed.comment) == (
        "approved",
        {"amount": 12},
        "ok",
    )
    assert supposed.actor.id == people.bob.user_id
    assert door.answers == []
    assert bob.post(f"interrupts/{row.pk}/foresee/", {"decision": "maybe"}).status_code == 400


def test_the_latest_decisions_of_a_step_are_counted_and_told(
    bob: Api, people: People, run: Run
) -> None:
    decided(run, 1, 80.0, by=people.alice.user_id)
    decided(run, 2, 90.0, "rejected", by=people.alice.user_id)
    decided(run, 3, 82.0, by=people.bob.user_id)
    decided(run, 4, 7.0, "expired")
    row = waiting(run)
    graph = run.graph
    assert graph is not None
    another = start_run(people.alice, graph, Start(input="Late parcel", draft=True))
    Interrupt.objects.filter(outcome="rejected").update(run=another)

    found: dict[str, Any] = bob.get(f"interrupts/{row.pk}/alike/").json()

    assert (found["count"], found["approved"], found["median"]) == (3, 2, 82.0)
    assert (found["amount"], found["last_approved"]) == (2087.7, 82.0)
    assert [one["amount"] for one in found["last"]] == [82.0, 90.0, 80.0]
    assert found["last"][1]["decision"] == "rejected"
    assert found["last"][0]["by"]["id"] == people.bob.user_id
    assert found["last"][0]["took_ms"] == 3
    assert [one["run_title"] for one in found["last"]] == ["hi", "Late parcel", "hi"]
    assert found["others"] == []


def test_what_is_decided_is_compared_with_what_was_decided_before(bob: Api, run: Run) -> None:
    decided(run, 1, 80.0)
    row = decided(run, 2, 90.0)
    decided(run, 3, 12.0)

    found = bob.get(f"interrupts/{row.pk}/alike/").json()

    assert (found["count"], found["last_approved"]) == (1, 80.0)
    listed = bob.get("interrupts/?state=done&ordering=-decided").json()["results"]
    assert [one["decided"]["at"] for one in listed] == sorted(
        (one["decided"]["at"] for one in listed), reverse=True
    )
    assert listed[1]["request_id"] == row.pk


def test_others_about_the_same_are_told_whatever_became_of_them(bob: Api, run: Run) -> None:
    before = decided(run, 1, 80.0)
    InterruptField.objects.create(interrupt=before, name="customer", text="nora marsh")
    open_one, row = waiting(run, 5.0), waiting(run)

    [others] = bob.get(f"interrupts/{row.pk}/alike/").json()["others"]

    assert (others["field"], others["value"], others["count"]) == ("customer", "Nora Marsh", 2)
    assert [one["request_id"] for one in others["items"]] == [open_one.pk, before.pk]
    assert [one["status"] for one in others["items"]] == ["open", "answered"]


def test_earlier_decisions_of_the_run_are_told_the_latest_first(
    bob: Api, people: People, run: Run
) -> None:
    """Not those of other runs, nor what waits; of an item that is over not what came after it."""
    first = decided(run, 1, 80.0, "approved", people.bob.user_id)
    second = decided(run, 2, 5.0, "rejected")
    waiting(run, 7.0)
    row = waiting(run)

    told = bob.get(f"interrupts/{row.pk}/alike/").json()["earlier"]
    before = bob.get(f"interrupts/{second.pk}/alike/").json()["earlier"]
    Interrupt.objects.filter(pk__in=[first.pk, second.pk]).update(run="another")

    assert [(one["request_id"], one["decision"]) for one in told] == [
        (second.pk, "rejected"),
        (first.pk, "approved"),
    ]
    assert told[1]["by"]["name"] == "Bob"
    assert [one["request_id"] for one in before] == [first.pk]
    assert bob.get(f"interrupts/{row.pk}/alike/").json()["earlier"] == []


def test_the_list_is_sorted_by_risk_and_narrowed_to_a_value(bob: Api, run: Run) -> None:
    rows = [waiting(run), waiting(run), opened(run)]
    for row, risk in zip(rows, (20, 90), strict=False):
        InterruptCard.objects.filter(pk=row.pk).update(risk=risk)

    found = bob.get("interrupts/?ordering=-risk").json()["results"]
    about = bob.get("interrupts/?field=customer:NORA%20Marsh").json()

    assert [one["risk"] for one in found] == [90, 20, None]
    assert (found[0]["amount"], about["total"]) == (2087.7, 2)
    assert bob.get("interrupts/?field=customer").status_code == 400


def test_what_a_run_asks_is_kept_by_its_step_and_values(run: Run) -> None:
    """The engine's store writes it with the question, keeps up with edits, and closes it."""
    row = opened(run)
    asked = {"prompt": "Pay?", "data": {"customer": " Nora ", "amount": 80, "long": "x" * 200}}

    number = Run.objects.get(pk=run.pk).number or 0
    happened(number, "InterruptOpened", {"request_id": row.pk, "request": asked})
    happened(number, "InterruptResolved", {"request_id": row.pk, "edits": {"amount": 12.5}})

    card = InterruptCard.objects.get(pk=row.pk)
    assert (card.step, card.amount, card.decided_at) == (f"{run.graph_id}:review", 12.5, NOW)
    fields = InterruptField.objects.filter(interrupt=row).order_by("name")
    assert [(one.name, one.text, one.number) for one in fields] == [
        ("amount", "12.5", 12.5),
        ("customer", "nora", None),
    ]


def test_an_item_is_found_by_what_its_run_started_with(bob: Api, run: Run) -> None:
    """The first line, written with the question; of items from before the migration adds it."""
    row, other = opened(run), opened(run)
    number = Run.objects.get(pk=run.pk).number or 0
    event = {"request_id": row.pk, "request": {"prompt": "Is this fine?"}}
    happened(number, "InterruptOpened", event, {"input": "Late parcel of Nora\nK-4720"})
    InterruptCard.objects.create(interrupt=other, title="And this?", words=" and this ")

    def found(text: str) -> list[str]:
        return [
            one["request_id"] for one in bob.get(f"interrupts/?search={text}").json()["results"]
        ]

    assert found("parcel") == found("PARC%20nora") == found("late%20fine") == [row.pk]
    assert found("4720") == found("this%20nobody") == []
    assert found("hi") == []
    migration = import_module("builder.migrations.0053_titled_cards")
    migration.add_titles(apps, SimpleNamespace(connection=connection))
    assert set(found("hi")) == {row.pk, other.pk}
    assert InterruptCard.objects.get(pk=other.pk).words == " and this hi "
    migration.add_titles(apps, SimpleNamespace(connection=connection))
    assert InterruptCard.objects.get(pk=other.pk).words == " and this hi "


def happened(number: int, kind: str, data: dict[str, Any], started: Any = None) -> None:
    """Write what the store writes for an event of a run."""
    with connection.cursor() as cursor:
        event = Event(1, kind, NOW, "review#1", data)
        for sql, values in card_rows.of_event(number, event, started or {}):
            cursor.execute(sql.replace("?", "%s"), values)
