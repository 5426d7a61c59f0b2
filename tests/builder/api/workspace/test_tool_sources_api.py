"""Sources of tools that a workspace names on the screen: added, chosen from, set, removed."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import AcceptedTool, AuditEntry, ToolSetting, ToolSource
from builder.services import catalogue
from builder.services.tools import documents, sources
from engine.core.effects import EffectClass
from engine.integrations.egress import Egress, EgressResponse
from engine.integrations.tools.protocol import ToolSpec
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor
from tests.engine.integrations.tools.openapi.shop import text_of

FIND = ToolSpec("find", "Finds.", {"type": "object"}, EffectClass.UNSAFE, "desk")
SHOP = {"name": "shop", "kind": "openapi", "document": text_of()}
DESK = {"name": "desk", "kind": "mcp_http", "url": "https://desk.example/mcp"}
CHOSEN = {"operations": ["getOrder"], "server": "https://eu.shop.example/v1"}


def actions(people: People) -> list[str]:
    rows = AuditEntry.objects.filter(workspace=people.olga.workspace_id).order_by("n")
    found = [str(row.entry).partition('"action":"')[2].partition('"')[0] for row in rows]
    return [each for each in found if each.startswith("tool")]


def test_an_api_is_added_its_operations_chosen_and_agreed_to(olga: Api, people: People) -> None:
    added = olga.post("tool-sources/", SHOP)
    listed = olga.get("tool-sources/shop/operations/").json()

    assert added.status_code == 201, added.content
    assert added.json()["url"] == "https://eu.shop.example/v1"
    assert [(each["name"], each["chosen"]) for each in listed["operations"]] == [
        ("getOrder", False),
        ("create_order", False),
    ]
    assert listed["key_headers"] == ["X-Shop-Key"]
    assert "cookie" in listed["refused"][0]["why"]
    assert olga.post("tool-sources/shop/operations/", CHOSEN).status_code == 204

    assert olga.get("tool-sources/shop/operations/").json()["operations"][0]["chosen"]
    assert list(AcceptedTool.objects.values_list("name", flat=True)) == ["shop/getOrder"]
    assert actions(people) == ["tool_source.added", "tool_source.chosen", "tool.accepted"]


def test_only_an_admin_names_sources_and_a_secret_stands_nowhere(
    olga: Api, alice: Api, people: People
) -> None:
    assert alice.post("tool-sources/", DESK).status_code == 403
    bare = olga.post("tool-sources/", DESK | {"headers": {"X-Api-Key": "s3cret"}})
    missing = olga.post("tool-sources/", DESK | {"credential": "desk"})
    assert "store it under Credentials" in bare.content.decode()
    assert "no credential 'desk'" in missing.content.decode()
    assert not ToolSource.objects.exists()

    catalogue.create_credential(
        people.olga, name="desk", kind="bearer", hosts=["desk.example"], value="s3cret"
    )
    named = DESK | {
        "credential": "desk",
        "headers": {"X-Key": {"credential": "desk"}, "X-Team": "b"},
    }
    assert olga.post("tool-sources/", named).status_code == 201

    shown = olga.get("tool-sources/desk/").json()
    assert shown["headers"] == {"X-Key": {"credential": "desk"}, "X-Team": "b"}
    assert "s3cret" not in str(shown) + str(list(AuditEntry.objects.values_list("entry")))


@pytest.mark.parametrize("name", ["python", "a__b", "-x", "x" * 33, "ä", "a/b"])
def test_a_name_that_tools_cannot_have_is_refused(olga: Api, name: str) -> None:
    assert olga.post("tool-sources/", DESK | {"name": name}).status_code == 400


def test_a_name_is_taken_once_whoever_took_it(olga: Api, door: FakeDoor) -> None:
    door.tool_specs = [FIND]
    assert olga.post("tool-sources/", DESK).json()["code"] == "ToolSourceExists"
    door.tool_specs = []
    assert olga.post("tool-sources/", DESK).status_code == 201
    assert olga.post("tool-sources/", DESK).json()["code"] == "ToolSourceExists"


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest", "http://127.0.0.1:8000", "http://localhost", "http://[::1]",
        "http://[::ffff:127.0.0.1]", "http://2130706433", "http://0x7f.1", "http://0.0.0.0",
        "file:///etc/passwd", "ftp://x.example", "http://user:pw@x.example", "gopher://x",
    ],
)  # fmt: skip
def test_an_inner_address_is_refused_wherever_it_can_be_named(olga: Api, url: str) -> None:
    olga.post("tool-sources/", SHOP)

    answers = [
        olga.post("tool-sources/", DESK | {"url": url}),
        olga.post("tool-sources/", {"name": "x", "kind": "openapi", "document_url": url}),
        olga.post("tool-sources/shop/operations/", CHOSEN | {"server": url}),
        olga.patch("tool-sources/shop/", {"url": url}),
    ]

    assert {answer.status_code for answer in answers} <= {400, 422}
    assert ToolSource.objects.get().url == "https://eu.shop.example/v1"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("<html>", "openapi.json"),
        ('{"swagger": "2.0"}', "convert it"),
        ("{" * 100_000, "nested deeper"),
        ("a: &a [*a]", "cannot be read"),
        ("", "give the document"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused_with_the_cure(
    olga: Api, document: str, said: str
) -> None:
    answer = olga.post("tool-sources/", SHOP | {"document": document})

    assert answer.status_code in {400, 422}
    assert said in answer.content.decode()
    assert not ToolSource.objects.exists()


def test_a_document_is_fetched_and_on_a_refresh_fetched_again(
    olga: Api, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = [text_of()]

    async def answer(_egress: Egress, _method: str, url: str, **_options: Any) -> EgressResponse:
        return EgressResponse(200 if text[0] else 503, {}, text[0].encode(), url)

    monkeypatch.setattr(Egress, "request", answer)
    from_there = {
        "name": "shop",
        "kind": "openapi",
        "document_url": "https://shop.example/api.json",
    }
    assert olga.post("tool-sources/", from_there).status_code == 201
    olga.post("tool-sources/shop/operations/", CHOSEN)
    [agreed] = AcceptedTool.objects.all()

    text[0] = text_of().replace("Finds an order.", "Sends mail.")
    refreshed = olga.post("tool-sources/shop/refresh/").json()

    row = ToolSource.objects.get()
    assert (refreshed["status"], refreshed["error"]) == ("ready", "")
    assert row.operations[0]["description"] == "Sends mail."
    assert AcceptedTool.objects.get().hash == agreed.hash  # not agreed to by being fetched

    text[0] = ""
    failed = olga.post("tool-sources/shop/refresh/").json()
    assert failed["status"] == "failed"
    assert "answered 503" in failed["error"]
    assert ToolSource.objects.get().operations == row.operations


def test_a_source_in_use_is_not_removed_and_says_by_whom(olga: Api, people: People) -> None:
    olga.post("tool-sources/", SHOP)
    olga.post("tool-sources/shop/operations/", CHOSEN)
    ToolSetting.objects.create(workspace=people.olga.workspace, tool="shop/getOrder", on=False)
    agent = catalogue.create_agent(
        people.alice, slug="buyer", fields={"name": "Buyer", "model": "m/x", "tools": ["shop/*"]}
    )

    refused = olga.delete("tool-sources/shop/")

    assert (refused.status_code, refused.json()["code"]) == (409, "ToolSourceInUse")
    assert refused.json()["used_by"] == [{"kind": "agent", "id": "buyer", "name": "Buyer"}]
    catalogue.delete_agent(people.alice, agent)
    assert olga.delete("tool-sources/shop/").status_code == 204
    assert not AcceptedTool.objects.exists()
    assert not ToolSetting.objects.exists()


def test_a_tool_is_set_and_shown_as_it_was_set(olga: Api, alice: Api, door: FakeDoor) -> None:
    door.tool_specs = [FIND]
    setting = {"on": False, "effect": "keyed", "timeout_s": 600}
    assert alice.post("tools/desk/find/settings/", setting).status_code == 403
    assert olga.post("tools/desk/none/settings/", setting).status_code == 404
    assert olga.post("tools/desk/find/settings/", setting | {"effect": "pure"}).status_code == 400
    assert olga.post("tools/desk/find/settings/", setting | {"timeout_s": 601}).status_code == 400
    assert olga.post("tools/desk/find/settings/", setting).status_code == 204

    [source] = olga.get("tool-sources/").json()["results"]
    [tool] = source["tools"]
    assert (tool["on"], tool["set_effect"], tool["timeout_s"]) == (False, "keyed", 600)

    assert olga.post("tools/desk/find/settings/", {}).status_code == 204
    assert not ToolSetting.objects.exists()


def test_what_was_looked_at_before_another_changed_it_is_not_chosen(
    olga: Api, people: People
) -> None:
    olga.post("tool-sources/", SHOP)
    seen = sources.own_source(people.olga.workspace_id, "shop")
    olga.patch("tool-sources/shop/", {"document": text_of(paths={})})

    with pytest.raises(Exception, match="changed meanwhile"):
        documents.choose_operations(people.olga, seen, ["getOrder"], "https://eu.shop.example")

    assert not AcceptedTool.objects.exists()


@pytest.mark.parametrize(
    "wanted",
    [
        {"name": "sh", "kind": "mcp_stdio", "command": "/bin/sh"},
        {"name": "sh", "kind": "program", "command": "/bin/sh", "args": ["-c", "id"]},
        DESK | {"command": "/bin/sh"},
        DESK | {"args": ["-c", "id"]},
    ],
)
def test_programs_are_the_operators_to_name(olga: Api, wanted: dict[str, Any]) -> None:
    refused = olga.post("tool-sources/", wanted)

    assert (refused.status_code, refused.json()["code"]) == (400, "InputInvalid")
    assert not ToolSource.objects.exists()
