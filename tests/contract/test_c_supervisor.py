"""Rows C70 to C78: supervisors, and C40 to C42 for composites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, approval, check, doc, fn, node, question, run
from tests.contract.scripts import used

WORKERS = ("research", "write", "edit")


def pick(name: Any, reasoning: str = "because") -> dict[str, Any]:
    """Return a routing answer."""
    return {"json": {"next_node": name, "reasoning": reasoning}}


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


def test_the_agent_of_the_config_routes() -> None:
    """C70."""
    missing = check(supervisor(managed_nodes=["w"]))
    done = team(ALL)

    assert ("MissingField", "nodes[0].config.agent_id") in [
        (p["code"], p["path"]) for p in missing.problems
    ]
    assert {call.origin.agent_id for call in done.models} == {"chief"}


def test_the_model_picks_a_node_or_is_done() -> None:
    """C71."""
    done = team(ALL)

    assert (done.exit, done.path) == (0, ["research", "write", "edit", "boss"])
    schema: Any = done.models[0].request.schema
    assert schema["properties"]["next_node"]["enum"] == [*WORKERS, "__done__"]
    assert done.models[0].request.tools == ()


@pytest.mark.parametrize("said", [pick("zzz"), pick(None), {"json": {}}, {"text": "research"}])
def test_anything_else_fails(said: dict[str, Any]) -> None:
    """C71."""
    failed = team([said])

    assert (failed.code, failed.path) == ("UndeclaredTarget", ["boss"])
    assert failed.activation("boss")["attempts"] == 1


def test_managed_nodes_exist_and_are_others() -> None:
    """C71."""
    for names, code in (([], "InvalidValue"), (["zzz"], "UnknownNode"), (["boss"], "InvalidValue")):
        found = check(supervisor(agent_id="chief", managed_nodes=names))
        assert (found.exit, code in found.codes) == (1, True)
    absent = check(supervisor(agent_id="chief"))
    assert "MissingField" in absent.codes
    assert check(supervisor(agent_id="chief", managed_nodes=["w"])).exit == 0


def test_it_completes_at_its_limit_without_another_call() -> None:
    """C72."""
    done = team([pick("research")], script={"repeat_last": True})
    twice = team([pick("research")] * 3, max_iterations=2)

    assert (done.exit, done.path) == (0, ["research"] * 10 + ["boss"])
    assert (done.outputs["boss"]["stopped_by"], len(done.models)) == ("limit", 10)
    assert done.activation("research", 10)["status"] == "completed"
    assert (twice.outputs["boss"]["iterations"], len(twice.models)) == (2, 2)


@pytest.mark.parametrize(
    "condition", ["$.memory.final_draft", "has(memory.final_draft)", "memory.final_draft != ''"]
)
def test_a_condition_is_judged_before_each_routing_call(condition: str) -> None:
    """C73."""
    draft = {"write": {"returns": {"data": {"final_draft": "text"}}}}
    reads = {"reads": ["final_draft"]}
    done = team(ALL, functions=draft, boss=reads, completion_condition=condition)
    given = team(
        ALL,
        boss=reads,
        fields={"initial_memory": {"final_draft": "x"}},
        completion_condition=condition,
    )
    unreadable = team(ALL, functions=draft, completion_condition="has(memory.final_draft)")

    assert (done.path, len(done.models)) == (["research", "write", "boss"], 2)
    assert done.outputs["boss"]["stopped_by"] == "condition"
    assert (given.path, given.models) == (["boss"], [])
    assert given.outputs["boss"] == {"stopped_by": "condition", "iterations": 0, "history": []}
    assert unreadable.outputs["boss"]["stopped_by"] == "model"


def test_a_condition_that_fails_fails_the_node() -> None:
    """C73, C16."""
    failed = team(
        ALL,
        boss={"reads": ["n"]},
        fields={"initial_memory": {"n": "text"}},
        completion_condition="memory.n > 1",
    )

    assert (failed.code, failed.models) == ("ExpressionFailed", [])
    for wrong in ("$[", "memory."):
        config = {"agent_id": "chief", "managed_nodes": ["w"], "completion_condition": wrong}
        assert "ExpressionInvalid" in check(supervisor(**config)).codes


def test_edges_to_managed_nodes_are_drawn_and_not_followed() -> None:
    """C74."""
    nodes = [*(fn(name) for name in WORKERS), fn("after")]
    hub = [f"boss -> {name}" for name in WORKERS]
    back = [f"{name} -> boss" for name in WORKERS]
    plain = team(ALL, workers=nodes, edges=["__start__ -> boss -> after"])
    drawn = team(ALL, workers=nodes, edges=["__start__ -> boss -> after", *hub, *back])

    assert plain.path == drawn.path == ["research", "write", "edit", "boss", "after"]


def test_every_delegation_is_in_its_output() -> None:
    """C75."""
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


def test_the_prompt_holds_goal_state_nodes_history_and_outputs() -> None:
    """C76."""
    nodes = [fn("research", description="Finds facts."), fn("write")]
    done = team(
        [pick("research", "facts are missing"), pick("__done__")],
        workers=nodes,
        boss={"reads": ["style"]},
        fields={
            "goal": "Write a page.",
            "constraints": ["Be brief."],
            "initial_memory": {"style": "formal", "secret": "hidden"},
        },
        functions={"research": {"returns": {"data": {"style": "plain"}, "output": "The sky."}}},
    )
    first, second = done.prompt(0), done.prompt(1)

    assert all(t in first for t in ("Write a page.", "Be brief.", "formal", "Finds facts."))
    assert "hidden" not in first + second
    assert all(t in second for t in ("facts are missing", "The sky.", "plain"))
    assert "The sky." not in first


def test_outputs_of_its_nodes_need_no_read_key() -> None:
    """C76."""
    done = team([pick("research"), pick("__done__")])

    assert "research!" in done.prompt(1)


def test_a_failing_node_fails_the_supervisor() -> None:
    """C77."""
    nodes = [fn("research", policy={"max_retries": 0})]
    failed = team(ALL, workers=nodes, functions={"research": {"error": {"message": "no facts"}}})

    assert (failed.code, failed.path) == ("ChildFailed", ["research", "boss"])
    assert "HandlerFailed" in failed.report["error"]["message"]
    assert failed.activation("boss")["attempts"] == 1


def test_a_failing_node_takes_the_supervisors_own_failure_edge() -> None:
    """C77."""
    nodes = [fn("research", policy={"max_retries": 0}), fn("after")]
    done = team(
        ALL,
        workers=nodes,
        functions={"research": {"error": {"message": "no facts"}}},
        edges=["__start__ -> boss", ("boss", "after", {"on": "failed"})],
    )

    assert (done.exit, done.path) == (0, ["research", "boss", "after"])


def test_a_managed_node_waits_for_people() -> None:
    """C78."""
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


def test_managed_nodes_write_and_hand_on_by_their_own_grants() -> None:
    """C19."""
    nodes = [
        fn("research", "research", writes=["facts"]),
        fn("write", "look", reads=["facts", "previous"], writes=[]),
    ]
    done = team(
        [pick("write"), pick("research"), pick("write"), pick("__done__")],
        workers=[*nodes, fn("after")],
        edges=["__start__ -> after -> boss"],
        functions={
            "research": {"returns": {"data": {"facts": 1}, "output": "found"}},
            "look": {"view": True},
        },
    )
    before, after = done.activation("write", 1)["output"], done.activation("write", 2)["output"]

    assert done.memory == {"facts": 1}
    assert before["previous"] == "after!"
    assert (after["previous"], after["memory"]) == ("found", {"facts": 1})


def test_a_worker_may_not_write_beyond_its_grant() -> None:
    """C19."""
    nodes = [fn("research", writes=[])]
    failed = team(ALL, workers=nodes, functions={"research": {"returns": {"data": {"x": 1}}}})

    assert (failed.code, failed.memory) == ("ChildFailed", {})
    assert "WriteNotAllowed" in failed.report["error"]["message"]


def test_a_routing_call_that_does_not_fit_ends_it_gracefully() -> None:
    """C42."""
    done = team([used(p) for p in ALL], boss={"budget": {"max_tokens": 25}})

    assert (done.exit, done.path) == (0, ["research", "write", "boss"])
    assert done.outputs["boss"]["stopped_by"] == "budget"
    assert done.outputs["boss"]["iterations"] == 2
    assert done.report["spend"]["tokens"] == 20


def test_what_its_nodes_spend_counts_for_the_supervisor() -> None:
    """C40, C42."""
    workers = [agent("research", policy={"max_retries": 0})]
    script = {"nodes": {"research": [used({"text": "a"}, 30), used({"text": "b"}, 30)]}}
    done = team(
        [used(pick("research"))] * 3,
        workers=workers,
        boss={"budget": {"max_tokens": 75}},
        script=script,
    )

    assert (done.exit, done.path) == (0, ["research", "research", "boss"])
    assert done.activation("research", 2)["status"] == "failed"
    assert done.activation("research", 2)["error"]["code"] == "NodeBudgetExceeded"
    assert (done.outputs["boss"]["stopped_by"], done.outputs["research"]) == ("budget", "a")
    assert done.report["spend"]["tokens"] == 50


@pytest.mark.parametrize("tokens", [5, 35])
def test_a_first_delegation_that_does_not_fit_stops_the_run(tokens: int) -> None:
    """C41, C42."""
    workers = [agent("research")]
    failed = team(
        [used(pick("research"))] * 3,
        workers=workers,
        boss={"budget": {"max_tokens": tokens}},
        script={"nodes": {"research": [used({"text": "a"}, 30)]}},
    )

    assert (failed.status, failed.code) == ("failed", "NodeBudgetExceeded")
    assert failed.report["error"]["node"] == "boss"


def test_a_nodes_own_cap_stops_the_run() -> None:
    """C41."""
    workers = [agent("research", budget={"max_tokens": 30})]
    failed = team(
        [pick("research")] * 3,
        workers=workers,
        script={"nodes": {"research": [used({"text": "a"}, 30), used({"text": "b"}, 31)]}},
    )

    assert (failed.code, failed.report["error"]["node"]) == ("NodeBudgetExceeded", "research")


def test_a_limit_of_the_run_ends_passes_gracefully_too() -> None:
    """C42."""
    done = team([used(p) for p in ALL], fields={"limits": {"max_token_budget": 25}})

    assert (done.exit, done.outputs["boss"]["stopped_by"]) == (0, "budget")
