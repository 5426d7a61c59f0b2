"""Following an invitation by the firm's sign-in: spent once, for whom it was made, as it says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from builder.models import AuditEntry, Identity, Invitation, Membership, User, Workspace
from builder.services.audit import chain
from tests.builder.api.sign_in.firm import Firm, add, back, begin, come, firm
from tests.builder.conftest import PASSWORD, Api, People

EVERYBODY = {"group": "*", "role": "viewer", "groups": ["all"]}


@pytest.fixture(scope="module")
def acme() -> Iterator[Firm]:
    """The firm's provider."""
    with firm() as running:
        for name in ("ivy", "jon"):
            running.knows(name, email=f"{name}@acme.example", name=name.title(), groups=[])
        yield running


@pytest.fixture
def provider(acme: Firm, people: People, olga: Api, settings: Any) -> str:
    """The provider of Olga's workspace, whose map lets nobody in."""
    settings.EGRESS_ALLOW = [acme.issuer]
    return add(olga, acme, [])


def invite(olga: Api, **more: Any) -> str:
    made = olga.post("invitations/", {"role": "author", "groups": ["payments"], **more})
    assert made.status_code == 201, made.content
    return str(made.json()["code"])


def test_the_invitation_gives_role_and_groups_and_is_spent(
    acme: Firm, provider: str, olga: Api
) -> None:
    code = invite(olga, email="ivy@acme.example")
    ivy = Api()
    looked = ivy.post("invitations/look/", {"code": code}).json()
    assert looked["providers"] == [{"id": provider, "name": "Acme"}]

    assert come(ivy, acme, provider, "ivy", invitation=code, next="/inbox") == "/inbox"

    said = ivy.get("session/").json()
    assert (said["user"]["email"], said["workspace"]["role"]) == ("ivy@acme.example", "author")
    member = Membership.objects.get(user__email="ivy@acme.example")
    assert [group.name for group in member.groups.all()] == ["payments"]
    assert Invitation.objects.get().used_by == member.user
    entries = [chain.read(row) for row in AuditEntry.objects.all()]
    [joined] = [one["detail"] for one in entries if one["action"] == "member.joined"]
    assert joined == {"invitation": Invitation.objects.get().pk, "provider": "Acme"}
    assert come(Api(), acme, provider, "ivy") == "/", (
        "an invited person stays, whatever the map says"
    )


def test_the_invitation_wins_over_the_map_then_and_later(
    acme: Firm, people: People, olga: Api, settings: Any
) -> None:
    settings.EGRESS_ALLOW = [acme.issuer]
    provider = add(olga, acme, [EVERYBODY])

    for more in ({"invitation": invite(olga)}, {}):
        assert come(Api(), acme, provider, "ivy", **more) == "/"
        member = Membership.objects.get(user__email="ivy@acme.example")
        assert member.role == "author"
        assert [group.name for group in member.groups.all()] == ["payments"]


def test_who_was_taken_out_comes_in_again_by_an_invitation(
    acme: Firm, people: People, olga: Api, settings: Any
) -> None:
    settings.EGRESS_ALLOW = [acme.issuer]
    provider = add(olga, acme, [EVERYBODY])
    come(Api(), acme, provider, "ivy")
    Membership.objects.filter(user__email="ivy@acme.example").delete()

    assert come(Api(), acme, provider, "ivy", invitation=invite(olga)) == "/"

    assert Membership.objects.get(user__email="ivy@acme.example").role == "author"
    assert not Identity.objects.get().managed
    refused = come(Api(), acme, provider, "ivy", invitation=invite(olga))
    assert refused == "/join?refused=AlreadyMember"
    assert Invitation.objects.filter(used_at__isnull=True).count() == 1


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "other@acme.example"},
        {"email": "kay@acme.example", "email_verified": False},
    ],
)
def test_another_address_than_the_one_invited_is_refused(
    acme: Firm, provider: str, olga: Api, claims: dict[str, Any]
) -> None:
    acme.knows("kay", name="Kay", groups=[], **claims)
    code = invite(olga, email="kay@acme.example")
    kay = Api()

    place = come(kay, acme, provider, "kay", invitation=code)

    assert place == "/join?refused=OtherAddress"
    assert not kay.get("session/").json()["authenticated"]
    assert not User.objects.filter(email=claims["email"]).exists()
    assert Invitation.objects.get().used_at is None


