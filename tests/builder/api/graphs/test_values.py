"""The values that can be read at a place of a draft."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base import engine_door
from builder.models import Graph, Run
from builder.services.graphs import graphs, values
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.api.graphs.test_renaming_api import line
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


def left(monkeypatch: pytest.MonkeyPatch, **lanes: Any) -> None:
    """Let every run have left these lanes."""
    state = {"memory": {}, "outputs": {}, "metadata": {}, "context": {}, **lanes}
    monkeypatch.setattr(engine_door.engine(), "state_at", lambda _run, _seq: state)


def told(api: Api, graph: str, **query: str) -> Any:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = api.get(f"graphs/{graph}/draft/values/?{asked}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_newest_run_tells_the_last_values(
    graph: Graph, alice: Api, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"id": number} for number in range(50)]
    memory = {"level": "senior", "rows": rows, "long": "x" * 9_000, "_own": 1}
    left(monkeypatch, memory=memory, outputs={"x-1": True})

    started, *found = told(alice, graph.pk)["values"]

    assert started == {"path": ["input"], "kind": "text", "text": "hi", "size": None}
    assert found[0] == {"path": ["memory", "level"], "kind": "text", "text": "senior", "size": None}
    assert [(v["kind"], v["size"]) for v in found[1:3]] == [("list", 50), ("text", None)]
    assert all(len(value["text"]) <= values.SHOWN + 1 for value in found)
    assert found[-1] == {"path": ["outputs", "x-1"], "kind": "yes/no", "text": "true", "size": None}


def test_the_fields_of_an_input_are_told_one_by_one(people: People, graph: Graph) -> None:
    given = {"cv": "Ten years", "rows": [1, 2]}
    runs.start_run(people.alice, graph, Start(input=given, draft=True))

    found = told(Api(people.alice), graph.pk)["values"]

    assert [(v["path"], v["kind"]) for v in found[:3]] == [
        (["input"], "group"),
        (["input", "cv"], "text"),
        (["input", "rows"], "list"),
    ]
    assert (found[1]["text"], found[2]["size"]) == ("Ten years", 2)


def test_what_may_be_missing_and_what_nothing_uses_is_proven(people: People) -> None:
    nodes = [
        {"id": "a", "type": "agent", "config": {"agent_id": "w"}, "write_keys": ["level"]},
        {
            "id": "b",
            "type": "output",
            "read_keys": ["level", "input"],
            "config": {"value": "memory.level"},
        },
    ]
    graph = graphs.import_graph(people.alice, line("proven", *nodes))

    first = told(Api(people.alice), graph.pk, **{"for": "a"})
    second = told(Api(people.alice), graph.pk, **{"for": "b"})

    assert ["memory", "level"] in first["unproven"]
    assert ["memory", "level"] not in second["unproven"]
    assert (second["idle"], second["used"]) == (["input"], ["level"])
    assert first["used"] is None
    assert second["values"] == []


def test_a_run_of_another_workflow_is_none(graph: Graph, alice: Api, run: Run) -> None:
    other = alice.post("graphs/", {"name": "Other"}).json()["id"]

    answer = alice.get(f"graphs/{other}/draft/values/?run={run.pk}")

    assert (answer.status_code, answer.json()["code"]) == (404, "RunNotFound")


def test_who_only_reads_is_told_nothing(graph: Graph, people: People, run: Run) -> None:
    answer = Api(people.vera).get(f"graphs/{graph.pk}/draft/values/")

    assert answer.status_code == 403
