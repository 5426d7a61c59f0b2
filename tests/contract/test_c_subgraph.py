"""Rows C80 to C87: subgraphs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import (
    agent,
    approval,
    check,
    doc,
    fn,
    question,
    run,
    tool,
)
from tests.contract.harness import node as any_node
from tests.contract.subgraphs import INPUTS, LOOK, seen, used

Handlers = dict[str, Any]


def sub(id: str = "s", graph: str = "kid", **fields: Any) -> dict[str, Any]:
    """Return a subgraph node."""
    config = {"subgraph_id": graph, **fields.pop("config", {})}
    return any_node(id, "subgraph", config=config, **fields)


def test_a_subgraph_names_a_graph() -> None:
    """C80."""
    missing = check(doc([any_node("s", "subgraph", config={})]))
    unknown = check(doc([sub(graph="nope")]), graphs=[doc([fn("a")], id="nopes")])
    refused = run(doc([sub(graph="nope")]))

    assert "MissingField" in missing.codes
    assert "GraphNotFound" in unknown.codes
    assert (refused.exit, "GraphNotFound" in refused.codes) == (2, True)


def test_an_unknown_graph_at_run_time_fails_without_a_retry() -> None:
    """C80."""

    def observe(local: Any) -> None:
        local.graphs._specs.pop("kid")

    failed = run(
        doc([sub()]), graphs=[doc([fn("a")], id="kid")], handlers={"a": seen([])}, observe=observe
    )

    assert (failed.code, failed.activation("s")["attempts"]) == ("GraphNotFound", 1)
    assert failed.of("ChildRunRequested") == []


def test_mapped_keys_are_memory_and_input_of_the_child() -> None:
    """C81."""
    views: list[Any] = []
    mapping = {"research_topic": "topic", "deep.er": "part", "absent": "never"}
    done = run(
        doc([sub(config={"input_mapping": mapping})]),
        graphs=[doc([LOOK], id="kid")],
        handlers={"look": seen(views)},
        memory={"research_topic": "bees", "secret": 1, "deep": {"er": 2, "other": 3}},
    )

    assert done.exit == 0, done.report
    assert views[0]["memory"] == views[0]["input"] == {"topic": "bees", "part": 2}


def test_without_a_mapping_the_child_sees_an_empty_input() -> None:
    """C81."""
    views: list[Any] = []
    run(doc([sub()]), graphs=[doc([LOOK], id="kid")], handlers={"look": seen(views)}, input="hi")

    assert (views[0]["memory"], views[0]["input"]) == ({}, {})


def test_only_mapped_keys_that_the_child_wrote_come_back() -> None:
    """C82, C8."""
    child = doc([LOOK], id="kid", initial_memory={"started": 1})
    mapping = {"summary": "findings", "nowhere": "never", "started": "copied"}
    handlers = {"look": seen([], data={"summary": "S", "notes": "N"}, output="R")}
    done = run(doc([sub(config={"output_mapping": mapping})]), graphs=[child], handlers=handlers)
    declared = run(
        doc([sub(config={"output_mapping": mapping}, writes=["findings"])]),
        graphs=[child],
        handlers=handlers,
    )

    assert done.memory == declared.memory == {"findings": "S"}
    assert done.outputs == {"s": "R"}
    assert done.report["result"] == "R"


def test_keys_of_the_engine_cannot_be_mapped() -> None:
    """C82."""
    child = [doc([fn("a")], id="kid")]
    for mapping in ({"a": "_x"}, {"a": "input"}):
        assert "ReservedKey" in check(doc([sub(config={"output_mapping": mapping})])).codes
    found = check(doc([sub(config={"input_mapping": {"nots": "a"}})]), graphs=child)
    assert "UnwrittenKey" in found.codes


@pytest.mark.parametrize(("own", "given"), [(50, 3), (3, 50)])
def test_the_lower_limit_of_iterations_counts(own: int, given: int) -> None:
    """C83."""
    loop = doc([fn("a")], ["__start__ -> a", "a -> a"], id="kid", limits={"max_iterations": own})
    views: list[Any] = []
    failed = run(
        doc([sub(config={"max_iterations": given})]), graphs=[loop], handlers={"a": seen(views)}
    )

    assert (failed.code, len(views)) == ("SubgraphFailed", 3)
    assert "IterationLimit" in failed.report["error"]["message"]
    assert failed.activation("s")["attempts"] == 1


def test_a_child_is_a_run_of_its_own() -> None:
    """C84."""
    views: list[Any] = []

    async def first(ctx: Any, params: Any) -> Any:
        await ctx.workflow_state.set("k", 1)
        await ctx.node_state.set("k", 1)
        return {"data": {"hidden": 1}, "metadata": {"m": "1"}}

    done = run(
        doc([fn("look", "first"), sub()], goal="Ours."),
        graphs=[doc([LOOK], id="kid", goal="Theirs.")],
        handlers={"first": first, "look": seen(views)},
    )

    assert done.exit == 0
    view = views[0]
    assert (view["goal"], view["memory"], view["metadata"]) == ("Theirs.", {}, {})
    assert (view["shared"], view["state"]) == (None, None)


def test_a_child_spends_what_is_left_of_the_parents_budget() -> None:
    """C84."""
    child = doc([agent("b"), agent("c")], id="kid")
    graph = doc([agent("a"), sub()], limits={"max_token_budget": 100})
    fits = run(graph, {"default": [used(80), used(15), used(5)]}, graphs=[child])
    stops = run(graph, {"default": [used(80), used(15), used(6)]}, graphs=[child])

    assert fits.exit == 0
    assert fits.report["spend"]["tokens"] == 100
    assert fits.report["spend"]["by_node"]["s"]["tokens"] == 20
    assert (stops.code, len(stops.models)) == ("SubgraphFailed", 2)
    assert "RunBudgetExceeded" in stops.report["error"]["message"]
    assert stops.report["spend"]["tokens"] == 95


def test_a_cap_of_the_node_covers_its_child_run() -> None:
    """C84, C40."""
    child = doc([agent("b"), agent("c")], id="kid")
    nodes = [sub(budget={"max_tokens": 15}), fn("d")]
    graph = doc(nodes, ["__start__ -> s", ("s", "d", {"on": "failed"})])
    failed = run(graph, {"default": [used(10)] * 2}, graphs=[child], handlers={"d": seen([])})

    assert (failed.code, failed.path) == ("NodeBudgetExceeded", ["s"])
    assert failed.report["spend"]["tokens"] == 10


def test_what_a_failed_child_cost_counts() -> None:
    """C84."""
    child = doc([agent("b"), fn("boom", policy={"max_retries": 0})], id="kid")
    script = {"default": [used(7)], "functions": {"boom": {"error": {"message": "no"}}}}
    failed = run(doc([sub()]), script, graphs=[child])

    assert (failed.code, failed.report["spend"]["tokens"]) == ("SubgraphFailed", 7)


def test_circles_of_graphs_are_refused() -> None:
    """C85."""
    itself = check(doc([sub(graph="g")]))
    inner = doc([sub(graph="g")], id="kid")
    around = check(doc([sub()]), graphs=[inner])
    refused = run(doc([sub()]), graphs=[inner])

    assert "SubgraphCycle" in itself.codes
    assert "SubgraphCycle" in around.codes
    assert (refused.exit, "SubgraphCycle" in refused.codes) == (2, True)


def test_a_circle_that_appears_later_fails_before_the_inner_graph_runs() -> None:
    """C85."""
    views: list[Any] = []
    graph = doc([fn("look"), sub()])
    kid = doc([sub("t", "third")], id="kid")
    third = doc([fn("x")], id="third")

    def observe(local: Any) -> None:
        from engine.core.graph.document import parse_document

        changed, _problems = parse_document(doc([sub("u", "g")], id="third"))
        local.graphs._specs["third"] = changed

    failed = run(
        graph, graphs=[kid, third], handlers={"look": seen(views), "x": seen([])}, observe=observe
    )

    assert (failed.code, len(views)) == ("SubgraphFailed", 1)
    assert "SubgraphCycle" in failed.report["error"]["message"]
    assert "g → kid → third → g" in failed.report["error"]["message"]


@pytest.mark.parametrize(("graphs", "fine"), [(32, True), (33, False)])
def test_graphs_nest_32_deep_at_most(graphs: int, fine: bool) -> None:
    """C85."""
    chain = [doc([sub("s", f"g{n + 1}")], id=f"g{n}") for n in range(1, graphs - 1)]
    last = doc([fn("a")], id=f"g{graphs - 1}")
    done = run(doc([sub("s", "g1")]), graphs=[*chain, last], handlers={"a": seen([])})

    assert (done.exit == 0) is fine
    if not fine:
        assert "SubgraphTooDeep" in done.report["error"]["message"]


KID_ASKS = doc([approval("ok")], id="kid")


def test_a_child_that_waits_makes_the_parent_wait() -> None:
    """C86."""
    waits = run(doc([sub()]), graphs=[KID_ASKS])
    approved = run(doc([sub()]), decide={"ok": [{"decision": "approved"}]}, graphs=[KID_ASKS])
    rejected = run(
        doc([sub()]), decide={"ok": [{"decision": "rejected", "comment": "no"}]}, graphs=[KID_ASKS]
    )

    assert (waits.exit, waits.status) == (3, "waiting")
    assert [item["node"] for item in waits.report["interrupts"]] == ["ok"]
    assert waits.activation("s")["status"] == "waiting"
    assert approved.exit == 0
    assert approved.outputs["s"]["decision"] == "approved"
    assert rejected.code == "SubgraphFailed"
    assert "ApprovalRejected" in rejected.report["error"]["message"]
    detail = rejected.report["error"]["detail"]
    assert (detail["error"]["code"], bool(detail["run_id"])) == ("ApprovalRejected", True)


def test_a_question_cancelled_in_the_child_fails_the_node() -> None:
    """C86."""
    kid = doc([question("ask")], id="kid")
    failed = run(doc([sub()]), decide={"ask": [{"cancel": True}]}, graphs=[kid])

    assert failed.code == "SubgraphFailed"
    assert "cancelled" in failed.report["error"]["message"]


def test_a_failed_child_takes_the_failure_edge() -> None:
    """C86."""
    nodes = [sub(), fn("after")]
    graph = doc(nodes, ["__start__ -> s", ("s", "after", {"on": "failed"})])
    kid = doc([fn("boom", policy={"max_retries": 0})], id="kid")
    script = {"functions": {"boom": {"error": {"message": "no"}}, "after": {"returns": {}}}}
    done = run(graph, script, graphs=[kid])

    assert (done.exit, done.path) == (0, ["s", "after"])


def test_a_childs_interface_is_checked_and_its_defaults_filled_in() -> None:
    """C87."""
    views: list[Any] = []
    kid = doc([LOOK], id="kid", interface=INPUTS)
    graph = doc([sub(config={"input_mapping": {"t": "topic"}})])
    handlers: Handlers = {"look": seen(views)}
    done = run(graph, graphs=[kid], handlers=handlers, memory={"t": "bees"})
    failed = run(graph, graphs=[kid], handlers=handlers, memory={"t": "ab"})
    absent = run(graph, graphs=[kid], handlers=handlers)

    assert done.exit == 0
    assert views == [views[0]]
    assert views[0]["input"] == views[0]["memory"] == {"topic": "bees", "depth": 2}
    assert (failed.code, absent.code) == ("InputInvalid", "InputInvalid")
    assert failed.of("ChildRunRequested") == []


def test_context_is_the_same_in_a_child_and_after_its_pause() -> None:
    """S28."""
    views: list[Any] = []
    ask = question("ask")
    kid = doc([LOOK, ask, tool("t", "add"), fn("again", "look", reads=["context"])], id="kid")
    context = {"tenant_id": "t1", "locale": "de"}
    done = run(
        doc([LOOK, sub()]),
        {"tools": {"add": [{"result": 3}]}},
        {"ask": [{"selected": "yes"}]},
        graphs=[kid],
        handlers={"look": seen(views)},
        context=context,
    )
    bare = run(doc([sub()]), graphs=[doc([LOOK], id="kid")], handlers={"look": seen(views)})

    assert done.exit == bare.exit == 0
    for view in views[:3]:
        assert {k: view["context"][k] for k in context} == context
    assert [view["context"]["graph_id"] for view in views] == ["g", "kid", "kid", "kid"]
    assert dict(done.tools[0].origin.context)["tenant_id"] == "t1"
    assert "tenant_id" not in views[3]["context"]
