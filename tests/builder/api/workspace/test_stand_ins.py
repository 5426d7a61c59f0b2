"""Standing in over HTTP: set, changed and ended by oneself or an admin, seen by all, in the audit log."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from builder.models import AuditEntry, StandIn
from builder.services.people import accounts
from builder.services.people.away import standing_in
from builder.services.people.away.standing_in import Absence
from tests.builder.conftest import Api, People


def day(ahead: int = 0) -> str:
    return (timezone.now().date() + timedelta(days=ahead)).isoformat()


def away(to: str, first: int = 0, last: int = 3, **more: Any) -> dict[str, Any]:
    return {"to": to, "first_day": day(first), "last_day": day(last), **more}


def actions() -> list[dict[str, Any]]:
    found = [json.loads(entry.entry) for entry in AuditEntry.objects.order_by("n")]
    return [one for one in found if one["action"].startswith("standin.")]


def test_who_is_away_says_who_decides_and_everybody_sees_it(bob: Api, people: People) -> None:
    made = bob.post("stand-ins/", away(people.oscar.user_id, note="At sea"))

    assert made.status_code == 201
    [seen] = Api(people.vera).get("stand-ins/").json()["results"]
    assert (seen["absent"]["name"], seen["to"]["name"], seen["note"]) == ("Bob", "Oscar", "At sea")
    assert (seen["now"], seen["zone"], seen["may_change"]) == (True, "UTC", False)
    [told] = actions()
    assert (told["action"], told["actor"], told["target"]) == (
        "standin.set",
        people.bob.user_id,
        people.bob.user_id,
    )
    assert told["detail"]["to"] == people.oscar.user_id


def test_an_admin_sets_changes_and_ends_it_for_others(bob: Api, alice: Api, people: People) -> None:
    body = away(people.oscar.user_id, absent=people.bob.user_id)
    refused = alice.post("stand-ins/", body)
    made = Api(people.olga).post("stand-ins/", body).json()
    longer = bob.patch(f"stand-ins/{made['id']}/", {"last_day": day(9)})
    theirs = alice.delete(f"stand-ins/{made['id']}/")
    ended = bob.delete(f"stand-ins/{made['id']}/")

    assert (refused.status_code, theirs.status_code, ended.status_code) == (403, 403, 204)
    assert longer.json()["last_day"] == day(9)
    assert bob.get("stand-ins/").json()["results"] == []
    assert [one["action"] for one in actions()] == [
        "standin.set",
        "standin.changed",
        "standin.ended",
    ]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"to": "bob"}, "to"),
        ({"to": "carol"}, "to"),
        ({"first_day": day(-1)}, "first_day"),
        ({"first_day": day(2), "last_day": day(1)}, "last_day"),
        ({"last_day": day(400)}, "last_day"),
        ({"last_day": "soon"}, "last_day"),
        ({"absent": "carol"}, "absent"),
        ({"note": "x" * 201}, "note"),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(
    people: People, body: dict[str, Any], place: str
) -> None:
    ids = {name: getattr(people, name).user_id for name in ("bob", "carol")}
    named = {"absent": "bob", **body}
    given = {**away(people.oscar.user_id), **{k: ids.get(v, v) for k, v in named.items()}}

    answer = Api(people.olga).post("stand-ins/", given)

    assert answer.status_code == 400, answer.json()
    assert [one["path"] for one in answer.json()["problems"]] == [place]


def test_absences_do_not_overlap_and_stand_ins_are_there(bob: Api, people: People) -> None:
    olga = Api(people.olga)
    bob.post("stand-ins/", away(people.oscar.user_id, 1, 4))

    twice = bob.post("stand-ins/", away(people.olga.user_id, 4, 6))
    chain = olga.post("stand-ins/", away(people.bob.user_id, 2, 2))
    after = bob.post("stand-ins/", away(people.olga.user_id, 5, 6))

    assert (twice.status_code, twice.json()["code"]) == (409, "AlreadyAway")
    assert (chain.status_code, chain.json()["code"]) == (409, "StandInAway")
    assert "choose somebody else" in chain.json()["detail"]
    assert after.status_code == 201
    moved = bob.patch(f"stand-ins/{after.json()['id']}/", {"first_day": day(4)})
    assert moved.json()["code"] == "AlreadyAway"


def test_the_stand_in_needs_the_role_and_the_absent_one_something_to_decide(
    people: People,
) -> None:
    olga = Api(people.olga)
    weak = olga.post("stand-ins/", away(people.alice.user_id))
    idle = olga.post("stand-ins/", away(people.bob.user_id, absent=people.vera.user_id))
    author = olga.post("stand-ins/", away(people.bob.user_id, absent=people.alice.user_id))

    assert (weak.status_code, weak.json()["code"]) == (422, "StandInRole")
    assert (idle.status_code, idle.json()["code"]) == (422, "NothingToDecide")
    assert author.status_code == 201


def test_days_are_those_of_the_workspace_and_it_ends_by_itself(people: People) -> None:
    workspace = people.bob.workspace
    now = timezone.now().replace(hour=12)
    row = StandIn(
        workspace=workspace,
        absent=people.bob.user,
        to=people.oscar.user,
        first_day=now.date(),
        last_day=now.date(),
    )
    late = now.replace(hour=23, minute=30)

    assert row.holds(late)
    assert not row.holds(late + timedelta(hours=1))
    workspace.settings = {"timezone": "Asia/Tokyo"}
    assert not row.holds(late), "there it is tomorrow"


def test_who_leaves_stands_in_no_more(bob: Api, people: People) -> None:
    standing_in.set_stand_in(
        people.bob,
        Absence(
            people.bob.user_id,
            people.oscar.user_id,
            timezone.now().date(),
            timezone.now().date(),
        ),
    )
    accounts.remove_member(people.olga, people.oscar)

    assert bob.get("stand-ins/").json()["results"] == []
    assert actions()[-1]["action"] == "standin.ended"


def test_a_program_sees_it_and_sets_nothing(people: People) -> None:
    _row, text = accounts.create_api_token(people.bob, name="script")
    program = Api(None, Authorization=f"Bearer {text}")

    assert program.get("stand-ins/").status_code == 200
    answer = program.post("stand-ins/", away(people.oscar.user_id))
    assert (answer.status_code, answer.json()["code"]) == (403, "PersonNeeded")
