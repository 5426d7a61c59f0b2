"""Comments on cards: begun, answered, changed by who wrote them, resolved, and kept within limits."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.bells import graph_topic, hub
from builder.models import CardComment, CommentThread, Graph
from builder.services.graphs.drafts import document_of
from builder.services.people.commenting import limits
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(graph: Graph) -> str:
    return f"graphs/{graph.pk}/threads/"


def begun(api: Api, at: str, text: str = "Why this one?", **more: Any) -> Any:
    answer = api.post(at, {"node": "draft", "text": text, **more})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_thread_is_begun_answered_resolved_and_opened_again(
    at: str, alice: Api, bob: Api, people: People
) -> None:
    thread = begun(alice, at)
    one = f"{at}{thread['id']}/"

    answered = bob.post(f"{one}comments/", {"text": "  Because.\n"})
    assert answered.status_code == 201
    [row] = alice.get(at).json()["results"]
    assert (row["node"], row["label"], row["gone"]) == ("draft", "Draft", False)
    assert (row["excerpt"], row["comments"], row["by"]["name"]) == ("Why this one?", 2, "Alice")
    said = alice.get(one).json()["said"]
    assert [(each["by"]["name"], each["text"]) for each in said] == [
        ("Alice", "Why this one?"),
        ("Bob", "Because."),
    ]

    closed = bob.patch(one, {"resolved": True}).json()
    assert closed["resolved_by"] == {"id": people.bob.user_id, "name": "Bob"}
    assert alice.get(at).json()["results"] == []
    assert len(alice.get(f"{at}?state=resolved").json()["results"]) == 1
    assert alice.patch(one, {"resolved": False}).json()["resolved_at"] is None
    assert len(alice.get(at).json()["results"]) == 1


def test_everyone_changes_and_deletes_their_own_words_only(
    at: str, alice: Api, bob: Api, olga: Api
) -> None:
    thread = begun(alice, at)
    own = f"{at}{thread['id']}/comments/{thread['said'][0]['id']}/"

    for other in (bob, olga):
        assert other.patch(own, {"text": "Mine now"}).status_code == 403
        assert other.delete(own).status_code == 403
    changed = alice.patch(own, {"text": "Why that one?"}).json()
    assert changed["text"] == "Why that one?"
    assert changed["edited_at"] is not None

    assert alice.delete(own).status_code == 204
    assert not CommentThread.objects.exists()
    assert alice.delete(own).status_code == 404


def test_a_thread_stays_while_others_spoke_in_it(at: str, alice: Api, bob: Api) -> None:
    thread = begun(alice, at)
    bob.post(f"{at}{thread['id']}/comments/", {"text": "Because."})

    alice.delete(f"{at}{thread['id']}/comments/{thread['said'][0]['id']}/")

    [row] = alice.get(at).json()["results"]
    assert (row["excerpt"], row["comments"]) == ("Because.", 1)


def test_a_viewer_reads_and_writes_nothing(at: str, alice: Api, people: People) -> None:
    thread = begun(alice, at)
    vera = Api(people.vera)

    assert vera.get(f"{at}{thread['id']}/").json()["said"][0]["text"] == "Why this one?"
    refused = vera.post(at, {"node": "draft", "text": "x"})
    assert (refused.status_code, refused.json()["code"]) == (403, "NotAllowed")


def test_neither_document_nor_revision_knows_of_comments(at: str, alice: Api, graph: Graph) -> None:
    before = (document_of(graph), graph.revision, graph.updated_at)
    thread = begun(alice, at, text="a very private remark")
    alice.patch(f"{at}{thread['id']}/", {"resolved": True})

    graph.refresh_from_db()
    assert (document_of(graph), graph.revision, graph.updated_at) == before
    assert b"private remark" not in alice.get(f"graphs/{graph.pk}/export/").content


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"node": "draft", "text": "  \n "}, 400, "InputInvalid"),
        ({"node": "draft", "text": "x" * 4_001}, 400, "InputInvalid"),
        ({"node": "nowhere", "text": "x"}, 409, "NoSuchCard"),
        ({"node": "draft", "text": "x", "mentions": ["a"] * 21}, 400, "InputInvalid"),
    ],
)
def test_what_is_no_comment_is_refused(
    at: str, alice: Api, body: dict[str, Any], status: int, code: str
) -> None:
    refused = alice.post(at, body)

    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert not CardComment.objects.exists()


@pytest.mark.parametrize(
    ("name", "code"), [("MOST_OPEN", "TooManyThreads"), ("MOST_THREADS", "TooManyThreads")]
)
def test_threads_have_a_most(
    at: str, alice: Api, monkeypatch: pytest.MonkeyPatch, name: str, code: str
) -> None:
    monkeypatch.setattr(limits, name, 1)
    begun(alice, at)

    refused = alice.post(at, {"node": "draft", "text": "x"})

    assert (refused.status_code, refused.json()["code"]) == (409, code)


def test_a_thread_that_is_opened_again_needs_room(
    at: str, alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_OPEN", 1)
    first = begun(alice, at)
    alice.patch(f"{at}{first['id']}/", {"resolved": True})
    begun(alice, at)

    refused = alice.patch(f"{at}{first['id']}/", {"resolved": False})

    assert (refused.status_code, refused.json()["code"]) == (409, "TooManyThreads")


def test_a_thread_ends_and_a_person_has_a_pace(
    at: str, alice: Api, bob: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = begun(alice, at)
    monkeypatch.setattr(limits, "MOST_COMMENTS", 1)
    full = bob.post(f"{at}{thread['id']}/comments/", {"text": "x"})
    assert (full.status_code, full.json()["code"]) == (409, "ThreadFull")

    monkeypatch.setattr(limits, "MOST_A_MINUTE", 1)
    fast = alice.post(at, {"node": "draft", "text": "x"})
    assert (fast.status_code, fast.json()["code"]) == (429, "TooManyComments")
    assert bob.post(at, {"node": "draft", "text": "x"}).status_code == 201


def test_who_has_the_workflow_open_is_told(
    at: str, alice: Api, graph: Graph, django_capture_on_commit_callbacks: Any
) -> None:
    frames: list[Any] = []
    stop = hub.subscribe(graph_topic(graph.pk), frames.append)

    with django_capture_on_commit_callbacks(execute=True):
        begun(alice, at)

    stop()
    assert frames == [{"op": "comments", "graph": graph.pk}]
