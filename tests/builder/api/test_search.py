"""One search over everything that has a page: what it finds, for whom, and how little it takes."""

from __future__ import annotations

import pytest

from builder.models import Graph, InterruptCard, Run
from builder.services import catalogue
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.fakes import fail, open_interrupt

pytestmark = pytest.mark.django_db


def kinds(api: Api, words: str) -> list[tuple[str, str]]:
    answer = api.get(f"search/?q={words}")
    assert answer.status_code == 200, answer.content
    return [(row["kind"], row["title"]) for row in answer.json()["results"]]


def test_it_finds_items_workflows_runs_agents_and_people(
    people: People, graph: Graph, run: Run, alice: Api, carol: Api
) -> None:
    row = open_interrupt(run)
    InterruptCard.objects.create(
        interrupt=row, title="Pay 2087.7 USD to Nora?", amount=2087.7, words=" pay nora "
    )
    catalogue.create_agent(people.alice, slug="norbert", fields={"name": "Nora's", "model": "m/x"})

    assert kinds(alice, "nora") == [("item", "Pay 2,087.70 USD to Nora?"), ("agent", "Nora's")]
    [item, _] = alice.get("search/?q=nora").json()["results"]
    assert item["note"] == "hi · waits in the inbox"
    assert kinds(alice, "supp") == [("workflow", "Support"), ("run", "hi")]
    assert kinds(alice, "oscar") == [("person", "Oscar")]
    assert kinds(alice, run.pk[:8])[0][0] == "run"
    assert kinds(carol, "supp") == kinds(carol, "nora") == kinds(carol, "oscar") == []


def test_it_finds_five_of_a_kind_and_asks_for_two_letters(
    people: People, graph: Graph, alice: Api
) -> None:
    for _ in range(7):
        runs.start_run(people.alice, graph, Start(draft=True))

    assert [kind for kind, _ in kinds(alice, "support")].count("run") == 5
    assert kinds(alice, "s") == []
    assert alice.get(f"search/?q={'x' * 101}").json()["problems"][0]["path"] == "q"


def test_the_closest_name_comes_first(people: People, graph: Graph, alice: Api) -> None:
    """The same, then what begins so, then a word of it, then somewhere in it; however new it is."""
    names = ["Order", "Order sync", "Late-order check", "Reorder", "Border", "Preorder", "Disorder"]
    for name in names:
        catalogue.create_agent(
            people.alice, slug=name.lower().replace(" ", "-"), fields={"name": name, "model": "m/x"}
        )
    for text in ("Support", *(f"More support {n}" for n in range(7))):
        runs.start_run(people.alice, graph, Start(draft=True, input=text))
    agents = [title for kind, title in kinds(alice, "order") if kind == "agent"]

    assert agents[:3] == names[:3]
    found = [title for kind, title in kinds(alice, "support") if kind == "run"]
    assert found == ["Support", *(f"More support {n}" for n in (6, 5, 4, 3))]


def test_a_run_is_said_to_stand_as_its_page_says(people: People, graph: Graph, alice: Api) -> None:
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    fail(run, "rejected: not ours", code="ApprovalRejected", node="review")
    late = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True)))
    Run.objects.filter(pk=late.pk).update(status="timeout")

    found = alice.get("search/?q=support").json()["results"]

    notes = {one["id"]: one["note"] for one in found if one["kind"] == "run"}
    assert notes == {run.pk: "Support, rejected", late.pk: "Support, timed out"}
