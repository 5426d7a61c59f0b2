"""Codes of an app: set up, asked for, used once, lost, switched off; no way around them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.test import Client

from builder.base.errors import TooMany
from builder.models import AuditEntry, SignIn, User
from builder.services.audit import chain
from builder.services.people import attempts, doors
from tests.builder.api.sign_in.factor import (
    ROOT,
    ask,
    code_of,
    forget_codes,
    set_up_code,
    show_password,
)
from tests.builder.conftest import PASSWORD, Api, People

ALICE = "alice@example.com"
TOTP = "account/authenticators/totp"
STEP = "auth/2fa/authenticate"


@pytest.fixture
def secret(alice: Api) -> str:
    """Alice's secret; its code of now may be used again."""
    made = set_up_code(alice)
    forget_codes()
    return made


def is_in(api: Api) -> bool:
    return bool(api.get("session/").json()["authenticated"])


def factor_entries() -> list[dict[str, Any]]:
    entries = [chain.read(row) for row in AuditEntry.objects.order_by("n")]
    return [entry for entry in entries if entry["action"].startswith("factor.")]


def problem(answer: Any, status: int, code: str) -> None:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code


def test_a_code_is_asked_for_after_the_password_and_lets_in(secret: str) -> None:
    api = show_password(ALICE)
    said = api.get("session/").json()
    assert not said["authenticated"]
    assert said["second_factor"] == ["totp", "recovery_codes"]
    assert api.get("graphs/").status_code == 401

    before = api.client.session.session_key
    answer = ask(api.client, "POST", STEP, {"code": code_of(secret)})

    assert answer.status_code == 200
    assert is_in(api)
    assert api.client.session.session_key != before, "the session keeps no key that others may know"
    assert SignIn.objects.get(session_key=api.client.session.session_key).second_factor


def test_the_secret_is_sealed_and_shown_with_a_picture_once(alice: Api) -> None:
    alice.post("password/confirm/", {"password": PASSWORD})
    offer = ask(alice.client, "GET", TOTP)

    assert offer.status_code == 200
    meta = offer.json()["meta"]
    assert meta["totp_url"].startswith("otpauth://totp/alice%40example.com?secret=")
    assert meta["totp_svg"].lstrip().startswith("<?xml")
    ask(alice.client, "POST", TOTP, {"code": code_of(meta["secret"])})
    row = Authenticator.objects.get(type="totp")
    assert meta["secret"] not in json.dumps(row.data)
    assert "secret" not in ask(alice.client, "GET", TOTP).content.decode()


def test_a_code_that_was_used_opens_nothing_again(secret: str) -> None:
    code = code_of(secret)
    assert ask(show_password(ALICE).client, "POST", STEP, {"code": code}).status_code == 200

    again = show_password(ALICE)

    problem(ask(again.client, "POST", STEP, {"code": code}), 403, "CodeWrong")
    problem(ask(again.client, "POST", STEP, {"code": f"{code[:3]} {code[3:]}"}), 403, "CodeWrong")
    assert not is_in(again)


def test_a_recovery_code_lets_in_once(alice: Api, secret: str) -> None:
    codes = ask(alice.client, "GET", "account/authenticators/recovery-codes")
    spare = codes.json()["data"]["unused_codes"]
    assert len(spare) == 10

    first = show_password(ALICE)
    assert ask(first.client, "POST", STEP, {"code": spare[0]}).status_code == 200
    assert is_in(first)
    forget_codes()
    problem(ask(show_password(ALICE).client, "POST", STEP, {"code": spare[0]}), 403, "CodeWrong")


def test_guesses_are_counted_from_wherever_they_come(secret: str) -> None:
    for number in range(10):
        api = show_password(ALICE)
        api.client.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
        answer = ask(api.client, "POST", STEP, {"code": f"00000{number}"})
        problem(answer, 403, "CodeWrong")

    right = ask(show_password(ALICE).client, "POST", STEP, {"code": code_of(secret)})

    problem(right, 429, "TooManyAttempts")
    assert right["Retry-After"]


