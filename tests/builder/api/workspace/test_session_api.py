"""Set-up, signing in and out, tokens, members, settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from builder.models import AuditEntry, Membership, User, Workspace
from builder.services.people import accounts, doors
from builder.services.people.sign_in import gate
from engine import __version__
from tests.builder.conftest import PASSWORD, Api, People
from tests.builder.fakes import FakeDoor

OWNER = {"name": "Olga", "email": "Olga@Example.com", "password": PASSWORD, "workspace": "Lab"}


@pytest.fixture
def empty(db: None, door: FakeDoor) -> Api:
    """A browser before anybody exists."""
    gate.forget_setup_code()
    return Api()


def test_the_first_owner_is_made_once_from_this_machine(empty: Api) -> None:
    assert empty.get("session/").json()["needs_setup"]

    made = empty.post("setup/", OWNER)
    again = Api().post("setup/", {**OWNER, "email": "x@example.com"})

    assert made.status_code == 201
    assert made.json()["workspace"]["role"] == "admin"
    assert made.json()["workspace"]["settings"]["default_model"] == "builtin/extractive"
    assert not empty.get("session/").json()["needs_setup"]
    assert again.status_code == 409
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "place", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}]
)
def test_from_elsewhere_the_first_owner_needs_the_printed_code(
    empty: Api, place: dict[str, str]
) -> None:
    def send(code: str) -> Any:
        browser = Client(**place)  # type: ignore[arg-type]
        return browser.post("/api/setup/", {**OWNER, "code": code}, content_type="application/json")

    assert send("").status_code == 403
    code = gate.setup_code()
    assert send("wrong").status_code == 403
    assert send(code).status_code == 201


@pytest.mark.parametrize(
    ("field", "value"),
    [("password", "short"), ("password", "password123"), ("email", "no"), ("name", "")],
)
def test_a_weak_first_owner_is_refused(empty: Api, field: str, value: str) -> None:
    refused = empty.post("setup/", {**OWNER, field: value})

    assert refused.status_code == 400
    assert refused.json()["problems"][0]["path"] == field
    assert accounts.needs_setup()


def test_sign_in_and_out(people: People) -> None:
    browser = Api()

    signed_in = browser.post("session/", {"email": " ALICE@example.com", "password": PASSWORD})

    assert signed_in.json()["user"]["name"] == "Alice"
    assert signed_in.json()["workspaces"] == [
        {"id": people.alice.workspace_id, "name": "Home", "role": "author"}
    ]
    assert browser.get("session/").json()["authenticated"]
    assert browser.delete("session/").status_code == 204
    assert not browser.get("session/").json()["authenticated"]


def test_a_wrong_password_and_an_unknown_address_look_the_same(people: People) -> None:
    wrong = Api().post("session/", {"email": "alice@example.com", "password": "x"}).json()
    unknown = Api().post("session/", {"email": "nobody@example.com", "password": "x"}).json()

    assert wrong == unknown
    assert wrong["code"] == "SignInFailed"


def test_guessing_is_stopped(people: People) -> None:
    for _ in range(doors.MAX_FAILURES):
        Api().post("session/", {"email": "alice@example.com", "password": "x"})

    shut = Api().post("session/", {"email": "alice@example.com", "password": PASSWORD})
    other = Api().post("session/", {"email": "bob@example.com", "password": PASSWORD})

    assert shut.status_code == 429
    assert other.status_code == 200


def test_unsafe_requests_need_the_csrf_token(people: People) -> None:
    browser = Client(enforce_csrf_checks=True)
    token = browser.get("/api/session/").json()["csrf_token"]
    body = {"email": "alice@example.com", "password": PASSWORD}

    refused = browser.post("/api/session/", body, content_type="application/json")
    allowed = browser.post(
        "/api/session/", body, content_type="application/json", headers={"X-CSRFToken": token}
    )

    assert refused.status_code == 403
    assert refused.json()["code"] == "CsrfFailed"
    assert allowed.status_code == 200


def test_an_api_token_acts_as_its_user_in_its_workspace_only(people: People) -> None:
    token, text = accounts.create_api_token(people.alice, name="ci")
    away = Membership.objects.create(
        user=people.alice.user, workspace=people.carol.workspace, role="admin"
    )
    program = Api(None, Authorization=f"Bearer {text}")

    assert program.get("graphs/").status_code == 200
    assert program.get(f"graphs/?workspace={away.workspace_id}").status_code == 404
    shown = program.get("session/", **{"X-Workspace": away.workspace_id}).json()
    assert shown["workspace"]["name"] == "Home"
    assert [each["name"] for each in shown["workspaces"]] == ["Home"]
    assert program.post("graphs/", {"name": "By token"}).status_code == 201
    assert text not in token.hash
    assert Api(None, Authorization="Bearer gw_wrong").get("graphs/").status_code == 401
    accounts.remove_member(people.olga, people.alice)
    assert program.get("graphs/").status_code == 401


def test_members_are_changed_and_removed_by_admins(olga: Api, people: People) -> None:
    path = f"members/{people.bob.pk}/"
    changed = olga.patch(path, {"role": "operator", "groups": ["finance"]})

    assert (changed.json()["role"], changed.json()["groups"]) == ("operator", ["finance"])
    assert olga.delete(path).status_code == 204
    assert User.objects.filter(email="bob@example.com").exists()
    assert "member.removed" in AuditEntry.objects.order_by("-n")[0].entry


@pytest.mark.parametrize("email", ["carol@example.com", "nobody@example.com"])
def test_nobody_is_made_a_member_without_a_word_of_theirs(
    olga: Api, people: People, email: str
) -> None:
    """An account that exists elsewhere and one that does not look the same to an admin."""
    added = olga.post("members/", {"email": email, "role": "viewer", "password": PASSWORD})
    invited = olga.post("invitations/", {"email": email})

    assert (added.status_code, invited.status_code) == (405, 201)
    assert not Membership.objects.filter(
        user__email=email, workspace=people.olga.workspace
    ).exists()
    assert User.objects.count() == 6


def test_the_last_admin_stays(olga: Api, people: People) -> None:
    path = f"members/{people.olga.pk}/"

    assert olga.patch(path, {"role": "viewer"}).json()["code"] == "LastAdmin"
    assert olga.delete(path).status_code == 422


def test_settings_are_checked_and_kept(olga: Api, alice: Api, people: People) -> None:
    changed = olga.patch("workspace/", {"settings": {"timezone": "Europe/Berlin"}})

    assert changed.json()["settings"]["timezone"] == "Europe/Berlin"
    assert changed.json()["settings"]["unknown_price"] == "refuse"
    assert alice.patch("workspace/", {"name": "Mine"}).status_code == 403
    for wrong in ({"timezone": "Moon"}, {"unknown_price": "x"}, {"default_graph": "x"}, {"a": 1}):
        assert olga.patch("workspace/", {"settings": wrong}).status_code == 400
    assert Workspace.objects.get(pk=people.olga.workspace_id).settings == {
        "timezone": "Europe/Berlin"
    }


def test_who_is_signed_in_is_told_the_version_of_the_product(alice: Api, people: People) -> None:
    with (Path(__file__).parents[4] / "pyproject.toml").open("rb") as file:
        named = tomllib.load(file)["project"]["version"]

    assert alice.get("session/").json()["version"] == named == __version__
    assert Api().get("session/").json()["version"] is None
