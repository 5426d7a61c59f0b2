"""One's own account over HTTP: password, sessions, profile, workspaces, a reset by mail."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core import mail as mails
from django.test import Client, override_settings

from builder.models import AuditEntry, Invitation, Membership, Outbox, SignIn, User, Workspace
from builder.services.mail import account_mail
from builder.services.people import passwords, sign_ins
from tests.builder.conftest import PASSWORD, Api, People

NEW = "a wholly new sentence"
LOCMEM = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def mail_is_set(settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.MAIL = LOCMEM, True


def signed_in(email: str, agent: str = "Browser/1.0") -> Api:
    browser = Api(None, **{"User-Agent": agent})
    assert browser.post("session/", {"email": email, "password": PASSWORD}).status_code == 200
    return browser


def is_in(browser: Api) -> bool:
    return bool(browser.get("session/").json()["authenticated"])


def actions() -> list[str]:
    return [json.loads(row.entry)["action"] for row in AuditEntry.objects.order_by("n")]


def test_a_changed_password_ends_every_other_session(people: People) -> None:
    here, there = signed_in("bob@example.com"), signed_in("bob@example.com")

    wrong = here.post("password/", {"current": "nope", "password": NEW})
    weak = here.post("password/", {"current": PASSWORD, "password": "bob"})
    done = here.post("password/", {"current": PASSWORD, "password": NEW})

    assert (wrong.status_code, wrong.json()["code"]) == (403, "WrongPassword")
    assert (weak.status_code, weak.json()["problems"][0]["path"]) == (400, "password")
    assert done.status_code == 204
    assert is_in(here)
    assert not is_in(there)
    assert [row["current"] for row in here.get("sessions/").json()["results"]] == [True]
    assert User.objects.get(pk=people.bob.user_id).check_password(NEW)
    assert "password.changed" in actions()


def test_guesses_of_the_present_password_are_counted(people: People) -> None:
    bob = Api(people.bob)
    tried = [bob.post("password/", {"current": "x", "password": NEW}) for _ in range(12)]

    assert [answer.status_code for answer in tried].count(403) == 10
    assert tried[-1].json()["code"] == "TooManyAttempts"


def test_sessions_are_listed_and_ended_one_by_one(people: People) -> None:
    here = signed_in("bob@example.com", "Firefox/140")
    there = signed_in("bob@example.com", "Chrome/140 on a phone")
    alice = Api(people.alice)

    rows = here.get("sessions/").json()["results"]
    assert [(row["client"], row["current"]) for row in rows] == [
        ("Firefox/140", True),
        ("Chrome/140 on a phone", False),
    ]
    assert rows[0]["address"] == "127.0.0.1"
    assert alice.delete(f"sessions/{rows[1]['id']}/").status_code == 404
    assert is_in(there)
    assert here.delete(f"sessions/{rows[1]['id']}/").status_code == 204
    assert (is_in(here), is_in(there)) == (True, False)
    assert here.delete(f"sessions/{rows[1]['id']}/").status_code == 404
    assert "sessions.ended" in actions()


@pytest.mark.parametrize(("which", "stays"), [("others", True), ("all", False)])
def test_all_sessions_but_one_or_all_end_at_once(
    people: People, which: str, *, stays: bool
) -> None:
    here, *others = (signed_in("bob@example.com") for _ in range(4))

    assert here.post("sessions/end/", {"which": which}).status_code == 204

    assert is_in(here) is stays
    assert not any(is_in(other) for other in others)
    assert SignIn.objects.filter(user=people.bob.user).count() == int(stays)


def test_a_session_that_ended_by_itself_is_not_listed(people: People) -> None:
    here, there = signed_in("bob@example.com"), signed_in("bob@example.com")
    there.delete("session/")
    SignIn.objects.create(user=people.bob.user, session_key="ran out")

    assert len(here.get("sessions/").json()["results"]) == 1
    sign_ins.forget_expired(SignIn.objects.get(session_key="ran out").created_at)
    assert SignIn.objects.filter(user=people.bob.user).count() == 1


def test_being_here_is_written_seldom(people: People, django_assert_num_queries: Any) -> None:
    bob = signed_in("bob@example.com")
    bob.get("members/")
    before = SignIn.objects.get(user=people.bob.user).last_seen_at
    for _ in range(3):
        bob.get("members/")

    assert SignIn.objects.get(user=people.bob.user).last_seen_at == before


def test_a_name_is_changed(people: People, olga: Api) -> None:
    bob = Api(people.bob)

    changed = bob.patch("profile/", {"name": " Robert "})

    assert changed.json()["name"] == "Robert"
    assert bob.get("session/").json()["user"]["name"] == "Robert"
    for wrong in ({"name": ""}, {"name": "x" * 121}, {"email": "x@example.com"}, {}):
        assert bob.patch("profile/", wrong).status_code == 400


def test_who_owns_a_workspace_makes_another_and_works_in_it(olga: Api, alice: Api) -> None:
    made = olga.post("workspaces/", {"name": "Second"})

    assert made.status_code == 201
    assert (made.json()["name"], made.json()["role"]) == ("Second", "admin")
    shown = olga.get("session/", **{"X-Workspace": made.json()["id"]}).json()
    assert shown["workspace"]["name"] == "Second"
    assert [each["name"] for each in shown["workspaces"]] == ["Home", "Second"]
    assert olga.get("graphs/", **{"X-Workspace": made.json()["id"]}).json()["results"] == []
    assert "workspace.created" in actions()
    assert alice.post("workspaces/", {"name": "Mine"}).status_code == 403
    assert olga.post("workspaces/", {"name": "Second"}).status_code == 201
    assert Workspace.objects.filter(name="Second").count() == 2


def test_nobody_owns_without_end(olga: Api, people: People) -> None:
    for number in range(19):
        assert olga.post("workspaces/", {"name": f"W {number}"}).status_code == 201

    refused = olga.post("workspaces/", {"name": "One more"})

    assert (refused.status_code, refused.json()["code"]) == (422, "TooManyWorkspaces")


def reset_link(address: str) -> tuple[str, str]:
    account_mail.deliver_due()
    [letter] = [each for each in mails.outbox if each.to == [address]]
    found = re.search(r"/reset-password#([\w-]+)\.([\w-]+)", str(letter.body))
    assert found
    mails.outbox.clear()
    return found[1], found[2]


def test_a_forgotten_password_is_set_by_a_mailed_link_once(
    people: People, mail_is_set: None
) -> None:
    there = signed_in("bob@example.com")
    asked = Api().post("password-reset/", {"email": " Bob@example.com"})
    assert asked.status_code == 204
    user, token = reset_link("bob@example.com")
    body = {"user": user, "token": token, "password": NEW}

    weak = Api().post("password-reset/confirm/", {**body, "password": "short"})
    done = Api().post("password-reset/confirm/", body)
    again = Api().post("password-reset/confirm/", {**body, "password": "yet another one"})

    assert weak.status_code == 400
    assert done.status_code == 204
    assert (again.status_code, again.json()["code"]) == (404, "ResetLinkInvalid")
    assert not is_in(there)
    assert User.objects.get(pk=people.bob.user_id).check_password(NEW)
    assert "password.reset" in actions()
    assert token not in "".join(Outbox.objects.values_list("payload", flat=True))


def test_nobody_learns_by_a_reset_which_accounts_exist(people: People, mail_is_set: None) -> None:
    known = Api().post("password-reset/", {"email": "bob@example.com"})
    unknown = Api().post("password-reset/", {"email": "nobody@example.com"})

    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    account_mail.deliver_due()
    assert [letter.to for letter in mails.outbox] == [["bob@example.com"]]
    assert not Outbox.objects.exists()


def test_nobody_is_flooded_with_links(people: People, mail_is_set: None) -> None:
    for _ in range(passwords.MAX_LETTERS + 3):
        Api().post("password-reset/", {"email": "bob@example.com"})
    shut = [
        Api().post("password-reset/", {"email": f"n{n}@example.com"}).status_code for n in range(5)
    ]

    assert account_mail.deliver_due() == passwords.MAX_LETTERS
    assert shut[-1] == 429


def test_a_made_up_or_old_link_opens_nothing(people: People, mail_is_set: None) -> None:
    Api().post("password-reset/", {"email": "bob@example.com"})
    user, token = reset_link("bob@example.com")
    bodies = [
        {"user": user, "token": "x-y"},
        {"user": people.alice.user_id, "token": token},
        {"user": "nobody", "token": token},
    ]
    for body in bodies:
        answer = Api().post("password-reset/confirm/", {**body, "password": NEW})
        assert answer.json()["code"] == "ResetLinkInvalid", body
    with override_settings(PASSWORD_RESET_TIMEOUT=-1):
        body = {"user": user, "token": token, "password": NEW}
        assert Api().post("password-reset/confirm/", body).status_code == 404


def test_without_mail_the_cure_is_named(people: People) -> None:
    answer = Api().post("password-reset/", {"email": "bob@example.com"})

    assert (answer.status_code, answer.json()["code"]) == (422, "MailNotSet")
    assert "changepassword" in answer.json()["detail"]
    assert Client().get("/api/session/").json()["mail"] is False


def test_an_invitation_goes_by_mail_and_its_code_stays_sealed(olga: Api, mail_is_set: None) -> None:
    made = olga.post("invitations/", {"email": "nina@example.com", "role": "reviewer"}).json()
    bare = olga.post("invitations/", {}).json()

    assert (made["mailed"], bare["mailed"]) == (True, False)
    assert made["code"] not in "".join(Outbox.objects.values_list("payload", flat=True))
    assert account_mail.deliver_due() == 1
    [letter] = mails.outbox
    assert letter.to == ["nina@example.com"]
    assert f"/join#{made['code']}" in str(letter.body)
    assert "Olga invites you" in str(letter.body)


def test_a_revoked_invitation_is_not_sent(olga: Api, mail_is_set: None) -> None:
    made = olga.post("invitations/", {"email": "nina@example.com"}).json()
    olga.delete(f"invitations/{made['id']}/")

    assert account_mail.deliver_due() == 0
    assert not Outbox.objects.exists()


def test_mail_that_fails_is_tried_again_and_then_given_up(
    olga: Api, mail_is_set: None, settings: Any
) -> None:
    olga.post("invitations/", {"email": "nina@example.com"})
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    now = Outbox.objects.get().available_at
    for _ in range(account_mail.MAX_TRIES):
        assert account_mail.deliver_due(now) == 0
        now += 10**9

    assert not Outbox.objects.exists()
    assert Invitation.objects.exists()


def test_who_joins_a_second_workspace_is_shown_that_one(olga: Api, carol: Api) -> None:
    code = olga.post("invitations/", {"role": "reviewer"}).json()["code"]

    joined = carol.post("join/", {"code": code}).json()

    assert (joined["workspace"]["name"], joined["workspace"]["role"]) == ("Home", "reviewer")


def test_invitations_have_an_end(olga: Api, people: People) -> None:
    answers = [olga.post("invitations/", {}).status_code for _ in range(101)]

    assert answers == [201] * 100 + [429]
    assert Membership.objects.filter(workspace=people.olga.workspace).count() == 5
