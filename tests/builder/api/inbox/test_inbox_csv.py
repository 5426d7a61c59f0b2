"""What was decided as a file: by whom, why, and what they changed of it."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from builder.models import GraphVersion, Interrupt, Membership, Run
from tests.builder.api.inbox.test_approval_wire import TWO, asked, said
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, FakeDoor, append, open_interrupt


def lines(api: Api, query: str = "state=done&ordering=-decided") -> list[dict[str, Any]]:
    answer = api.get(f"interrupts/?{query}&format=csv")
    assert answer["Content-Type"] == "text/csv"
    return list(csv.DictReader(answer.content.decode().splitlines()))


def test_one_decision_is_a_line_with_its_comment(bob: Api, run: Run) -> None:
    row = open_interrupt(run, prompt="Pay 40 to Nora?", data={"amount": 40, "customer": "Nora"})
    token = FakeDoor().resume_token(row.pk)
    body = {"token": token, "decision": "approved", "comment": "=HYPERLINK(1)"}
    assert bob.post(f"interrupts/{row.pk}/answer/", body).status_code == 200

    [line] = lines(bob)
    assert (line["item"], line["workflow"], line["asked"]) == (
        row.pk,
        "Support",
        "Pay 40 to Nora?",
    )
    assert (line["decision"], line["decided_by"]) == ("approved", "Bob: approved")
    assert line["comments"] == "Bob: =HYPERLINK(1)"
    assert (line["amount_before"], line["amount_after"]) == ("40", "40")


def test_a_sum_of_many_digits_stands_as_it_is(bob: Api, run: Run) -> None:
    """A float would make another number of it."""
    open_interrupt(run, data={"amount": 9_007_199_254_740_993})

    [line] = lines(bob, "state=open")
    assert (line["amount_before"], line["amount_after"]) == ("9007199254740993",) * 2


@pytest.mark.parametrize(
    ("prompt", "read"),
    [
        ("Pay 37.349999999999994 to Nora?", "Pay 37.35 EUR to Nora?"),
        ("Pay 37.349999999999994 EUR?", "Pay 37.35 EUR?"),
        ("Is 2.5 enough?", "Is 2.5 enough?"),
    ],
)
def test_what_was_asked_has_its_sums_with_their_currency(
    bob: Api, run: Run, prompt: str, read: str
) -> None:
    """As the page has it; also where nobody may edit the sum."""
    version = run.version
    assert version is not None
    schema = {"properties": {"amount": {"format": "money", "x-unit": "EUR"}}}
    GraphVersion.objects.filter(pk=version.pk).update(
        document={**version.document, "state_schema": schema}
    )
    open_interrupt(run, prompt=prompt, data={"amount": 37.349999999999994, "score": 2.5})

    [line] = lines(bob, "state=open")
    assert (line["asked"], line["currency"]) == (read, "EUR")


def test_several_deciders_and_the_amount_before_and_after(
    bob: Api, people: People, run: Run
) -> None:
    row = asked(run, {"rule": {"at_least": 2}}, quorum=TWO, data={"amount": 77.08, "note": "-x"})
    changes = [{"key": "amount", "before": 77.08, "after": 12.5, "by": people.bob.user_id}]
    said(run, row, people.bob, edits={"amount": 12.5}, changes=changes)
    last = append(
        run,
        "InterruptResolved",
        key=row.key,
        by=people.oscar.user_id,
        answer={"decision": "approved"},
        comment="Half is enough.",
        edits={"amount": 12.5},
        changes=changes,
    )
    Interrupt.objects.filter(pk=row.pk).update(
        status="answered",
        outcome="approved",
        decided_by=people.oscar.user_id,
        decided_at=NOW + 60_000,
        resolved_seq=last.seq,
    )

    [line] = lines(bob)
    assert line["decided_by"] == "Bob: approved; Oscar: approved"
    assert line["comments"] == "Oscar: Half is enough."
    assert (line["amount_before"], line["amount_after"]) == ("77.08", "12.5")
    assert (line["changes"], line["seconds"]) == ("amount: 77.08 -> 12.5", "60")


@pytest.mark.parametrize("prompt", ["=1+1", "+1", "-1", "@x"])
def test_no_text_is_a_formula(bob: Api, run: Run, prompt: str) -> None:
    open_interrupt(run, prompt=prompt)

    assert [line["asked"] for line in lines(bob, "state=open")] == [f"'{prompt}"]


def test_the_file_has_what_the_list_shows_in_its_order(bob: Api, carol: Api, run: Run) -> None:
    rows = [open_interrupt(run, prompt=f"Number {n}?") for n in range(3)]
    for n, row in enumerate(rows):
        Interrupt.objects.filter(pk=row.pk).update(
            status="answered", outcome="approved", decided_at=NOW + n
        )
    open_interrupt(run)

    assert [line["item"] for line in lines(bob)] == [row.pk for row in reversed(rows)]
    assert lines(bob, "state=done&node=elsewhere") == []
    assert lines(carol) == []
    assert bob.get("interrupts/?format=xml").status_code == 400


def test_a_line_more_takes_no_query_more(
    bob: Api, people: People, run: Run, django_assert_max_num_queries: Any
) -> None:
    for _ in range(20):
        open_interrupt(run)
    assert Membership.objects.exists()
    with django_assert_max_num_queries(40):
        assert len(lines(bob, "state=open")) == 20
