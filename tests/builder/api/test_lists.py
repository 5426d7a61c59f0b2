"""Lists say how many there are, and come in the order that was asked for, page by page."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from builder.api.http.pagination import MAX_COUNTED
from builder.models import Agent, Graph, Interrupt, Run, Spending
from tests.builder.conftest import Api, People
from tests.builder.fakes import NOW, open_interrupt

pytestmark = pytest.mark.django_db
STATUSES = ("completed", "failed", "running")


@pytest.fixture
def many(run: Run) -> list[Run]:
    """Seven more runs, with equal values among them."""
    rows = [
        Run(
            workspace_id=run.workspace_id,
            graph_id=run.graph_id,
            graph_slug=run.graph_slug,
            id=f"00000000-0000-4000-8000-{n:012}",
            status=STATUSES[n % 3],
            started_at=NOW + n // 2,
            ended_at=None if n % 3 == 2 else NOW + n * 10,
            spent_tokens=n % 4,
            spent_pico=10**12 * (n % 3),
        )
        for n in range(7)
    ]
    return [run, *Run.objects.bulk_create(rows)]


def all_pages(api: Api, path: str) -> tuple[list[Any], list[int | None]]:
    rows: list[Any] = []
    totals = []
    cursor = ""
    while True:
        page = api.get(f"{path}&limit=3&cursor={cursor}").json()
        rows += page["results"]
        totals.append(page["total"])
        if page["next"] is None:
            return rows, totals
        cursor = page["next"]


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("order", ["started", "duration", "status", "tokens", "spend"])
def test_every_order_gives_every_run_once(
    many: list[Run], alice: Api, order: str, sign: str
) -> None:
    rows, totals = all_pages(alice, f"runs/?ordering={sign}{order}")

    assert sorted(row["id"] for row in rows) == sorted(run.pk for run in many)
    assert totals == [len(many), None, None]
    keys = {
        "started": lambda row: row["started_at"],
        "duration": lambda row: -1 if row["duration_ms"] is None else row["duration_ms"],
        "status": lambda row: row["status"],
        "tokens": lambda row: row["spend"]["tokens"],
        "spend": lambda row: float(row["spend"]["usd"]),
    }
    shown = [keys[order](row) for row in rows]
    assert shown == sorted(shown, reverse=sign == "-")


@pytest.mark.parametrize("order", ["cost", "--started", "pk", "started_at", "password"])
def test_an_order_that_is_none_is_refused(alice: Api, order: str) -> None:
    refused = alice.get(f"runs/?ordering={order}")

    assert refused.status_code == 400
    assert "duration" in refused.json()["problems"][0]["message"]


def test_a_cursor_of_another_order_does_no_harm(many: list[Run], alice: Api) -> None:
    cursor = alice.get("runs/?ordering=status&limit=3").json()["next"]

    assert alice.get(f"runs/?ordering=spend&limit=3&cursor={cursor}").status_code == 400


def test_the_inbox_tells_how_many_wait_for_all_views(run: Run, bob: Api, people: People) -> None:
    for _ in range(68):
        open_interrupt(run)
    Interrupt.objects.filter(pk=open_interrupt(run).pk).update(status="answered")

    first = bob.get("interrupts/?state=open").json()
    one = bob.get("interrupts/?state=open&limit=1").json()

    assert (len(first["results"]), first["total"], first["total_is_more"]) == (50, 68, False)
    assert one["total"] == 68


def test_counting_ends_and_says_so(people: People, alice: Api) -> None:
    home = people.alice.workspace
    Agent.objects.bulk_create(
        Agent(workspace=home, slug=f"a{n}", name="A", model="m/x") for n in range(MAX_COUNTED + 5)
    )

    answer = alice.get("agents/").json()

    assert (answer["total"], answer["total_is_more"]) == (MAX_COUNTED, True)


def test_what_another_workspace_has_is_not_counted(many: list[Run], carol: Api) -> None:
    assert carol.get("runs/").json()["total"] == 0


@pytest.mark.parametrize("search", ["billing", "Bill", "Übergabe", "sort by hand"])
def test_a_workflow_is_found_by_tag_and_description(graph: Graph, alice: Api, search: str) -> None:
    change = {"tags": ["billing", "Übergabe"], "description": "What we sort by hand."}
    assert alice.patch(f"graphs/{graph.pk}/", change).status_code == 200

    assert [row["id"] for row in alice.get(f"graphs/?search={search}").json()["results"]] == [
        graph.pk
    ]
    assert alice.get("graphs/?search=no%22such").json()["results"] == []


@pytest.mark.parametrize(
    ("order", "first"), [("spend", "dear"), ("tokens", "long"), ("calls", "often"), ("", "dear")]
)
def test_sums_of_spend_come_in_the_order_that_was_asked_for(
    people: People, alice: Api, order: str, first: str
) -> None:
    sums = {"dear": (1, 10, 900), "long": (2, 5_000, 5), "often": (70, 20, 7)}
    for model, (calls, tokens, pico) in sums.items():
        Spending.objects.create(
            workspace=people.alice.workspace,
            day=f"{timezone.now():%Y-%m-%d}",
            graph="g",
            node="n",
            agent="",
            model=model,
            person="",
            calls=calls,
            unpriced=0,
            tokens=tokens,
            pico=pico,
        )

    answer = alice.get(f"spend/?ordering={order}").json()

    assert answer["by_model"][0]["id"] == first
    assert alice.get("spend/?ordering=usd").status_code == 400
