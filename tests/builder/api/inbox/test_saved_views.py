"""Views of the inbox that people save: their own or shared, with true counts."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Run
from builder.services.runs import inbox_views
from tests.builder.api.inbox.test_holds import opened
from tests.builder.conftest import Api, People

LARGE = {"state": "open", "view": "decide", "ordering": "-amount", "search": "pay"}


def listed(api: Api) -> dict[str, Any]:
    return {one["name"]: one for one in api.get("inbox-views/").json()["results"]}


def test_a_view_keeps_what_it_narrows_to_and_counts_what_it_shows(bob: Api, run: Run) -> None:
    opened(run), opened(run)

    made = bob.post("inbox-views/", {"name": " Open ", "query": {"state": "open"}}).json()
    bob.post("inbox-views/", {"name": "Done", "query": {"state": "done"}})

    assert (made["name"], made["count"], made["mine"]) == ("Open", 2, True)
    assert {name: one["count"] for name, one in listed(bob).items()} == {"Open": 2, "Done": 0}
    assert listed(bob)["Open"]["query"] == {"state": "open"}


def test_one_that_is_shared_is_seen_by_others_who_cannot_delete_it(bob: Api, alice: Api) -> None:
    bob.post("inbox-views/", {"name": "Mine", "query": LARGE})
    shared = bob.post("inbox-views/", {"name": "Ours", "query": LARGE, "shared": True}).json()

    assert list(listed(alice)) == ["Ours"]
    assert not listed(alice)["Ours"]["mine"]
    assert alice.delete(f"inbox-views/{shared['id']}/").status_code == 404
    assert bob.delete(f"inbox-views/{shared['id']}/").status_code == 204
    assert listed(alice) == {}


def test_the_same_name_replaces_it(bob: Api) -> None:
    for order in ("deadline", "-risk"):
        bob.post("inbox-views/", {"name": "First", "query": {"ordering": order}})

    assert listed(bob)["First"]["query"] == {"ordering": "-risk"}


def test_a_view_is_renamed_and_brought_up_to_what_the_list_shows(bob: Api, alice: Api) -> None:
    made = bob.post("inbox-views/", {"name": "Large", "query": LARGE, "shared": True}).json()
    bob.post("inbox-views/", {"name": "Other", "query": {"state": "done"}})
    path = f"inbox-views/{made['id']}/"

    assert bob.patch(path, {"name": " Largest "}).json()["query"] == LARGE
    now = bob.patch(path, {"query": {"ordering": "-risk"}}).json()
    assert (now["id"], now["name"], now["shared"]) == (made["id"], "Largest", True)
    assert listed(bob)["Largest"]["query"] == {"ordering": "-risk"}
    assert bob.patch(path, {"shared": False}).json()["shared"] is False

    assert bob.patch(path, {"name": "Other"}).json()["code"] == "NameTaken"
    assert bob.patch(path, {"name": "  "}).status_code == 400
    assert bob.patch(path, {"query": {"beauty": "1"}}).status_code == 400
    assert alice.patch(path, {"name": "Hers"}).status_code == 404
    assert sorted(listed(bob)) == ["Largest", "Other"]


@pytest.mark.parametrize(
    "query", [{"beauty": "1"}, {"view": "nice"}, {"ordering": "beauty"}, {"search": "x" * 400}]
)
def test_what_no_list_would_take_is_not_saved(bob: Api, query: dict[str, str]) -> None:
    assert bob.post("inbox-views/", {"name": "Odd", "query": query}).status_code == 400
    assert listed(bob) == {}


def test_there_is_an_end_to_them_and_who_looks_on_shares_none(bob: Api, people: People) -> None:
    for number in range(inbox_views.MOST):
        inbox_views.save_view(people.bob, f"v{number}", {}, shared=False)

    assert bob.post("inbox-views/", {"name": "more", "query": {}}).json()["code"] == "TooMany"
    vera = Api(people.vera)
    assert vera.post("inbox-views/", {"name": "a", "query": {}, "shared": True}).status_code == 403
    hers = vera.post("inbox-views/", {"name": "a", "query": {}})
    assert hers.status_code == 200
    assert vera.patch(f"inbox-views/{hers.json()['id']}/", {"shared": True}).status_code == 403


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("   ", "a name that can be read"),
        ("\u200b \u200b", "a name that can be read"),
        ("x" * 61, "a name of 60 characters at most"),
    ],
)
def test_a_name_that_shows_nothing_or_has_no_end_is_refused_in_words(
    bob: Api, name: str, told: str
) -> None:
    kept = bob.post("inbox-views/", {"name": "Kept", "query": {}}).json()

    refused = [
        bob.post("inbox-views/", {"name": name, "query": {}}),
        bob.patch(f"inbox-views/{kept['id']}/", {"name": name}),
    ]

    for answer in refused:
        assert answer.status_code == 400
        [problem] = answer.json()["problems"]
        assert (problem["path"], problem["message"]) == ("name", told)


def test_names_that_read_alike_are_one_view(bob: Api) -> None:
    made = bob.post("inbox-views/", {"name": "Large ones", "query": LARGE}).json()
    again = bob.post("inbox-views/", {"name": " large   ONES ", "query": {"state": "done"}}).json()
    other = bob.post("inbox-views/", {"name": "Other", "query": {}}).json()

    assert (again["id"], again["name"]) == (made["id"], "large ONES")
    taken = bob.patch(f"inbox-views/{other['id']}/", {"name": "LARGE ones"}).json()
    assert (taken["code"], "large ONES" in taken["detail"]) == ("NameTaken", True)
    assert bob.patch(f"inbox-views/{made['id']}/", {"name": "LARGE ones"}).status_code == 200
