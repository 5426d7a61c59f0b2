"""Agents, credentials, tools, models, node types."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from builder.adapters.graph_source import agent_spec
from builder.base import vault
from builder.models import Agent, AuditEntry, Credential, Graph, ProviderPause
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People

SECRET = "sk-very-secret-value"


def test_node_types_and_functions_are_described(alice: Api) -> None:
    types = alice.get("node-types/").json()["results"]

    assert [each["type"] for each in types[:4]] == ["agent", "router", "approval", "output"]

    assert {"agent", "approval", "function"} <= {t["type"] for t in types}
    assert all(t["config_schema"]["type"] == "object" for t in types)
    assert alice.get("functions/").status_code == 200


def test_an_agent_lives_its_life(alice: Api) -> None:
    made = alice.post("agents/", {"id": "helper", "tools": ["add"], "temperature": 1})
    changed = alice.patch("agents/helper/", {"system_prompt": "Be brief.", "temperature": None})

    assert made.status_code == 201
    assert made.json()["model"] == "local/default"
    assert changed.json()["temperature"] is None
    assert changed.json()["tools"] == ["add"]
    assert alice.post("agents/", {"id": "helper"}).json()["code"] == "AgentExists"
    assert alice.delete("agents/helper/").status_code == 204
    assert alice.get("agents/helper/").status_code == 404


def test_an_agent_keeps_when_people_are_asked_before_its_calls(alice: Api, people: People) -> None:
    rule = {"when": "always", "editable": ["amount"], "eligible": ["user:bob"]}
    alice.post("agents/", {"id": "refunder", "tools": ["pay"], "ask": {"pay": rule}})
    row = Agent.objects.get(slug="refunder")

    assert alice.get("agents/refunder/").json()["ask"] == {"pay": rule}
    assert agent_spec(row).ask["pay"].eligible == ("user:bob",)

    alice.patch("agents/refunder/", {"ask": {}})
    assert alice.get("agents/refunder/").json()["ask"] == {}


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ({"when": "sometimes"}, "ask.pay.when"),
        ({"when": "expression"}, "ask.pay"),
        ({"eligible": ["bob"]}, "ask.pay.eligible[0]"),
        ({"timeout_ms": 0}, "ask.pay.timeout_ms"),
        ({"expression": "x" * 9_000, "when": "expression"}, "ask.pay.expression"),
        ({"weather": "fine"}, "ask.pay.weather"),
    ],
)
def test_a_rule_of_asking_that_cannot_be_is_refused(
    alice: Api, rule: dict[str, Any], place: str
) -> None:
    refused = alice.post("agents/", {"id": "refunder", "ask": {"pay": rule}})

    assert refused.status_code == 400
    assert [problem["path"] for problem in refused.json()["problems"]] == [place]


def test_an_agent_that_a_live_graph_uses_stays(alice: Api, people: People, graph: Graph) -> None:
    alice.post("agents/", {"id": "writer"})
    graphs.publish(people.alice, graph, revision=1)

    assert alice.get("agents/writer/").json()["used_by"] == [graph.pk]
    assert alice.delete("agents/writer/").json()["code"] == "AgentInUse"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"id": "1x"},
        {"id": "a b"},
        {"id": "a", "temperature": 3},
        {"id": "a", "max_output_tokens": 0},
        {"id": "a", "tools": "add"},
        {"id": "a", "permissions": {"read": []}},
        {"id": "a", "used_by": []},
        {"id": "a", "system_prompt": "\x00"},
    ],
)
def test_a_malformed_agent_is_400(alice: Api, body: dict[str, Any]) -> None:
    assert alice.post("agents/", body).status_code == 400


def test_a_credential_is_sealed_and_never_shown(olga: Api) -> None:
    made = olga.post(
        "credentials/", {"name": "mail", "hosts": ["api.example.com"], "value": SECRET}
    )

    assert made.status_code == 201
    assert SECRET not in made.content.decode()
    assert SECRET not in olga.get("credentials/").content.decode()
    row = Credential.objects.get()
    assert vault.unseal(bytes(row.ciphertext), row.pk) == SECRET
    with pytest.raises(vault.VaultLocked):
        vault.unseal(bytes(row.ciphertext), "another row")
    assert SECRET not in "".join(AuditEntry.objects.values_list("entry", flat=True))
    with connection.cursor() as cursor:
        cursor.execute("SELECT ciphertext FROM builder_credential")
        assert SECRET.encode() not in bytes(cursor.fetchone()[0])


def test_a_credential_goes_to_new_hosts_only_with_its_value(olga: Api) -> None:
    made = olga.post("credentials/", {"name": "a", "hosts": ["a.example.com"], "value": SECRET})
    path = f"credentials/{made.json()['id']}/"

    assert olga.patch(path, {"hosts": ["evil.example.net"]}).status_code == 400
    assert olga.patch(path, {"hosts": ["b.example.com"], "value": "new"}).status_code == 200
    assert olga.patch(path, {"name": "b"}).json()["name"] == "b"
    assert olga.delete(path).status_code == 204


@pytest.mark.parametrize("host", ["", "http://a", "a/b", "*", "a b", "user@host"])
def test_what_is_no_host_is_refused(olga: Api, host: str) -> None:
    body = {"name": "a", "hosts": [host], "value": "x"}

    assert olga.post("credentials/", body).status_code == 400


def test_a_pause_ends_with_the_key_that_it_was_asked_of(olga: Api, people: People) -> None:
    def paused() -> list[str]:
        return list(ProviderPause.objects.values_list("provider", flat=True))

    def pause() -> None:
        for name in ("openai", "other"):
            ProviderPause.objects.update_or_create(
                workspace=people.olga.workspace, provider=name, defaults={"until": 2**50}
            )

    key = {"name": "openai", "kind": "api_key", "hosts": ["api.openai.com"], "value": SECRET}
    pause()
    made = olga.post("credentials/", key)
    assert (made.status_code, paused()) == (201, ["other"])
    path = f"credentials/{made.json()['id']}/"
    for change in ({"value": "another"}, {"name": "openai"}, None):
        pause()
        done = olga.delete(path) if change is None else olga.patch(path, change)
        assert done.status_code < 300, done.content
        assert paused() == ["other"], change


def test_authors_see_credentials_but_do_not_make_them(alice: Api) -> None:
    assert alice.get("credentials/").status_code == 200
    body = {"name": "a", "hosts": ["a.example.com"], "value": "x"}
    assert alice.post("credentials/", body).status_code == 403


def test_the_built_in_model_is_always_there(olga: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    seen = olga.get("models/").json()

    assert seen["default_model"] == seen["models"][0]["id"] == "builtin/extractive"
    assert [f["id"] for f in seen["found"] if f["source"] == "environment"] == [
        "environment-openai"
    ]
    assert SECRET not in str(seen)


@pytest.mark.django_db(transaction=True)
def test_a_found_provider_is_used_once_an_admin_accepts_it(
    olga: Api, alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    body = {"id": "environment-openai"}

    assert alice.post("models/accept/", body).status_code == 403
    assert not any(m["provider"] == "openai" for m in olga.get("models/").json()["models"])
    accepted = olga.post("models/accept/", body)

    assert accepted.status_code == 200
    assert any(m["provider"] == "openai" for m in accepted.json()["models"])
    assert olga.post("models/accept/", {"id": "loopback-1"}).status_code == 404
