"""A workspace's own sources as its runs use them: from the row to the call that arrives."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.adapters.tools.operator_sources import OperatorSources
from builder.adapters.tools.toolset import WorkspaceTools, listed_sources
from builder.models import Credential, Membership, ToolSetting, ToolSource
from builder.services import catalogue
from builder.services.tools import documents, sources
from builder.services.tools.sources import Wanted
from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.values.json import freeze
from engine.integrations.egress import Egress, EgressRefused
from tests.builder.conftest import People
from tests.builder.fakes import FakeDoor
from tests.engine.integrations.tools.mcp_sources import a_server
from tests.engine.integrations.tools.openapi.shop import Recorder, recording, text_of
from tests.engine.integrations.tools.origins import origin
from tests.engine.integrations.tools.test_mcp_http import loopback

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture
async def shop(settings: Any) -> AsyncIterator[Recorder]:
    """An API on loopback, which the operator allows."""
    async with recording() as recorder:
        settings.EGRESS_ALLOW = [recorder.url]
        yield recorder


@pytest.fixture
async def tools(people: People, door: FakeDoor, tmp_path: Any) -> AsyncIterator[WorkspaceTools]:
    """The tools of workspaces, without a file of the operator."""
    made = WorkspaceTools(OperatorSources(tmp_path / "mcp.json", Egress()))
    yield made
    await made.aclose()


@sync_to_async
def add_shop(member: Membership, url: str, **fields: Any) -> ToolSource:
    row = sources.add_source(member, Wanted("shop", "openapi", document=text_of(), **fields))
    documents.choose_operations(member, row, ["getOrder", "create_order"], url)
    return ToolSource.objects.get(pk=row.pk)


async def call(tools: WorkspaceTools, member: Membership, name: str, **arguments: Any) -> Any:
    tool = await tools.find(name, workspace_id=member.workspace_id)
    assert tool is not None, name
    return await tool.call(freeze(arguments), origin(workspace_id=member.workspace_id))


async def test_a_chosen_operation_is_called_with_the_credential_that_is_stored_then(
    shop: Recorder, tools: WorkspaceTools, people: People
) -> None:
    await sync_to_async(catalogue.create_credential)(
        people.olga, name="bot", kind="bearer", hosts=["127.0.0.1"], value="s3cret"
    )
    await add_shop(people.olga, f"{shop.url}/v1", credential="bot")

    answer = await call(tools, people.olga, "shop/create_order", body={"amount": 3})

    [sent] = shop.calls
    assert answer == {"status": 200, "body": {"ok": True}}
    assert (sent["method"], sent["path"]) == ("POST", "/v1/orders")
    assert json.loads(sent["body"]) == {"amount": 3}
    assert sent["headers"]["authorization"] == "Bearer s3cret"
    await sync_to_async(Credential.objects.update)(hosts=["other.example"])
    with pytest.raises(NodeError, match="not bound to"):
        await call(tools, people.olga, "shop/getOrder", id="1")
    assert len(shop.calls) == 1


async def test_another_workspace_has_no_part_in_it(
    shop: Recorder, tools: WorkspaceTools, people: People
) -> None:
    await add_shop(people.olga, shop.url)

    assert await tools.find("shop/getOrder", workspace_id=people.carol.workspace_id) is None
    assert await tools.expand("shop/*", workspace_id=people.carol.workspace_id) == []


async def test_an_address_that_nobody_allows_is_not_called_whatever_the_row_says(
    shop: Recorder, tools: WorkspaceTools, people: People, settings: Any
) -> None:
    await add_shop(people.olga, shop.url)
    settings.EGRESS_ALLOW = []

    with pytest.raises(EgressRefused):
        await call(tools, people.olga, "shop/getOrder", id="1")
    assert shop.calls == []


async def test_what_is_set_of_a_tool_holds_from_the_next_call_on(
    shop: Recorder, tools: WorkspaceTools, people: People
) -> None:
    await add_shop(people.olga, shop.url)
    workspace = people.olga.workspace
    create = sync_to_async(ToolSetting.objects.create)
    await create(workspace=workspace, tool="shop/create_order", effect="keyed")
    tool = await tools.find("shop/create_order", workspace_id=workspace.pk)
    assert tool is not None
    assert tool.spec.effect_class is EffectClass.KEYED

    await create(workspace=workspace, tool="shop/getOrder", on=False)

    with pytest.raises(NodeError, match="switched off"):
        await call(tools, people.olga, "shop/getOrder", id="1")
    offered = await tools.expand("shop/*", workspace_id=workspace.pk)
    assert [spec.name for spec in offered] == ["create_order"]


async def test_a_definition_that_changes_stops_calls_until_it_is_accepted_again(
    shop: Recorder, tools: WorkspaceTools, people: People
) -> None:
    row = await add_shop(people.olga, shop.url)
    await call(tools, people.olga, "shop/getOrder", id="1")
    changed = text_of().replace("Finds an order.", "Sends mail.")

    await sync_to_async(sources.change_source)(people.olga, row, {"document": changed})

    with pytest.raises(NodeError) as stopped:
        await call(tools, people.olga, "shop/getOrder", id="1")
    assert stopped.value.code == "ToolChanged"
    assert len(shop.calls) == 1
    row = await sync_to_async(ToolSource.objects.get)()
    await sync_to_async(documents.choose_operations)(people.olga, row, ["getOrder"], shop.url)
    await call(tools, people.olga, "shop/getOrder", id="1")
    assert len(shop.calls) == 2


async def test_an_approval_of_a_call_holds_for_one_server_and_one_effect(
    shop: Recorder, tools: WorkspaceTools, people: People
) -> None:
    """Neither is part of what was accepted, and both may change while people think."""
    row = await add_shop(people.olga, shop.url)
    create = sync_to_async(ToolSetting.objects.create)

    async def of_now() -> tuple[str, str]:
        tool = await tools.find("shop/create_order", workspace_id=people.olga.workspace_id)
        assert tool is not None
        return tool.spec.hash, tool.spec.binding

    first = await of_now()
    await sync_to_async(sources.change_source)(
        people.olga, row, {"url": "https://elsewhere.example/v1"}
    )
    moved = await of_now()
    await create(workspace=people.olga.workspace, tool="shop/create_order", effect="keyed")
    settled = await of_now()

    assert len({each[0] for each in (first, moved, settled)}) == 1
    assert len({each[1] for each in (first, moved, settled)}) == 3


async def test_an_mcp_server_is_listed_by_its_address_and_gone_with_its_row(
    tools: WorkspaceTools, people: People, settings: Any
) -> None:
    async with loopback(a_server()) as url:
        settings.EGRESS_ALLOW = [url]
        row = await sync_to_async(sources.add_source)(
            people.olga, Wanted("desk", "mcp_http", url=url)
        )
        found = await listed_sources(tools, people.olga.workspace_id, patience_s=20)
        [desk] = [each for each in found.sources if each.name == "desk"]
        with pytest.raises(NodeError) as unread:
            await call(tools, people.olga, "desk/add", a=1, b=2)

        assert (desk.kind, desk.own, desk.where) == ("http", True, url)
        assert "add" in [spec.name for spec in desk.tools]
        assert unread.value.code == "ToolChanged"
        await sync_to_async(row.delete)()
        assert await tools.find("desk/add", workspace_id=people.olga.workspace_id) is None
