"""What an API token reaches: one workspace, and never the door by which people come in."""

from __future__ import annotations

from typing import Any

import pytest

from builder.api.urls import urlpatterns
from builder.models import ApiToken, Invitation, Membership, Run, User
from builder.services.people import accounts, invitations
from tests.builder.api.test_two_tenants import (
    NO_IDS,
    OWN,
    PERSONAL,
    SHARED,
    address,
    methods_of,
    names,
    routes,
)
from tests.builder.conftest import PASSWORD, Api, People
from tests.builder.fakes import open_interrupt

__all__ = ["names"]
Names = dict[str, Any]

PEOPLES = {
    "session": {"post", "delete"},
    "join": {"post"},
    "tokens": {"post"},
    "invitations": {"post"},
    "invitation": {"delete"},
    "member": {"patch", "delete"},
    "second-factor": {"delete"},
    "groups": {"post"},
    "service-account": {"delete"},
    "connect-tool-source": {"post", "delete"},
    "group": {"patch", "delete"},
    "identity-providers": {"get", "post"},
    "identity-provider": {"put", "delete"},
    "own-identity": {"delete"},
    "profile": {"patch"},
    "password": {"post"},
    "ask-for-reset": {"post"},
    "reset-password": {"post"},
    "sessions": {"get"},
    "end-sessions": {"post"},
    "end-session": {"delete"},
    "workspaces": {"post"},
    "saved-views": {"get", "post"},
    "saved-view": {"patch", "delete"},
    "stand-ins": {"post"},
    "stand-in": {"patch", "delete"},
    "channels": {"post"},
    "channel": {"patch", "delete"},
    "test-channel": {"post"},
    "verify-channel": {"post"},
    "channel-secret": {"post"},
    "notice-rules": {"post"},
    "notice-rule": {"patch", "delete"},
    "notice-again": {"post"},
    "decide": {"post"},
    "withdraw": {"post"},
    "claim-many": {"post"},
    "snooze-many": {"post"},
    "delegate-many": {"post"},
}
"""Routes and methods that let people in, say who they are, where they are told of what happens, or do
with many items what people do.
"""
BODIES: dict[str, Any] = {
    "session": {"email": "olga@example.com", "password": PASSWORD},
    "tokens": {"name": "second"},
    "invitations": {"role": "admin", "email": "x@example.com"},
    "member": {"role": "admin"},
    "profile": {"name": "Mallory"},
    "password": {"current": PASSWORD, "password": "a quite other one"},
    "end-sessions": {"which": "all"},
    "workspaces": {"name": "Mine"},
}


def program(member: Membership) -> Api:
    """Return a program with an API token of the member."""
    _row, text = accounts.create_api_token(member, name="script")
    return Api(None, Authorization=f"Bearer {text}")


@pytest.fixture
def astray(people: People, names: Names) -> Api:
    """A token for Away of Olga, who is an admin of Home too, where everything in `names` is."""
    return program(
        Membership.objects.create(
            user=people.olga.user, workspace=people.carol.workspace, role="admin"
        )
    )


def test_a_token_finds_no_object_of_its_users_other_workspaces(astray: Api, names: Names) -> None:
    walked = 0
    for pattern in routes():
        if not pattern.pattern.converters or pattern.name in OWN:
            continue
        for method in methods_of(pattern):
            answer = astray(method.upper(), address(pattern, names))
            peoples = method in PEOPLES.get(str(pattern.name), ())
            assert answer.status_code == (403 if peoples else 404), (method, pattern)
            walked += 1
    assert walked > 25


def test_a_tokens_lists_name_nothing_of_its_users_other_workspaces(
    astray: Api, names: Names, people: People
) -> None:
    foreign = [str(value) for key, value in names.items() if key not in NO_IDS]
    foreign += [people.alice.user_id, people.alice.workspace_id, "alice@example.com"]
    home = people.olga.workspace_id
    for pattern in routes():
        if pattern.pattern.converters or "get" not in methods_of(pattern):
            continue
        text = astray.get(address(pattern, names)).content.decode()
        assert not [value for value in foreign if value in text], pattern
        if pattern.name not in SHARED | PERSONAL:
            named = astray.get(address(pattern, names), **{"X-Workspace": home})
            assert named.status_code in (403, 404), pattern
    shown = astray.get("session/", **{"X-Workspace": home}).content.decode()
    assert home not in shown


def test_a_token_lets_nobody_in_and_changes_nobody(people: People, names: Names) -> None:
    """An admin's token walks every route: afterwards the people are who they were."""

    def everybody() -> list[Any]:
        return [
            list(User.objects.order_by("pk").values("pk", "email", "password", "name")),
            list(Membership.objects.order_by("pk").values("pk", "user", "workspace", "role")),
            list(ApiToken.objects.order_by("pk").values("pk", "hash")),
            list(Invitation.objects.order_by("pk").values("pk", "used_at", "revoked_at")),
        ]

    script = program(people.olga)
    code = invitations.create_invitation(people.olga, role="admin")[1]
    bodies = {**BODIES, "join": {"code": code}}
    before = everybody()
    walked = set()
    for pattern in urlpatterns:
        for method in PEOPLES.get(str(pattern.name), ()):
            answer = script(method.upper(), address(pattern, names), bodies.get(str(pattern.name)))
            assert (answer.status_code, answer.json()["code"]) == (403, "PersonNeeded"), pattern
            walked.add(pattern.name)
        for method in set(methods_of(pattern)) - {"get"}:
            if pattern.name != "token":  # a token may end tokens
                script(method.upper(), address(pattern, names), bodies.get(str(pattern.name)))

    assert walked == set(PEOPLES)
    assert everybody() == before


@pytest.mark.parametrize(("kind", "may"), [("approval", False), ("budget", False), ("text", True)])
def test_a_token_is_told_what_it_may_answer(
    people: People, run: Run, kind: str, *, may: bool
) -> None:
    open_interrupt(run, kind)
    script = program(people.olga)

    [listed] = script.get("interrupts/").json()["results"]
    item = script.get(f"interrupts/{listed['request_id']}/").json()

    assert item["can_decide"] is may
    assert ("resume_token" in item) is may
    assert ("signed-in person" in item.get("why_not", "")) is not may
    assert Api(people.olga).get(f"interrupts/{listed['request_id']}/").json()["can_decide"]
