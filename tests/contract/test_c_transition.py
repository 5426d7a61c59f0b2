"""Rows K30 and K31: a run hands over to another graph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import (
    Edge,
    Outcome,
    agent,
    doc,
    fn,
    run,
)
from tests.contract.subgraphs import INPUTS, LOOK, seen, used


def handing(target: str = "other", **result: Any) -> Any:
    def over(ctx: Any, params: Any) -> Any:
        return {"transition_to": target, **result}

    return over


def child_log(done: Outcome, run_id: str) -> list[Any]:
    assert done.local is not None
    return list(done.local.store.logs[run_id])  # type: ignore[attr-defined]


def test_a_transition_starts_the_other_graph_with_its_payload() -> None:
    """K30."""
    views: list[Any] = []
    handlers = {"a": handing(data={"x": 1}, metadata={"m": 1}), "look": seen(views)}
    done = run(
        doc([fn("a")], goal="Ours."),
        graphs=[doc([LOOK], id="other")],
        handlers=handlers,
        context={"tenant_id": "t1"},
        metadata={"k": "v"},
    )

    [told] = done.of("RunTransitioned")
    assert (told["graph_id"], told["payload"]) == ("other", {"x": 1})
    assert done.report["transition"] == {
        "run_id": told["run_id"],
        "graph_id": "other",
        "status": "completed",
    }
    began = child_log(done, told["run_id"])[0].data
    assert began["parent"]["run_id"] == done.report["run_id"]
    assert began["parent"]["kind"] == "transition"
    [view] = views
    assert (view["input"], view["memory"], view["goal"]) == ({"x": 1}, {}, "")
    assert view["context"]["tenant_id"] == "t1"
    assert view["metadata"] == {"k": "v", "m": "1"}
    assert view["shared"] is None


@pytest.mark.parametrize(("grant", "kept"), [([], {}), (["x"], {"x": 1})])
def test_a_payload_needs_no_grant(grant: list[str], kept: dict[str, int]) -> None:
    """K30: What the next run gets is no write to this one's memory, unless it may be one too."""
    node = fn("a", write_keys=grant)
    done = run(
        doc([node]),
        graphs=[doc([LOOK], id="other")],
        handlers={"a": handing(data={"x": 1, "y": 2} if not grant else {"x": 1}), "look": seen([])},
    )

    payload = {"x": 1} if grant else {"x": 1, "y": 2}
    assert done.of("RunTransitioned")[0]["payload"] == payload
    assert (done.report["memory"], done.report["outputs"]["a"]) == (kept, payload)


def test_without_data_the_payload_is_an_empty_object() -> None:
    """K30."""
    views: list[Any] = []
    run(
        doc([fn("a")]),
        graphs=[doc([LOOK], id="other")],
        handlers={"a": handing(), "look": seen(views)},
    )

    assert views[0]["input"] == {}


def test_a_transition_follows_no_edge() -> None:
    """K31."""
    views: list[Any] = []
    nodes = [fn("a"), fn("b", "look"), fn("c", "look")]
    edges: list[Edge] = ["__start__ -> a", ("a", "b", {"when": "redirect"}), "a -> c"]
    done = run(
        doc(nodes, edges),
        graphs=[doc([LOOK], id="other")],
        handlers={"a": handing(condition="redirect"), "look": seen(views)},
    )

    assert (done.exit, done.path, len(views)) == (0, ["a"], 1)
    assert done.report["transition"]["status"] == "completed"


def test_a_missing_target_fails_the_node_and_starts_nothing() -> None:
    """K30."""
    nodes = [fn("a"), fn("b", "look")]
    handlers = {"a": handing("nope", data={"x": 1}), "look": seen([])}
    failed = run(doc(nodes, ["__start__ -> a -> b"]), handlers=handlers)
    edge: list[Edge] = [("a", "b", {"on": "failed"}), "__start__ -> a"]
    caught = run(doc(nodes, edge), handlers=handlers)

    assert (failed.code, failed.activation("a")["attempts"]) == ("GraphNotFound", 1)
    assert (failed.memory, failed.of("RunTransitioned")) == ({}, [])
    assert "transition" not in failed.report
    assert caught.path == ["a", "b"]


def test_a_payload_that_the_target_refuses_fails_the_node() -> None:
    """K30, C87."""
    other = doc([LOOK], id="other", interface=INPUTS)
    handlers = {"a": handing(data={"topic": "ab"}), "look": seen([])}
    failed = run(doc([fn("a")]), graphs=[other], handlers=handlers)

    assert (failed.code, failed.of("RunTransitioned")) == ("InputInvalid", [])


def test_a_chain_of_transitions_ends_after_fifty() -> None:
    """K30."""
    runs: list[str] = []

    def again(ctx: Any, params: Any) -> Any:
        runs.append(ctx.run_id)
        return {"transition_to": "g"}

    done = run(doc([fn("a", "again", policy={"max_retries": 0})]), handlers={"again": again})

    assert (done.exit, len(set(runs)), len(runs)) == (0, 50, 50)
    assert child_log(done, runs[-1])[-1].data["error"]["code"] == "TransitionLimit"


def test_nodes_that_another_runs_cannot_hand_over() -> None:
    """K30."""

    async def lead(ctx: Any, params: Any) -> Any:
        return {"output": await ctx.run_node("a")}

    failed = run(
        doc([fn("lead"), fn("a")], ["__start__ -> lead"]),
        graphs=[doc([LOOK], id="other")],
        handlers={"lead": lead, "a": handing(), "look": seen([])},
    )

    assert failed.outputs["lead"]["error"]["code"] == "NodeResultInvalid"


def test_a_transition_is_bounded_by_what_is_left() -> None:
    """K30."""
    graph = doc([agent("b"), fn("a")], limits={"max_token_budget": 100})
    other = doc([agent("c")], id="other", limits={"max_token_budget": 1000})
    handlers = {"a": handing()}
    fits = run(graph, {"default": [used(80), used(20)]}, graphs=[other], handlers=handlers)
    stops = run(graph, {"default": [used(80), used(21)]}, graphs=[other], handlers=handlers)

    assert fits.report["transition"]["status"] == "completed"
    assert stops.exit == 0
    assert stops.report["transition"]["status"] == "failed"
    assert len(stops.models) == 1
