"""The inbox by the values that its items show, and which fields those are."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from builder.base.item_card import fields_of
from builder.models import GraphVersion, Interrupt, InterruptCard, InterruptField, Run
from builder.reads.inbox.conditions import LONGEST, MOST
from tests.builder.conftest import Api
from tests.builder.fakes import open_interrupt

AMOUNT = {"type": "number", "format": "money", "x-unit": "USD", "title": "To pay"}


def showing(run: Run, **data: Any) -> str:
    """Open an item that shows these values; return its id."""
    row = open_interrupt(run, data=data)
    InterruptCard.objects.create(interrupt=row, title="Pay?", words="", step="pay:review")
    for name, (text, number) in fields_of(data).items():
        InterruptField.objects.create(interrupt=row, name=name, text=text, number=number)
    return row.pk


def found(api: Api, where: str, more: str = "state=open") -> set[str]:
    answer = api.get(f"interrupts/?{more}&where={quote(where)}")
    assert answer.status_code == 200, answer.content
    return {item["request_id"] for item in answer.json()["results"]}


def test_items_are_found_by_numbers_and_words_that_they_show(bob: Api, run: Run) -> None:
    small = showing(run, amount=80, company="Acme GmbH", code="50%")
    large = showing(run, amount="2087.70", company="Globex", code="50 of 100")
    owed = showing(run, amount=-5.5, company="acme_old", code="x")

    assert found(bob, "amount:more:80") == {large}
    assert found(bob, "amount:less:80") == {owed}
    assert found(bob, "amount:is:80.00") == {small}
    assert found(bob, "amount:is:-5.50") == {owed}
    assert found(bob, "amount:is:2087.7") == {large}
    assert found(bob, "company:is:ACME gmbh") == {small}
    assert found(bob, "company:contains:Acme") == {small, owed}
    assert found(bob, "code:contains:0%") == {small}
    assert found(bob, "company:contains:acme\namount:less:0\n") == {owed}
    assert found(bob, "colour:is:red") == set()
    assert found(bob, "company:contains:acme", "state=done") == set()


@pytest.mark.parametrize(
    "where",
    [
        "amount",
        "amount:more",
        "amount:more:much",
        "amount:over:3",
        ":is:3",
        "amount:is: ",
        "a:is:" + "x" * 101,
        "\n".join(["a:is:1"] * (MOST + 1)),
        "a:is:" + "x" * LONGEST,
    ],
)
def test_what_says_no_condition_is_refused_by_name(bob: Api, where: str) -> None:
    answer = bob.get(f"interrupts/?where={quote(where)}")

    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] == "where"


def test_a_saved_view_counts_what_its_conditions_leave(bob: Api, run: Run) -> None:
    showing(run, amount=80), showing(run, amount=90)
    query = {"state": "open", "where": "amount:more:80"}

    made = bob.post("inbox-views/", {"name": "Large", "query": query})
    refused = bob.post("inbox-views/", {"name": "Odd", "query": {"where": "amount"}})

    assert (made.json()["count"], made.json()["query"]) == (1, query)
    assert refused.status_code == 400


def test_the_fields_on_offer_are_what_open_items_declare(bob: Api, run: Run) -> None:
    shown = {"amount": 80, "owed": 3, "company": "Acme", "late": True, "level": "high"}
    showing(run, **shown, items="3", letter="Dear")
    memory = {
        "amount": AMOUNT,
        "owed": {"type": "number", "format": "money"},
        "company": {"type": ["string", "null"]},
        "late": {"type": "boolean"},
        "level": {"type": "string", "enum": ["low", "high"]},
        "letter": {"type": "string", "x-widget": "text"},
        "items": {"type": "array"},
        "unseen": {"type": "string"},
    }
    start = {"properties": {"salary": {"type": "integer"}}}
    node = {"id": "review", "type": "approval", "config": {"review_keys": ["input.salary"]}}
    document = {
        "nodes": [node],
        "state_schema": {"properties": memory},
        "interface": {"inputs": start},
    }
    GraphVersion.objects.filter(pk=run.version_id).update(document=document)

    told = {one["name"]: one for one in bob.get("interrupts/fields/").json()["results"]}

    kinds = {name: one["kind"] for name, one in told.items()}
    assert kinds == {
        "amount": "number",
        "owed": "number",
        "company": "text",
        "late": "yes_no",
        "level": "one_of",
        "input.salary": "number",
    }
    assert (told["amount"]["title"], told["amount"]["unit"]) == ("To pay", "USD")
    assert told["owed"]["unit"] == "USD", "money is in dollars unless its field says otherwise"
    assert told["level"]["choices"] == ["low", "high"]
    Interrupt.objects.update(status="answered")
    assert bob.get("interrupts/fields/").json()["results"] == []


def test_the_number_of_queries_does_not_grow_with_items(
    bob: Api, run: Run, django_assert_max_num_queries: Any
) -> None:
    for amount in range(30):
        showing(run, amount=amount)

    with django_assert_max_num_queries(12):
        bob.get("interrupts/fields/")
