"""Signing in by a firm's provider: known by subject, in by groups, and in one workspace only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from builder.models import AuditEntry, Identity, IdentityProvider, Membership, SignIn, User
from builder.services.audit import chain
from tests.builder.api.sign_in.factor import ask, set_up_code
from tests.builder.api.sign_in.firm import Firm, add, asked_of, back, begin, come, firm
from tests.builder.conftest import PASSWORD, Api, People

FINANCE = {"group": "finance", "role": "reviewer", "groups": ["payments"]}
BOSSES = {"group": "bosses", "role": "admin", "groups": []}


@pytest.fixture(scope="module")
def acme() -> Iterator[Firm]:
    """The firm's provider."""
    with firm() as running:
        running.knows("u1", email="fay@acme.example", name="Fay", groups=["finance", "all"])
        running.knows("u2", email="alice@example.com", name="Not Alice", groups=["finance"])
        running.knows("u3", email="nobody@acme.example", groups=["all"])
        yield running


@pytest.fixture
def provider(acme: Firm, people: People, olga: Api, settings: Any) -> str:
    """The provider of Olga's workspace."""
    settings.EGRESS_ALLOW = [acme.issuer]
    return add(olga, acme, [FINANCE])


def test_somebody_of_a_mapped_group_comes_in_with_its_role(acme: Firm, provider: str) -> None:
    fay = Api()
    place = come(fay, acme, provider, "u1", next="/inbox")

    said = fay.get("session/").json()
    assert place == "/inbox"
    assert said["user"]["email"] == "fay@acme.example"
    assert said["workspace"]["role"] == "reviewer"
    member = Membership.objects.get(user__email="fay@acme.example")
    assert [group.name for group in member.groups.all()] == ["payments"]
    assert not member.user.has_usable_password()
    joined = [chain.read(row) for row in AuditEntry.objects.all()]
    assert [one["detail"] for one in joined if one["action"] == "member.joined"] == [
        {"provider": "Acme"}
    ]


def test_the_same_address_takes_nobodys_account_over(acme: Firm, provider: str) -> None:
    thief = Api()

    place = come(thief, acme, provider, "u2")

    assert place == "/sign-in?refused=AccountExists"
    assert not thief.get("session/").json()["authenticated"]
    assert not Identity.objects.exists()


def test_who_is_in_no_mapped_group_stays_outside(acme: Firm, provider: str) -> None:
    assert come(Api(), acme, provider, "u3") == "/sign-in?refused=NoGroup"
    assert not User.objects.filter(email="nobody@acme.example").exists()


def test_groups_are_looked_at_anew_at_each_sign_in(
    acme: Firm, provider: str, olga: Api, people: People
) -> None:
    acme.knows("u9", email="gil@acme.example", groups=["finance"])
    come(Api(), acme, provider, "u9")
    member = Membership.objects.get(user__email="gil@acme.example")
    member.groups.create(workspace=member.workspace, name="by hand")
    body = {
        "name": "Acme",
        "issuer": acme.issuer,
        "client_id": "graphwright",
        "group_map": [BOSSES, FINANCE],
    }
    assert olga("PUT", f"identity-providers/{provider}/", body).status_code == 200
    acme.knows("u9", email="gil@acme.example", groups=["bosses"])
    come(Api(), acme, provider, "u9")

    member.refresh_from_db()
    assert member.role == "admin"
    assert [group.name for group in member.groups.all()] == ["by hand"]

    acme.knows("u9", email="gil@acme.example", groups=[])
    token = member.user.api_tokens.create(workspace=member.workspace, name="x", hash="x" * 64)
    gone = Api()
    assert come(gone, acme, provider, "u9") == "/sign-in?refused=NoGroup"
    assert not gone.get("session/").json()["authenticated"]
    assert not Membership.objects.filter(pk=member.pk).exists()
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_the_last_admin_stays_one_whatever_the_groups_say(
    acme: Firm, provider: str, people: People
) -> None:
    IdentityProvider.objects.update(group_map=[BOSSES, FINANCE])
    acme.knows("u8", email="hal@acme.example", groups=["bosses"])
    come(Api(), acme, provider, "u8")
    people.olga.delete()

    for groups in (["finance"], []):
        acme.knows("u8", email="hal@acme.example", groups=groups)
        assert come(Api(), acme, provider, "u8") == "/"
        assert Membership.objects.get(user__email="hal@acme.example").role == "admin"


def test_a_provider_opens_its_workspace_and_no_other(
    acme: Firm, provider: str, people: People
) -> None:
    alice = Api(people.alice)
    away = people.carol.workspace
    away.memberships.create(user=people.alice.user, role="admin")
    alice.post("password/confirm/", {"password": PASSWORD})
    acme.knows("ua", email="x@acme.example", groups=[])
    assert come(alice, acme, provider, "ua", connect=True, next="/profile") == "/profile"

    by_firm = Api()
    assert come(by_firm, acme, provider, "ua") == "/"

    said = by_firm.get("session/").json()
    assert said["user"]["email"] == "alice@example.com"
    assert [one["name"] for one in said["workspaces"]] == ["Home"]
    assert by_firm.get("graphs/").status_code == 200
    refused = by_firm.get("graphs/", **{"X-Workspace": away.pk})
    assert (refused.status_code, refused.json()["code"]) == (403, "OtherSignIn")
    assert by_firm.get(f"graphs/?workspace={away.pk}").status_code == 403
    assert by_firm.patch("workspace/?workspace=" + away.pk, {"name": "Mine"}).status_code == 403
    assert alice.get("graphs/", **{"X-Workspace": away.pk}).status_code == 200


