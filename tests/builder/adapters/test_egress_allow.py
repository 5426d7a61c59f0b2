"""What a workspace may allow beyond the public web, and what that changes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from builder.adapters.egress import (
    allowed_origins,
    egress_of,
    model_egress,
    scaled,
    workspace_egress,
)
from builder.models import Workspace
from engine.integrations.egress import AllowList, Egress, EgressRefused, Origin, parse_target
from engine.integrations.egress.origins import is_unheard
from engine.integrations.egress.purposes import PURPOSES
from tests.builder.conftest import Api, People

HERE = [
    "http://127.0.0.1:9000",
    "http://localhost:9000",
    "http://LOCALHOST.:9000",
    "http://127.1:80",
    "http://2130706433",
    "http://0x7f000001",
    "http://[::1]:9000",
    "http://[::ffff:127.0.0.1]",
    "http://0.0.0.0",
    "http://api.localhost",
    "http://169.254.169.254",
    "http://[fe80::1]",
    "http://[64:ff9b::a9fe:a9fe]",
    "http://100.100.100.200",
    "http://168.63.129.16",
    "http://[2002:7f00:1::]",
]
UNCLEAR = [
    "*",
    "http://0177.0.0.1",
    "http://*.example.com",
    "ftp://a.example",
    "10.0.0.5",
    "http://10.0.0.5/path",
]


def allow(olga: Api, *urls: str) -> Any:
    return olga.patch("workspace/", {"settings": {"egress_allow": list(urls)}})


@pytest.mark.parametrize("url", [*HERE, *UNCLEAR])
def test_what_is_the_operators_to_allow_is_refused_and_says_so(olga: Api, url: str) -> None:
    answer = allow(olga, "http://10.0.0.5:8080", url)

    assert answer.status_code == 400, answer.content
    assert "settings.egress_allow[1]" in answer.content.decode()
    if url in HERE:
        assert "EGRESS_ALLOW" in answer.json()["detail"]


@pytest.mark.parametrize(
    "url", ["http://10.0.0.5:8080", "https://wiki.example", "http://[fd00::7]:9000"]
)
def test_private_addresses_may_be_named(olga: Api, url: str) -> None:
    assert allow(olga, url).status_code == 200


def test_what_the_operator_allows_may_be_named(olga: Api, settings: Any) -> None:
    settings.EGRESS_ALLOW = ["http://127.0.0.1:9000"]

    assert allow(olga, "http://127.0.0.1:9000").status_code == 200
    assert allow(olga, "http://127.0.0.1:9001").status_code == 400


def vet(workspace: Workspace, url: str, *addresses: str) -> None:
    async def names(_host: str, _port: int) -> list[str]:
        return list(addresses)

    async def ask() -> None:
        egress = await workspace_egress(workspace.pk)
        await Egress(egress.allow, names).vet(url)

    asyncio.run(ask())


@pytest.mark.django_db(transaction=True)
def test_entries_count_at_each_call_for_their_own_workspace_only(people: People) -> None:
    home, away = people.olga.workspace, people.carol.workspace
    Workspace.objects.filter(pk=home.pk).update(
        settings={"egress_allow": ["http://wiki.internal:8080"]}
    )

    vet(home, "http://wiki.internal:8080/x", "10.0.0.5")
    with pytest.raises(EgressRefused):
        vet(home, "http://wiki.internal:8081/x", "10.0.0.5")
    with pytest.raises(EgressRefused):
        vet(away, "http://wiki.internal:8080/x", "10.0.0.5")


@pytest.mark.parametrize("url", ["notice=http://10.0.0.5:8080", "model=https://llm.internal"])
def test_an_address_may_be_named_for_one_thing_alone(olga: Api, url: str) -> None:
    assert allow(olga, url).status_code == 200


@pytest.mark.parametrize(
    "url", ["gossip=http://10.0.0.5:8080", "notice=http://127.0.0.1:9000", "notice=", "=http://a.b"]
)
def test_what_is_named_for_one_thing_is_judged_like_the_rest(olga: Api, url: str) -> None:
    assert allow(olga, url).status_code == 400


def test_what_a_workspace_allows_for_one_thing_is_closed_to_others(people: People) -> None:
    home = people.olga.workspace
    kept = ["model=http://10.0.0.5:8080", "http://10.0.0.6:8080"]
    Workspace.objects.filter(pk=home.pk).update(settings={"egress_allow": kept})
    llm = Origin("http", "10.0.0.5", 8080)
    both = Origin("http", "10.0.0.6", 8080)

    found = {purpose: allowed_origins(home.pk, purpose) for purpose in PURPOSES}

    assert {purpose for purpose in PURPOSES if llm in found[purpose]} == {"model"}
    assert all(both in origins for origins in found.values())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"])
def test_name_that_leads_to_this_machine_is_not_called(people: People, address: str) -> None:
    home = people.olga.workspace
    kept = ["http://wiki.internal:8080", "http://127.0.0.1:8080", "*", "nonsense"]
    Workspace.objects.filter(pk=home.pk).update(settings={"egress_allow": kept})

    for url in ("http://wiki.internal:8080/x", "http://127.0.0.1:8080/x"):
        with pytest.raises(EgressRefused):
            vet(home, url, address)


@pytest.mark.django_db(transaction=True)
def test_what_the_operator_allows_for_models_is_closed_to_requests_of_nodes(
    people: People, settings: Any
) -> None:
    settings.EGRESS_ALLOW = ["model=http://ollama.lan:11434"]

    async def names(_host: str, _port: int) -> list[str]:
        return ["10.0.0.5"]

    async def ask(reach: Any) -> None:
        egress = await reach(people.olga.workspace_id)
        await Egress(egress.allow, names).vet("http://ollama.lan:11434/v1")

    asyncio.run(ask(model_egress))
    with pytest.raises(EgressRefused):
        asyncio.run(ask(workspace_egress))


def test_where_processes_run_apart_only_the_operator_opens_what_is_private(
    olga: Api, people: People, settings: Any
) -> None:
    near, public = "http://10.0.0.5:8080", "http://93.184.216.34:8080"
    workspace = people.olga.workspace_id
    assert allow(olga, near, public).status_code == 200
    settings.EGRESS_ALLOW = ["http://10.0.0.6:8080"]

    def reaches(url: str) -> bool:
        more = AllowList(frozenset({parse_target(url).origin}))
        egress = egress_of(workspace, "model")
        for each in (egress, egress.allowing(more)):
            try:
                asyncio.run(each.vet(url))
            except EgressRefused:
                return False
        return True

    assert reaches(near)
    with scaled():
        assert not reaches(near)
        assert reaches(public), "ports of public hosts are the workspace's"
        assert reaches("http://10.0.0.6:8080")
        assert Origin("http", "10.0.0.5", 8080) not in allowed_origins(workspace, "notice")
        refused = allow(olga, near)
        assert (refused.status_code, "EGRESS_ALLOW" in refused.json()["detail"]) == (400, True)
        assert allow(olga, public, "http://10.0.0.6:8080").status_code == 200
        source = {"name": "near", "kind": "mcp_http", "url": f"{near}/mcp"}
        assert olga.post("tool-sources/", source).json()["code"] == "AddressNotAllowed"
        server = {"id": "near", "base_url": near, "models": ["m"], "accept_address": True}
        for url in (near, "http://127.0.0.1:9"):
            added = olga.post("models/providers/", {**server, "base_url": url})
            assert added.json()["code"] == "AddressNotAllowed", added.content
    assert not reaches(near), "the entry is gone"


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://firm.example/x", True),
        ("http://localhost:9400", True),
        ("http://127.1:9400", True),
        ("http://[::1]:9400", True),
        ("http://firm.example", False),
        ("http://api.localhost", False),
        ("http://10.0.0.5", False),
        ("http://localhost@firm.example", False),
        ("ftp://localhost", False),
        ("http://localhost\\@firm.example", False),
        ("", False),
    ],
)
def test_what_is_sent_in_the_clear_stays_on_this_machine(url: str, *, safe: bool) -> None:
    assert is_unheard(url) is safe
