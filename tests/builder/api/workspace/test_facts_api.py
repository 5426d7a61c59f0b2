"""The memory over HTTP: found, written, corrected, forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from builder.models import AuditEntry, Entity, Fact, FactRevision, Graph, Run
from builder.services import facts
from engine.integrations.models.embeddings import local as embedding
from tests.builder.conftest import Api, People


@pytest.fixture(autouse=True)
def words_alone() -> Iterator[None]:
    """What is found here is found by words; tests of meaning switch it on."""
    with embedding.switched_off():
        yield


def learned(people: People, text: str, at: int, run: Run | None = None, **more: Any) -> Fact:
    """Write a fact as a run would have."""
    fact = facts.create_fact(people.alice, text=text, **more)
    Fact.objects.filter(pk=fact.pk).update(
        at=at,
        edited_by=None,
        **({"run_id": run.pk, "graph_slug": run.graph_slug, "node": "reflect"} if run else {}),
    )
    return fact


def texts(api: Api, query: str = "") -> list[str]:
    answer = api.get(f"facts/{query}")
    assert answer.status_code == 200, answer.content
    return [fact["text"] for fact in answer.json()["results"]]


def test_a_fact_shows_where_it_is_from(alice: Api, people: People, run: Run, graph: Graph) -> None:
    fact = learned(people, "ACME pays late.", 1_000, run, tags=["lesson"], entities=["ACME"])

    [shown] = alice.get("facts/").json()["results"]

    assert shown == {
        "id": fact.key,
        "text": "ACME pays late.",
        "tags": ["lesson"],
        "entities": ["ACME"],
        "learned_at": "1970-01-01T00:00:01.000Z",
        "graph": {"id": graph.pk, "slug": "support", "name": "Support"},
        "run": run.pk,
        "node": "reflect",
        "edited_at": None,
        "edited_by": None,
    }


def test_what_is_gone_is_named_without_a_link(alice: Api, people: People) -> None:
    fact = learned(people, "Old.", 1)
    Fact.objects.filter(pk=fact.pk).update(run_id="gone", graph_slug="old-flow", node="r")

    [shown] = alice.get("facts/").json()["results"]

    assert (shown["run"], shown["graph"]) == (
        None,
        {"id": None, "slug": "old-flow", "name": "old-flow"},
    )


def test_the_newest_come_first_and_pages_follow_each_other(alice: Api, people: People) -> None:
    for number in range(5):
        learned(people, f"Fact {number}.", number)

    first = alice.get("facts/?limit=2").json()
    second = alice.get(f"facts/?limit=2&cursor={first['next']}").json()

    assert [f["text"] for f in first["results"]] == ["Fact 4.", "Fact 3."]
    assert [f["text"] for f in second["results"]] == ["Fact 2.", "Fact 1."]
    assert texts(alice, f"?limit=2&cursor={second['next']}") == ["Fact 0."]


def test_a_search_ranks_as_a_node_does_and_pages(alice: Api, people: People) -> None:
    learned(people, "The refund policy is generous.", 1)
    learned(people, "Refunds take a week.", 2)
    learned(people, "Apples are red.", 3)

    first = alice.get("facts/?search=refund+policy&limit=1").json()

    assert [f["text"] for f in first["results"]] == ["The refund policy is generous."]
    assert texts(alice, f"?search=refund+policy&limit=1&cursor={first['next']}") == [
        "Refunds take a week."
    ]
    assert texts(alice, "?search=zebra") == []


@pytest.mark.parametrize("cursor", ["x", "WyJyYW5rZWQiLC0xXQ", "WzEsMl0", "WyJyYW5rZWQiLHRydWVd"])
def test_a_strange_cursor_is_refused(alice: Api, people: People, cursor: str) -> None:
    learned(people, "Apples are red.", 3)

    assert alice.get(f"facts/?search=apples&cursor={cursor}").status_code == 400


def test_filters_narrow_together(alice: Api, people: People, run: Run, graph: Graph) -> None:
    learned(people, "One apple.", 1, run, tags=["a"], entities=["ACME Inc"])
    learned(people, "Two apples.", 2, tags=["a", "b"])
    learned(people, "Three pears.", 3, run, tags=["b"])

    assert texts(alice, "?tag=a") == ["Two apples.", "One apple."]
    assert texts(alice, "?entity=acme%20inc") == ["One apple."]
    assert texts(alice, "?entity=nobody") == []
    assert texts(alice, f"?run={run.pk}") == ["Three pears.", "One apple."]
    assert texts(alice, f"?graph={graph.pk}&tag=b") == ["Three pears."]
    assert texts(alice, "?search=apple&tag=b") == ["Two apples."]
    assert alice.get("facts/?about=x").status_code == 400


def test_a_person_writes_a_fact_down(alice: Api) -> None:
    made = alice.post(
        "facts/",
        {
            "text": "  Mrs. Keller\nspeaks French. ",
            "tags": ["style", "style"],
            "entities": ["Keller", "KELLER"],
        },
    )

    assert made.status_code == 201
    body = made.json()
    assert (body["text"], body["tags"]) == ("Mrs. Keller speaks French.", ["style"])
    assert (body["entities"], body["edited_by"]["name"]) == (["Keller"], "Alice")
    assert (body["graph"], body["run"], body["node"]) == (None, None, None)
    assert body["can"] == {"edit": True}
    assert texts(alice, "?search=french") == ["Mrs. Keller speaks French."]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "  "},
        {"text": "a\x00b"},
        {"text": 5},
        {"text": "a", "tags": [""]},
        {"text": "a", "tags": [" "]},
        {"text": "a", "tags": "b"},
        {"text": "a", "entities": [" "]},
        {"text": "a", "entities": ["x" * 201]},
        {"text": "a" * 20_001},
        {"text": "a", "source": "b"},
    ],
)
def test_a_malformed_fact_is_refused(alice: Api, body: dict[str, Any]) -> None:
    assert alice.post("facts/", body).status_code == 400
    assert not Fact.objects.exists()


def test_a_correction_keeps_what_was_said_before(alice: Api, people: People) -> None:
    fact = learned(people, "Apples are blue.", 1, tags=["fruit"], entities=["Apple"])

    changed = alice.patch(f"facts/{fact.key}/", {"text": "Apples are red.", "entities": ["Tree"]})

    body = changed.json()
    assert (body["text"], body["tags"], body["entities"]) == (
        "Apples are red.",
        ["fruit"],
        ["Tree"],
    )
    [old] = body["revisions"]
    assert (old["text"], old["tags"], old["entities"]) == (
        "Apples are blue.",
        ["fruit"],
        ["Apple"],
    )
    assert (old["by"]["name"], body["edited_by"]["name"]) == ("Alice", "Alice")
    assert old["at"] == body["edited_at"]
    assert texts(alice, "?search=red") == ["Apples are red."]
    assert texts(alice, "?search=blue") == []
    assert [e["name"] for e in alice.get("entities/").json()["results"]] == ["Tree"]


def test_a_correction_that_changes_nothing_leaves_no_trace(alice: Api, people: People) -> None:
    fact = learned(people, "Apples are red.", 1, tags=["fruit"])
    before = AuditEntry.objects.count()

    answer = alice.patch(f"facts/{fact.key}/", {"text": " Apples are  red. ", "tags": ["fruit"]})

    assert (answer.status_code, answer.json()["revisions"]) == (200, [])
    assert (answer.json()["edited_at"], AuditEntry.objects.count()) == (None, before)


def test_forgetting_leaves_no_text_behind(alice: Api, people: People) -> None:
    fact = learned(people, "Bob is allergic to nuts.", 1, entities=["Bob"])
    learned(people, "Ann likes tea.", 2, entities=["Ann"])
    alice.patch(f"facts/{fact.key}/", {"text": "Bob is allergic to walnuts."})

    assert alice.delete(f"facts/{fact.key}/").status_code == 204

    assert texts(alice) == ["Ann likes tea."]
    assert texts(alice, "?search=walnuts") == []
    assert not FactRevision.objects.exists()
    assert [e.name for e in Entity.objects.all()] == ["Ann"]
    assert alice.get(f"facts/{fact.key}/").status_code == 404
    said = "".join(AuditEntry.objects.values_list("entry", flat=True))
    assert "nuts" not in said
    assert "Bob" not in said


def test_deeds_are_in_the_audit_log(alice: Api, people: People) -> None:
    key = alice.post("facts/", {"text": "One."}).json()["id"]
    alice.patch(f"facts/{key}/", {"text": "Two.", "tags": ["t"]})
    alice.delete(f"facts/{key}/")

    entries = [json.loads(e) for e in AuditEntry.objects.values_list("entry", flat=True)]
    actions = [e for e in entries if e["action"].startswith("fact.")]

    assert [e["action"] for e in actions] == ["fact.created", "fact.changed", "fact.forgotten"]
    assert {e["target"] for e in actions} == {key}
    assert {e["actor"] for e in actions} == {people.alice.user_id}
    assert actions[1]["detail"] == {"fields": ["text", "tags"]}


def test_who_may_not_edit_may_read(bob: Api, people: People) -> None:
    fact = learned(people, "Ours.", 1)

    assert bob.get(f"facts/{fact.key}/").json()["can"] == {"edit": False}
    for answer in (
        bob.post("facts/", {"text": "x"}),
        bob.patch(f"facts/{fact.key}/", {"text": "x"}),
        bob.delete(f"facts/{fact.key}/"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "NotAllowed")
    assert texts(bob) == ["Ours."]


def test_entities_come_with_their_counts_and_the_nearest_others(alice: Api, people: People) -> None:
    learned(people, "1", 1, entities=["ACME", "Ann"])
    learned(people, "2", 2, entities=["ACME", "Ann", "Bob"])
    learned(people, "3", 3, entities=["Zed"])

    found = alice.get("entities/").json()["results"]

    assert [(e["name"], e["facts"]) for e in found] == [
        ("ACME", 2),
        ("Ann", 2),
        ("Bob", 1),
        ("Zed", 1),
    ]
    assert found[0]["related"] == [{"name": "Ann", "facts": 2}, {"name": "Bob", "facts": 1}]
    assert found[3]["related"] == []
    searched = alice.get("entities/?search=AC").json()["results"]
    assert [e["name"] for e in searched] == ["ACME"]


def test_a_busy_entity_shows_its_nearest_others_only(alice: Api, people: People) -> None:
    for number in range(20):
        learned(people, f"{number}", number, entities=["ACME", f"Person {number:02}"])
    learned(people, "again", 30, entities=["ACME", "Person 19"])

    [acme, *_rest] = alice.get("entities/?search=acme").json()["results"]

    assert len(acme["related"]) == 12
    assert acme["related"][0] == {"name": "Person 19", "facts": 2}


def test_tags_come_with_their_counts(alice: Api, people: People) -> None:
    learned(people, "1", 1, tags=["a", "b"])
    learned(people, "2", 2, tags=["b"])

    assert alice.get("fact-tags/").json()["results"] == [
        {"tag": "b", "facts": 2},
        {"tag": "a", "facts": 1},
    ]


def test_a_list_costs_few_queries(
    alice: Api, people: People, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        learned(people, f"Fact {number}.", number, tags=["t"], entities=["E", f"F{number}"])

    with django_assert_max_num_queries(12):
        alice.get("facts/")
    with django_assert_max_num_queries(12):
        alice.get("entities/")


def test_the_full_text_index_outlives_the_migrations(db: None) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("triggers are SQLite's")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        names = {name for (name,) in cursor.fetchall()}

    assert {"fact_indexed", "fact_unindexed", "fact_indexed_anew"} <= names


def test_django_admin_forgets_as_the_service_does(olga: Api, people: People) -> None:
    fact = learned(people, "Bob is allergic to nuts.", 1, entities=["Bob"])
    user = people.olga.user
    user.is_staff = user.is_superuser = True
    user.save()

    answer = olga.client.post(f"/admin/builder/fact/{fact.pk}/delete/", {"post": "yes"})

    assert answer.status_code == 302
    assert not Fact.objects.exists()
    assert not Entity.objects.exists()
    last = json.loads(AuditEntry.objects.order_by("-n")[0].entry)
    assert (last["action"], last["actor"]) == ("fact.forgotten", user.pk)


def test_the_audit_log_names_a_fact_by_what_it_says_until_it_is_forgotten(
    alice: Api, olga: Api, people: People
) -> None:
    kept = learned(people, "Parcels to Norway take ten days.", 1)
    gone = learned(people, "Ada lives in Oslo.", 2)
    assert alice.delete(f"facts/{gone.key}/").status_code == 204

    entries = olga.get("audit/?action=fact").json()["results"]

    assert [(entry["action"], entry["target_name"]) for entry in entries] == [
        ("fact.forgotten", "A fact that was forgotten"),
        ("fact.created", "A fact that was forgotten"),
        ("fact.created", "Parcels to Norway take ten days."),
    ]
    assert [entry["target"] for entry in olga.get("audit/?search=norway").json()["results"]] == [
        kept.key
    ]