def test_the_tab_lands_in_the_workspace_of_the_provider(
    acme: Firm, provider: str, people: People
) -> None:
    alice = Api(people.alice)
    away = people.carol.workspace
    away.memberships.create(user=people.alice.user, role="admin")
    alice.post("password/confirm/", {"password": PASSWORD})
    acme.knows("ub", email="y@acme.example", groups=[])
    come(alice, acme, provider, "ub", connect=True)
    by_firm = Api()
    come(by_firm, acme, provider, "ub")

    for kept in ("", str(away.pk), "gone"):
        said = by_firm.get("session/", **{"X-Workspace": kept}).json()
        assert (said["workspace"]["name"], said["refused"]) == ("Home", None)

    named = by_firm.get(f"session/?workspace={away.pk}").json()
    assert (named["workspace"], named["refused"]) == (None, "OtherSignIn")


def test_a_provider_opens_nothing_of_the_whole_installation(
    acme: Firm, provider: str, people: People
) -> None:
    """Who runs a provider can say that anybody came: the administration shows all workspaces."""
    User.objects.filter(pk=people.alice.user_id).update(is_staff=True, is_superuser=True)
    alice = Api(people.alice)
    alice.post("password/confirm/", {"password": PASSWORD})
    come(alice, acme, provider, "us", connect=True)
    by_firm = Api()
    assert come(by_firm, acme, provider, "us") == "/"

    for path in ("/admin/", "/admin/builder/user/", "/admin/login/"):
        answer = by_firm.client.get(path, follow=True)
        assert answer.status_code == 403, path
        assert len(answer.redirect_chain) <= 1
    refused = by_firm.post("workspaces/", {"name": "Mine"})
    assert (refused.status_code, refused.json()["code"]) == (403, "CameByProvider")
    assert alice.client.get("/admin/").status_code == 200


def test_by_a_provider_nobody_takes_a_connection_off(
    acme: Firm, provider: str, people: People
) -> None:
    alice = Api(people.alice)
    alice.post("password/confirm/", {"password": PASSWORD})
    come(alice, acme, provider, "ud", connect=True)
    by_firm = Api()
    come(by_firm, acme, provider, "ud")

    refused = by_firm.delete(f"identities/{provider}/")

    assert (refused.status_code, refused.json()["code"]) == (403, "CameByProvider")
    assert alice.delete(f"identities/{provider}/").status_code == 204
    assert not by_firm.get("session/").json()["authenticated"], "what it opened is shut with it"
    assert alice.get("session/").json()["authenticated"]


def test_by_a_provider_nobody_sees_or_ends_sessions_elsewhere(
    acme: Firm, provider: str, people: People
) -> None:
    alice = Api(people.alice)
    alice.post("password/confirm/", {"password": PASSWORD})
    come(alice, acme, provider, "uz", connect=True)
    by_firm = Api()
    come(by_firm, acme, provider, "uz")
    [hers] = [row["id"] for row in alice.get("sessions/").json()["results"] if row["current"]]

    assert [row["current"] for row in by_firm.get("sessions/").json()["results"]] == [True]
    assert by_firm.delete(f"sessions/{hers}/").status_code == 404
    assert by_firm.post("sessions/end/", {"which": "others"}).status_code == 204

    assert alice.get("session/").json()["authenticated"]
    assert len(alice.get("sessions/").json()["results"]) == 2


def test_by_a_provider_nobody_changes_how_else_they_sign_in(
    acme: Firm, provider: str, people: People, olga: Api
) -> None:
    fay = Api()
    come(fay, acme, provider, "u1")

    for method, path in (
        ("GET", "account/authenticators"),
        ("POST", "account/authenticators/totp"),
        ("GET", "account/authenticators/webauthn"),
    ):
        answer = ask(fay.client, method, path)
        assert (answer.status_code, answer.json()["code"]) == (403, "CameByProvider")
    refused = fay.post(f"sign-in/{provider}/", {"connect": True})
    assert refused.json()["code"] == "CameByProvider"
    code = olga.post("invitations/", {}).json()["code"]
    assert fay.post("join/", {"code": code}).json()["code"] == "CameByProvider"


