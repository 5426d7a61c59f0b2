"""Named inputs for test runs: kept, renamed, refused, and in no document."""

from __future__ import annotations

import pytest

from builder.models import Graph, Sample
from builder.services.graphs import samples
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


def test_a_sample_is_kept_renamed_changed_and_deleted(graph: Graph, alice: Api) -> None:
    at = f"graphs/{graph.pk}/samples/"

    made = alice.post(at, {"name": "usual", "input": {"name": "Ada"}})
    assert made.status_code == 201, made.content
    one = f"{at}{made.json()['id']}/"
    assert alice.patch(one, {"name": "first"}).json()["input"] == {"name": "Ada"}
    assert alice.patch(one, {"input": None}).json()["name"] == "first"
    assert [row["name"] for row in alice.get(at).json()["results"]] == ["first"]
    assert alice.get(at).json()["results"][0]["input"] is None

    assert alice.delete(one).status_code == 204
    assert alice.get(at).json()["results"] == []


def test_a_taken_name_is_refused_and_leaves_both(graph: Graph, alice: Api) -> None:
    at = f"graphs/{graph.pk}/samples/"
    alice.post(at, {"name": "a", "input": 1})
    other = alice.post(at, {"name": "b", "input": 2}).json()["id"]

    for refused in (
        alice.post(at, {"name": "a", "input": 3}),
        alice.patch(f"{at}{other}/", {"name": "a"}),
    ):
        assert refused.status_code == 409
        assert refused.json()["code"] == "SampleExists"
    assert list(Sample.objects.values_list("name", "input")) == [("a", 1), ("b", 2)]


def test_samples_have_a_most(graph: Graph, alice: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "MOST", 1)
    at = f"graphs/{graph.pk}/samples/"
    assert alice.post(at, {"name": "a"}).status_code == 201

    refused = alice.post(at, {"name": "b"})

    assert (refused.status_code, refused.json()["code"]) == (409, "TooManySamples")


def test_neither_export_nor_version_nor_copy_holds_samples(
    graph: Graph, alice: Api, people: People
) -> None:
    samples.save_sample(people.alice, graph, name="secretive", value="a very private text")

    exported = alice.get(f"graphs/{graph.pk}/export/").content
    alice.post(f"graphs/{graph.pk}/publish/", {"revision": graph.revision})
    version = alice.get(f"graphs/{graph.pk}/versions/1/").content
    copy = alice.post("graphs/", {"duplicate_of": graph.pk}).json()["id"]

    assert b"private" not in exported + version
    assert b"number" in version
    assert alice.get(f"graphs/{copy}/samples/").json()["results"] == []


def test_those_who_only_look_save_none(graph: Graph, people: People) -> None:
    refused = Api(people.vera).post(f"graphs/{graph.pk}/samples/", {"name": "x"})

    assert (refused.status_code, refused.json()["code"]) == (403, "NotAllowed")