def test_an_account_of_the_same_address_is_not_taken_over(
    acme: Firm, provider: str, olga: Api
) -> None:
    acme.knows("al", email="carol@example.com", groups=[])

    place = come(Api(), acme, provider, "al", invitation=invite(olga))

    assert place == "/join?refused=AccountExists"
    assert Invitation.objects.get().used_at is None
    assert not Identity.objects.exists()


def test_two_at_once_with_one_invitation_let_one_in(acme: Firm, provider: str, olga: Api) -> None:
    code = invite(olga)
    ivy, jon = Api(), Api()
    hers = acme.answer(begin(ivy, provider, invitation=code), "ivy")
    his = acme.answer(begin(jon, provider, invitation=code), "jon")

    assert back(ivy, hers) == "/"
    assert back(jon, his) == "/join?refused=InvitationUsed"

    assert not User.objects.filter(email="jon@acme.example").exists(), "neither account nor member"
    assert not jon.get("session/").json()["authenticated"]


def test_of_two_tabs_the_later_one_counts(acme: Firm, provider: str, olga: Api) -> None:
    code = invite(olga)
    ivy = Api()
    first = acme.answer(begin(ivy, provider, invitation=code), "ivy")
    second = acme.answer(begin(ivy, provider, invitation=code), "ivy")

    assert back(ivy, first) == "/join?refused=SignInOver"
    assert back(ivy, second) == "/sign-in?refused=SignInOver", "one try, for either tab"
    assert Invitation.objects.get().used_at is None
    assert come(ivy, acme, provider, "ivy", invitation=code) == "/"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"expires_at": timezone.now() - timedelta(days=1)}, "InvitationExpired"),
        ({"used_at": timezone.now()}, "InvitationUsed"),
        ({"revoked_at": timezone.now()}, "InvitationNotFound"),
    ],
)
def test_a_link_that_leads_nowhere_is_refused_at_both_ends(
    acme: Firm, provider: str, olga: Api, change: dict[str, Any], code: str
) -> None:
    link = invite(olga)
    ivy = Api()
    query = acme.answer(begin(ivy, provider, invitation=link), "ivy")
    Invitation.objects.update(**change)

    assert back(ivy, query) == f"/join?refused={code}"
    assert Api().post(f"sign-in/{provider}/", {"invitation": link}).json()["code"] == code
    assert not Identity.objects.exists()


def test_an_invitation_goes_by_its_own_workspace_and_without_connecting(
    acme: Firm, provider: str, people: People, alice: Api, olga: Api
) -> None:
    away = Membership.objects.exclude(workspace=people.olga.workspace).select_related("user").get()
    Membership.objects.filter(pk=away.pk).update(role="admin")
    elsewhere = invite(Api(away))

    refused = Api().post(f"sign-in/{provider}/", {"invitation": elsewhere})
    assert (refused.status_code, refused.json()["code"]) == (404, "InvitationNotFound")

    alice.post("password/confirm/", {"password": PASSWORD})
    both = alice.post(f"sign-in/{provider}/", {"invitation": invite(olga), "connect": True})
    assert both.status_code == 400
    made_up = Api().post(f"sign-in/{provider}/", {"invitation": "x" * 201})
    assert made_up.status_code == 400


def test_the_code_is_kept_in_no_session(acme: Firm, provider: str, olga: Api) -> None:
    code = invite(olga)
    ivy = Api()
    begin(ivy, provider, invitation=code)

    assert code not in str(dict(ivy.client.session))


def test_where_the_firm_alone_opens_no_account_with_a_password_is_made(
    acme: Firm, provider: str, people: People, olga: Api
) -> None:
    code = invite(olga)
    looked = Api().post("invitations/look/", {"code": code}).json()
    assert looked["firm_only"] is False
    Workspace.objects.filter(pk=people.olga.workspace_id).update(sign_in="provider")
    ivy = Api()
    assert ivy.post("invitations/look/", {"code": code}).json()["firm_only"] is True

    account = {"name": "Ivy", "email": "ivy@acme.example", "password": PASSWORD}
    refused = ivy.post("join/", {"code": code, **account})

    assert (refused.status_code, refused.json()["code"]) == (403, "ProviderNeeded")
    assert not User.objects.filter(email="ivy@acme.example").exists()
    assert come(ivy, acme, provider, "ivy", invitation=code) == "/", "the link is still good"
    assert ivy.get("session/").json()["workspace"]["role"] == "author"
