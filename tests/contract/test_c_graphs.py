"""Rows about several graphs and generations: subgraphs, transitions, evolution."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.registry import FITNESS
from tests.contract.harness import (
    Edge,
    Outcome,
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

Handlers = dict[str, Any]


def sub(id: str = "s", graph: str = "kid", **fields: Any) -> dict[str, Any]:
    """Return a subgraph node."""
    config = {"subgraph_id": graph, **fields.pop("config", {})}
    return any_node(id, "subgraph", config=config, **fields)


def used(tokens: int, text: str = "ok") -> dict[str, Any]:
    """Return a reply that uses so many tokens."""
    return {"text": text, "usage": {"input_tokens": tokens, "output_tokens": 0}}


def seen(views: list[Any], **result: Any) -> Any:
    """Return a handler that keeps what it sees."""

    def look(ctx: Any, params: Any) -> Any:
        view = ctx.view
        views.append(
            {
                "goal": view.goal, "memory": dict(view.memory), "input": view.input,
                "context": dict(view.context), "metadata": dict(view.metadata),
                "shared": ctx.workflow_state.get("k"), "state": ctx.node_state.get("k"),
            }
        )  # fmt: skip
        return result

    return look


LOOK = fn("look", reads=["*", "input", "context", "metadata"])


# --- subgraph ---------------------------------------------------------------------------------


def test_a_subgraph_names_a_graph_C80() -> None:
    """C80: A subgraph names a graph."""
    missing = check(doc([any_node("s", "subgraph", config={})]))
    unknown = check(doc([sub(graph="nope")]), graphs=[doc([fn("a")], id="nopes")])
    refused = run(doc([sub(graph="nope")]))

    assert "MissingField" in missing.codes
    assert "GraphNotFound" in unknown.codes
    assert (refused.exit, "GraphNotFound" in refused.codes) == (2, True)


def test_an_unknown_graph_at_run_time_fails_without_a_retry_C80() -> None:
    """C80: An unknown graph at run time fails without a retry."""

    def observe(local: Any) -> None:
        local.graphs._specs.pop("kid")

    failed = run(
        doc([sub()]), graphs=[doc([fn("a")], id="kid")], handlers={"a": seen([])}, observe=observe
    )

    assert (failed.code, failed.activation("s")["attempts"]) == ("GraphNotFound", 1)
    assert failed.of("ChildRunRequested") == []


def test_mapped_keys_are_memory_and_input_of_the_child_C81() -> None:
    """C81: Mapped keys are memory and input of the child."""
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


def test_without_a_mapping_the_child_sees_an_empty_input_C81() -> None:
    """C81: Without a mapping the child sees an empty input."""
    views: list[Any] = []
    run(doc([sub()]), graphs=[doc([LOOK], id="kid")], handlers={"look": seen(views)}, input="hi")

    assert (views[0]["memory"], views[0]["input"]) == ({}, {})


def test_only_mapped_keys_that_the_child_wrote_come_back_C82_C8() -> None:
    """C82, C8: Only mapped keys that the child wrote come back."""
    child = doc([LOOK], id="kid", initial_memory={"started": 1})
    mapping = {"summary": "findings", "nowhere": "never", "started": "copied"}
    handlers = {"look": seen([], data={"summary": "S", "notes": "N"}, output="R")}
    done = run(doc([sub(config={"output_mapping": mapping})]), graphs=[child], handlers=handlers)
    declared = run(
        doc([sub(config={"output_mapping": mapping}, writes=["findings"])]),
        graphs=[child], handlers=handlers,
    )  # fmt: skip

    assert done.memory == declared.memory == {"findings": "S"}
    assert done.outputs == {"s": "R"}
    assert done.report["result"] == "R"


def test_keys_of_the_engine_cannot_be_mapped_C82() -> None:
    """C82: Keys of the engine cannot be mapped."""
    child = [doc([fn("a")], id="kid")]
    for mapping in ({"a": "_x"}, {"a": "input"}):
        assert "ReservedKey" in check(doc([sub(config={"output_mapping": mapping})])).codes
    found = check(doc([sub(config={"input_mapping": {"nots": "a"}})]), graphs=child)
    assert "UnwrittenKey" in found.codes


@pytest.mark.parametrize(("own", "given"), [(50, 3), (3, 50)])
def test_the_lower_limit_of_iterations_counts_C83(own: int, given: int) -> None:
    """C83: The lower limit of iterations counts."""
    loop = doc([fn("a")], ["__start__ -> a", "a -> a"], id="kid", limits={"max_iterations": own})
    views: list[Any] = []
    failed = run(
        doc([sub(config={"max_iterations": given})]), graphs=[loop], handlers={"a": seen(views)}
    )

    assert (failed.code, len(views)) == ("SubgraphFailed", 3)
    assert "IterationLimit" in failed.report["error"]["message"]
    assert failed.activation("s")["attempts"] == 1


def test_a_child_is_a_run_of_its_own_C84() -> None:
    """C84: A child is a run of its own."""
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


def test_a_child_spends_what_is_left_of_the_parents_budget_C84() -> None:
    """C84: A child spends what is left of the parents budget."""
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


def test_a_cap_of_the_node_covers_its_child_run_C84_C40() -> None:
    """C84, C40: A cap of the node covers its child run."""
    child = doc([agent("b"), agent("c")], id="kid")
    nodes = [sub(budget={"max_tokens": 15}), fn("d")]
    graph = doc(nodes, ["__start__ -> s", ("s", "d", {"on": "failed"})])
    failed = run(graph, {"default": [used(10)] * 2}, graphs=[child], handlers={"d": seen([])})

    assert (failed.code, failed.path) == ("NodeBudgetExceeded", ["s"])
    assert failed.report["spend"]["tokens"] == 10


def test_what_a_failed_child_cost_counts_C84() -> None:
    """C84: What a failed child cost counts."""
    child = doc([agent("b"), fn("boom", policy={"max_retries": 0})], id="kid")
    script = {"default": [used(7)], "functions": {"boom": {"error": {"message": "no"}}}}
    failed = run(doc([sub()]), script, graphs=[child])

    assert (failed.code, failed.report["spend"]["tokens"]) == ("SubgraphFailed", 7)


def test_circles_of_graphs_are_refused_C85() -> None:
    """C85: Circles of graphs are refused."""
    itself = check(doc([sub(graph="g")]))
    inner = doc([sub(graph="g")], id="kid")
    around = check(doc([sub()]), graphs=[inner])
    refused = run(doc([sub()]), graphs=[inner])

    assert "SubgraphCycle" in itself.codes
    assert "SubgraphCycle" in around.codes
    assert (refused.exit, "SubgraphCycle" in refused.codes) == (2, True)


def test_a_circle_that_appears_later_fails_before_the_inner_graph_runs_C85() -> None:
    """C85: A circle that appears later fails before the inner graph runs."""
    views: list[Any] = []
    graph = doc([fn("look"), sub()])
    kid = doc([sub("t", "third")], id="kid")
    third = doc([fn("x")], id="third")

    def observe(local: Any) -> None:
        from engine.graph import parse_document

        changed, _problems = parse_document(doc([sub("u", "g")], id="third"))
        local.graphs._specs["third"] = changed

    failed = run(
        graph, graphs=[kid, third], handlers={"look": seen(views), "x": seen([])}, observe=observe
    )

    assert (failed.code, len(views)) == ("SubgraphFailed", 1)
    assert "SubgraphCycle" in failed.report["error"]["message"]
    assert "g → kid → third → g" in failed.report["error"]["message"]


@pytest.mark.parametrize(("graphs", "fine"), [(32, True), (33, False)])
def test_graphs_nest_32_deep_at_most_C85(graphs: int, fine: bool) -> None:
    """C85: Graphs nest 32 deep at most."""
    chain = [doc([sub("s", f"g{n + 1}")], id=f"g{n}") for n in range(1, graphs - 1)]
    last = doc([fn("a")], id=f"g{graphs - 1}")
    done = run(doc([sub("s", "g1")]), graphs=[*chain, last], handlers={"a": seen([])})

    assert (done.exit == 0) is fine
    if not fine:
        assert "SubgraphTooDeep" in done.report["error"]["message"]


KID_ASKS = doc([approval("ok")], id="kid")


def test_a_child_that_waits_makes_the_parent_wait_C86() -> None:
    """C86: A child that waits makes the parent wait."""
    waits = run(doc([sub()]), graphs=[KID_ASKS])
    approved = run(
        doc([sub()]), decide={"ok": [{"decision": "approved"}]}, graphs=[KID_ASKS]
    )  # fmt: skip
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


def test_a_question_cancelled_in_the_child_fails_the_node_C86() -> None:
    """C86: A question cancelled in the child fails the node."""
    kid = doc([question("ask")], id="kid")
    failed = run(doc([sub()]), decide={"ask": [{"cancel": True}]}, graphs=[kid])

    assert failed.code == "SubgraphFailed"
    assert "cancelled" in failed.report["error"]["message"]


def test_a_failed_child_takes_the_failure_edge_C86() -> None:
    """C86: A failed child takes the failure edge."""
    nodes = [sub(), fn("after")]
    graph = doc(nodes, ["__start__ -> s", ("s", "after", {"on": "failed"})])
    kid = doc([fn("boom", policy={"max_retries": 0})], id="kid")
    script = {"functions": {"boom": {"error": {"message": "no"}}, "after": {"returns": {}}}}
    done = run(graph, script, graphs=[kid])

    assert (done.exit, done.path) == (0, ["s", "after"])


INPUTS = {
    "inputs": {
        "type": "object",
        "properties": {
            "topic": {"type": "string", "minLength": 3},
            "depth": {"type": "integer", "default": 2},
        },
        "required": ["topic"],
    },
    "outputs": ["summary"],
}


def test_a_childs_interface_is_checked_and_its_defaults_filled_in_C87() -> None:
    """C87: A childs interface is checked and its defaults filled in."""
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


def test_context_is_the_same_in_a_child_and_after_its_pause_S28() -> None:
    """S28: Context is the same in a child and after its pause."""
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


# --- transition -------------------------------------------------------------------------------


def handing(target: str = "other", **result: Any) -> Any:
    def over(ctx: Any, params: Any) -> Any:
        return {"transition_to": target, **result}

    return over


def child_log(done: Outcome, run_id: str) -> list[Any]:
    assert done.local is not None
    return list(done.local.store.logs[run_id])  # type: ignore[attr-defined]


def test_a_transition_starts_the_other_graph_with_its_payload_K30() -> None:
    """K30: A transition starts the other graph with its payload."""
    views: list[Any] = []
    handlers = {"a": handing(data={"x": 1}, metadata={"m": 1}), "look": seen(views)}
    done = run(
        doc([fn("a")], goal="Ours."), graphs=[doc([LOOK], id="other")], handlers=handlers,
        context={"tenant_id": "t1"}, metadata={"k": "v"},
    )  # fmt: skip

    [told] = done.of("RunTransitioned")
    assert (told["graph_id"], told["payload"]) == ("other", {"x": 1})
    assert done.report["transition"] == {
        "run_id": told["run_id"], "graph_id": "other", "status": "completed",
    }  # fmt: skip
    began = child_log(done, told["run_id"])[0].data
    assert began["parent"]["run_id"] == done.report["run_id"]
    assert began["parent"]["kind"] == "transition"
    [view] = views
    assert (view["input"], view["memory"], view["goal"]) == ({"x": 1}, {}, "")
    assert view["context"]["tenant_id"] == "t1"
    assert view["metadata"] == {"k": "v", "m": "1"}
    assert view["shared"] is None


def test_without_data_the_payload_is_an_empty_object_K30() -> None:
    """K30: Without data the payload is an empty object."""
    views: list[Any] = []
    run(
        doc([fn("a")]), graphs=[doc([LOOK], id="other")],
        handlers={"a": handing(), "look": seen(views)},
    )  # fmt: skip

    assert views[0]["input"] == {}


def test_a_transition_follows_no_edge_K31() -> None:
    """K31: A transition follows no edge."""
    views: list[Any] = []
    nodes = [fn("a"), fn("b", "look"), fn("c", "look")]
    edges: list[Edge] = ["__start__ -> a", ("a", "b", {"when": "redirect"}), "a -> c"]
    done = run(
        doc(nodes, edges), graphs=[doc([LOOK], id="other")],
        handlers={"a": handing(condition="redirect"), "look": seen(views)},
    )  # fmt: skip

    assert (done.exit, done.path, len(views)) == (0, ["a"], 1)
    assert done.report["transition"]["status"] == "completed"


def test_a_missing_target_fails_the_node_and_starts_nothing_K30() -> None:
    """K30: A missing target fails the node and starts nothing."""
    nodes = [fn("a"), fn("b", "look")]
    handlers = {"a": handing("nope", data={"x": 1}), "look": seen([])}
    failed = run(doc(nodes, ["__start__ -> a -> b"]), handlers=handlers)
    edge: list[Edge] = [("a", "b", {"on": "failed"}), "__start__ -> a"]
    caught = run(doc(nodes, edge), handlers=handlers)

    assert (failed.code, failed.activation("a")["attempts"]) == ("GraphNotFound", 1)
    assert (failed.memory, failed.of("RunTransitioned")) == ({}, [])
    assert "transition" not in failed.report
    assert caught.path == ["a", "b"]


def test_a_payload_that_the_target_refuses_fails_the_node_K30_C87() -> None:
    """K30, C87: A payload that the target refuses fails the node."""
    other = doc([LOOK], id="other", interface=INPUTS)
    handlers = {"a": handing(data={"topic": "ab"}), "look": seen([])}
    failed = run(doc([fn("a")]), graphs=[other], handlers=handlers)

    assert (failed.code, failed.of("RunTransitioned")) == ("InputInvalid", [])


def test_a_chain_of_transitions_ends_after_fifty_K30() -> None:
    """K30: A chain of transitions ends after fifty."""
    runs: list[str] = []

    def again(ctx: Any, params: Any) -> Any:
        runs.append(ctx.run_id)
        return {"transition_to": "g"}

    done = run(doc([fn("a", "again", policy={"max_retries": 0})]), handlers={"again": again})

    assert (done.exit, len(set(runs)), len(runs)) == (0, 50, 50)
    assert child_log(done, runs[-1])[-1].data["error"]["code"] == "TransitionLimit"


def test_nodes_that_another_runs_cannot_hand_over_K30() -> None:
    """K30: Nodes that another runs cannot hand over."""

    async def lead(ctx: Any, params: Any) -> Any:
        return {"output": await ctx.run_node("a")}

    failed = run(
        doc([fn("lead"), fn("a")], ["__start__ -> lead"]), graphs=[doc([LOOK], id="other")],
        handlers={"lead": lead, "a": handing(), "look": seen([])},
    )  # fmt: skip

    assert failed.outputs["lead"]["error"]["code"] == "NodeResultInvalid"


def test_a_transition_is_bounded_by_what_is_left_K30() -> None:
    """K30: A transition is bounded by what is left."""
    graph = doc([agent("b"), fn("a")], limits={"max_token_budget": 100})
    other = doc([agent("c")], id="other", limits={"max_token_budget": 1000})
    handlers = {"a": handing()}
    fits = run(graph, {"default": [used(80), used(20)]}, graphs=[other], handlers=handlers)
    stops = run(graph, {"default": [used(80), used(21)]}, graphs=[other], handlers=handlers)

    assert fits.report["transition"]["status"] == "completed"
    assert stops.exit == 0
    assert stops.report["transition"]["status"] == "failed"
    assert len(stops.models) == 1


# --- evolution --------------------------------------------------------------------------------


def evolving(**config: Any) -> dict[str, Any]:
    node_fields = {name: config.pop(name) for name in ("budget", "reads") if name in config}
    config = {"candidate_agent_id": "maker", "evaluator_agent_id": "judge", **config}
    agents = [{"id": "maker"}, {"id": "judge"}]
    return doc(
        [any_node("e", "evolution", config=config, **node_fields)], agents=agents, goal="Win."
    )


def scores(*values: float) -> list[dict[str, Any]]:
    return [{"json": {"score": v, "reasoning": f"because {v}"}} for v in values]


def texts(count: int) -> list[dict[str, Any]]:
    return [{"text": f"try {n}"} for n in range(count)]


def evolve(graph: dict[str, Any], judged: list[Any], made: int = 60, **parts: Any) -> Outcome:
    script = {"agents": {"maker": texts(made), "judge": judged}, **parts.pop("script", {})}
    return run(graph, script, **parts)


def calls_of(done: Outcome, name: str) -> list[Any]:
    return [call.request for call in done.models if call.origin.agent_id == name]


def test_a_generation_has_the_size_of_the_population_C140() -> None:
    """C140: A generation has the size of the population."""
    assert "InvalidValue" in check(evolving(population_size=1)).codes
    done = evolve(evolving(max_generations=1), scores(0.1, 0.2, 0.3, 0.4, 0.5))

    assert (done.exit, len(calls_of(done, "maker"))) == (0, 5)
    assert len(done.memory["e_population"]) == 5
    assert done.memory["e_winner"] == "try 4"


def test_fitness_comes_from_evaluator_or_function_C141() -> None:
    """C141: Fitness comes from evaluator or function."""

    def without(name: str) -> list[str]:
        graph = evolving()
        del graph["nodes"][0]["config"][name]
        return check(graph).codes

    assert "MissingField" in without("candidate_agent_id")
    assert "MissingField" in without("evaluator_agent_id")
    for returned in (0.7, {"score": 0.7, "reasoning": "counted"}):
        done = evolve(
            evolving(fitness_function="fit", max_generations=1), scores(0.4),
            script={"functions": {"fit": {"returns": returned}}},
        )  # fmt: skip
        assert done.memory["e_winner_fitness"] == 0.7
        assert calls_of(done, "judge") == []
    assert done.memory["e_winner_reasoning"] == "counted"


def test_a_registered_fitness_function_gets_the_candidate_C141() -> None:
    """C141: A registered fitness function gets the candidate."""
    given: list[Any] = []

    @FITNESS.register("test.length")
    def length(ctx: Any, candidate: Any) -> float:
        given.append(candidate)
        return len(candidate) / 100

    graph = evolving(fitness_function="test.length", max_generations=1, population_size=2)
    assert check(graph).exit == 0
    done = evolve(graph, [])
    unknown = check(evolving(fitness_function="test.nope"))

    assert (sorted(given), done.memory["e_winner_fitness"]) == (["try 0", "try 1"], 0.05)
    assert "UnknownHandler" in unknown.codes


def test_an_unusable_fitness_drops_the_candidate_C141_C150() -> None:
    """C141, C150: An unusable fitness drops the candidate."""
    done = evolve(
        evolving(fitness_function="fit", max_generations=1, population_size=2), [],
        script={"functions": {"fit": [{"returns": "high"}, {"returns": 0.2}]}},
    )  # fmt: skip

    assert done.memory["e_winner_fitness"] == 0.2
    assert [e["error"]["code"] for e in done.outputs["e"]["errors"]] == ["NodeResultInvalid"]


def parents_of(done: Outcome) -> list[str]:
    """Return which candidate each later request names as its parent."""
    requests = [r.messages[-1].content for r in calls_of(done, "maker")]
    return [r.split("## Parent\n")[1].split("\n")[0] for r in requests if "## Parent" in r]


def test_the_best_is_the_parent_by_rank_C142_C152() -> None:
    """C142, C152: The best is the parent by rank."""
    done = evolve(evolving(population_size=3, max_generations=2), scores(0.1, 0.6, 0.3, 0.2, 0.2))

    assert parents_of(done) == ["try 1", "try 1"]
    asked = calls_of(done, "maker")[-1].messages[-1].content
    assert "0.6" in asked
    assert "because 0.6" in asked
    assert "## Parent" not in calls_of(done, "maker")[0].messages[-1].content


@pytest.mark.parametrize("strategy", ["tournament", "roulette"])
def test_drawn_parents_come_from_the_population_C142(strategy: str) -> None:
    """C142: Drawn parents come from the population."""
    graph = evolving(population_size=4, max_generations=2, selection_strategy=strategy)
    done = evolve(graph, scores(0.1, 0.6, 0.3, 0.0, *[0.2] * 3))

    assert done.exit == 0
    assert len(parents_of(done)) == 3
    assert set(parents_of(done)) <= {"try 0", "try 1", "try 2"}
    assert len([e for e in done.of("StepRecorded", "e") if e["kind"] == "random"]) == 1


def test_a_roulette_without_fitness_takes_the_first_C142() -> None:
    """C142: A roulette without fitness takes the first."""
    graph = evolving(population_size=3, max_generations=2, selection_strategy="roulette")

    assert parents_of(evolve(graph, scores(*[0.0] * 5))) == ["try 0", "try 0"]


def test_a_tournament_of_everybody_is_won_by_the_best_C142_C148() -> None:
    """C142, C148: A tournament of everybody is won by the best."""
    graph = evolving(
        population_size=3, max_generations=2, selection_strategy="tournament", tournament_size=3
    )

    assert parents_of(evolve(graph, scores(0.1, 0.2, 0.5, 0.1, 0.1))) == ["try 2", "try 2"]


def test_the_elite_lives_on_unchanged_C143() -> None:
    """C143: The elite lives on unchanged."""
    assert "InvalidValue" in check(evolving(elite_count=5)).codes
    done = evolve(evolving(max_generations=2), scores(0.1, 0.2, 0.3, 0.4, 0.5, *[0.0] * 4))

    assert (len(calls_of(done, "maker")), len(calls_of(done, "judge"))) == (9, 9)
    assert done.memory["e_population"][0]["candidate"] == "try 4"


def test_generations_are_limited_C144() -> None:
    """C144: Generations are limited."""
    rising = scores(*[n / 1000 for n in range(60)])
    done = evolve(evolving(stagnation_generations=100), rising)

    assert len(done.memory["e_fitness_history"]) == done.memory["e_generation"] == 10
    assert done.outputs["e"]["stopped_by"] == "limit"


@pytest.mark.parametrize(("threshold", "generations"), [(0.95, 1), (1.5, 2)])
def test_a_good_enough_fitness_stops_C145(threshold: float, generations: int) -> None:
    """C145: A good enough fitness stops."""
    done = evolve(
        evolving(fitness_threshold=threshold, max_generations=2), scores(0.95, *[0.1] * 8)
    )

    assert done.memory["e_generation"] == generations
    assert (done.outputs["e"]["stopped_by"] == "threshold") is (generations == 1)


def test_constant_fitness_stagnates_after_four_generations_C146() -> None:
    """C146: Constant fitness stagnates after four generations."""
    done = evolve(evolving(population_size=2), scores(*[0.5] * 20))

    assert done.memory["e_fitness_history"] == [0.5] * 4
    assert done.outputs["e"]["stopped_by"] == "stagnation"


def test_temperature_falls_over_the_generations_C147() -> None:
    """C147: Temperature falls over the generations."""
    done = evolve(evolving(population_size=2, max_generations=3), scores(*[0.5] * 4))

    asked = [request.temperature for request in calls_of(done, "maker")]
    assert asked == [1.0, 1.0, 0.65, 0.3]


def test_only_tournaments_bound_their_size_C148() -> None:
    """C148: Only tournaments bound their size."""
    large = evolving(selection_strategy="tournament", tournament_size=6)

    assert "InvalidValue" in check(large).codes
    assert check(evolving(population_size=2)).exit == 0


def test_calls_in_flight_are_bounded_C149() -> None:
    """C149: Calls in flight are bounded."""
    slow = [{"text": f"try {n}", "delay_ms": 20} for n in range(8)]
    graph = evolving(population_size=8, max_generations=1)
    judged = [{**s, "delay_ms": 20} for s in scores(*[0.1] * 8)]
    done = run(graph, {"agents": {"maker": slow, "judge": judged}})

    open_calls = most = 0
    for event in done.events:
        open_calls += {"StepIntended": 1, "StepCompleted": -1}.get(event["type"], 0)
        most = max(most, open_calls)
    assert (done.exit, most) == (0, 5)


ERROR = {"error": {"status": 401, "message": "no"}}


def test_failed_candidates_are_dropped_or_fail_the_node_C150() -> None:
    """C150: Failed candidates are dropped or fail the node."""
    some = run(
        evolving(population_size=2, max_generations=1),
        {"agents": {"maker": [ERROR, *texts(1)], "judge": scores(0.3)}},
    )
    none = run(
        evolving(population_size=2),
        {"agents": {"maker": [ERROR], "judge": []}, "repeat_last": True},
    )
    fast = run(
        evolving(population_size=2, error_strategy="fail_fast"),
        {"agents": {"maker": [ERROR, *texts(1)], "judge": scores(0.3)}},
    )

    assert some.memory["e_winner"] == "try 0"
    assert (none.exit, none.memory["e_winner"]) == (0, None)
    assert (none.memory["e_population"], none.outputs["e"]["stopped_by"]) == ([], "stagnation")
    assert (fast.code, fast.activation("e")["attempts"]) == ("ChildFailed", 1)
    assert "ProviderRejected" in fast.report["error"]["message"]


def test_criteria_are_part_of_every_evaluation_C151() -> None:
    """C151: Criteria are part of every evaluation."""
    done = evolve(
        evolving(population_size=2, max_generations=2, evaluation_criteria="Rhymes count."),
        scores(*[0.1] * 3),
    )

    asked = [request.messages[-1].content for request in calls_of(done, "judge")]
    assert len(asked) == 3
    assert all("Rhymes count." in text and "Win." in text for text in asked)


def test_the_best_never_falls_and_the_keys_are_complete_C152_C8() -> None:
    """C152, C8: The best never falls and the keys are complete."""
    done = evolve(evolving(population_size=2, max_generations=4), scores(0.3, 0.2, 0.5, 0.1, 0.2))
    history = done.memory["e_fitness_history"]

    assert history == sorted(history) == [0.3, 0.5, 0.5, 0.5]
    names = ("winner", "winner_fitness", "winner_reasoning", "generation", "fitness_history",
             "population")  # fmt: skip
    assert set(done.memory) == {f"e_{name}" for name in names}
    for name in names:
        assert done.outputs["e"][name] == done.memory[f"e_{name}"]
    assert done.memory["e_winner_reasoning"] == "because 0.5"


def test_candidates_see_what_the_node_may_read_C141() -> None:
    """C141: Candidates see what the node may read."""
    graph = evolving(population_size=2, max_generations=1, reads=["topic"],
                     prompt="About {{ memory.topic }}.")  # fmt: skip
    done = evolve(graph, scores(0.1, 0.2), memory={"topic": "bees", "secret": "wasps"})
    default = evolve(
        evolving(population_size=2, max_generations=1, reads=["topic"]), scores(0.1, 0.2),
        memory={"topic": "bees", "secret": "wasps"},
    )  # fmt: skip

    assert calls_of(done, "maker")[0].messages[-1].content == "About bees."
    text = calls_of(default, "maker")[0].messages[-1].content
    assert "bees" in text
    assert "Win." in text
    assert "wasps" not in text


def test_object_candidates_are_the_same_with_and_without_native_output_V12() -> None:
    """V12: Object candidates are the same with and without native output."""
    maker = [{"json": {"a": n}} for n in range(2)]
    graph = evolving(population_size=2, max_generations=1)

    def plain(local: Any) -> None:
        local.models.native_schema = False

    script = {"agents": {"maker": maker, "judge": scores(0.1, 0.2)}}
    native, text = run(graph, script), run(graph, script, observe=plain)

    assert native.memory == text.memory
    assert native.memory["e_winner"] == {"a": 1}


@pytest.mark.parametrize("level", ["node", "run"])
def test_evolution_stops_between_generations_when_money_is_short_C42(level: str) -> None:
    """C42: Evolution stops between generations when money is short."""
    ten = {"usage": {"input_tokens": 10, "output_tokens": 0}}
    script = {
        "agents": {
            "maker": [t | ten for t in texts(9)],
            "judge": [s | ten for s in scores(0.1, 0.4, 0.5, 0.6)],
        }
    }
    graph = evolving(population_size=2)
    limit = {"node": 60, "run": 69}[level]  # two generations: 4 calls, then 2
    if level == "node":
        graph["nodes"][0]["budget"] = {"max_tokens": limit}
    else:
        graph["limits"] = {"max_token_budget": limit}
    done = run(graph, script)

    assert done.exit == 0, done.report["error"]
    assert (done.memory["e_generation"], done.memory["e_winner"]) == (2, "try 2")
    assert done.outputs["e"]["stopped_by"] == "budget"
    assert done.report["spend"]["tokens"] == 60


def test_a_first_generation_that_does_not_fit_is_a_breach_C42_C41() -> None:
    """C42, C41: A first generation that does not fit is a breach."""
    ten = {"usage": {"input_tokens": 10, "output_tokens": 0}}
    script = {"agents": {"maker": [t | ten for t in texts(9)], "judge": scores(0.1)}}
    graph = evolving(population_size=2, budget={"max_tokens": 15})
    failed = run(graph, script)

    assert (failed.code, len(failed.models)) == ("NodeBudgetExceeded", 1)
    assert Decimal(failed.report["error"]["detail"]["asked_tokens"]) == 10
