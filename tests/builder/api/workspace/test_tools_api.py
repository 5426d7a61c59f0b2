"""Tools of a workspace: one name everywhere, agreement to definitions, sources and their users."""

from __future__ import annotations

from typing import Any

from builder.adapters.tools.acceptance import is_accepted
from builder.models import AcceptedTool, AuditEntry
from builder.services import catalogue
from builder.services.graphs import graphs
from engine.core.effects import EffectClass
from engine.integrations.tools.protocol import ToolSpec
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor

LOG = ToolSpec("git_log", "Shows the log.", {"type": "object"}, EffectClass.READ, "git")
FIND = ToolSpec("find", "Finds.", {"type": "object"}, EffectClass.UNSAFE, "shop")
TWIN = ToolSpec("find", "Finds files.", {"type": "object"}, EffectClass.READ, "disk")


def shown(api: Api, name: str) -> dict[str, Any]:
    sources = api.get("tool-sources/").json()["results"]
    return next(t for source in sources for t in source["tools"] if t["name"] == name)


def test_a_tool_is_accepted_under_the_name_that_the_engine_asks_for(
    olga: Api, people: People, door: FakeDoor
) -> None:
    door.tool_specs = [LOG]
    workspace = people.olga.workspace_id
    assert [tool["name"] for tool in olga.get("tools/").json()["results"]] == ["git/git_log"]
    assert not is_accepted(workspace, LOG, False)

    assert olga.post("tools/git/git_log/accept/", {"hash": LOG.hash}).status_code == 204

    assert is_accepted(workspace, LOG, False)
    assert shown(olga, "git/git_log")["state"] == "accepted"
    assert olga.get("tools/").json()["results"][0]["accepted"]


def test_a_changed_definition_is_shown_with_the_former_and_usable_again_once_accepted(
    olga: Api, people: People, door: FakeDoor
) -> None:
    door.tool_specs = [FIND]
    olga.post("tools/shop/find/accept/", {"hash": FIND.hash})
    changed = ToolSpec("find", "Sends mail.", FIND.parameters, EffectClass.UNSAFE, "shop")
    door.tool_specs = [changed]

    tool = shown(olga, "shop/find")
    assert (tool["state"], tool["accepted"]) == ("changed", False)
    assert (tool["before"]["description"], tool["description"]) == ("Finds.", "Sends mail.")
    refused = olga.post("tools/shop/find/accept/", {"hash": FIND.hash})
    assert refused.json()["code"] == "ContentChanged"
    assert not is_accepted(people.olga.workspace_id, changed, False)

    assert olga.post("tools/shop/find/accept/", {"hash": changed.hash}).status_code == 204
    assert is_accepted(people.olga.workspace_id, changed, False)


def test_two_sources_with_one_tool_name_are_two_tools(
    olga: Api, people: People, door: FakeDoor
) -> None:
    door.tool_specs = [FIND, TWIN]

    assert olga.post("tools/disk/find/accept/", {"hash": TWIN.hash}).status_code == 204

    states = {t["name"]: t["accepted"] for t in olga.get("tools/").json()["results"]}
    assert states == {"shop/find": False, "disk/find": True}
    assert not is_accepted(people.olga.workspace_id, FIND, False)


def test_a_trusted_source_is_accepted_until_it_changes_or_is_withdrawn(
    olga: Api, people: People, door: FakeDoor
) -> None:
    door.tool_specs, door.trusted = [LOG], {"git"}
    workspace = people.olga.workspace_id
    assert shown(olga, "git/git_log")["state"] == "accepted"
    assert is_accepted(workspace, LOG, True)

    assert olga.post("tools/git/git_log/withdraw/").status_code == 204

    assert shown(olga, "git/git_log")["state"] == "withdrawn"
    assert not is_accepted(workspace, LOG, True)
    assert olga.post("tools/git/git_log/accept/", {"hash": LOG.hash}).status_code == 204
    assert is_accepted(workspace, LOG, True)
    entries = AuditEntry.objects.filter(workspace=workspace).values_list("entry", flat=True)
    assert "tool.withdrawn" in str(list(entries))


def test_all_tools_of_a_source_are_accepted_as_they_were_looked_at_or_none(
    olga: Api, alice: Api, people: People, door: FakeDoor
) -> None:
    blame = ToolSpec("git_blame", "Blames.", {"type": "object"}, EffectClass.READ, "git")
    door.tool_specs = [LOG, blame]
    hashes = {"git_log": LOG.hash, "git_blame": blame.hash}

    assert alice.post("tool-sources/git/accept/", {"hashes": hashes}).status_code == 403
    stale = olga.post("tool-sources/git/accept/", {"hashes": {**hashes, "git_log": "0" * 64}})
    assert stale.json()["code"] == "ContentChanged"
    assert not AcceptedTool.objects.exists()

    assert olga.post("tool-sources/git/accept/", {"hashes": hashes}).status_code == 204
    assert is_accepted(people.olga.workspace_id, blame, False)
    assert is_accepted(people.olga.workspace_id, LOG, False)


def test_a_source_that_fails_is_listed_with_its_problem(olga: Api, door: FakeDoor) -> None:
    door.silent = {"files": "files cannot be reached: no such program"}
    door.file_problem = "mcp.json is not readable as JSON: line 3"

    answer = olga.get("tool-sources/").json()

    listed = {source["name"]: source for source in answer["results"]}
    assert (listed["files"]["state"], listed["python"]["state"]) == ("failed", "ready")
    assert "no such program" in listed["files"]["problem"]
    assert answer["file_problem"].startswith("mcp.json")
    unknown = olga.post("tools/files/read/accept/", {"hash": "0" * 64})
    assert unknown.status_code == 404
    assert "no such program" in unknown.json()["detail"]


def test_installed_functions_need_no_agreement_and_take_none(olga: Api, door: FakeDoor) -> None:
    [add] = olga.get("tools/").json()["results"]
    assert (add["name"], add["accepted"]) == ("add", True)
    assert olga.post("tools/python/add/accept/", {"hash": add["hash"]}).status_code == 404
    assert olga.post("tools/python/add/withdraw/").status_code == 404


def test_a_tool_says_who_uses_it(olga: Api, people: People, door: FakeDoor) -> None:
    door.tool_specs = [FIND, TWIN, LOG]
    document = {
        "id": "search",
        "name": "Search",
        "nodes": [{"id": "look", "type": "tool", "config": {"tool_id": "find"}}],
        "edges": [{"source": "__start__", "target": "look"}],
    }
    graph = graphs.import_graph(people.alice, document)
    graphs.publish(people.alice, graph, revision=graph.revision)
    catalogue.create_agent(people.alice, slug="clerk", fields={"name": "C", "tools": ["disk/*"]})

    assert [each["name"] for each in shown(olga, "shop/find")["graphs"]] == ["Search"]
    assert shown(olga, "disk/find")["graphs"] == []
    assert shown(olga, "disk/find")["agents"] == ["clerk"]
    assert shown(olga, "git/git_log")["agents"] == []
