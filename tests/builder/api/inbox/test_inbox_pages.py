"""Pages of the inbox: in the order that is asked for, in the usual one below what is on top."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import QuerySet

from builder.api.inbox.lists.filters import narrowed, ordered
from builder.base.clock import now_ms
from builder.models import AskedBack, Interrupt, InterruptCard, Run
from tests.builder.api.inbox.test_holds import opened
from tests.builder.api.inbox.test_inbox_order import HOUR, carded, due, listed
from tests.builder.conftest import Api, People

LAST = 2**62
SORTED_BY: dict[str, Callable[[Any], float]] = {
    "opened": lambda row: row.opened_at,
    "deadline": lambda row: LAST if row.expires_at is None else row.expires_at,
    "decided": lambda row: row.decided_at or 0,
    "amount": lambda row: -1.0 if row.card.amount is None else row.card.amount,
    "risk": lambda row: -1.0 if row.card.risk is None else row.card.risk,
}


@pytest.fixture
def desk(people: People, run: Run) -> list[Interrupt]:
    """Seven open items: the last two ask Bob back, the two before them got a reply, the latter last."""
    rows = []
    for number, (hours, amount, risk) in enumerate(
        [
            (9, 5, 1),
            (None, None, None),
            (3, 5, 40),
            (3, 90, 40),
            (5, 1, 2),
            (None, 7, None),
            (1, 2, 3),
        ]
    ):
        row = due(opened(run), hours)
        replied = {3: 10, 4: 20}.get(number)
        rows.append(carded(row, amount=amount, risk=risk, turn_at=replied))
    for row in rows[5:]:
        AskedBack.objects.create(
            interrupt=row,
            asked_by=people.alice.user_id,
            asked_to=people.bob.user_id,
            asked_at=1,
            asked_seq=1,
            until=now_ms() + HOUR,
        )
    return list(Interrupt.objects.select_related("card").order_by("pk"))


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("by", list(SORTED_BY))
def test_pages_have_each_item_once_and_something_on_top_only_in_the_usual_order(
    bob: Api, people: People, desk: list[Interrupt], by: str, sign: str
) -> None:
    for row in desk:  # the fixture's cards were made before their rows were read
        row.refresh_from_db()
    asked = set(AskedBack.objects.values_list("interrupt", flat=True))
    replied = {row.pk: row.card.turn_at for row in desk if row.card.turn_at}
    rows = sorted(desk, key=lambda row: (SORTED_BY[by](row), row.pk), reverse=bool(sign))
    back = sorted(asked) + sorted(replied, key=lambda pk: -replied[pk])
    first = back if f"{sign}{by}" == "deadline" else []
    expected = first + [row.pk for row in rows if row.pk not in {*first}]

    assert listed(bob, f"state=open&ordering={sign}{by}") == expected
    page = bob.get(f"interrupts/?state=open&ordering={sign}{by}&limit=2").json()
    assert page["total"] == len(desk)
    file = bob.get(f"interrupts/?state=open&ordering={sign}{by}&format=csv").content.decode()
    assert [line["item"] for line in csv.DictReader(io.StringIO(file))] == expected


def test_a_reply_that_came_between_two_pages_ends_no_list(bob: Api, desk: list[Interrupt]) -> None:
    page = bob.get("interrupts/?state=open&ordering=deadline&limit=3").json()
    AskedBack.objects.update(outcome="withdrawn")

    seen = [item["request_id"] for item in page["results"]]
    path = f"interrupts/?state=open&ordering=deadline&limit=9&cursor={page['next']}"
    rest = bob.get(path).json()["results"]

    assert {row.pk for row in desk} <= {*seen, *(item["request_id"] for item in rest)}


def test_a_cursor_of_what_is_on_top_is_for_lists_that_have_it(
    bob: Api, desk: list[Interrupt]
) -> None:
    page = bob.get("interrupts/?state=open&ordering=deadline&limit=1").json()
    strange = base64.urlsafe_b64encode(json.dumps([1, "x", "under"]).encode()).decode()

    for query in (
        f"state=open&cursor={page['next']}",
        f"state=open&ordering=-deadline&cursor={page['next']}",
        f"ordering=deadline&cursor={strange}",
    ):
        assert bob.get(f"interrupts/?{query}").status_code == 400


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("view", ["", "decide", "groups", "mine", "asked"])
def test_what_is_open_is_read_from_an_index_by_its_deadline(
    people: People, desk: list[Interrupt], view: str, sign: str
) -> None:
    query = {"state": "open", "ordering": f"{sign}deadline"} | ({"view": view} if view else {})
    rows = Interrupt.objects.in_workspace(people.bob.workspace_id)
    found, field, _, top = ordered(narrowed(rows, people.bob, query), people.bob, query)

    assert (top is None) == bool(sign)
    below: QuerySet[Interrupt] = found if top is None else top.others
    plan = below.order_by(f"{sign}{field}", f"{sign}pk")[:50].explain()
    assert "interrupt_due" in plan
    assert "TEMP B-TREE" not in plan


def test_what_is_on_top_is_found_in_the_database_however_many_there_are(
    people: People, desk: list[Interrupt]
) -> None:
    """A statement takes some 30,000 parameters, and replies in other workspaces are nobody's limit."""
    query = {"state": "open", "ordering": "deadline"}
    rows = Interrupt.objects.in_workspace(people.bob.workspace_id)

    def parameters() -> list[int]:
        top = ordered(narrowed(rows, people.bob, query), people.bob, query).top
        assert top is not None
        return [len(each.query.sql_with_params()[1]) for each in (top.rows, top.others)]

    before = parameters()
    assert InterruptCard.objects.update(turn_at=1) == len(desk)
    assert parameters() == before
