"""People learn in the app of comments that name them, and of answers where they spoke."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from builder.base.bells import hub, mentions_topic
from builder.models import CommentNotice, Graph, Membership, User, Workspace
from builder.services.people.commenting import telling
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(graph: Graph) -> str:
    return f"graphs/{graph.pk}/threads/"


def begun(api: Api, at: str, text: str = "Why this one?", *people: Any) -> str:
    body = {"node": "draft", "text": text, "mentions": [one.user_id for one in people]}
    return str(api.post(at, body).json()["id"])


def unread(api: Api) -> list[tuple[str, str, bool]]:
    rows = api.get("mentions/?state=unread").json()["results"]
    return [(row["by"]["name"], row["excerpt"], row["named"]) for row in rows]


def test_who_is_named_and_who_is_answered_learn_of_it_until_they_read(
    at: str, alice: Api, bob: Api, olga: Api, people: People, graph: Graph
) -> None:
    thread = begun(alice, at, "@Bob,\nlong enough?", people.bob)
    assert unread(bob) == [("Alice", "@Bob, long enough?", True)]
    assert unread(alice) == unread(olga) == []

    bob.post(f"{at}{thread}/comments/", {"text": "It is."})
    assert unread(alice) == [("Bob", "It is.", False)]
    alice.post(f"{at}{thread}/comments/", {"text": "Good."})
    assert [said for _, said, _ in unread(bob)] == ["Good.", "@Bob, long enough?"]

    assert bob.post("mentions/read/", {"thread": thread}).status_code == 204
    assert (unread(bob), len(unread(alice))) == ([], 1)
    [newest, _] = bob.get("mentions/").json()["results"]
    assert newest["graph"] == {"id": graph.pk, "name": graph.name}
    assert (newest["thread"], newest["label"]) == (thread, "Draft")
    assert newest["read_at"] is not None


def test_all_is_read_at_once(at: str, alice: Api, bob: Api, people: People) -> None:
    for _ in range(2):
        begun(alice, at, "@Bob?", people.bob)

    bob.post("mentions/read/", {})

    assert unread(bob) == []


def test_a_change_tells_only_whom_it_names_anew_and_takes_back_the_others(
    at: str, alice: Api, bob: Api, olga: Api, people: People
) -> None:
    thread = begun(alice, at, "@Bob?", people.bob)
    own = f"{at}{thread}/comments/{alice.get(f'{at}{thread}/').json()['said'][0]['id']}/"

    alice.patch(own, {"text": "@Olga?", "mentions": [people.olga.user_id]})

    assert (unread(bob), len(unread(olga))) == ([], 1)
    alice.delete(own)
    assert unread(olga) == []


def test_who_left_and_whose_workflow_is_put_away_is_told_of_nothing(
    at: str, alice: Api, bob: Api, people: People, graph: Graph
) -> None:
    thread = begun(bob, at)
    begun(alice, at, "@Oscar?", people.oscar)
    User.objects.filter(pk=people.bob.user_id).update(is_active=False)
    alice.post(f"{at}{thread}/comments/", {"text": "Still there?"})
    assert not CommentNotice.objects.filter(user=people.bob.user_id).exists()

    oscar = Api(people.oscar)
    assert len(unread(oscar)) == 1
    alice.delete(f"graphs/{graph.pk}/")
    assert unread(oscar) == []


def test_what_was_said_in_one_workspace_is_not_told_in_another(
    at: str, alice: Api, people: People
) -> None:
    elsewhere = Workspace.objects.get(slug="away")
    Membership.objects.create(user=people.bob.user, workspace=elsewhere, role="viewer")
    begun(alice, at, "@Bob?", people.bob)

    assert unread(Api(people.bob, **{"X-Workspace": elsewhere.pk})) == []
    Api(people.bob, **{"X-Workspace": elsewhere.pk}).post("mentions/read/", {})
    assert len(unread(Api(people.bob, **{"X-Workspace": people.bob.workspace_id}))) == 1


def test_the_oldest_go_where_somebody_is_told_too_much(
    at: str, alice: Api, bob: Api, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "MOST_KEPT", 2)
    for each in ("one", "two", "three"):
        begun(alice, at, f"@Bob {each}", people.bob)

    assert [said for _, said, _ in unread(bob)] == ["@Bob three", "@Bob two"]


def test_their_open_pages_are_rung(
    at: str, alice: Api, people: People, django_capture_on_commit_callbacks: Any
) -> None:
    rung: list[str] = []
    home = people.alice.workspace_id

    def listen(who: Membership) -> Callable[[], None]:
        topic = mentions_topic(home, who.user_id)
        return hub.subscribe(topic, lambda _: rung.append(who.user.name))

    stops = [listen(who) for who in (people.bob, people.olga, people.alice)]
    with django_capture_on_commit_callbacks(execute=True):
        begun(alice, at, "@Bob?", people.bob)
    for stop in stops:
        stop()

    assert rung == ["Bob"]


@pytest.mark.parametrize("path", ["mentions/?state=new", "mentions/?state=read"])
def test_an_unknown_state_is_refused(alice: Api, path: str) -> None:
    assert alice.get(path).json()["problems"][0]["path"] == "state"
