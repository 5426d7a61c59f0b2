"""Every scope at every route of `/v1`, and at every tool of `/mcp`: what it does not name is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver
from mcp_types import CallToolResult

from builder.doors.called import offers
from builder.doors.called.mcp import calls
from builder.doors.called.mcp.caller import Caller
from builder.doors.called.mcp.tools import tools_of
from builder.doors.called.scopes import NARROW, TABLE, Scope
from builder.models import ApiToken, Graph, Run
from builder.services.graphs import graphs
from builder.services.people import accounts
from builder.services.people.accounts import Allowed
from builder.services.runs.runs import Start, start_run
from tests.builder.api.test_two_tenants import methods_of
from tests.builder.conftest import Api, People

V1 = [
    one
    for one in get_resolver().url_patterns
    if isinstance(one, URLPattern)
    and str(one.pattern).startswith("v1/")
    and hasattr(one.callback, "view_class")
]
TOOL = "triage"
WANTED = {TOOL: {Scope.START}, offers.RUN_STATUS: {Scope.READ, Scope.START}}
"""The tools of a workspace, and the scopes of which one is enough to see and call them."""


@pytest.fixture(autouse=True)
def offer(people: People, graph: Graph) -> None:
    """One workflow, offered to both doors."""
    graphs.publish(people.alice, graph, revision=1)
    offers.change(people.olga, graph, tool_name=TOOL, chat=True)


def token(people: People, scope: Scope) -> tuple[ApiToken, str]:
    return accounts.create_api_token(people.olga, name="ci-bot", allowed=Allowed([scope], []))


def test_v1_has_routes_and_each_is_in_the_table() -> None:
    walked = {(method.upper(), str(one.name)) for one in V1 for method in methods_of(one)}

    assert walked == {row for row in TABLE if row[1].startswith("openai")}
    assert len(walked) == 3


@pytest.mark.parametrize("scope", NARROW)
def test_a_token_gets_by_the_routes_of_v1_that_its_scope_names(
    people: People, graph: Graph, scope: Scope
) -> None:
    client = Api(None, Authorization=f"Bearer {token(people, scope)[1]}").client

    for pattern in V1:
        for method in methods_of(pattern):
            path = f"/{pattern.pattern}".replace("<str:model>", graph.slug)
            answer = client.generic(method.upper(), path, "{}", content_type="application/json")
            refused = answer.status_code == 403 and "ScopeMissing" in answer.content.decode()
            wanted = TABLE[(method.upper(), str(pattern.name))]
            assert refused is (scope not in wanted), (method, path, answer.content)
    assert not Run.objects.exists()


@pytest.mark.parametrize("scope", NARROW)
def test_a_token_sees_and_calls_the_tools_that_its_scope_names(
    people: People, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    caller = Caller(people.olga, token(people, scope)[0])
    monkeypatch.setattr(calls, "in_pool", _here)

    assert {one.name for one in tools_of(caller)} == {
        name for name, wanted in WANTED.items() if scope in wanted
    }
    for name, wanted in WANTED.items():
        code = _code_of(calls.call(caller, name, {"no-such": 1}, {}, _unheard))
        assert (code == "ScopeMissing") is (scope not in wanted), (name, code)
    assert not Run.objects.exists()


def test_what_one_workspace_offers_is_not_there_for_another(
    people: People, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tenants: the other's token may do everything at home and finds nothing of this one here."""
    row, secret = accounts.create_api_token(people.carol, name="ci-bot")
    monkeypatch.setattr(calls, "in_pool", _here)
    client = Api(None, Authorization=f"Bearer {secret}").client
    said = json.dumps({"model": graph.slug, "messages": [{"role": "user", "content": "hi"}]})
    run_id = start_run(people.alice, graph, Start(input="hi"))

    for pattern in V1:
        for method in methods_of(pattern):
            path = f"/{pattern.pattern}".replace("<str:model>", graph.slug)
            answer = client.generic(method.upper(), path, said, content_type="application/json")
            if answer.status_code == 200:
                assert answer.json()["data"] == []
            else:
                assert answer.status_code == 404, (path, answer.content)
                assert answer.json()["error"]["code"] == "model_not_found"
    assert client.get("/v1/models").status_code == 200
    caller = Caller(people.carol, row)
    assert TOOL not in {one.name for one in tools_of(caller)}
    with pytest.raises(calls.NoSuchTool):
        calls.call(caller, TOOL, {"n": 1}, {}, _unheard).send(None)
    look = calls.call(caller, offers.RUN_STATUS, {"run": run_id}, {}, _unheard)
    assert _code_of(look) == "RunNotFound"
    assert Run.objects.count() == 1


def _code_of(call: Coroutine[Any, Any, CallToolResult]) -> str:
    """Return why a call is refused: it waits for nothing, so that it needs no event loop."""
    with pytest.raises(StopIteration) as came:
        call.send(None)
    return str(came.value.value.structured_content["error"]["code"])


async def _here(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


async def _unheard(_looks: float) -> None:
    pass
