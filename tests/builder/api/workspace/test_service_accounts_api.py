"""Accounts of no person: all of them are seen, with what opens them, and can be ended."""

from __future__ import annotations

from typing import Any

import pytest

from builder.doors.triggers import verbs as triggers
from builder.models import ApiToken, AuditEntry, Graph, User
from builder.services.audit import chain as audit
from tests.builder.conftest import Api, People


@pytest.fixture
def robot(olga: Api) -> dict[str, Any]:
    """Return a token of an account, as it was answered."""
    body = {
        "name": "nightly",
        "scopes": ["runs:start"],
        "account": {"name": "Robot", "role": "operator"},
    }
    answer = olga.post("tokens/", body)
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def listed(olga: Api) -> list[dict[str, Any]]:
    return list(olga.get("service-accounts/").json()["results"])


def test_an_account_is_seen_with_its_tokens_and_its_maker(
    olga: Api, robot: dict[str, Any], people: People
) -> None:
    [account] = listed(olga)
    assert (account["name"], account["role"]) == ("Robot", "operator")
    assert account["made_by"] == {"id": people.olga.user_id, "name": "Olga"}
    assert [(one["name"], one["scopes"]) for one in account["tokens"]] == [
        ("nightly", ["runs:start"])
    ]
    assert account["last_used_at"] is None
    assert "token" not in account["tokens"][0]
    assert Api(None, Authorization=f"Bearer {robot['token']}").get("session/").status_code == 200
    assert listed(olga)[0]["last_used_at"] is not None


def test_one_whose_token_was_revoked_is_still_seen(olga: Api, robot: dict[str, Any]) -> None:
    assert olga.delete(f"tokens/{robot['id']}/").status_code == 204
    [account] = listed(olga)
    assert account["tokens"] == []


def test_ending_one_ends_its_tokens_and_keeps_its_name(olga: Api, robot: dict[str, Any]) -> None:
    program = Api(None, Authorization=f"Bearer {robot['token']}")
    assert olga.delete(f"service-accounts/{robot['user']['id']}/").status_code == 204
    assert listed(olga) == []
    assert program.get("graphs/").status_code == 401
    assert ApiToken.objects.get().revoked_at is not None
    assert User.objects.get(pk=robot["user"]["id"]).name == "Robot"
    told = audit.read(AuditEntry.objects.order_by("-n")[0])
    assert (told["action"], told["detail"]) == ("account.ended", {"name": "Robot", "tokens": 1})
    again = olga.delete(f"service-accounts/{robot['user']['id']}/")
    assert (again.status_code, again.json()["code"]) == (404, "AccountNotFound")


def test_the_account_of_triggers_is_seen_and_stays_while_they_do(
    olga: Api, people: People, graph: Graph
) -> None:
    trigger, _secret = triggers.create(people.alice, graph, triggers.Wanted("Orders"))
    [account] = listed(olga)
    assert (account["name"], account["triggers"], account["made_by"]) == ("Triggers", 1, None)
    refused = olga.delete(f"service-accounts/{account['id']}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "StartsTriggers")
    trigger.delete()
    assert olga.delete(f"service-accounts/{account['id']}/").status_code == 204


def test_only_admins_see_and_end_them(robot: dict[str, Any], people: People) -> None:
    for who in (people.alice, people.oscar, people.vera):
        assert Api(who).get("service-accounts/").status_code == 403
        assert Api(who).delete(f"service-accounts/{robot['user']['id']}/").status_code == 403


def test_a_person_is_no_account_to_end(olga: Api, people: People) -> None:
    assert olga.delete(f"service-accounts/{people.bob.user_id}/").status_code == 404