def test_wrong_codes_count_as_wrong_passwords_do(secret: str) -> None:
    api = show_password(ALICE)
    ask(api.client, "POST", STEP, {"code": "1"})

    counted = attempts.Limit(f"account:127.0.0.1:{ALICE}", 1, doors.QUARTER)

    with pytest.raises(TooMany):
        attempts.take(counted)


def test_nothing_is_changed_without_the_password(alice: Api, secret: str) -> None:
    later = show_password(ALICE)
    ask(later.client, "POST", STEP, {"code": code_of(secret)})

    for method, path in (
        ("GET", TOTP),
        ("DELETE", TOTP),
        ("GET", "account/authenticators/recovery-codes"),
        ("POST", "account/authenticators/recovery-codes"),
        ("GET", "account/authenticators/webauthn"),
    ):
        problem(ask(later.client, method, path), 403, "ConfirmFirst")
    refused = later.post("password/confirm/", {"password": "not this one"})
    assert refused.json()["code"] == "WrongPassword"
    assert later.post("password/confirm/", {"password": PASSWORD}).status_code == 204
    assert ask(later.client, "DELETE", TOTP).status_code == 200
    assert not Authenticator.objects.exists(), "recovery codes go with what they stand in for"
    assert not SignIn.objects.filter(second_factor=True).exists()
    assert is_in(show_password(ALICE))


def test_changes_are_told_in_the_audit_log(alice: Api, secret: str) -> None:
    ask(alice.client, "DELETE", TOTP)

    told = factor_entries()

    assert [(one["action"], one["detail"]["kind"]) for one in told] == [
        ("factor.added", "totp"),
        ("factor.added", "recovery_codes"),
        ("factor.removed", "totp"),
        ("factor.removed", "recovery_codes"),
    ]
    assert secret not in json.dumps(told)


def test_another_name_of_a_passkey_is_told_and_its_use_is_not(alice: Api, people: People) -> None:
    alice.post("password/confirm/", {"password": PASSWORD})
    made = Authenticator.objects.create(
        user=people.alice.user,
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "Laptop", "credential": {}},
    )
    made.record_usage()
    body = {"id": made.pk, "name": "Blue laptop"}

    answer = ask(alice.client, "PUT", "account/authenticators/webauthn", body)

    assert answer.status_code == 200, answer.content
    added, renamed = factor_entries()
    assert (added["action"], renamed["action"]) == ("factor.added", "factor.renamed")
    assert renamed["detail"] == {"kind": "webauthn", "before": "Laptop", "name": "Blue laptop"}
    assert renamed["actor"] == people.alice.user_id


def test_an_admin_takes_a_lost_factor_off_and_ends_the_sessions(
    people: People, olga: Api, bob: Api, alice: Api, secret: str
) -> None:
    path = f"members/{people.alice.pk}/second-factor/"
    assert bob.delete(path).status_code == 403
    assert olga.delete(path).status_code == 204
    assert olga.delete(path).json()["code"] == "NoSecondFactor"
    assert not is_in(alice)
    assert is_in(show_password(ALICE))
    assert factor_entries()[-1]["actor"] == people.olga.user_id


def test_an_admin_does_not_weaken_the_way_into_anothers_workspace(
    people: People, olga: Api, secret: str
) -> None:
    people.carol.workspace.memberships.create(user=people.alice.user, role="viewer")

    answer = olga.delete(f"members/{people.alice.pk}/second-factor/")

    assert (answer.status_code, answer.json()["code"]) == (403, "InOtherWorkspaces")
    assert Authenticator.objects.exists()


def test_the_operator_lets_in_who_lost_everything(alice: Api, secret: str) -> None:
    call_command("reset_second_factor", "Alice@Example.com")

    assert not is_in(alice)
    assert is_in(show_password(ALICE))


