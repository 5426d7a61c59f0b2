"""What a model server is asked, added and tried with: addresses, headers, fields, tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder.adapters.models.access import LISTS
from builder.models import AcceptedProvider, AuditEntry, ProviderTrial, User
from builder.services.people.accounts import create_api_token
from engine.integrations.models.servers.presets import PRESETS
from tests.builder.api.models.test_provider_api import PUBLIC, add, running
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_lists() -> None:
    LISTS.forget()


@pytest.fixture
def owner(people: People) -> Api:
    """Olga, who also owns the installation."""
    User.objects.filter(pk=people.olga.user_id).update(is_superuser=True)
    return Api(people.olga)


def find(api: Api, base_url: str, **more: Any) -> Any:
    return api.post("models/find/", {"base_url": base_url, **more})


def test_models_are_found_before_a_server_is_added(owner: Api, tmp_path: Path) -> None:
    with running(tmp_path, []) as base_url:
        asked = find(owner, base_url)
        found = find(owner, base_url.removesuffix("/v1"), accept_address=True)
    away = find(owner, base_url, accept_address=True).json()

    assert (asked.status_code, asked.json()["code"]) == (422, "AddressNeedsAcceptance")
    assert found.json() == {"models": ["fake-small", "fake-large"], "more": False, "problem": ""}
    assert away["models"] == []
    assert "no connection" in away["problem"]
    assert not AcceptedProvider.objects.exists()


FORBIDDEN = [
    "http://169.254.169.254/latest",
    "http://[::ffff:169.254.169.254]/v1",
    "http://[64:ff9b::a9fe:a9fe]/v1",
    "http://[2002:a9fe:a9fe::1]/v1",
    "http://[fd00:ec2::254]/v1",
    "http://100.100.100.200/v1",
    "http://0xa9fea9fe/v1",
    "http://2852039166/v1",
    "http://[fe80::1]/v1",
    "http://0.0.0.0/v1",
    "http://224.0.0.1/v1",
    "http://a@169.254.169.254/v1",
    "http://127.0.0.1\\@example.com/v1",
    "http://exa mple.com/v1",
    "http://example.com%2f@127.0.0.1/v1",
    "gopher://127.0.0.1/v1",
    "file:///etc/passwd",
]
"""Where nobody may send a question, however it is spelled."""
HERE = [
    "http://127.0.0.1/v1",
    "http://127.1/v1",
    "http://0x7f000001/v1",
    "http://2130706433/v1",
    "http://017700000001/v1",
    "http://[::1]/v1",
    "http://[::ffff:127.0.0.1]/v1",
    "http://[::ffff:7f00:1]/v1",
    "http://[64:ff9b::7f00:1]/v1",
    "http://localhost/v1",
    "http://a.localhost/v1",
    "http://LOCALHOST./v1",
]
"""This machine, however it is spelled."""


@pytest.mark.parametrize("url", FORBIDDEN)
def test_forbidden_addresses_are_neither_asked_nor_added(owner: Api, url: str) -> None:
    answers = [call(owner, url, accept_address=True) for call in (find, add)]

    assert [answer.status_code for answer in answers] == [400, 400], answers[0].content
    assert not AcceptedProvider.objects.exists()


@pytest.mark.parametrize("url", HERE)
def test_this_machine_is_no_admins_to_ask_or_add(olga: Api, url: str) -> None:
    answers = [call(olga, url, accept_address=True) for call in (find, add)]

    assert [answer.status_code for answer in answers] == [422, 422], answers[0].content
    assert {answer.json()["code"] for answer in answers} == {"AddressNotAllowed"}


@pytest.mark.parametrize("host", ["127.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254"])
def test_a_name_that_leads_here_is_refused_when_it_is_called(
    olga: Api, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return [host]

    monkeypatch.setattr("engine.integrations.egress.client.system_resolver", resolve)
    found = find(olga, "http://rebinding.example/v1")
    add(olga, "http://rebinding.example/v1", models=["m"])
    tried = olga.post("models/providers/acme/test/").json()

    assert "not public" in found.json()["problem"]
    assert not tried["ok"]
    assert "not public" in tried["message"]
    assert "EGRESS_ALLOW" in tried["message"]


@pytest.mark.parametrize(
    "headers",
    [{"Authorization": "x"}, {"host": "x"}, {"Proxy-Authorization": "x"}, {"A": "1", "a": "2"}],
)
def test_headers_that_are_set_here_are_refused(olga: Api, headers: dict[str, str]) -> None:
    assert add(olga, PUBLIC, headers=headers).status_code == 400
    assert find(olga, PUBLIC, headers=headers).status_code == 400


@pytest.mark.parametrize("name", ["model", "messages", "stream", "max_tokens", "n", "tools"])
def test_fields_that_questions_set_are_refused(olga: Api, name: str) -> None:
    assert add(olga, PUBLIC, extra_body={name: 1}).json()["problems"][0]["path"] == "extra_body"
    add(olga, PUBLIC, extra_body={"top_k": 4})
    assert olga.patch("models/providers/acme/", {"extra_body": {name: 1}}).status_code == 400
    assert olga.get("models/providers/acme/").json()["extra_body"] == {"top_k": 4}


def test_fields_are_refused_where_the_protocol_sends_none(olga: Api) -> None:
    answer = add(olga, "https://g.example", protocol="google", extra_body={"top_k": 4})

    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("protocol", "url", "kept"),
    [
        ("openai_chat", "https://a.example/v1/chat/completions", "https://a.example/v1"),
        ("openai_chat", "https://a.example", "https://a.example/v1"),
        ("openai_chat", "https://a.example/openai/v1/", "https://a.example/openai/v1"),
        ("openai_responses", "https://a.example/v1/responses", "https://a.example/v1"),
        ("anthropic", "https://a.example/v1/messages", "https://a.example"),
        ("anthropic", "https://a.example/v1", "https://a.example"),
        ("google", "https://a.example/v1beta", "https://a.example"),
    ],
)
def test_an_address_is_kept_as_its_protocol_wants_it(
    olga: Api, protocol: str, url: str, kept: str
) -> None:
    shown = add(olga, url, protocol=protocol).json()

    assert shown["base_url"].rstrip("/").replace(":443", "") == kept
    assert shown["protocol"] == protocol


def test_a_test_is_kept_with_its_provider(owner: Api, tmp_path: Path) -> None:
    plan: list[dict[str, Any]] = [
        {"text": "ready"},
        {"error": {"status": 401, "message": "bad key sk-acme"}},
    ]
    with running(tmp_path, plan) as base_url:
        shown = add(owner, base_url, key="sk-acme", accept_address=True).json()
        well = owner.post("models/providers/acme/test/").json()
        after = owner.get("models/providers/acme/").json()["tested"]
        badly = owner.post("models/providers/acme/test/").json()
        at_last = owner.get("models/providers/acme/").json()["tested"]

    assert shown["tested"] is None
    assert (after["model"], after["first_token_ms"]) == ("acme/fake-small", well["first_token_ms"])
    assert after["error"] == ""
    assert (badly["ok"], at_last["error"]) == (False, badly["message"])
    assert "bad key [credential]. The key was refused: set another one." in badly["message"]
    assert AuditEntry.objects.filter(entry__contains="model.tried").count() == 2


def test_a_provider_without_models_is_not_tried(olga: Api, people: People) -> None:
    answer = olga.post("models/providers/openai/test/")

    assert (answer.status_code, answer.json()["code"]) == (422, "NoModelToTry")
    assert olga.post("models/providers/nosuch/test/").status_code == 404
    assert Api(people.alice).post("models/providers/openai/test/").status_code == 403


def test_nothing_of_a_removed_provider_is_left(owner: Api, tmp_path: Path) -> None:
    free = {"*": {"input_per_million": "0", "output_per_million": "0"}}
    with running(tmp_path, []) as base_url:
        add(owner, base_url, accept_address=True, prices=free)
        owner.post("models/providers/acme/test/")
        owner.delete("models/providers/acme/")

    assert owner.get("models/prices/").json()["results"] == []
    assert not ProviderTrial.objects.exists()


def test_what_models_can_do_is_kept_and_said(owner: Api, people: People) -> None:
    can = {"small": {"tools": False, "schema": False, "images": True}}
    shown = add(owner, PUBLIC, models=["small"], capabilities=can).json()
    changed = owner.patch("models/providers/acme/", {"capabilities": {"small": {"tools": True}}})

    assert shown["capabilities"] == can
    assert changed.json()["capabilities"]["small"] == {
        "tools": True,
        "schema": True,
        "images": False,
    }


@pytest.mark.parametrize("preset", [p for p in PRESETS if p.base_url and not p.known])
def test_what_a_preset_fills_in_can_be_added(owner: Api, preset: Any) -> None:
    (told,) = [p for p in owner.get("models/presets/").json()["results"] if p["id"] == preset.id]
    answer = add(
        owner,
        told["base_url"].replace("RESOURCE", "resource"),
        protocol=told["protocol"],
        label=told["name"],
        key="k",
        accept_address=True,
    )

    assert answer.status_code == 201, answer.content
    assert answer.json()["base_url"].endswith("/v1")


def test_no_program_accepts_an_address_of_this_machine(owner: Api, people: People) -> None:
    """What shows the owner's token could be anybody's: this machine is opened by who signs in."""
    text = create_api_token(people.olga, name="script")[1]
    script = Api(None, Authorization=f"Bearer {text}")

    answers = [call(script, "http://127.0.0.1:9", accept_address=True) for call in (find, add)]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert {answer.json()["code"] for answer in answers} == {"PersonNeeded"}
    assert not AcceptedProvider.objects.exists()


def test_a_server_that_is_away_is_not_said_to_lack_a_key(owner: Api, tmp_path: Path) -> None:
    with running(tmp_path, []) as base_url:
        add(owner, base_url, accept_address=True)
    LISTS.forget()
    answer = owner.post("models/providers/acme/test/").json()

    assert answer["code"] == "NoModelToTry"
    assert answer["detail"].startswith("no connection to ")
