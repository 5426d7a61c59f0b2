"""Who could decide today, as an author writes a policy."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import Graph, Membership
from builder.services.people import accounts
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db


def who(api: Api, policy: dict[str, Any], **more: Any) -> Any:
    answer = api.post("approvals/who/", {"policy": policy, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()


def called(found: Any, name: str) -> list[str]:
    return [each["name"] for each in found[name]]


def test_without_a_policy_everyone_whose_role_decides(alice: Api) -> None:
    found = who(alice, {})

    assert called(found, "can") == ["Olga", "Bob", "Oscar"]
    assert (found["cannot"], found["met"]) == ([], True)


def test_who_started_is_kept_out_and_the_rule_says_why(alice: Api, people: People) -> None:
    policy = {"eligible": ["user:bob@example.com", "role:admin"], "four_eyes": ["starter"]}
    found = who(alice, policy, starter=people.bob.user_id)

    assert called(found, "can") == ["Olga"]
    assert [(one["name"], one["rule"]) for one in found["cannot"]] == [("Bob", "starter")]
    why = "they started this run, so somebody else has to decide"
    assert found["cannot"][0]["why"] == why


def test_a_role_that_may_not_decide_is_told(alice: Api) -> None:
    found = who(alice, {"eligible": ["user:vera@example.com"]})

    assert found["can"] == []
    assert [(one["name"], one["why"]) for one in found["cannot"]] == [
        ("Vera", "the role viewer may not decide")
    ]
    assert found["met"] is False


def test_an_editor_of_the_draft_is_kept_out(alice: Api, graph: Graph, people: People) -> None:
    Graph.objects.filter(pk=graph.pk).update(editors=[people.olga.user_id])
    found = who(alice, {"four_eyes": ["editor"]}, graph=graph.pk)

    assert called(found, "can") == ["Bob", "Oscar"]
    assert [(one["name"], one["rule"]) for one in found["cannot"]] == [("Olga", "editor")]


def test_groups_that_nobody_is_in_and_expressions_are_told(alice: Api, people: People) -> None:
    accounts.change_member(people.olga, people.bob, role=None, groups=["finance"])
    policy = {
        "eligible": ["group:finance", "group:fnance", "=memory.owner"],
        "rule": "per_group",
        "escalation": {"after_ms": 5, "to": "role:operator"},
    }
    found = who(alice, policy)

    assert called(found, "can") == ["Bob"]
    assert called(found, "later") == ["Oscar"]
    assert found["strangers"] == ["group:fnance"]
    assert (found["computed"], found["met"]) == (["=memory.owner"], None)


def test_too_few_people_are_not_enough(alice: Api) -> None:
    assert who(alice, {"rule": {"at_least": 3}})["met"] is True
    assert who(alice, {"rule": {"at_least": 4}})["met"] is False


def test_what_is_told_is_what_the_engine_decides(alice: Api, people: People) -> None:
    """One implementation: its words are those of `may_decide`."""
    from builder.adapters.directory import actor_of
    from engine.core.people.eligibility import Asking

    asking = Asking("approval", ["role:viewer", "role:admin"], excluded={})
    found = who(alice, {"eligible": ["role:viewer", "role:admin"]})

    vera = asking.why_not(actor_of(people.vera))
    assert found["cannot"] == [
        {"id": people.vera.user_id, "name": "Vera", "why": vera, "rule": None}
    ]


@pytest.mark.parametrize(
    ("policy", "path"),
    [
        ({"eligible": ["finance"]}, "policy.eligible.0"),
        ({"rule": {"at_least": 0}}, "policy.rule"),
        ({"eligible": [f"group:{n}" for n in range(51)]}, "policy"),
        ({"veto": "yes"}, "policy.veto"),
        ({"other": 1}, "policy.other"),
    ],
)
def test_mistakes_name_their_place(alice: Api, policy: dict[str, Any], path: str) -> None:
    answer = alice.post("approvals/who/", {"policy": policy})

    assert answer.status_code == 400
    assert any(one["path"].startswith(path) for one in answer.json()["problems"]), answer.content


def test_people_of_others_are_neither_asked_nor_named(
    alice: Api, carol: Api, graph: Graph, people: People
) -> None:
    assert carol.post("approvals/who/", {"policy": {}, "graph": graph.pk}).status_code == 404
    found = who(carol, {"eligible": ["user:bob@example.com"]}, starter=people.bob.user_id)

    assert (found["can"], found["cannot"], found["members"]) == ([], [], 1)
    assert found["strangers"] == ["user:bob@example.com"]


def test_a_token_does_not_ask(people: People) -> None:
    _, secret = accounts.create_api_token(people.alice, name="script")
    answer = Api(authorization=f"Bearer {secret}").post("approvals/who/", {"policy": {}})

    assert (answer.status_code, answer.json()["code"]) == (403, "PersonNeeded")


def test_of_many_members_the_first_are_looked_at(
    alice: Api, people: People, django_user_model: Any
) -> None:
    rows = [django_user_model(email=f"p{n}@example.com", name=f"P{n}") for n in range(520)]
    users = django_user_model.objects.bulk_create(rows)
    place = people.olga.workspace
    Membership.objects.bulk_create(
        [Membership(user=user, workspace=place, role="reviewer") for user in users]
    )
    found = who(alice, {"rule": "all"})

    assert (found["looked_at"], found["members"]) == (500, 525)
    assert (len(found["can"]), found["can_total"] > 490) == (50, True)