def test_connecting_asks_for_the_password_and_belongs_to_one_person(
    acme: Firm, provider: str, people: People
) -> None:
    alice, bob, carol = (Api(one) for one in (people.alice, people.bob, people.carol))
    assert alice.post(f"sign-in/{provider}/", {"connect": True}).json()["code"] == "ConfirmFirst"
    for api in (alice, bob, carol):
        api.post("password/confirm/", {"password": PASSWORD})
    assert carol.post(f"sign-in/{provider}/", {"connect": True}).status_code == 404
    assert come(alice, acme, provider, "u7", connect=True) == "/"
    assert come(bob, acme, provider, "u7", connect=True) == "/profile?refused=AlreadyConnected"

    listed = alice.get("identities/").json()["results"]
    assert [(one["name"], one["connected_at"] is not None) for one in listed] == [("Acme", True)]
    assert bob.delete(f"identities/{provider}/").status_code == 404
    assert alice.delete(f"identities/{provider}/").status_code == 204


def test_state_nonce_and_proof_are_sent_and_the_answer_counts_once(
    acme: Firm, provider: str
) -> None:
    api = Api()
    url = begin(api, provider)
    sent = asked_of(url)
    assert sent["code_challenge_method"] == "S256"
    assert len({sent["state"], sent["nonce"], sent["code_challenge"]}) == 3
    assert sent["redirect_uri"] == "http://testserver/sign-in/callback"
    query = acme.answer(url, "u1")

    assert back(Api(), query) == "/sign-in?refused=SignInOver", "another browser"
    wrong = query.replace(sent["state"], "made-up")
    assert back(api, wrong) == "/sign-in?refused=SignInOver"
    assert back(api, query) == "/sign-in?refused=SignInOver", "one try each"

    fresh = acme.answer(begin(api, provider), "u1")
    before = api.client.session.session_key
    assert back(api, fresh) == "/"
    assert api.client.session.session_key != before
    assert back(api, fresh) == "/profile?refused=SignInOver"
    assert back(Api(), "error=access_denied&state=x") == "/sign-in?refused=SignInOver"


@pytest.mark.parametrize("there", ["//evil.example", "https://evil.example", "/\\evil", "x"])
def test_nobody_is_led_to_another_site(acme: Firm, provider: str, there: str) -> None:
    assert come(Api(), acme, provider, "u1", next=there) == "/"


def test_removing_a_provider_signs_out_whoever_came_by_it(
    acme: Firm, provider: str, olga: Api
) -> None:
    fay = Api()
    come(fay, acme, provider, "u1")

    assert olga.delete(f"identity-providers/{provider}/").status_code == 204

    assert not fay.get("session/").json()["authenticated"]
    assert not SignIn.objects.filter(user__email="fay@acme.example").exists()


def test_the_secret_is_sealed_and_told_to_nobody(acme: Firm, provider: str, olga: Api) -> None:
    assert b"hush" not in olga.get("identity-providers/").content
    assert b"hush" not in bytes(IdentityProvider.objects.get().sealed_secret)
    assert "hush" not in "".join(AuditEntry.objects.values_list("entry", flat=True))


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"issuer": "http://10.0.0.1"}, 400, "InputInvalid"),
        ({"issuer": "https://169.254.169.254"}, 422, "ProviderUnusable"),
        ({"issuer": "https://u:p@x.example"}, 400, "InputInvalid"),
        ({"issuer": "http://localhost:1"}, 422, "ProviderUnusable"),
        ({"group_map": [{"group": "*", "role": "admin"}]}, 400, "InputInvalid"),
        ({"name": ""}, 400, "InputInvalid"),
    ],
)
def test_what_cannot_be_a_provider_is_refused(
    acme: Firm, olga: Api, settings: Any, change: dict[str, Any], status: int, code: str
) -> None:
    settings.EGRESS_ALLOW = [acme.issuer]
    body = {"name": "Acme", "issuer": acme.issuer, "client_id": "g", "group_map": [], **change}

    answer = olga.post("identity-providers/", body)

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content


def test_a_second_factor_is_not_asked_for_where_the_firm_vouches(
    acme: Firm, provider: str, people: People
) -> None:
    alice = Api(people.alice)
    set_up_code(alice)
    assert come(alice, acme, provider, "u6", connect=True) == "/"

    by_firm = Api()
    come(by_firm, acme, provider, "u6")

    assert by_firm.get("session/").json()["authenticated"]
    row = SignIn.objects.get(session_key=by_firm.client.session.session_key)
    assert (row.second_factor, row.provider_id) == (False, provider)


def test_another_issuer_ends_the_sessions_of_the_former_one(
    acme: Firm, provider: str, people: People, olga: Api, settings: Any
) -> None:
    fay = Api()
    come(fay, acme, provider, "u1")
    assert fay.get("session/").json()["authenticated"]

    with firm() as other:
        settings.EGRESS_ALLOW = [acme.issuer, other.issuer]
        body: dict[str, Any] = {"name": "Acme", "issuer": other.issuer}
        body |= {"client_id": "graphwright", "group_map": [FINANCE]}
        assert olga("PUT", f"identity-providers/{provider}/", body).status_code == 200

    assert not fay.get("session/").json()["authenticated"]
    assert not SignIn.objects.filter(provider=provider).exists()
