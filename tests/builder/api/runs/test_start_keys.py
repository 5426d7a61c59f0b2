"""Whose key started a run: one caller's keys are nobody else's, and no other door's."""

from __future__ import annotations

import pytest

from builder.models import Graph, Run
from builder.reads.runs.start_keys import key_of
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor


@pytest.fixture(autouse=True)
def published(people: People, graph: Graph) -> None:
    graphs.publish(people.alice, graph, revision=1)


def start(api: Api, graph: Graph, key: str, said: object = 1) -> str:
    answer = api.post(f"graphs/{graph.pk}/runs/", {"input": said}, **{"Idempotency-Key": key})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def test_two_people_with_the_same_key_start_two_runs(
    people: People, graph: Graph, door: FakeDoor
) -> None:
    first = start(Api(people.alice), graph, "k", said=1)
    second = start(Api(people.oscar), graph, "k", said=2)

    assert first != second
    assert start(Api(people.alice), graph, "k", said=1) == first


@pytest.mark.parametrize("key", ["trg:t1:evt_1", "bulk:j:r", "api:someone:k"])
def test_nobody_takes_the_key_of_another_door(alice: Api, graph: Graph, key: str) -> None:
    run = Run.objects.get(pk=start(alice, graph, key))

    assert run.trigger_key == f"api:{run.started_by}:{key}"


def test_a_run_from_before_keys_had_owners_is_found_by_who_started_it(
    people: People, graph: Graph
) -> None:
    first = start(Api(people.alice), graph, "k")
    Run.objects.filter(pk=first).update(trigger_key="k")

    assert start(Api(people.alice), graph, "k") == first
    assert start(Api(people.oscar), graph, "k") != first


def test_a_long_key_counts_whole(alice: Api, graph: Graph) -> None:
    long = "x" * 189

    first = start(alice, graph, long + "a")

    assert start(alice, graph, long + "a") == first
    assert start(alice, graph, long + "b") != first
    assert len(key_of("api", "u" * 36, long)) <= 200
