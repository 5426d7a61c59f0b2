"""Rows C.7, C.12 and C.13: supervisors, annealing and swarms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, approval, check, doc, fn, node, question, run

WORKERS = ("research", "write", "edit")


def pick(name: Any, reasoning: str = "because") -> dict[str, Any]:
    """Return a routing answer."""
    return {"json": {"next_node": name, "reasoning": reasoning}}


def used(reply: dict[str, Any], tokens: int = 10) -> dict[str, Any]:
    return {**reply, "usage": {"input_tokens": tokens, "output_tokens": 0}}


def team(
    picks: Sequence[dict[str, Any]],
    *,
    workers: Sequence[dict[str, Any]] | None = None,
    edges: Sequence[Any] = ("__start__ -> boss",),
    functions: dict[str, Any] | None = None,
    boss: dict[str, Any] | None = None,
    fields: dict[str, Any] | None = None,
    decide: dict[str, Any] | None = None,
    script: dict[str, Any] | None = None,
    **config: Any,
) -> Outcome:
    """Run a supervisor `boss` over workers that say their name."""
    nodes = list(workers) if workers is not None else [fn(name) for name in WORKERS]
    managed = config.pop("managed_nodes", [n["id"] for n in nodes if n["id"] != "after"])
    config = {"agent_id": "chief", "managed_nodes": managed, **config}
    head = node("boss", "supervisor", config=config, **(boss or {}))
    said = {n: {"returns": {"output": f"{n}!"}} for n in (*WORKERS, "after")}
    replies = {"agents": {"chief": list(picks)}, "functions": {**said, **(functions or {})}}
    return run(doc([head, *nodes], edges, **(fields or {})), {**replies, **(script or {})}, decide)


ALL = [pick("research", "first facts"), pick("write"), pick("edit"), pick("__done__")]


def supervisor(**config: Any) -> dict[str, Any]:
    return doc(
        [node("boss", "supervisor", config=config), agent("w")],
        ["__start__ -> boss"],
        agents=[{"id": "chief"}],
    )


def test_the_agent_of_the_config_routes_C70() -> None:
    """C70: The agent of the config routes."""
    missing = check(supervisor(managed_nodes=["w"]))
    done = team(ALL)

    assert ("MissingField", "nodes[0].config.agent_id") in [
        (p["code"], p["path"]) for p in missing.problems
    ]
    assert {call.origin.agent_id for call in done.models} == {"chief"}


def test_the_model_picks_a_node_or_is_done_C71() -> None:
    """C71: The model picks a node or is done."""
    done = team(ALL)

    assert (done.exit, done.path) == (0, ["research", "write", "edit", "boss"])
    schema: Any = done.models[0].request.schema
    assert schema["properties"]["next_node"]["enum"] == [*WORKERS, "__done__"]
    assert done.models[0].request.tools == ()


@pytest.mark.parametrize("said", [pick("zzz"), pick(None), {"json": {}}, {"text": "research"}])
def test_anything_else_fails_C71(said: dict[str, Any]) -> None:
    """C71: Anything else fails."""
    failed = team([said])

    assert (failed.code, failed.path) == ("UndeclaredTarget", ["boss"])
    assert failed.activation("boss")["attempts"] == 1


def test_managed_nodes_exist_and_are_others_C71() -> None:
    """C71: Managed nodes exist and are others."""
    for names, code in (([], "InvalidValue"), (["zzz"], "UnknownNode"), (["boss"], "InvalidValue")):
        found = check(supervisor(agent_id="chief", managed_nodes=names))
        assert (found.exit, code in found.codes) == (1, True)
    absent = check(supervisor(agent_id="chief"))
    assert "MissingField" in absent.codes
    assert check(supervisor(agent_id="chief", managed_nodes=["w"])).exit == 0


def test_it_completes_at_its_limit_without_another_call_C72() -> None:
    """C72: It completes at its limit without another call."""
    done = team([pick("research")], script={"repeat_last": True})
    twice = team([pick("research")] * 3, max_iterations=2)

    assert (done.exit, done.path) == (0, ["research"] * 10 + ["boss"])
    assert (done.outputs["boss"]["stopped_by"], len(done.models)) == ("limit", 10)
    assert done.activation("research", 10)["status"] == "completed"
    assert (twice.outputs["boss"]["iterations"], len(twice.models)) == (2, 2)


@pytest.mark.parametrize(
    "condition", ["$.memory.final_draft", "has(memory.final_draft)", "memory.final_draft != ''"]
)
def test_a_condition_is_judged_before_each_routing_call_C73(condition: str) -> None:
    """C73: A condition is judged before each routing call."""
    draft = {"write": {"returns": {"data": {"final_draft": "text"}}}}
    reads = {"reads": ["final_draft"]}
    done = team(ALL, functions=draft, boss=reads, completion_condition=condition)
    given = team(
        ALL, boss=reads, fields={"initial_memory": {"final_draft": "x"}},
        completion_condition=condition,
    )  # fmt: skip
    unreadable = team(ALL, functions=draft, completion_condition="has(memory.final_draft)")

    assert (done.path, len(done.models)) == (["research", "write", "boss"], 2)
    assert done.outputs["boss"]["stopped_by"] == "condition"
    assert (given.path, given.models) == (["boss"], [])
    assert given.outputs["boss"] == {"stopped_by": "condition", "iterations": 0, "history": []}
    assert unreadable.outputs["boss"]["stopped_by"] == "model"


def test_a_condition_that_fails_fails_the_node_C73_C16() -> None:
    """C73, C16: A condition that fails fails the node."""
    failed = team(
        ALL, boss={"reads": ["n"]}, fields={"initial_memory": {"n": "text"}},
        completion_condition="memory.n > 1",
    )  # fmt: skip

    assert (failed.code, failed.models) == ("ExpressionFailed", [])
    for wrong in ("$[", "memory."):
        config = {"agent_id": "chief", "managed_nodes": ["w"], "completion_condition": wrong}
        assert "ExpressionInvalid" in check(supervisor(**config)).codes


def test_edges_to_managed_nodes_are_drawn_and_not_followed_C74() -> None:
    """C74: Edges to managed nodes are drawn and not followed."""
    nodes = [*(fn(name) for name in WORKERS), fn("after")]
    hub = [f"boss -> {name}" for name in WORKERS]
    back = [f"{name} -> boss" for name in WORKERS]
    plain = team(ALL, workers=nodes, edges=["__start__ -> boss -> after"])
    drawn = team(ALL, workers=nodes, edges=["__start__ -> boss -> after", *hub, *back])

    assert plain.path == drawn.path == ["research", "write", "edit", "boss", "after"]


def test_every_delegation_is_in_its_output_C75() -> None:
    """C75: Every delegation is in its output."""
    done = team(ALL)

    assert done.outputs["boss"] == {
        "stopped_by": "model",
        "iterations": 3,
        "history": [
            {"iteration": 1, "node": "research", "reasoning": "first facts"},
            {"iteration": 2, "node": "write", "reasoning": "because"},
            {"iteration": 3, "node": "edit", "reasoning": "because"},
        ],
    }
    assert done.memory == {}


def test_the_prompt_holds_goal_state_nodes_history_and_outputs_C76() -> None:
    """C76: The prompt holds goal state nodes history and outputs."""
    nodes = [fn("research", description="Finds facts."), fn("write")]
    done = team(
        [pick("research", "facts are missing"), pick("__done__")],
        workers=nodes, boss={"reads": ["style"]},
        fields={"goal": "Write a page.", "constraints": ["Be brief."],
                "initial_memory": {"style": "formal", "secret": "hidden"}},
        functions={"research": {"returns": {"data": {"style": "plain"}, "output": "The sky."}}},
    )  # fmt: skip
    first, second = done.prompt(0), done.prompt(1)

    assert all(t in first for t in ("Write a page.", "Be brief.", "formal", "Finds facts."))
    assert "hidden" not in first + second
    assert all(t in second for t in ("facts are missing", "The sky.", "plain"))
    assert "The sky." not in first


def test_outputs_of_its_nodes_need_no_read_key_C76() -> None:
    """C76: Outputs of its nodes need no read key."""
    done = team([pick("research"), pick("__done__")])

    assert "research!" in done.prompt(1)


def test_a_failing_node_fails_the_supervisor_C77() -> None:
    """C77: A failing node fails the supervisor."""
    nodes = [fn("research", policy={"max_retries": 0})]
    failed = team(ALL, workers=nodes, functions={"research": {"error": {"message": "no facts"}}})

    assert (failed.code, failed.path) == ("ChildFailed", ["research", "boss"])
    assert "HandlerFailed" in failed.report["error"]["message"]
    assert failed.activation("boss")["attempts"] == 1


def test_a_failing_node_takes_the_supervisors_own_failure_edge_C77() -> None:
    """C77: A failing node takes the supervisors own failure edge."""
    nodes = [fn("research", policy={"max_retries": 0}), fn("after")]
    done = team(
        ALL, workers=nodes, functions={"research": {"error": {"message": "no facts"}}},
        edges=["__start__ -> boss", ("boss", "after", {"on": "failed"})],
    )  # fmt: skip

    assert (done.exit, done.path) == (0, ["research", "boss", "after"])


def test_a_managed_node_waits_for_people_C78() -> None:
    """C78: A managed node waits for people."""
    nodes = [question("research", "Which topic?"), approval("write")]
    picks = [pick("research"), pick("write"), pick("__done__")]
    waiting = team(picks, workers=nodes)
    done = team(
        picks,
        workers=nodes,
        decide={"research": [{"selected": "tea"}], "write": [{"decision": "approved"}]},
    )

    assert (waiting.exit, waiting.report["interrupts"][0]["node"]) == (3, "research")
    assert (done.exit, done.path, len(done.models)) == (0, ["research", "write", "boss"], 3)
    assert done.outputs["research"] == "tea"


def test_managed_nodes_write_and_hand_on_by_their_own_grants_C19() -> None:
    """C19: Managed nodes write and hand on by their own grants."""
    nodes = [
        fn("research", "research", writes=["facts"]),
        fn("write", "look", reads=["facts", "previous"], writes=[]),
    ]
    done = team(
        [pick("write"), pick("research"), pick("write"), pick("__done__")],
        workers=[*nodes, fn("after")], edges=["__start__ -> after -> boss"],
        functions={
            "research": {"returns": {"data": {"facts": 1}, "output": "found"}},
            "look": {"view": True},
        },
    )  # fmt: skip
    before, after = done.activation("write", 1)["output"], done.activation("write", 2)["output"]

    assert done.memory == {"facts": 1}
    assert before["previous"] == "after!"
    assert (after["previous"], after["memory"]) == ("found", {"facts": 1})


def test_a_worker_may_not_write_beyond_its_grant_C19() -> None:
    """C19: A worker may not write beyond its grant."""
    nodes = [fn("research", writes=[])]
    failed = team(ALL, workers=nodes, functions={"research": {"returns": {"data": {"x": 1}}}})

    assert (failed.code, failed.memory) == ("ChildFailed", {})
    assert "WriteNotAllowed" in failed.report["error"]["message"]


# --- budgets of composites ---------------------------------------------------------------------


def test_a_routing_call_that_does_not_fit_ends_it_gracefully_C42() -> None:
    """C42: A routing call that does not fit ends it gracefully."""
    done = team([used(p) for p in ALL], boss={"budget": {"max_tokens": 25}})

    assert (done.exit, done.path) == (0, ["research", "write", "boss"])
    assert done.outputs["boss"]["stopped_by"] == "budget"
    assert done.outputs["boss"]["iterations"] == 2
    assert done.report["spend"]["tokens"] == 20


def test_what_its_nodes_spend_counts_for_the_supervisor_C40_C42() -> None:
    """C40, C42: What its nodes spend counts for the supervisor."""
    workers = [agent("research", policy={"max_retries": 0})]
    script = {"nodes": {"research": [used({"text": "a"}, 30), used({"text": "b"}, 30)]}}
    done = team(
        [used(pick("research"))] * 3, workers=workers, boss={"budget": {"max_tokens": 75}},
        script=script,
    )  # fmt: skip

    assert (done.exit, done.path) == (0, ["research", "research", "boss"])
    assert done.activation("research", 2)["status"] == "failed"
    assert done.activation("research", 2)["error"]["code"] == "NodeBudgetExceeded"
    assert (done.outputs["boss"]["stopped_by"], done.outputs["research"]) == ("budget", "a")
    assert done.report["spend"]["tokens"] == 50


@pytest.mark.parametrize("tokens", [5, 35])
def test_a_first_delegation_that_does_not_fit_stops_the_run_C41_C42(tokens: int) -> None:
    """C41, C42: A first delegation that does not fit stops the run."""
    workers = [agent("research")]
    failed = team(
        [used(pick("research"))] * 3, workers=workers, boss={"budget": {"max_tokens": tokens}},
        script={"nodes": {"research": [used({"text": "a"}, 30)]}},
    )  # fmt: skip

    assert (failed.status, failed.code) == ("failed", "NodeBudgetExceeded")
    assert failed.report["error"]["node"] == "boss"


def test_a_nodes_own_cap_stops_the_run_C41() -> None:
    """C41: A nodes own cap stops the run."""
    workers = [agent("research", budget={"max_tokens": 30})]
    failed = team(
        [pick("research")] * 3, workers=workers,
        script={"nodes": {"research": [used({"text": "a"}, 30), used({"text": "b"}, 31)]}},
    )  # fmt: skip

    assert (failed.code, failed.report["error"]["node"]) == ("NodeBudgetExceeded", "research")


def test_a_limit_of_the_run_ends_passes_gracefully_too_C42() -> None:
    """C42: A limit of the run ends passes gracefully too."""
    done = team([used(p) for p in ALL], fields={"limits": {"max_token_budget": 25}})

    assert (done.exit, done.outputs["boss"]["stopped_by"]) == (0, "budget")


# --- annealing ---------------------------------------------------------------------------------


def scored(*scores: Any) -> list[dict[str, Any]]:
    return [{"json": {"score": s, "n": i}} for i, s in enumerate(scores)]


def anneal(replies: Any, judge: Any = (), *, node_: Any = None, **config: Any) -> Outcome:
    """Run an annealing agent `a`, judged by `judge` if there are replies for it."""
    if judge:
        config["evaluator_agent_id"] = "judge"
    head = agent("a", config={"annealing": config}, **(node_ or {}))
    agents = [{"id": "x"}, {"id": "judge"}]
    script = {"agents": {"x": list(replies), "judge": list(judge)}}
    return run(doc([head], agents=agents, goal="Be good."), script)


def test_an_evaluator_scores_each_pass_C120() -> None:
    """C120: An evaluator scores each pass."""
    judge = [{"json": {"score": 0.5, "feedback": "too dry"}}, {"json": {"score": 0.9}}]
    done = anneal([{"text": "one"}, {"text": "two"}], judge)
    alone = anneal(scored(0.9))

    assert done.outputs["a"] == {"answer": "two", "stopped_by": "threshold", "scores": [0.5, 0.9]}
    assert [c.origin.agent_id for c in done.models] == ["x", "judge", "x", "judge"]
    assert "one" in done.prompt(1)
    assert "Be good." in done.prompt(1)
    assert "too dry" in done.prompt(2)
    assert [c.origin.agent_id for c in alone.models] == ["x"]


@pytest.mark.parametrize(
    ("reply", "path", "score"),
    [
        ({"json": {"score": 0.9}}, "$.score", 0.9),
        ({"json": {"marks": [{"v": 1}]}}, "$.marks[0].v", 1),
        ({"text": "good"}, "$.score", 0),
        ({"json": {"score": "0.9"}}, "$.score", 0),
        ({"json": {"score": True}}, "$.score", 0),
        ({"json": {"score": None}}, "$.score", 0),
    ],
)
def test_the_score_stands_in_the_answer_C121(reply: Any, path: str, score: float) -> None:
    """C121: The score stands in the answer."""
    assert anneal([reply], score_path=path, max_iterations=1).outputs["a"]["scores"] == [score]


@pytest.mark.parametrize(
    ("scores", "passes", "stopped_by"),
    [
        ((0.5, 0.7, 0.85, 0.9), 3, "threshold"),
        ((0.8, 0.9), 1, "threshold"),
        ((0.1, 0.15, 0.2, 0.25, 0.3, 0.35), 5, "limit"),
        ((0.5, 0.51, 0.9), 2, "delta"),
        ((0.5, 0.4, 0.9), 2, "delta"),
        ((0.1, 0.12, 0.14, 0.15), 4, "delta"),
    ],
)
def test_when_it_stops_C122_C123_C125(scores: Any, passes: int, stopped_by: str) -> None:
    """C122, C123, C125: When it stops."""
    done = anneal(scored(*scores))

    assert done.outputs["a"]["scores"] == list(scores[:passes])
    assert (len(done.models), done.outputs["a"]["stopped_by"]) == (passes, stopped_by)


def test_the_temperature_falls_in_equal_steps_C124() -> None:
    """C124: The temperature falls in equal steps."""
    done = anneal(scored(0.1, 0.2, 0.3, 0.4, 0.5))
    once = anneal(scored(0.1), max_iterations=1)

    assert [c.request.temperature for c in done.models] == [1.0, 0.8, 0.6, 0.4, 0.2]
    assert [c.request.temperature for c in once.models] == [1.0]


def test_the_best_pass_counts_and_is_shown_C126() -> None:
    """C126: The best pass counts and is shown."""
    done = anneal(scored(0.5, 0.4), node_={"writes": ["score", "n"]})

    assert done.outputs["a"] == {
        "score": 0.5, "n": 0, "stopped_by": "delta", "scores": [0.5, 0.4],
    }  # fmt: skip
    assert done.memory == {"score": 0.5, "n": 0}
    assert "0.5" in done.prompt(1)
    assert "0.5" not in done.prompt(0)


def test_a_text_answer_is_kept_as_text_in_memory_C126() -> None:
    """C126: A text answer is kept as text in memory."""
    judge = [{"json": {"score": 0.9}}]
    done = anneal([{"text": "poem"}], judge, node_={"writes": ["draft"]})

    assert done.memory == {"draft": "poem"}
    assert done.outputs["a"] == {"answer": "poem", "stopped_by": "threshold", "scores": [0.9]}


def test_a_pass_that_does_not_fit_is_not_bought_C40_C42() -> None:
    """C40, C42: A pass that does not fit is not bought."""
    replies = [used(r) for r in scored(0.1, 0.3, 0.9)]
    done = anneal(replies, node_={"budget": {"max_tokens": 25}})
    judged = anneal(
        [used({"text": t}) for t in ("one", "two")],
        [used({"json": {"score": 0.1}}), used({"json": {"score": 0.3}})],
        node_={"budget": {"max_tokens": 30}},
    )
    failed = anneal(replies, node_={"budget": {"max_tokens": 9}})

    assert (done.exit, len(done.models)) == (0, 2)
    assert done.outputs["a"] == {
        "score": 0.3, "n": 1, "stopped_by": "budget", "scores": [0.1, 0.3],
    }  # fmt: skip
    assert judged.outputs["a"] == {"answer": "one", "stopped_by": "budget", "scores": [0.1]}
    assert (failed.code, failed.models) == ("NodeBudgetExceeded", [])


# --- swarm -------------------------------------------------------------------------------------


def over(peer: Any, **beside: Any) -> dict[str, Any]:
    """Return an answer that hands over."""
    told = {"peer_node_id": peer, "reason": "a sum", "context": {"a": 17}}
    return {"json": {"peer_delegation": told, **beside}}


def peer(name: str, *peers: str, most: int | None = None, **fields: Any) -> dict[str, Any]:
    """Return an agent that may hand over to `peers`."""
    limit = {} if most is None else {"max_handoffs": most}
    config = {"swarm": {"peer_nodes": list(peers), **limit}} if peers else {}
    return agent(name, config={**config, **fields.pop("config", {})}, **fields)


def swarm(
    nodes: Sequence[dict[str, Any]], replies: dict[str, Any], decide: Any = None,
    *, edges: Sequence[Any] = ("__start__ -> researcher",), script: Any = None, **fields: Any,
) -> Outcome:  # fmt: skip
    return run(doc(nodes, edges, **fields), {"nodes": replies, **(script or {})}, decide)


PAIR = [peer("researcher", "math_wiz"), peer("math_wiz", "researcher")]


def test_peers_are_other_nodes_that_exist_C130() -> None:
    """C130: Peers are other nodes that exist."""
    for name, code in (("zzz", "UnknownNode"), ("researcher", "InvalidValue")):
        found = check(doc([peer("researcher", name)]))
        assert (found.exit, code in found.codes) == (1, True)
    absent = check(doc([agent("researcher", config={"swarm": {}})]))
    assert "MissingField" in absent.codes
    assert check(doc(PAIR, ["__start__ -> researcher"])).exit == 0


def test_hand_offs_are_counted_at_the_entry_C131() -> None:
    """C131: Hand offs are counted at the entry."""
    always = {"repeat_last": True}
    replies = {
        "researcher": [over("math_wiz", n="r")],
        "math_wiz": [over("researcher", n="m")],
    }
    done = swarm(PAIR, replies, script=always)
    nodes = [peer("researcher", "math_wiz", most=3, writes=["n"]), peer("math_wiz", "researcher",
             most=99, writes=["n"])]  # fmt: skip
    three = swarm(nodes, replies, script=always)
    none = swarm([peer("researcher", "math_wiz", most=0, writes=["n"]), PAIR[1]], replies)

    assert (done.exit, len(done.path), done.path[-1]) == (0, 11, "researcher")
    assert done.outputs["researcher"] == {"n": "r", "stopped_by": "limit"}
    assert three.path == ["math_wiz", "researcher", "math_wiz", "researcher"]
    assert three.outputs["researcher"] == {"n": "m", "stopped_by": "limit"}
    assert three.memory == {"n": "m"}
    assert (none.path, none.memory) == (["researcher"], {"n": "r"})
    assert none.outputs["researcher"]["stopped_by"] == "limit"


def test_an_agent_hands_over_beside_its_writes_C132() -> None:
    """C132: An agent hands over beside its writes."""
    nodes = [
        peer("researcher", "math_wiz", writes=["facts"]),
        peer("math_wiz", reads=["facts"], config={"prompt": "With {{ memory.facts }}."}),
    ]
    done = swarm(nodes, {"researcher": [over("math_wiz", facts="17+4")], "math_wiz": [
        {"text": "21"}]})  # fmt: skip

    assert (done.exit, done.path) == (0, ["math_wiz", "researcher"])
    assert done.memory == {"facts": "17+4"}
    assert "With 17+4." in done.prompt(1)
    assert "peer_delegation" not in str(done.report["outputs"])


def test_a_text_answer_may_hold_the_hand_over_C132() -> None:
    """C132: A text answer may hold the hand over."""
    said = '```json\n{"peer_delegation": {"peer_node_id": "math_wiz", "reason": "sum"}}\n```'
    nodes = [peer("researcher", "math_wiz", writes=["draft"]), peer("math_wiz")]
    done = swarm(nodes, {"researcher": [{"text": said}], "math_wiz": [{"text": "21"}]})

    assert (done.outputs, done.memory) == ({"math_wiz": "21", "researcher": "21"}, {})


@pytest.mark.parametrize("schema", [None, {"type": "object", "properties": {"n": {}}}])
def test_only_peers_may_be_handed_to_C132(schema: Any) -> None:
    """C132: Only peers may be handed to."""
    config = {} if schema is None else {"result_schema": schema}
    nodes = [peer("researcher", "math_wiz", writes=["n"], config=config), peer("math_wiz")]
    failed = swarm(nodes, {"researcher": [over("zzz")]})

    assert (failed.code, failed.path) == ("UndeclaredTarget", ["researcher"])
    assert failed.activation("researcher")["attempts"] == 1


def test_a_peer_that_hands_to_a_stranger_fails_the_swarm_C132() -> None:
    """C132: A peer that hands to a stranger fails the swarm."""
    failed = swarm(PAIR, {"researcher": [over("math_wiz")], "math_wiz": [over("zzz")]})

    assert failed.code == "ChildFailed"
    assert "UndeclaredTarget" in failed.report["error"]["message"]


def test_a_peer_without_swarm_cannot_hand_over_C132() -> None:
    """C132: A peer without swarm cannot hand over."""
    nodes = [peer("researcher", "math_wiz"), peer("math_wiz")]
    done = swarm(nodes, {"researcher": [over("math_wiz")], "math_wiz": [over("researcher")]})

    assert done.path == ["math_wiz", "researcher"]
    assert "peer_delegation" in done.outputs["researcher"]


def test_required_fields_are_for_those_who_do_not_hand_over_C132() -> None:
    """C132: Required fields are for those who do not hand over."""
    schema = {"type": "object", "properties": {"sum": {"type": "integer"}}}
    nodes = [peer("researcher", "math_wiz", writes=["sum"]), peer("math_wiz", writes=["sum"])]
    done = swarm(
        nodes, {"researcher": [over("math_wiz")], "math_wiz": [{"json": {"sum": 21}}]},
        state_schema=schema,
    )  # fmt: skip
    own = swarm(nodes, {"researcher": [{"json": {"sum": 3}}]}, state_schema=schema)
    failed = swarm(nodes, {"researcher": [{"json": {}}]}, state_schema=schema)

    offered: Any = done.models[0].request.schema
    assert offered["properties"]["peer_delegation"]["properties"]["peer_node_id"]["enum"] == [
        "math_wiz"
    ]
    assert (done.memory, done.outputs["researcher"]) == ({"sum": 21}, {"sum": 21})
    assert (own.path, own.outputs) == (["researcher"], {"researcher": {"sum": 3}})
    assert failed.code == "ResultSchemaMismatch"


def test_the_last_answer_is_the_entrys_own_and_its_edges_decide_C133() -> None:
    """C133: The last answer is the entrys own and its edges decide."""
    nodes = [*PAIR, fn("python_dev", reads=["previous"])]
    done = swarm(
        nodes,
        {"researcher": [over("math_wiz")], "math_wiz": [{"text": "21"}]},
        edges=["__start__ -> researcher -> python_dev", "researcher -> math_wiz"],
        script={"functions": {"python_dev": {"view": True}}},
    )

    assert done.path == ["math_wiz", "researcher", "python_dev"]
    assert done.outputs["researcher"] == done.outputs["math_wiz"] == "21"
    assert done.outputs["python_dev"]["previous"] == "21"
    asked = done.prompt(1)
    assert all(text in asked for text in ("researcher", "a sum", '"a":17'))


def test_a_hand_off_back_runs_the_entry_as_a_child_C133_C19() -> None:
    """C133, C19: A hand off back runs the entry as a child."""
    nodes = [
        peer("researcher", "math_wiz", writes=["facts"]),
        peer("math_wiz", "researcher", reads=["previous"], writes=["sum"],
             config={"prompt": "{{ previous }}"}),
    ]  # fmt: skip
    replies = {
        "researcher": [over("math_wiz", facts=1), {"text": "done"}],
        "math_wiz": [over("researcher", sum=21)],
    }
    done = swarm(nodes, replies)

    assert done.path == ["math_wiz", "researcher", "researcher"]
    assert done.outputs["researcher"] == "done"
    assert done.memory == {"facts": "done", "sum": 21}


def test_of_several_agent_edges_the_entry_chooses_C133() -> None:
    """C133: Of several agent edges the entry chooses."""
    ways = [("researcher", n, {"trigger": "agent"}) for n in ("good", "bad")]
    nodes = [*PAIR, fn("good"), fn("bad")]
    replies = {
        "researcher": [over("math_wiz"), {"json": {"_next_node": "bad"}}],
        "math_wiz": [over("researcher")],
    }
    done = swarm(
        nodes, replies, edges=["__start__ -> researcher", *ways],
        script={"functions": {n: {"returns": {}} for n in ("good", "bad")}},
    )  # fmt: skip

    assert done.path == ["math_wiz", "researcher", "researcher", "bad"]


def test_peers_need_not_be_agents_C130_C133() -> None:
    """C130, C133: Peers need not be agents."""

    async def calc(ctx: Any, params: Any) -> Any:
        return {"output": [ctx.item["from"], ctx.item["reason"], ctx.item["context"]["a"] + 4]}

    nodes = [peer("researcher", "calc"), fn("calc")]
    graph = doc(nodes, ["__start__ -> researcher"])
    done = run(graph, {"nodes": {"researcher": [over("calc")]}}, handlers={"calc": calc})

    assert done.outputs["researcher"] == ["researcher", "a sum", 21]


def test_a_peer_waits_for_people_C78_C133() -> None:
    """C78, C133: A peer waits for people."""
    nodes = [peer("researcher", "ask"), question("ask")]
    replies = {"researcher": [over("ask")]}
    waiting = swarm(nodes, replies)
    done = swarm(nodes, replies, {"ask": [{"selected": "yes"}]})

    assert (waiting.exit, waiting.report["interrupts"][0]["node"]) == (3, "ask")
    assert (done.outputs["researcher"], len(done.models)) == ("yes", 1)


def test_a_failing_peer_fails_the_swarm_C77_C133() -> None:
    """C77, C133: A failing peer fails the swarm."""
    nodes = [peer("researcher", "calc"), fn("calc", policy={"max_retries": 0})]
    failed = swarm(
        nodes, {"researcher": [over("calc")]},
        script={"functions": {"calc": {"error": {"message": "no"}}}},
    )  # fmt: skip

    assert failed.code == "ChildFailed"
    assert "HandlerFailed" in failed.report["error"]["message"]


def test_a_swarm_keeps_its_last_answer_when_money_ends_C40_C42() -> None:
    """C40, C42: A swarm keeps its last answer when money ends."""
    nodes = [peer("researcher", "math_wiz", budget={"max_tokens": 25}), PAIR[1]]
    replies = {
        "researcher": [used(over("math_wiz", n=1)), used({"text": "never"})],
        "math_wiz": [used(over("researcher", n=2))],
    }
    done = swarm(nodes, replies)
    first = swarm([peer("researcher", "math_wiz", budget={"max_tokens": 5}), PAIR[1]], replies)

    assert (done.exit, len(done.models)) == (0, 2)
    assert done.outputs["researcher"] == {"n": 2, "stopped_by": "budget"}
    assert (first.code, first.models) == ("NodeBudgetExceeded", [])
