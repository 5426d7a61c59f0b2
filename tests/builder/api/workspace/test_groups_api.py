"""Groups of members: who is in each, what names it, and what may become of it then."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import (
    AlertRule,
    Asked,
    AuditEntry,
    Graph,
    IdentityProvider,
    Invitation,
    Run,
)
from builder.services.audit import chain as audit
from builder.services.graphs import graphs
from builder.services.people import invitations
from builder.services.people.membership.uses import groups_in
from tests.builder.conftest import DOCUMENT, Api, People
from tests.builder.fakes import open_interrupt

POLICY = {"eligible": ["group:finance", "role:admin"]}


@pytest.fixture
def finance(olga: Api, people: People) -> str:
    """Return the id of a group with Bob in it."""
    answer = olga.post("groups/", {"name": " finance ", "members": [people.bob.user_id]})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


@pytest.fixture
def asking(people: People) -> Graph:
    """Return a workflow whose draft asks the group."""
    review = {"id": "review", "type": "approval", "config": {"policy": POLICY}}
    document = {**DOCUMENT, "nodes": [DOCUMENT["nodes"][0], review]}
    return graphs.import_graph(people.alice, document)


def last() -> dict[str, Any]:
    """Return what was told last in the audit log."""
    return audit.read(AuditEntry.objects.order_by("-n")[0])


def uses(api: Api) -> list[tuple[str, str]]:
    [group] = api.get("groups/").json()["results"]
    return [(use["kind"], use["name"]) for use in group["used_by"]]


def test_a_group_is_made_changed_and_ended(olga: Api, people: People, finance: str) -> None:
    [listed] = olga.get("groups/").json()["results"]
    assert (listed["id"], listed["name"]) == (finance, "finance")
    assert [one["name"] for one in listed["members"]] == ["Bob"]
    assert last()["action"] == "group.created"
    body = {"name": "money", "add": [people.oscar.user_id], "remove": [people.bob.user_id]}
    answer = olga.patch(f"groups/{finance}/", body)
    assert [one["name"] for one in answer.json()["members"]] == ["Oscar"]
    told = last()
    assert told["detail"] == {
        "group": "money",
        "was": "finance",
        "joined": [people.oscar.user_id],
        "left": [people.bob.user_id],
    }
    assert olga.delete(f"groups/{finance}/").status_code == 204
    assert last()["action"] == "group.removed"
    assert olga.get(f"groups/{finance}/").json()["code"] == "GroupNotFound"
    assert list(people.oscar.groups.all()) == []
    listed = olga.get("audit/?limit=3").json()["results"]
    assert [entry["target_name"] for entry in listed] == ["money", "money", "finance"]


def test_a_change_that_changes_nothing_is_not_told(olga: Api, finance: str) -> None:
    before = AuditEntry.objects.count()
    assert olga.patch(f"groups/{finance}/", {"name": "finance"}).status_code == 200
    assert AuditEntry.objects.count() == before


def test_only_admins_change_groups(finance: str, people: People) -> None:
    for who in (people.alice, people.bob, people.oscar, people.vera):
        api = Api(who)
        assert api.get("groups/").status_code == 200
        assert api.post("groups/", {"name": "mine"}).status_code == 403
        assert api.patch(f"groups/{finance}/", {"add": [who.user_id]}).status_code == 403
        assert api.delete(f"groups/{finance}/").status_code == 403


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "finance"}, "GroupExists"),
        ({"name": "  "}, "InputInvalid"),
        ({"name": "x" * 65}, "InputInvalid"),
        ({"name": "a\0b"}, "InputInvalid"),
        ({"name": "ok", "members": ["nobody"]}, "InputInvalid"),
        ({"name": "ok", "members": ["x"] * 501}, "InputInvalid"),
    ],
)
def test_what_is_no_group_is_refused(
    olga: Api, finance: str, body: dict[str, Any], code: str
) -> None:
    answer = olga.post("groups/", body)
    assert answer.status_code in (400, 409)
    assert answer.json()["code"] == code


def test_people_of_elsewhere_do_not_come_in(olga: Api, finance: str, people: People) -> None:
    answer = olga.patch(f"groups/{finance}/", {"add": [people.carol.user_id]})
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["path"] == "add[0]"
    assert olga.get("groups/999999999999999999999999/").status_code == 404


def test_a_workflow_keeps_the_group_that_it_asks(
    olga: Api, finance: str, asking: Graph, people: People
) -> None:
    assert uses(olga) == [("workflow", "Support")]
    refused = olga.delete(f"groups/{finance}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "GroupInUse")
    assert refused.json()["used_by"] == [{"kind": "workflow", "name": "Support", "id": asking.pk}]
    assert "Support" in refused.json()["detail"]
    assert olga.patch(f"groups/{finance}/", {"name": "money"}).json()["code"] == "GroupInUse"
    assert olga.get(f"groups/{finance}/").json()["name"] == "finance"
    graphs.delete_graph(people.alice, asking)
    assert uses(olga) == []
    assert olga.delete(f"groups/{finance}/").status_code == 204


def test_what_is_live_counts_when_the_draft_asks_others(
    olga: Api, finance: str, asking: Graph, people: People
) -> None:
    graphs.publish(people.alice, asking, revision=asking.revision)
    asking.nodes.filter(node_id="review").delete()
    assert uses(olga) == [("workflow", "Support")]


def test_an_open_item_keeps_the_group(olga: Api, finance: str, run: Run) -> None:
    item = open_interrupt(run)
    Asked.objects.create(interrupt=item, principal="group:finance")
    assert [kind for kind, _name in uses(olga)] == ["item"]
    assert olga.delete(f"groups/{finance}/").json()["code"] == "GroupInUse"


def test_settings_follow_a_new_name(
    olga: Api, alice: Api, finance: str, graph: Graph, people: People
) -> None:
    Graph.objects.filter(pk=graph.pk).update(publish_gate=["group:finance", "role:admin"])
    home = people.olga.workspace
    AlertRule.objects.create(
        workspace=home, what="failures", threshold=1, to=["group:finance"], made_at=1
    )
    rows = [{"group": "fin", "role": "reviewer", "groups": ["finance", "other"]}]
    firm = IdentityProvider.objects.create(
        workspace=home, name="Firm", issuer="https://firm.invalid", group_map=rows
    )
    invitations.create_invitation(people.olga, role="viewer", groups=["finance"], email="x@y.zz")
    everything = ["gate", "alert", "provider", "invitation"]
    assert [kind for kind, _name in uses(olga)] == everything
    assert [kind for kind, _name in uses(alice)] == everything[:2]
    assert olga.delete(f"groups/{finance}/").json()["code"] == "GroupInUse"
    assert olga.patch(f"groups/{finance}/", {"name": "money"}).status_code == 200
    assert [kind for kind, _name in uses(olga)] == everything
    firm.refresh_from_db()
    assert firm.group_map[0]["groups"] == ["money", "other"]
    assert Graph.objects.get(pk=graph.pk).publish_gate == ["group:money", "role:admin"]
    assert AlertRule.objects.get().to == ["group:money"]
    assert Invitation.objects.get().groups == ["money"]


def test_names_are_found_wherever_a_document_has_them() -> None:
    deep: Any = "group:deep"
    for _ in range(5_000):
        deep = [deep]
    found = groups_in({"a": ["group:x", {"b": "group:y"}], "c": "no group:z", "d": deep, "e": 1})
    assert sorted(found) == ["deep", "x", "y"]
