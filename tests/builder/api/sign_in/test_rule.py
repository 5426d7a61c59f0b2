"""A workspace's rule: who has not signed in as it asks does not enter, by any route or socket."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from builder.models import Graph, IdentityProvider, Run, SignIn, Workspace
from builder.services.people.sign_in import ways
from tests.builder.api.sign_in.factor import (
    ask,
    code_of,
    forget_codes,
    set_up_code,
    show_password,
)
from tests.builder.conftest import Api, People


def rule(api: Api, name: str) -> tuple[int, str]:
    answer = api.patch("workspace/", {"sign_in": name})
    return answer.status_code, answer.json().get("code", "")


@pytest.fixture
def strict(people: People, olga: Api) -> Api:
    """Olga, whose workspace asks for a second factor."""
    set_up_code(olga)
    assert rule(olga, "second_factor") == (200, "")
    return olga


def test_without_a_second_factor_nothing_of_the_workspace_opens(
    strict: Api, people: People, graph: Graph, run: Run
) -> None:
    bob = Api(people.bob)

    for path in (
        "graphs/",
        "runs/",
        "interrupts/",
        "members/",
        "search/?q=support",
        f"graphs/{graph.pk}/",
        f"runs/{run.pk}/",
        f"runs/{run.pk}/events/",
    ):
        answer = bob.get(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "SecondFactorNeeded"), path
    assert bob.post("socket-ticket/").json()["code"] == "SecondFactorNeeded"
    assert bob.post("tokens/", {"name": "x"}).json()["code"] == "SecondFactorNeeded"
    said = bob.get("session/").json()
    assert (said["authenticated"], said["workspace"]) == (True, None)
    assert said["refused"] == "SecondFactorNeeded"


def test_setting_one_up_opens_it_at_once_and_taking_it_off_closes_it(
    strict: Api, people: People
) -> None:
    bob = Api(people.bob)
    secret = set_up_code(bob)
    assert bob.get("graphs/").status_code == 200
    forget_codes()
    later = show_password("bob@example.com")
    ask(later.client, "POST", "auth/2fa/authenticate", {"code": code_of(secret)})
    assert later.get("graphs/").status_code == 200

    assert ask(bob.client, "DELETE", "account/authenticators/totp").status_code == 200

    for api in (bob, later):
        assert api.get("graphs/").json()["code"] == "SecondFactorNeeded"


def test_the_way_back_is_open_to_another_workspace(strict: Api, people: People) -> None:
    away = people.carol.workspace
    away.memberships.create(user=people.bob.user, role="viewer")
    bob = Api(people.bob)

    assert bob.get("session/").json()["workspace"]["name"] == "Away"
    assert bob.get("graphs/", **{"X-Workspace": away.pk}).status_code == 200
    refused = bob.get("graphs/", **{"X-Workspace": people.bob.workspace_id})
    assert refused.json()["code"] == "SecondFactorNeeded"


def test_no_admin_locks_themselves_out(people: People, olga: Api) -> None:
    assert rule(olga, "second_factor") == (422, "WouldLockOut")
    assert rule(olga, "provider") == (409, "NoProvider")
    IdentityProvider.objects.create(
        workspace=people.olga.workspace, name="Firm", issuer="https://firm.invalid"
    )
    set_up_code(olga)
    assert rule(olga, "provider") == (422, "WouldLockOut")
    assert Workspace.objects.get(pk=people.olga.workspace_id).sign_in == "password"
    assert rule(Api(people.alice), "password")[0] == 403


def test_only_the_firms_sign_in_then_and_it_cannot_be_taken_away(people: People, olga: Api) -> None:
    firm = IdentityProvider.objects.create(
        workspace=people.olga.workspace, name="Firm", issuer="https://firm.invalid"
    )
    key = olga.client.session.session_key
    SignIn.objects.filter(session_key=key).update(provider=firm)
    assert rule(olga, "provider") == (200, "")

    alice = Api(people.alice)
    set_up_code(alice)
    assert alice.get("graphs/").json()["code"] == "ProviderNeeded"
    assert olga.get("graphs/").status_code == 200
    refused = olga.delete(f"identity-providers/{firm.pk}/")
    assert (refused.status_code, refused.json()["code"]) == (409, "RuleNeedsIt")


def test_the_operator_lets_passwords_in_again(strict: Api, people: People) -> None:
    call_command("reset_sign_in", "home")

    assert Api(people.bob).get("graphs/").status_code == 200


def test_a_token_that_was_made_inside_goes_on(people: People, olga: Api) -> None:
    token = olga.post("tokens/", {"name": "script"}).json()["token"]
    set_up_code(olga)
    rule(olga, "second_factor")

    script = Api(Authorization=f"Bearer {token}")

    assert script.get("graphs/").status_code == 200
    assert rule(script, "password") == (403, "PersonNeeded")


def test_sockets_are_asked_the_same(strict: Api, people: People) -> None:
    bob = Api(people.bob)
    mine = people.bob.workspace_id

    assert ways.barred(people.bob.user_id, bob.client.session.session_key) == {
        mine: "SecondFactorNeeded"
    }
    assert ways.barred(people.bob.user_id, None) == {mine: "SecondFactorNeeded"}
    assert ways.barred(people.olga.user_id, strict.client.session.session_key) == {}
