"""MCP servers that ask for OAuth: connected by a person, called with their tokens, renewed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from asgiref.sync import sync_to_async

from builder.adapters.tools import own_grants
from builder.adapters.tools.operator_sources import OperatorSources
from builder.adapters.tools.toolset import WorkspaceTools, listed_sources
from builder.models import AuditEntry, Credential, ToolGrant
from builder.services.audit import chain
from builder.services.tools import sources
from builder.services.tools.sources import Wanted
from engine.core.errors import NodeError
from engine.integrations.egress import Egress
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor
from tests.engine.integrations.tools.origins import origin
from tests.oauth_mcp_server import Guarded, guarded_server

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def guarded(settings: Any) -> Iterator[Guarded]:
    with guarded_server() as server:
        settings.EGRESS_ALLOW = [server.origin]
        yield server


@pytest.fixture
async def tools(people: People, door: FakeDoor, tmp_path: Any) -> AsyncIterator[WorkspaceTools]:
    made = WorkspaceTools(OperatorSources(tmp_path / "mcp.json", Egress()))
    yield made
    await made.aclose()


@pytest.fixture
async def source(guarded: Guarded, people: People, door: FakeDoor) -> None:
    await sync_to_async(sources.add_source)(people.olga, Wanted("crm", "mcp_http", guarded.url))


def consent(api: Api, **body: str) -> str:
    """Agree at the other side, and return the address that the browser is sent back to."""
    begun = api.post("tool-sources/crm/connect/", body)
    assert begun.status_code == 200, begun.content
    answer = httpx.get(begun.json()["url"])
    assert answer.status_code == 302, answer.text
    return str(answer.headers["location"])


def come_back(api: Api, address: str) -> dict[str, list[str]]:
    """Follow the way back in a browser, and return what the page is told."""
    parts = urlsplit(address)
    assert parts.path == "/settings/tools/connected"
    answer = api.client.get(f"{parts.path}?{parts.query}")
    assert answer.status_code == 302
    return parse_qs(urlsplit(answer["Location"]).query)


def connect(api: Api) -> None:
    assert come_back(api, consent(api)) == {"connected": ["crm"]}


@sync_to_async
def connected(api: Api) -> None:
    connect(api)


async def use(tools: WorkspaceTools, people: People, text: str) -> Any:
    workspace = people.olga.workspace_id
    found = await tools.own.sources(workspace, await tools.own.rows(workspace))
    tool = await found[0].find("whisper")
    assert tool is not None
    return await tool.call({"text": text}, origin(workspace_id=workspace))


async def test_a_person_connects_and_tools_are_called_with_their_token(
    guarded: Guarded, tools: WorkspaceTools, people: People, olga: Api, source: None
) -> None:
    workspace = people.olga.workspace_id
    [listed] = [s for s in (await listed_sources(tools, workspace, patience_s=20)).sources if s.own]
    assert (listed.code, listed.problem and "connect it" in listed.problem) == (
        "ToolNotConnected",
        True,
    )

    await connected(olga)

    assert await use(tools, people, "HELLO") == "hello"
    row = await ToolGrant.objects.aget()
    told = str([row async for row in AuditEntry.objects.values()])
    assert "tool_source.connected" in told
    for secret in (*guarded.access, *guarded.refresh):
        assert secret.encode() not in bytes(row.sealed)
        assert secret not in told


async def test_a_token_that_is_over_is_renewed_once_by_however_many_ask(
    guarded: Guarded, tools: WorkspaceTools, people: People, olga: Api, source: None
) -> None:
    guarded.lasts_s = 5  # within the margin: each is renewed before it is used
    await connected(olga)
    guarded.lasts_s = 3600

    said = await asyncio.gather(*(use(tools, people, text) for text in "ABC"))

    assert sorted(said) == ["a", "b", "c"]
    assert len(guarded.renewals) == 1


async def test_a_token_that_is_refused_is_renewed_and_the_call_arrives_once(
    guarded: Guarded, tools: WorkspaceTools, people: People, olga: Api, source: None
) -> None:
    await connected(olga)
    await use(tools, people, "ONE")
    guarded.forget_tokens()

    assert await use(tools, people, "TWO") == "two"
    assert guarded.calls == ["ONE", "TWO"]
    assert len(guarded.renewals) == 1


async def test_a_consent_that_is_over_is_told_and_nothing_is_left_in_doubt(
    guarded: Guarded, tools: WorkspaceTools, people: People, olga: Api, source: None
) -> None:
    await connected(olga)
    await use(tools, people, "ONE")
    guarded.end_consents()

    with pytest.raises(NodeError) as over:
        await use(tools, people, "TWO")

    assert over.value.code == "ToolNotConnected"
    assert "an admin connects it" in over.value.message
    shown = (await sync_to_async(olga.get)("tool-sources/")).json()["results"]
    [crm] = [each for each in shown if each["name"] == "crm"]
    assert crm["connection"]["ended"]
    await connected(olga)
    assert await use(tools, people, "THREE") == "three"


async def test_a_disconnected_source_is_called_no_more(
    guarded: Guarded, tools: WorkspaceTools, people: People, olga: Api, source: None
) -> None:
    await connected(olga)
    await use(tools, people, "ONE")
    tokens = [*guarded.refresh, *guarded.access]
    ended = await sync_to_async(olga.delete)("tool-sources/crm/connect/")
    assert (ended.status_code, ended.json()) == (200, {"at_issuer": "revoked"})
    assert guarded.revoked == tokens, "the refresh token first"
    with pytest.raises(NodeError, match="asks to sign in"):
        await use(tools, people, "TWO")
    assert not await ToolGrant.objects.aexists()
    again = await sync_to_async(olga.delete)("tool-sources/crm/connect/")
    assert again.json() == {"at_issuer": "nothing"}


@pytest.mark.parametrize("again", [False, True], ids=["gone", "connected again"])
async def test_a_renewal_that_a_disconnection_overtakes_leaves_no_token_behind(
    guarded: Guarded, tools: WorkspaceTools, people: People, olga: Api, source: None, again: bool
) -> None:
    guarded.lasts_s = 5  # within the margin: renewed before it is used
    await connected(olga)
    guarded.lasts_s = 3600
    guarded.answers.clear()
    using = asyncio.create_task(use(tools, people, "ONE"))
    try:
        assert await asyncio.to_thread(guarded.asked.wait, 20)
        await sync_to_async(olga.delete)("tool-sources/crm/connect/")
        renewed = {*guarded.access, *guarded.refresh}
        if again:
            await connected(olga)
        kept = {*guarded.access, *guarded.refresh} - renewed
    finally:
        guarded.answers.set()

    if again:
        assert await using == "one"
    else:
        with pytest.raises(NodeError) as over:
            await using
        assert over.value.code == "ToolNotConnected"
    assert len(renewed) == 2, "issued, and on their way while somebody disconnected"
    assert {*guarded.access, *guarded.refresh} == kept, "what came too late was given back"


async def test_removal_and_another_address_take_tokens_back_and_the_log_says_so(
    guarded: Guarded, people: People, olga: Api, source: None
) -> None:
    await connected(olga)
    await sync_to_async(olga.patch)("tool-sources/crm/", {"url": "https://x.example/mcp"})
    assert len(guarded.revoked) == 2
    await sync_to_async(olga.patch)("tool-sources/crm/", {"url": guarded.url})
    await connected(olga)

    assert (await sync_to_async(olga.delete)("tool-sources/crm/")).status_code == 204

    assert (len(guarded.revoked), guarded.access, guarded.refresh) == (4, {}, {})
    told = [chain.read(row) async for row in AuditEntry.objects.order_by("n")]
    ended = [e["action"] for e in told if e["detail"].get("at_issuer") == "revoked"]
    assert ended == ["tool_source.changed", "tool_source.removed"]
    assert not [token for token in guarded.revoked if token in str(told)]


async def test_an_issuer_that_cannot_take_back_keeps_nobody_connected(
    guarded: Guarded, people: People, olga: Api, source: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(*_: Any) -> bool:
        await asyncio.Event().wait()
        return True

    await connected(olga)
    monkeypatch.setattr(own_grants, "PATIENCE_S", 0.01)
    monkeypatch.setattr(own_grants, "revoke", hangs)

    ended = await sync_to_async(olga.delete)("tool-sources/crm/connect/")

    assert ended.json() == {"at_issuer": "failed"}
    assert not await ToolGrant.objects.aexists()


async def test_an_issuer_that_announces_nothing_is_not_asked(
    settings: Any, people: People, door: FakeDoor, olga: Api
) -> None:
    with guarded_server(revokes=False) as server:
        settings.EGRESS_ALLOW = [server.origin]
        await sync_to_async(sources.add_source)(people.olga, Wanted("crm", "mcp_http", server.url))
        await connected(olga)

        ended = await sync_to_async(olga.delete)("tool-sources/crm/connect/")

        assert (ended.json(), server.revoked) == ({"at_issuer": "not_offered"}, [])
    assert not await ToolGrant.objects.aexists()


async def test_what_comes_back_counts_in_the_browser_that_began_it_and_once(
    guarded: Guarded, people: People, olga: Api, alice: Api, source: None
) -> None:
    way = await sync_to_async(consent)(olga)
    stranger = await sync_to_async(lambda: Api(people.olga))()  # the same person in another browser
    assert await sync_to_async(come_back)(stranger, way) == {"refused": ["ConsentOver"]}
    assert await sync_to_async(come_back)(alice, way) == {"refused": ["ConsentOver"]}
    assert await sync_to_async(come_back)(olga, f"{way}x") == {"refused": ["ConsentOver"]}
    assert await sync_to_async(come_back)(olga, way) == {"refused": ["ConsentOver"]}
    assert not await ToolGrant.objects.aexists()

    guarded.declines = True
    way = await sync_to_async(consent)(olga)
    assert await sync_to_async(come_back)(olga, way) == {"refused": ["Declined"]}


async def test_another_address_ends_the_consent_and_credentials_do_not_join_it(
    guarded: Guarded, people: People, olga: Api, source: None
) -> None:
    await connected(olga)
    await sync_to_async(Credential.objects.create)(
        workspace=people.olga.workspace, name="bot", kind="bearer", hosts=["*"], ciphertext=b""
    )
    refused = await sync_to_async(olga.patch)("tool-sources/crm/", {"credential": "bot"})
    assert "disconnect it first" in refused.json()["detail"]
    moved = await sync_to_async(olga.patch)("tool-sources/crm/", {"url": "https://x.example/mcp"})
    assert moved.status_code == 200
    assert not await ToolGrant.objects.aexists()


async def test_only_admins_connect(guarded: Guarded, alice: Api, source: None) -> None:
    refused = await sync_to_async(alice.post)("tool-sources/crm/connect/", {})
    assert refused.status_code == 403
