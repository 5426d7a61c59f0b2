"""The lists that are asked for again and again are read by kept queries: as the long way reads them."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone

from builder.api.http.pagination import Window, page
from builder.api.inbox.lists.filters import narrowed, ordered
from builder.api.inbox.lists.usual import USUAL, usual_list
from builder.models import (
    Asked,
    AskedBack,
    Claim,
    Delegation,
    Group,
    Interrupt,
    InterruptCard,
    Membership,
    Run,
    Snooze,
)
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.api.inbox.test_holds import opened
from tests.builder.api.inbox.test_inbox_order import carded, due
from tests.builder.conftest import People

QUERIES = [
    {name: text for name, text in zip(USUAL, texts, strict=True) if text}
    for texts in itertools.product(*USUAL.values())
]


@pytest.fixture
def asked(people: People, graph: Any, run: Run) -> list[Interrupt]:
    """Open items that ask nobody, a role, a group, people by id and mail, and what people did with them."""
    bob = people.bob
    bob.user.email = "b_b%b@example.com"
    bob.user.save()
    finance = Group.objects.create(workspace=bob.workspace, name="fi'nance\"")
    bob.groups.add(finance)
    whom = (
        *(None, "role:reviewer", "role:admin", f"group:{finance.name}", "group:others"),
        *(f"user:{bob.user_id}", "user:B_B%B@example.com", "user:bxbxb@example.com"),
        f"user:{people.alice.user_id}",
    )
    for place, entry in enumerate((*whom, *whom)):
        draft = place < len(whom)
        made = run if draft else Run.objects.get(pk=_published(people, graph))
        row = due(opened(made), None if place % 3 else place + 1)
        carded(row, amount=place, risk=1, turn_at=None)
        if entry is not None:
            Asked.objects.create(interrupt=row, principal=entry)
    rows = list(Interrupt.objects.order_by("opened_at", "pk"))
    soon = timezone.now() + timedelta(hours=1)
    Snooze.objects.create(interrupt=rows[0], user=bob.user, until=soon)
    Snooze.objects.create(interrupt=rows[1], user=bob.user, until=soon - timedelta(hours=2))
    Delegation.objects.create(
        interrupt=rows[8], by=people.alice.user, to=bob.user, at=timezone.now()
    )
    Claim.objects.create(interrupt=rows[4], user=bob.user, at=timezone.now())
    InterruptCard.objects.filter(interrupt=rows[5]).update(four_eyes=["starter"])
    return rows


def _published(people: People, graph: Any) -> str:
    return str(runs.start_run(people.olga, graph, Start(draft=True)))


def the_long_way(member: Membership, query: dict[str, str], limit: int) -> Any:
    rows = Interrupt.objects.in_workspace(member.workspace_id)
    order = ordered(narrowed(rows, member, query), member, query)
    return page(
        order.rows,
        Window(limit=limit),
        field=order.field,
        newest_first=order.largest_first,
        top=order.top,
    )


def told(found: Any) -> Any:
    return [row.pk for row in found.rows], found.next, found.total, found.total_is_more


@pytest.mark.parametrize("view", USUAL["view"])
def test_each_is_what_the_long_way_reads(people: People, asked: list[Interrupt], view: str) -> None:
    """Groups, names in any case, signs that a pattern would read, snoozes, claims, four eyes."""
    Run.objects.filter(pk=asked[-1].run).update(version=None)  # of no draft
    queries = [query for query in QUERIES if query.get("view", "") == view]
    everybody = (people.bob, people.alice, people.vera)
    for query, member, limit in itertools.product(queries, everybody, (1, 50)):
        usual = usual_list(member, query, Window(limit=limit))

        assert usual is not None
        assert told(usual) == told(the_long_way(member, query, limit)), (query, member)


def test_the_words_of_each_view_are_told_apart(people: People, asked: list[Interrupt]) -> None:
    """What the comparison above compares is neither nothing nor everything."""
    lengths = {
        view: len(the_long_way(people.bob, {"view": view}, 50).rows)
        for view in ("decide", "mine", "groups")
    }
    assert 0 < lengths["mine"] < lengths["decide"] < len(asked)
    assert 0 < lengths["groups"] < lengths["decide"]


def test_what_is_not_usual_goes_the_long_way(people: People, asked: list[Interrupt]) -> None:
    bob = people.bob
    for query in ({"view": "held"}, {"search": "x"}, {"state": "done"}, {"ordering": "-amount"}):
        assert usual_list(bob, query, Window()) is None
    assert usual_list(bob, {}, Window(limit=7)) is None
    assert usual_list(bob, {}, Window(cursor="W10")) is None


def test_what_is_on_top_goes_the_long_way(people: People, asked: list[Interrupt]) -> None:
    """Of one's own workspace: replies in others are nobody's delay."""
    query = {"state": "open", "ordering": "deadline"}
    assert usual_list(people.bob, query, Window()) is not None

    InterruptCard.objects.filter(interrupt=asked[2]).update(turn_at=5)
    assert usual_list(people.bob, query, Window()) is None
    assert the_long_way(people.bob, query, 50).rows[0] == asked[2]
    assert usual_list(people.carol, query, Window()) is not None

    InterruptCard.objects.update(turn_at=None)
    back = {"asked_by": people.alice.user_id, "asked_at": 1, "asked_seq": 1, "until": 2**50}
    AskedBack.objects.create(interrupt=asked[3], asked_to=people.bob.user_id, **back)
    assert usual_list(people.bob, query, Window()) is None
    assert usual_list(people.alice, query, Window()) is not None


def test_the_sql_is_made_once(
    people: People, asked: list[Interrupt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time nothing of it is made anew; the long way makes all of it each time."""
    query = {"state": "open", "view": "decide", "ordering": "deadline"}
    made: list[str] = []
    as_sql = SQLCompiler.as_sql

    def noted(self: Any, *given: Any, **named: Any) -> Any:
        made.append("")
        return as_sql(self, *given, **named)

    usual_list(people.bob, query, Window())
    monkeypatch.setattr(SQLCompiler, "as_sql", noted)
    usual_list(people.bob, query, Window())
    assert made == []

    the_long_way(people.bob, query, 50)
    assert len(made) > 10
