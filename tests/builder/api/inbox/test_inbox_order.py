"""Which item comes first, what is mine to decide, and how items are found."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from builder.api.inbox.lists.filters import narrowed, ordered
from builder.base.clock import now_ms
from builder.models import AskedBack, Interrupt, InterruptCard, Run
from tests.builder.api.inbox.test_holds import opened, post
from tests.builder.conftest import Api, People

HOUR = 3_600_000


def listed(api: Api, query: str) -> list[str]:
    found: list[str] = []
    cursor = ""
    while True:
        page = api.get(f"interrupts/?{query}&limit=2&cursor={cursor}").json()
        found += [item["request_id"] for item in page["results"]]
        cursor = page["next"]
        if not cursor:
            return found


def due(row: Interrupt, hours: float | None) -> Interrupt:
    row.expires_at = None if hours is None else now_ms() + int(hours * HOUR)
    row.save()
    return row


def carded(row: Interrupt, **fields: Any) -> Interrupt:
    InterruptCard.objects.update_or_create(interrupt=row, defaults=fields)
    return row


def test_what_ends_first_comes_first_and_what_never_ends_last(bob: Api, run: Run) -> None:
    never, late, soon = (opened(run) for _ in range(3))
    due(never, None), due(late, 48), due(soon, 0.4)

    assert listed(bob, "ordering=deadline") == [soon.pk, late.pk, never.pk]


def test_what_asks_me_back_comes_first_though_its_clock_stands(
    bob: Api, alice: Api, people: People, run: Run
) -> None:
    asks, soon = opened(run), opened(run)
    due(asks, None), due(soon, 0.4)
    AskedBack.objects.create(
        interrupt=asks,
        asked_by=people.alice.user_id,
        asked_to=people.bob.user_id,
        asked_at=1,
        asked_seq=1,
        until=now_ms() + HOUR,
    )

    assert listed(bob, "ordering=deadline") == [asks.pk, soon.pk]
    assert listed(bob, "ordering=opened") == listed(alice, "ordering=opened")
    assert listed(alice, "ordering=deadline") == [soon.pk, asks.pk]


def test_the_largest_amount_comes_first_when_asked(bob: Api, run: Run) -> None:
    rows = [carded(opened(run), amount=amount) for amount in (48.0, 2087.7, None)]

    assert listed(bob, "ordering=-amount") == [rows[1].pk, rows[0].pk, rows[2].pk]
    assert bob.get("interrupts/?ordering=beauty").status_code == 400


def test_what_is_done_is_read_from_an_index_the_latest_decision_first(
    bob: Api, people: People, run: Run
) -> None:
    first, ended, last = (opened(run) for _ in range(3))
    for row, at in ((first, 10), (last, 20), (ended, None)):
        Interrupt.objects.filter(pk=row.pk).update(status="answered", decided_at=at)
    query = {"state": "done", "ordering": "-decided"}
    rows = Interrupt.objects.in_workspace(people.bob.workspace_id)
    found, field, *_ = ordered(narrowed(rows, people.bob, query), people.bob, query)

    assert listed(bob, "state=done&ordering=-decided") == [last.pk, first.pk, ended.pk]
    plan = found.order_by(f"-{field}", "-pk")[:50].explain()
    assert "interrupt_done" in plan
    assert "TEMP B-TREE" not in plan


def test_every_word_that_is_shown_finds_it(bob: Api, run: Run) -> None:
    nora = carded(opened(run), words=" review pay 2087 nora marsh ")
    carded(opened(run), words=" review pay 48 ivo ")

    assert listed(bob, "search=Nor") == [nora.pk]
    assert listed(bob, "search=pay%20MARSH") == [nora.pk]
    assert listed(bob, "search=arsh") == []
    assert listed(bob, "search=no") == listed(bob, "search=4") == []
    assert listed(bob, "search=48%20ivo") == listed(bob, "search=48")
    assert len(listed(bob, "search=48")) == 1
    assert len(listed(bob, "search=pay")) == 2


def test_a_sum_is_found_as_it_is_printed(bob: Api, run: Run) -> None:
    large = carded(opened(run), words=" review pay 1476 17 nora ")
    small = carded(opened(run), words=" review pay 372 2 ivo ")
    told = carded(opened(run), words=" review pay 2 087 50 as it says ")

    for text, row in (
        ("1,476.17", large),
        ("$1,476.17", large),
        ("1476.17", large),
        ("372.20", small),
        ("$372.2", small),
        ("2,087.50", told),
    ):
        assert listed(bob, f"search={quote(text)}") == [row.pk], text
    assert listed(bob, "search=1,476.18") == []


def test_it_narrows_to_a_step_a_group_a_person_and_a_starter(
    bob: Api, people: People, run: Run
) -> None:
    large, other = opened(run), opened(run)
    Interrupt.objects.filter(pk=large.pk).update(node="large")
    large.asked.create(principal="group:finance")
    other.asked.create(principal=f"user:{people.oscar.user_id}")
    Run.objects.filter(pk=run.pk).update(started_by=people.alice.user_id)

    assert listed(bob, "node=large") == [large.pk]
    assert listed(bob, "asked=group:finance") == [large.pk]
    assert listed(bob, f"asked=user:{people.oscar.user_id}") == [other.pk]
    assert len(listed(bob, f"starter={people.alice.user_id}")) == 2
    assert listed(bob, f"starter={people.bob.user_id}") == []


def test_it_narrows_to_who_decided_or_had_a_say(bob: Api, people: People, run: Run) -> None:
    mine, theirs, halfway, _open = opened(run), opened(run), opened(run), opened(run)
    for item, person in ((mine, people.bob), (theirs, people.alice)):
        decided = {"status": "decided", "decided_by": person.user_id, "outcome": "approved"}
        Interrupt.objects.filter(pk=item.pk).update(**decided)
    halfway.decisions.create(
        decided_by=people.bob.user_id, decision="approved", decided_at=1, seq=5
    )

    assert listed(bob, f"decided_by={people.bob.user_id}&state=done") == [mine.pk]
    assert listed(bob, f"decided_by={people.bob.user_id}&state=open") == [halfway.pk]
    assert listed(bob, f"decided_by={people.alice.user_id}") == [theirs.pk]
    assert listed(bob, "decided_by=nobody") == []


def test_mine_to_decide_is_what_the_answer_says_i_can(
    bob: Api, alice: Api, people: People, run: Run
) -> None:
    """The badge counts it: true totals, whoever looks."""
    plain, question = opened(run), opened(run, kind="text")
    others = opened(run)
    others.asked.create(principal="role:admin")
    own = carded(opened(run), four_eyes="starter")
    held = opened(run)
    post(bob, held)
    Run.objects.filter(pk=run.pk).update(started_by=people.bob.user_id)

    assert set(listed(bob, "view=decide")) == {plain.pk, question.pk}
    assert bob.get("interrupts/?view=decide").json()["total"] == 2
    assert listed(alice, "view=decide") == [question.pk]
    assert listed(Api(people.vera), "view=decide") == []
    assert {held.pk, own.pk} < set(listed(Api(people.oscar), "view=decide"))


@pytest.mark.parametrize(
    ("data", "amount"),
    [
        ({"customer": "Nora", "amount": 2087.7, "n": 3}, 2087.7),
        ({"refund_amount": "48.50", "year": 2026}, 48.5),
        ({"guests": 4}, 4.0),
        ({"guests": 4, "nights": 2}, None),
        ({"order": "20261123", "ok": True}, None),
        (None, None),
    ],
)
def test_the_amount_is_what_is_called_so_or_the_only_number(data: Any, amount: Any) -> None:
    from builder.base.item_card import amount_of

    assert amount_of(data) == amount
