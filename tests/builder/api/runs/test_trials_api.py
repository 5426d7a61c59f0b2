"""Test runs over HTTP with the real engine: pins, breakpoints, one node alone."""

from __future__ import annotations

import time
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from builder.models import AuditEntry, Graph, Interrupt, Outbox, Pin, Run
from builder.process.engine_thread import EmbeddedEngine
from builder.services.graphs import graphs
from tests.builder.conftest import Api, People
from tests.builder.talk import engine, function, question, seen

__all__ = ["engine", "seen"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
POST = {
    "id": "post",
    "type": "http_request",
    "human_description": "Posts it.",
    "config": {"url": "https://x.example/y", "method": "POST"},
}


def out(id: str, value: str) -> dict[str, Any]:
    return {"id": id, "type": "output", "config": {"value": value}, "human_description": "Says it."}


def drawn(people: People, *nodes: dict[str, Any]) -> Graph:
    ids = ["__start__", *(node["id"] for node in nodes)]
    edges = [{"source": a, "target": b} for a, b in zip(ids, ids[1:], strict=False)]
    document = {"graphwright": 1, "id": "try", "name": "Try", "nodes": [*nodes], "edges": edges}
    return graphs.import_graph(people.alice, document)


def start(api: Api, graph: Graph, **body: Any) -> Any:
    answer = api.post(f"graphs/{graph.pk}/runs/", {"draft": True, **body})
    assert answer.status_code == 201 or answer.json()["code"] != "GraphHasErrors", answer.content
    return answer


def rests(run_id: str, *statuses: str) -> Run:
    for _ in range(400):
        run = Run.objects.get(pk=run_id)
        if run.status in statuses:
            return run
        time.sleep(0.02)
    raise AssertionError(f"{run.status} and not one of {statuses}: {run.error}")


def completions(api: Api, run_id: str) -> dict[str, dict[str, Any]]:
    events = api.get(f"runs/{run_id}/events/?limit=1000").json()["events"]
    return {e["node"]: e for e in events if e["type"] == "NodeCompleted"}


async def test_what_a_run_left_is_pinned_and_stands_in(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        api = Api(people.alice)
        graph = drawn(people, out("a", "6 * 7"), out("b", "'so'"))
        first = start(api, graph).json()["id"]
        rests(first, "completed")

        at = f"graphs/{graph.pk}/pins/"
        pinned = api.post(at, {"node": "a", "run": first})
        assert (pinned.status_code, pinned.json()["value"]["output"]) == (201, 42)
        plain, trial = start(api, graph).json()["id"], start(api, graph, pins=True).json()["id"]
        rests(plain, "completed")
        rests(trial, "completed")
        assert "pinned" not in completions(api, plain)["a"]
        assert completions(api, trial)["a"]["pinned"] is True
        assert "pinned" not in completions(api, trial)["b"]
        version = api.post(f"graphs/{graph.pk}/publish/", {"revision": graph.revision})
        assert version.status_code == 201
        refused = start(api, graph, draft=False, pins=True)
        assert (refused.status_code, refused.json()["code"]) == (422, "TestOnly")
        assert b"42" not in api.get(f"graphs/{graph.pk}/export/").content
        assert api.delete(f"{at}a/").status_code == 204
        assert api.delete(f"{at}a/").status_code == 204
        told = " ".join(str(each.entry) for each in AuditEntry.objects.order_by("n"))
        assert (told.count("pin.set"), told.count("pin.cleared")) == (1, 1)

    await act()


async def test_the_newest_result_is_pinned_where_the_run_has_none(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        api = Api(people.alice)
        graph = drawn(people, out("a", "6 * 7"), out("b", "'so'"))
        whole = start(api, graph).json()["id"]
        rests(whole, "completed")
        lone = start(api, graph, only="b", given={"previous": 1}).json()["id"]
        rests(lone, "completed")

        at = f"graphs/{graph.pk}/pins/"
        pinned = api.post(at, {"node": "a", "run": lone})

        assert (pinned.status_code, pinned.json()["value"]["output"]) == (201, 42)
        assert api.post(at, {"node": "gone", "run": lone}).json()["code"] == "NoResult"

    await act()


async def test_what_does_not_fit_is_not_pinned(people: People, engine: EmbeddedEngine) -> None:
    @sync_to_async
    def act() -> None:
        api = Api(people.alice)
        graph = drawn(people, function("a", "plain", write_keys=["x"]), question("q"))
        for node, body, code in (
            ("a", {"output": 1, "writes": {"y": 1}}, "PinDoesNotFit"),
            ("q", {"output": "yes"}, "PinDoesNotFit"),
            ("gone", {"output": 1}, "PinDoesNotFit"),
            ("a", {"output": "x" * 300_000}, "PinTooLarge"),
        ):
            refused = api.post(f"graphs/{graph.pk}/pins/", {"node": node, **body})
            assert (refused.status_code, refused.json()["code"]) == (422, code)
        assert not Pin.objects.exists()

    await act()


async def test_a_breakpoint_is_the_starters_and_in_no_inbox(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        alice, olga = Api(people.alice), Api(people.olga)
        graph = drawn(people, out("a", "6 * 7"), out("b", "'so'"))
        run_id = start(alice, graph, breakpoints=["b"]).json()["id"]
        run = rests(run_id, "waiting")
        assert run.waiting_for == '["breakpoint: b"]'
        assert not Interrupt.objects.exists()
        assert not Outbox.objects.filter(topic="mail").exists()
        opened = alice.get(f"runs/{run_id}/events/").json()["events"][-1]
        assert (opened["type"], opened["kind"]) == ("InterruptOpened", "breakpoint")

        at, body = f"runs/{run_id}/breakpoint/", {"request_id": opened["request_id"]}
        others = olga.post(at, {**body, "decision": "stop"})
        assert (others.status_code, others.json()["code"]) == (403, "NotEligible")
        assert alice.post(at, {**body, "decision": "jump"}).status_code == 400
        assert alice.post(at, {**body, "decision": "continue"}).status_code == 200
        rests(run_id, "completed")
        again = alice.post(at, {**body, "decision": "stop"})
        assert (again.status_code, again.json()["code"]) == (409, "InterruptClosed")

    await act()


async def test_a_node_alone_runs_on_what_it_found_last(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        api = Api(people.alice)
        graph = drawn(people, out("a", "6 * 7"), out("b", "'so'"))
        first = start(api, graph, input="hi").json()["id"]
        rests(first, "completed")

        found = api.get(f"runs/{first}/given/b/").json()
        assert found == {
            "input": "hi",
            "memory": {},
            "outputs": {"a": 42},
            "previous": 42,
        }
        assert api.get(f"runs/{first}/given/gone/").status_code == 404
        alone = start(api, graph, only="b", given={**found, "input": "other"}).json()["id"]
        rests(alone, "completed")
        assert list(completions(api, alone)) == ["b"]
        shown = api.get(f"runs/{alone}/").json()
        assert (shown["only"], shown["input"], shown["result"]) == ("b", "other", "so")

    await act()


async def test_a_call_that_changes_something_is_asked_for_or_refused(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        api = Api(people.alice)
        graph = drawn(people, POST)
        asked = start(api, graph, only="post")
        assert (asked.status_code, asked.json()["code"]) == (422, "OnlySends")
        assert asked.json()["node"] == "post"
        assert start(api, graph, only="post", accept=True).status_code == 201

        graph.require_approval = True
        graph.save()
        refused = start(api, graph, only="post", accept=True)
        assert (refused.status_code, refused.json()["code"]) == (422, "OnlyNeedsApproval")

    await act()
