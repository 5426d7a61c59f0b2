"""What runs are called: the first line of what they were started with."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.run_text import MAX_TITLE, title_of
from builder.models import Graph, GraphVersion, Run, Trigger
from builder.reads.runs.titles import titles_of
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.fakes import append


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("\n  Refund for Tess \nMore", "Refund for Tess"),
        (
            {"order": "K-1", "paid": True, "amount": 902, "note": None, "text": "a\nb"},
            "K-1 · 902 · a",
        ),
        ({"amount": 1240.0, "rate": 20.250000001, "small": 1.5e-05}, "1240 · 20.25 · 0.000015"),
        ({"a": 12345678901.5, "b": -0.1 - 0.2, "c": 3.0}, "12345678901.5 · -0.3 · 3"),
        ({"a": 0.0, "b": 1e300, "c": float("nan")}, "0 · 1e+300 · nan"),
        (["first", "second"], "first"),
        (None, ""),
        ({}, ""),
        ({"deep": {"x": 1}}, ""),
        ("x" * 10**6, "x" * MAX_TITLE),
    ],
)
def test_a_title_is_the_first_line(given: Any, title: str) -> None:
    assert title_of(given) == title


def declared(**fields: Any) -> dict[str, Any]:
    return {"interface": {"inputs": {"type": "object", "properties": fields}}}


@pytest.mark.django_db
def test_sums_in_titles_are_spelled_as_the_workflow_declares_them(
    alice: Api, people: People, graph: Graph, django_assert_num_queries: Any
) -> None:
    given = {"customer": "Acme", "amount": 2087.7, "fee": -12.5}
    started = [
        runs.start_run(people.alice, graph, Start(draft=True, input=given)) for _ in range(3)
    ]
    rows = Run.objects.filter(pk__in=started)
    for run in rows:
        append(run, "RunStarted", input=given)
    plain = list(rows)
    assert set(titles_of(plain).values()) == {"Acme · 2087.7 · -12.5"}

    money = {"type": "number", "format": "money"}
    document = declared(amount=money, fee={**money, "x-unit": "EUR"}, customer={"type": "string"})
    version = GraphVersion.objects.create(
        graph=graph, revision=7, is_draft=True, document=document, hash="7"
    )
    rows.update(version=version)

    assert set(titles_of(list(rows)).values()) == {"Acme · $2,087.70 · -12.50 EUR"}
    found = list(rows)
    with django_assert_num_queries(0):  # what was read of a run once is known
        assert set(titles_of(found).values()) == {"Acme · $2,087.70 · -12.50 EUR"}
    listed = alice.get("runs/").json()["results"]
    assert {run["title"] for run in listed} == {"Acme · $2,087.70 · -12.50 EUR"}
    shown = alice.get(f"runs/{started[0]}/").json()
    assert shown["title"] == "Acme · $2,087.70 · -12.50 EUR"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "title"),
    [
        ({"due": "2026-11-29T19:05:00.000Z", "missed": 0}, "Due 2026-11-29 19:05 UTC"),
        (
            {"missed": 3, "due": "2026-11-29T19:05:00.000Z"},
            "Due 2026-11-29 19:05 UTC, 3 missed before",
        ),
        ({"due": "soon", "missed": 1}, "soon · 1"),
        ({"due": "0001-01-01T00:00+09:00", "missed": 0}, "0001-01-01T00:00+09:00 · 0"),
        ({"due": "2026-12-04", "missed": 2}, "2026-12-04 · 2"),
        ({"due": "2026-99-04T00:00:00.000Z", "missed": 2}, "2026-99-04T00:00:00.000Z · 2"),
        ({"due": "2026-11-29T19:05:00.000Z", "order": "K-1"}, "2026-11-29T19:05:00.000Z · K-1"),
    ],
)
def test_a_run_of_a_schedule_is_called_by_when_it_was_due(
    people: People, graph: Graph, given: dict[str, Any], title: str
) -> None:
    started = runs.start_run(people.alice, graph, Start(draft=True, input=given))

    assert titles_of([Run.objects.get(pk=started)]) == {started: title}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "due", "title"),
    [
        ("Europe/Berlin", "2026-11-29T23:05:00.000Z", "Due 2026-11-30 00:05 Europe/Berlin"),
        ("Nowhere/Land", "2026-11-29T23:05:00.000Z", "Due 2026-11-29 23:05 UTC"),
        ("America/Lima", "0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z · 0"),
    ],
)
def test_when_a_schedule_was_due_is_told_in_its_own_time_zone(
    people: People, graph: Graph, zone: str, due: str, title: str, django_assert_num_queries: Any
) -> None:
    trigger = Trigger.objects.create(
        workspace=graph.workspace,
        graph=graph,
        kind="schedule",
        name="Every night",
        config={"cron": "5 0 * * *", "zone": zone, "missed": "one"},
        account=people.alice.user,
        made_at=1,
    )
    given = {"due": due, "missed": 0}
    started = [
        runs.start_run(people.alice, graph, Start(draft=True, input=given)) for _ in range(3)
    ]
    Run.objects.filter(pk__in=started).update(trigger=trigger.pk)
    rows = list(Run.objects.filter(pk__in=started))

    titles_of(rows[:1])
    with django_assert_num_queries(2):  # what began them, and the zone of their schedule
        assert titles_of(rows) == dict.fromkeys(started, title)
