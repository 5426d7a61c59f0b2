"""API tokens, invitations and the audit log over HTTP."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from builder.models import ApiToken, AuditEntry, Graph, Invitation, Membership, User
from builder.services.people import invitations
from tests.builder.conftest import PASSWORD, Api, People

NEW = {"name": "Nina", "email": "Nina@Example.com", "password": PASSWORD}


def bearer(text: str) -> Api:
    return Api(None, Authorization=f"Bearer {text}")


def test_a_token_is_shown_once_and_opens_until_it_is_revoked(alice: Api) -> None:
    made = alice.post("tokens/", {"name": "script"})
    text = made.json()["token"]

    assert made.status_code == 201
    assert text not in alice.get("tokens/").content.decode()
    assert text not in str(list(ApiToken.objects.values()))
    assert text not in "".join(AuditEntry.objects.values_list("entry", flat=True))
    assert bearer(text).get("agents/").status_code == 200
    [shown] = alice.get("tokens/").json()["results"]
    assert (shown["name"], shown["user"]["name"]) == ("script", "Alice")
    assert shown["last_used_at"] is not None

    assert alice.delete(f"tokens/{shown['id']}/").status_code == 204
    assert bearer(text).get("agents/").status_code == 401
    assert alice.get("tokens/").json()["results"] == []
    assert alice.delete(f"tokens/{shown['id']}/").status_code == 204


def test_tokens_are_ones_own_unless_one_is_admin(alice: Api, bob: Api, olga: Api) -> None:
    token = alice.post("tokens/", {"name": "hers"}).json()

    assert bob.get("tokens/").json()["results"] == []
    assert bob.delete(f"tokens/{token['id']}/").status_code == 403
    assert [t["name"] for t in olga.get("tokens/").json()["results"]] == ["hers"]
    assert olga.delete(f"tokens/{token['id']}/").status_code == 204


def test_a_token_makes_no_tokens(alice: Api, people: People) -> None:
    text = alice.post("tokens/", {"name": "first"}).json()["token"]

    assert bearer(text).post("tokens/", {"name": "second"}).status_code == 403
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "x" * 121}, {"name": "a", "hash": "b"}]
)
def test_a_malformed_token_is_refused(alice: Api, body: dict[str, Any]) -> None:
    assert alice.post("tokens/", body).status_code == 400


def invited(olga: Api, **body: Any) -> str:
    made = olga.post("invitations/", {"role": "author", "groups": ["finance"], **body})
    assert made.status_code == 201, made.content
    code: str = made.json()["code"]
    return code


def test_somebody_new_follows_a_link_and_is_in(olga: Api) -> None:
    code = invited(olga)
    visitor = Api()

    seen = visitor.post("invitations/look/", {"code": code}).json()
    joined = visitor.post("join/", {"code": code, **NEW})

    assert (seen["workspace"], seen["role"], seen["invited_by"]) == ("Home", "author", "Olga")
    assert joined.status_code == 201
    assert joined.json()["user"]["email"] == "nina@example.com"
    assert (joined.json()["workspace"]["name"], joined.json()["workspace"]["role"]) == (
        "Home",
        "author",
    )
    assert visitor.get("graphs/").status_code == 200
    member = Membership.objects.get(user__email="nina@example.com")
    assert [g.name for g in member.groups.all()] == ["finance"]
    entries = AuditEntry.objects.filter(workspace=member.workspace).order_by("-n")[:2]
    told = [json.loads(entry.entry) for entry in entries]
    assert [one["action"] for one in told] == ["session.opened", "member.joined"]
    assert {one["actor"] for one in told} == {member.user_id}


def test_a_link_works_once(olga: Api) -> None:
    code = invited(olga)
    Api().post("join/", {"code": code, **NEW})

    again = Api().post("join/", {"code": code, **NEW, "email": "other@example.com"})
    looked = Api().post("invitations/look/", {"code": code})

    assert (again.status_code, again.json()["code"]) == (409, "InvitationUsed")
    assert looked.json()["code"] == "InvitationUsed"
    assert not User.objects.filter(email="other@example.com").exists()
    assert olga.get("invitations/").json()["results"] == []


def test_of_two_who_follow_a_link_at_once_one_comes_in(
    olga: Api, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = invited(olga)
    stale = invitations.find_invitation(code)
    Api().post("join/", {"code": code, **NEW})
    monkeypatch.setattr(invitations, "find_invitation", lambda _code: stale)

    late = Api().post("join/", {"code": code, **NEW, "email": "late@example.com"})

    assert (late.status_code, late.json()["code"]) == (409, "InvitationUsed")
    assert not User.objects.filter(email="late@example.com").exists()


def test_a_link_expires_and_can_be_revoked(olga: Api) -> None:
    code, other = invited(olga), invited(olga, role="viewer")
    listed = olga.get("invitations/").json()["results"]
    assert [i["role"] for i in listed] == ["viewer", "author"]

    assert olga.delete(f"invitations/{listed[0]['id']}/").status_code == 204
    Invitation.objects.filter(pk=listed[1]["id"]).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )

    gone = Api().post("join/", {"code": other, **NEW})
    old = Api().post("join/", {"code": code, **NEW})
    assert (gone.status_code, gone.json()["code"]) == (404, "InvitationNotFound")
    assert (old.status_code, old.json()["code"]) == (409, "InvitationExpired")
    assert olga.get("invitations/").json()["results"] == []


def test_a_used_link_is_not_revoked(olga: Api) -> None:
    made = olga.post("invitations/", {}).json()
    Api().post("join/", {"code": made["code"], **NEW})

    answer = olga.delete(f"invitations/{made['id']}/")

    assert (answer.status_code, answer.json()["code"]) == (409, "InvitationUsed")


def test_who_has_an_account_joins_with_it(olga: Api, carol: Api, people: People) -> None:
    code = invited(olga)

    stranger = Api().post("join/", {"code": code, **NEW, "email": "carol@example.com"})
    joined = carol.post("join/", {"code": code})

    assert (stranger.status_code, stranger.json()["code"]) == (409, "AccountExists")
    assert joined.status_code == 201
    assert sorted(w["name"] for w in joined.json()["workspaces"]) == ["Away", "Home"]
    twice = carol.post("join/", {"code": invited(olga)})
    assert (twice.status_code, twice.json()["code"]) == (409, "AlreadyMember")


def test_a_link_for_an_address_is_for_nobody_else(olga: Api, carol: Api) -> None:
    code = invited(olga, email="Nina@example.com")

    assert carol.post("join/", {"code": code}).status_code == 400
    other = Api().post("join/", {"code": code, **NEW, "email": "x@example.com"})
    assert other.status_code == 400
    assert not User.objects.filter(email="x@example.com").exists()
    assert Api().post("join/", {"code": code, **NEW}).status_code == 201


def test_links_of_who_may_no_longer_invite_lead_nowhere(olga: Api, people: People) -> None:
    olga.patch(f"members/{people.alice.pk}/", {"role": "admin"})
    code = invited(Api(people.alice))

    olga.patch(f"members/{people.alice.pk}/", {"role": "author"})

    assert Api().post("join/", {"code": code, **NEW}).json()["code"] == "InvitationNotFound"


@pytest.mark.parametrize(
    "change",
    [
        {"password": "short"},
        {"email": "no address"},
        {"code": ""},
        {"code": "a\x00"},
        {"role": "x"},
    ],
)
def test_a_malformed_joining_changes_nothing(olga: Api, change: dict[str, Any]) -> None:
    code = invited(olga)
    before = User.objects.count()

    assert Api().post("join/", {"code": code, **NEW, **change}).status_code == 400
    assert User.objects.count() == before
    assert Api().post("join/", {"code": code, **NEW}).status_code == 201


def test_only_admins_invite_and_codes_are_not_kept(olga: Api, alice: Api) -> None:
    code = invited(olga)

    assert alice.post("invitations/", {}).status_code == 403
    assert alice.get("invitations/").status_code == 403
    assert code not in str(list(Invitation.objects.values()))
    assert code not in "".join(AuditEntry.objects.values_list("entry", flat=True))
    assert code not in olga.get("invitations/").content.decode()


def test_the_audit_log_is_read_and_verified(olga: Api, alice: Api, people: People) -> None:
    alice.post("agents/", {"id": "helper"})
    olga.patch("workspace/", {"name": "Lab"})

    entries = olga.get("audit/").json()["results"]

    assert [e["n"] for e in entries] == [2, 1]
    assert (entries[1]["action"], entries[1]["target"]) == ("agent.created", "helper")
    assert entries[1]["actor"] == {"id": people.alice.user_id, "name": "Alice"}
    assert [e["n"] for e in olga.get("audit/?action=agent").json()["results"]] == [1]
    assert [e["n"] for e in olga.get("audit/?search=HELPER").json()["results"]] == [1]
    mine = olga.get(f"audit/?actor={people.olga.user_id}").json()["results"]
    assert [e["action"] for e in mine] == ["workspace.changed"]
    assert olga.get('audit/?action="').status_code == 400
    assert olga.get("audit/verification/").json() == {"entries": 2, "first_broken": None}


def test_the_audit_log_is_searched_by_the_names_that_it_shows(
    olga: Api, alice: Api, people: People, graph: Graph
) -> None:
    alice.post("agents/", {"id": "helper"})
    olga.post("budgets/", {"graph": graph.pk, "period": "month", "limit_usd": "5"})
    olga.patch("workspace/", {"name": "Lab"})
    Graph.objects.filter(pk=graph.pk).update(name="Slow poller")
    User.objects.filter(pk=people.alice.user_id).update(name="Rita")

    def found(search: str) -> list[str]:
        return [e["action"] for e in olga.get(f"audit/?search={search}").json()["results"]]

    assert "agent.created" in found("rita")
    assert "workspace.changed" not in found("rita")
    assert "budget.created" in found("slow poll")
    assert "agent.created" not in found("slow poll")
    assert found("nobody at all") == []
    [told] = olga.get("audit/?action=budget").json()["results"]
    assert told["target_name"] == "Slow poller per month"


def test_a_change_of_the_workspace_names_it(olga: Api) -> None:
    olga.patch("workspace/", {"name": "Dockyard"})

    assert olga.get("audit/").json()["results"][0]["target_name"] == "Dockyard"


def test_a_changed_past_is_shown_as_such(olga: Api, alice: Api) -> None:
    for name in ("a", "b", "c"):
        alice.post("agents/", {"id": name})
    AuditEntry.objects.filter(n=2).update(entry="gone")

    assert olga.get("audit/verification/").json() == {"entries": 3, "first_broken": 2}
    shown = olga.get("audit/").json()["results"][1]
    assert (shown["action"], shown["detail"]) == ("unreadable", {"entry": "gone"})


def test_only_admins_read_the_audit_log(alice: Api) -> None:
    for path in ("audit/", "audit/verification/"):
        answer = alice.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "NotAllowed")