def test_only_the_flows_of_the_list_are_reachable(alice: Api) -> None:
    for path in (
        "auth/login",
        "auth/signup",
        "auth/session",
        "auth/password/request",
        "auth/password/reset",
        "auth/reauthenticate",
        "account/email",
        "account/password/change",
        "config",
    ):
        for client in (alice.client, Client()):
            problem(ask(client, "POST", path, {}), 404, "NotFound")
    assert Client().post("/_allauth/app/v1/auth/login").status_code == 404
    assert Client().get("/accounts/login/").status_code == 404


def test_every_route_wants_the_csrf_token(people: People) -> None:
    from builder.api.sign_in.routes import urlpatterns

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(people.alice.user)
    for pattern in urlpatterns:
        for method in ("POST", "PUT", "DELETE"):
            problem(ask(strict, method, str(pattern.pattern), {}), 403, "CsrfFailed")


def test_strangers_get_nothing_of_what_is_for_people(db: None) -> None:
    from builder.api.sign_in.routes import urlpatterns

    for pattern in urlpatterns:
        if not str(pattern.pattern).startswith("account/"):
            continue
        for method in ("GET", "POST", "PUT", "DELETE"):
            problem(ask(Client(), method, str(pattern.pattern)), 401, "NotSignedIn")
    problem(ask(Client(), "POST", STEP, {"code": "123456"}), 403, "SignInOver")


HOSTILE: list[Any] = [
    b"\xff",
    "[1]",
    "[" * 5000,
    '{"code": "\\u0000"}',
    '{"code": {"a": 1}}',
    '{"credential": []}',
    '{"credential": {"response": []}}',
    '{"credential": {"response": {"userHandle": 7}}}',
    '{"credential": {"id": "x", "rawId": "x", "type": "public-key", "response": '
    '{"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA", "userHandle": "AA"}}}',
    '{"name": "x", "credential": {"id": "AA", "rawId": "AA", "type": "public-key", "response": '
    '{"clientDataJSON": "e30", "attestationObject": "oA"}}}',
    "{" + '"code": "' + "9" * 70_000 + '"}',
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_bodies_are_refused_in_words(alice: Api, secret: str, body: Any) -> None:
    half = show_password(ALICE)
    for client, path in (
        (half.client, STEP),
        (half.client, "auth/webauthn/authenticate"),
        (Client(), "auth/webauthn/login"),
        (alice.client, TOTP),
        (alice.client, "account/authenticators/webauthn"),
    ):
        ask(client, "GET", path)
        answer = ask(client, "POST", path, body)
        assert 400 <= answer.status_code < 500, (path, answer.content)
        assert answer["Content-Type"] == "application/problem+json"
        assert re.fullmatch("[A-Z][A-Za-z]+", answer.json()["code"])


def test_a_password_in_an_already_used_browser_begins_anew(people: People, secret: str) -> None:
    bob = Api(people.bob)

    bob.post("session/", {"email": ALICE, "password": PASSWORD})

    assert not is_in(bob), "neither Bob nor Alice: her code is owed"
    ask(bob.client, "POST", STEP, {"code": code_of(secret)})
    assert bob.get("session/").json()["user"]["email"] == ALICE


def test_who_is_made_inactive_half_way_does_not_come_in(secret: str) -> None:
    half = show_password(ALICE)
    User.objects.filter(email=ALICE).update(is_active=False)

    answer = ask(half.client, "POST", STEP, {"code": code_of(secret)})

    assert answer.status_code >= 400
    assert not is_in(half)


def test_a_token_changes_no_second_factor(people: People, alice: Api) -> None:
    token = alice.post("tokens/", {"name": "script"}).json()["token"]

    answer = Client(headers={"Authorization": f"Bearer {token}"}).get(
        f"{ROOT}account/authenticators"
    )

    problem(answer, 401, "NotSignedIn")
