"""OpenAPI tools as runs use them: what an agent and a tool node ask for arrives once, as asked."""

from __future__ import annotations

import json
from typing import Any

from engine.integrations.egress import AllowList, Egress
from engine.integrations.tools.openapi import OpenApiSource, read_catalog
from engine.integrations.tools.openapi.source import Api
from engine.integrations.tools.toolset import SeenDefinitions, Toolset
from tests.contract.harness import Outcome, agent, doc, run, tool
from tests.engine.integrations.tools.openapi.shop import recorded, text_of

SCRIPTED = {"shop/create_order": [{"result": 1}], "shop/getOrder": [{"result": 1}]}


async def no_credential(name: str, _url: str) -> dict[str, str]:
    return {}


def shop(url: str, *, trusted: bool = True, text: str = "") -> Toolset:
    api = Api(url, Egress(AllowList.of([url])), no_credential)
    source = OpenApiSource("shop", read_catalog(text or text_of()).operations, api)
    return Toolset([source], accepted=SeenDefinitions(["shop"] if trusted else []))


def used(graph: Any, tools: Toolset, replies: Any = None) -> Outcome:
    """Run a graph whose tools are the shop's; the script only lets the check know their names."""
    script = {"tools": SCRIPTED, **({"default": replies} if replies else {})}
    return run(graph, script, observe=lambda local: setattr(local.runner, "tools", tools))


def test_what_an_agent_calls_arrives_once_and_it_reads_the_answer() -> None:
    call = {"name": "create_order", "arguments": {"body": {"amount": 4}}}
    replies = [{"tool_calls": [call]}, {"text": "Ordered."}]
    with recorded() as api:
        done = used(
            doc([agent("buy", config={"tools": ["shop/create_order"]})]), shop(api.url), replies
        )

    [sent] = api.calls
    assert done.outputs["buy"] == "Ordered."
    assert (sent["method"], sent["path"], sent["query"]) == ("POST", "/orders", "")
    assert json.loads(sent["body"]) == {"amount": 4}
    assert sent["headers"]["idempotency-key"]


def test_an_agent_reads_the_refusal_of_the_api_and_goes_on() -> None:
    call = {"name": "getOrder", "arguments": {"id": ".."}}
    again = {"name": "getOrder", "arguments": {"id": "9"}}
    replies = [{"tool_calls": [call]}, {"tool_calls": [again]}, {"text": "There is none."}]
    with recorded() as api:
        api.status = 404
        done = used(
            doc([agent("look", config={"tools": ["shop/getOrder"]})]), shop(api.url), replies
        )

    assert done.outputs["look"] == "There is none."
    assert [sent["path"] for sent in api.calls] == ["/orders/9"]


def test_what_a_tool_node_calls_arrives_with_its_arguments() -> None:
    config = {"arguments": {"id": "a/b", "fields": ["x", "y"]}}
    with recorded() as api:
        done = used(doc([tool("look", "shop/getOrder", config=config)]), shop(api.url))

    assert done.outputs["look"] == {"status": 200, "body": {"ok": True}}
    assert [(sent["path"], sent["query"]) for sent in api.calls] == [
        ("/orders/a%2Fb", "fields=x&fields=y")
    ]


def test_a_node_stops_before_anything_is_sent_while_the_definition_is_not_accepted() -> None:
    config = {"arguments": {"id": "1"}}
    with recorded() as api:
        graph = doc([tool("look", "shop/getOrder", config=config)])
        stopped = used(graph, shop(api.url, trusted=False))

    assert stopped.code == "ToolChanged"
    assert api.calls == []
