"""Spend over the API: sums by day, workflow, node, model, agent and person, and as CSV."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from builder.models import Agent, Graph, Node, Spending, TriggerSpending
from builder.services.graphs import graphs
from tests.builder.conftest import DOCUMENT, Api, People

TODAY = datetime.now(UTC).date()


def spent(people: People, day: date, **columns: Any) -> None:
    """Add one sum of a day in Alice's workspace."""
    texts = {"graph": "support", "node": "draft", "agent": "writer", "model": "a/b", "person": ""}
    sums = {"calls": 1, "unpriced": 0, "tokens": 10, "pico": 10**12}
    Spending.objects.create(
        workspace=people.alice.workspace, day=day.isoformat(), **{**texts, **sums, **columns}
    )


@pytest.mark.usefixtures("graph")
def test_spend_is_summed_by_everything(people: People, alice: Api) -> None:
    spent(people, TODAY, person=people.alice.user_id)
    spent(people, TODAY - timedelta(days=1), node="check", model="c/d", pico=3 * 10**12, unpriced=1)
    spent(people, TODAY - timedelta(days=30), pico=8 * 10**12)
    shown = alice.get("spend/").json()

    assert shown["total"] == {"calls": 2, "unpriced": 1, "tokens": 20, "usd": "4"}
    assert shown["before"]["usd"] == "8"
    assert len(shown["by_day"]) == 30
    assert [row["usd"] for row in shown["by_day"][-2:]] == ["3", "1"]
    assert [(row["name"], row["usd"]) for row in shown["by_graph"]] == [("Support", "4")]
    nodes = [(row["id"], row["graph"], row["usd"]) for row in shown["by_node"]]
    assert nodes == [("check", "Support", "3"), ("draft", "Support", "1")]
    assert [row["id"] for row in shown["by_model"]] == ["c/d", "a/b"]
    assert [row["name"] for row in shown["by_person"]] == ["", "Alice"]


def test_nodes_go_by_their_labels_and_a_trigger_that_is_gone_by_none(
    people: People, alice: Api, graph: Graph
) -> None:
    spent(people, TODAY)
    spent(people, TODAY, node="gone")
    Node.objects.filter(graph=graph, node_id="draft").update(
        data={"id": "draft", "type": "agent", "label": "Write it"}
    )
    TriggerSpending.objects.create(
        workspace=people.alice.workspace, day=TODAY.isoformat(), graph="support", trigger="t-1"
    )
    shown = alice.get("spend/").json()

    assert {row["id"]: row["name"] for row in shown["by_node"]} == {
        "draft": "Write it",
        "gone": "gone",
    }
    assert [(row["id"], row["name"]) for row in shown["by_trigger"]] == [("t-1", "")]


@pytest.mark.usefixtures("graph")
def test_days_and_workflow_can_be_chosen(people: People, alice: Api) -> None:
    spent(people, date(2026, 3, 1), graph="other")
    spent(people, date(2026, 3, 2))

    chosen = alice.get("spend/?since=2026-03-01&until=2026-03-02&graph=other").json()
    assert (chosen["since"], chosen["until"], chosen["total"]["usd"]) == (
        "2026-03-01",
        "2026-03-02",
        "1",
    )
    assert [row["id"] for row in chosen["by_graph"]] == ["other"]


@pytest.mark.parametrize(
    "query",
    [
        "since=yesterday",
        "since=2026-03-02&until=2026-03-01",
        "since=2024-01-01&until=2026-01-01",
        "format=pdf",
    ],
)
def test_a_span_that_is_none_is_refused(people: People, alice: Api, query: str) -> None:
    assert alice.get(f"spend/?{query}").json()["code"] == "InputInvalid"


@pytest.mark.usefixtures("graph")
def test_a_file_holds_every_sum_and_no_formula(people: People, alice: Api, carol: Api) -> None:
    spent(people, TODAY, node="=HYPERLINK()", model='a,"b"', pico=5 * 10**11)
    answer = alice.get("spend/?format=csv")
    lines = answer.content.decode().splitlines()

    assert answer["Content-Type"].startswith("text/csv")
    assert lines[0] == (
        "day,graph,node,agent,model,person,graph_name,node_name,agent_name,person_name,"
        "calls,unpriced_calls,tokens,usd"
    )
    assert lines[1] == (
        f'{TODAY},support,\'=HYPERLINK(),writer,"a,""b""",,'
        "Support,'=HYPERLINK(),writer,,1,0,10,0.5"
    )
    assert len(carol.get("spend/?format=csv").content.decode().splitlines()) == 1


def test_a_file_names_what_it_has_ids_of(people: People, alice: Api, graph: Graph) -> None:
    Node.objects.filter(graph=graph, node_id="draft").update(
        data={"id": "draft", "type": "agent", "label": "Write it"}
    )
    Agent.objects.create(workspace=graph.workspace, slug="writer", name="The writer")
    spent(people, TODAY, person=people.alice.user_id)
    [line] = csv.DictReader(alice.get("spend/?format=csv").content.decode().splitlines())

    assert (line["graph"], line["graph_name"]) == ("support", "Support")
    assert (line["node"], line["node_name"]) == ("draft", "Write it")
    assert (line["agent"], line["agent_name"]) == ("writer", "The writer")
    assert (line["person"], line["person_name"]) == (people.alice.user_id, "Alice")


@pytest.mark.usefixtures("people")
def test_a_graph_that_is_gone_is_named_by_its_slug(
    people: People, alice: Api, graph: Graph
) -> None:
    spent(people, TODAY, graph="gone")

    assert alice.get("spend/").json()["by_graph"][0]["name"] == "gone"


def test_a_graph_of_another_workspace_lends_no_name_to_an_equal_slug(
    people: People, alice: Api, olga: Api
) -> None:
    """Slugs are a workspace's own: what Carol calls hers is nobody else's to read."""
    graphs.import_graph(people.carol, {**DOCUMENT, "name": "Takeover of Acme"})
    spent(people, TODAY)
    gone = alice.get("spend/").json()
    graphs.import_graph(people.alice, DOCUMENT)
    here = olga.get("spend/").json()

    assert gone["by_graph"][0]["name"] == gone["by_node"][0]["graph"] == "support"
    assert "Takeover" not in str(gone)
    assert here["by_graph"][0]["name"] == here["by_node"][0]["graph"] == "Support"
