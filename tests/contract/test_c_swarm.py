"""Rows C130 to C133: swarms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, check, doc, fn, question, run
from tests.contract.scripts import used


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
    nodes: Sequence[dict[str, Any]],
    replies: dict[str, Any],
    decide: Any = None,
    *,
    edges: Sequence[Any] = ("__start__ -> researcher",),
    script: Any = None,
    **fields: Any,
) -> Outcome:
    return run(doc(nodes, edges, **fields), {"nodes": replies, **(script or {})}, decide)


PAIR = [peer("researcher", "math_wiz"), peer("math_wiz", "researcher")]


def test_peers_are_other_nodes_that_exist() -> None:
    """C130."""
    for name, code in (("zzz", "UnknownNode"), ("researcher", "InvalidValue")):
        found = check(doc([peer("researcher", name)]))
        assert (found.exit, code in found.codes) == (1, True)
    absent = check(doc([agent("researcher", config={"swarm": {}})]))
    assert "MissingField" in absent.codes
    assert check(doc(PAIR, ["__start__ -> researcher"])).exit == 0


def test_hand_offs_are_counted_at_the_entry() -> None:
    """C131."""
    always = {"repeat_last": True}
    replies = {
        "researcher": [over("math_wiz", n="r")],
        "math_wiz": [over("researcher", n="m")],
    }
    done = swarm(PAIR, replies, script=always)
    nodes = [
        peer("researcher", "math_wiz", most=3, writes=["n"]),
        peer("math_wiz", "researcher", most=99, writes=["n"]),
    ]
    three = swarm(nodes, replies, script=always)
    none = swarm([peer("researcher", "math_wiz", most=0, writes=["n"]), PAIR[1]], replies)

    assert (done.exit, len(done.path), done.path[-1]) == (0, 11, "researcher")
    assert done.outputs["researcher"] == {"n": "r", "stopped_by": "limit"}
    assert three.path == ["math_wiz", "researcher", "math_wiz", "researcher"]
    assert three.outputs["researcher"] == {"n": "m", "stopped_by": "limit"}
    assert three.memory == {"n": "m"}
    assert (none.path, none.memory) == (["researcher"], {"n": "r"})
    assert none.outputs["researcher"]["stopped_by"] == "limit"


def test_an_agent_hands_over_beside_its_writes() -> None:
    """C132."""
    nodes = [
        peer("researcher", "math_wiz", writes=["facts"]),
        peer("math_wiz", reads=["facts"], config={"prompt": "With {{ memory.facts }}."}),
    ]
    done = swarm(
        nodes, {"researcher": [over("math_wiz", facts="17+4")], "math_wiz": [{"text": "21"}]}
    )

    assert (done.exit, done.path) == (0, ["math_wiz", "researcher"])
    assert done.memory == {"facts": "17+4"}
    assert "With 17+4." in done.prompt(1)
    assert "peer_delegation" not in str(done.report["outputs"])


def test_a_text_answer_may_hold_the_hand_over() -> None:
    """C132."""
    said = '```json\n{"peer_delegation": {"peer_node_id": "math_wiz", "reason": "sum"}}\n```'
    nodes = [peer("researcher", "math_wiz", writes=["draft"]), peer("math_wiz")]
    done = swarm(nodes, {"researcher": [{"text": said}], "math_wiz": [{"text": "21"}]})

    assert (done.outputs, done.memory) == ({"math_wiz": "21", "researcher": "21"}, {})


@pytest.mark.parametrize("schema", [None, {"type": "object", "properties": {"n": {}}}])
def test_only_peers_may_be_handed_to(schema: Any) -> None:
    """C132."""
    config = {} if schema is None else {"result_schema": schema}
    nodes = [peer("researcher", "math_wiz", writes=["n"], config=config), peer("math_wiz")]
    failed = swarm(nodes, {"researcher": [over("zzz")]})

    assert (failed.code, failed.path) == ("UndeclaredTarget", ["researcher"])
    assert failed.activation("researcher")["attempts"] == 1


def test_a_peer_that_hands_to_a_stranger_fails_the_swarm() -> None:
    """C132."""
    failed = swarm(PAIR, {"researcher": [over("math_wiz")], "math_wiz": [over("zzz")]})

    assert failed.code == "ChildFailed"
    assert "UndeclaredTarget" in failed.report["error"]["message"]


def test_a_peer_without_swarm_cannot_hand_over() -> None:
    """C132."""
    nodes = [peer("researcher", "math_wiz"), peer("math_wiz")]
    done = swarm(nodes, {"researcher": [over("math_wiz")], "math_wiz": [over("researcher")]})

    assert done.path == ["math_wiz", "researcher"]
    assert "peer_delegation" in done.outputs["researcher"]


def test_required_fields_are_for_those_who_do_not_hand_over() -> None:
    """C132."""
    schema = {"type": "object", "properties": {"sum": {"type": "integer"}}}
    nodes = [peer("researcher", "math_wiz", writes=["sum"]), peer("math_wiz", writes=["sum"])]
    done = swarm(
        nodes,
        {"researcher": [over("math_wiz")], "math_wiz": [{"json": {"sum": 21}}]},
        state_schema=schema,
    )
    own = swarm(nodes, {"researcher": [{"json": {"sum": 3}}]}, state_schema=schema)
    failed = swarm(nodes, {"researcher": [{"json": {}}]}, state_schema=schema)

    offered: Any = done.models[0].request.schema
    assert offered["properties"]["peer_delegation"]["properties"]["peer_node_id"]["enum"] == [
        "math_wiz"
    ]
    assert (done.memory, done.outputs["researcher"]) == ({"sum": 21}, {"sum": 21})
    assert (own.path, own.outputs) == (["researcher"], {"researcher": {"sum": 3}})
    assert failed.code == "ResultSchemaMismatch"


def test_the_last_answer_is_the_entrys_own_and_its_edges_decide() -> None:
    """C133."""
    nodes = [*PAIR, fn("python_dev", reads=["previous"])]
    done = swarm(
        nodes,
        {"researcher": [over("math_wiz")], "math_wiz": [{"text": "21"}]},
        edges=["__start__ -> researcher -> python_dev"],
        script={"functions": {"python_dev": {"view": True}}},
    )

    assert done.path == ["math_wiz", "researcher", "python_dev"]
    assert done.outputs["researcher"] == done.outputs["math_wiz"] == "21"
    assert done.outputs["python_dev"]["previous"] == "21"
    asked = done.prompt(1)
    assert all(text in asked for text in ("researcher", "a sum", '"a":17'))


def test_the_entrys_edges_to_peers_are_followed_after_the_swarm() -> None:
    """C133: After a hand-off to one peer the edge to another peer is followed as any other."""
    nodes = [
        peer("researcher", "math_wiz", "python_dev"),
        peer("math_wiz", "researcher"),
        agent("python_dev", reads=["previous"], config={"prompt": "Of {{ previous }}."}),
    ]
    replies = {
        "researcher": [over("math_wiz")],
        "math_wiz": [{"text": "21"}],
        "python_dev": [{"text": "print(21)"}],
    }
    done = swarm(nodes, replies, edges=["__start__ -> researcher -> python_dev"])

    assert (done.exit, done.path) == (0, ["math_wiz", "researcher", "python_dev"])
    assert done.outputs["researcher"] == "21"
    assert "Of 21." in done.prompt(2)


def test_a_hand_off_back_runs_the_entry_as_a_child() -> None:
    """C133, C19."""
    nodes = [
        peer("researcher", "math_wiz", writes=["facts"]),
        peer(
            "math_wiz",
            "researcher",
            reads=["previous"],
            writes=["sum"],
            config={"prompt": "{{ previous }}"},
        ),
    ]
    replies = {
        "researcher": [over("math_wiz", facts=1), {"text": "done"}],
        "math_wiz": [over("researcher", sum=21)],
    }
    done = swarm(nodes, replies)

    assert done.path == ["math_wiz", "researcher", "researcher"]
    assert done.outputs["researcher"] == "done"
    assert done.memory == {"facts": "done", "sum": 21}


def test_of_several_agent_edges_the_entry_chooses() -> None:
    """C133."""
    ways = [("researcher", n, {"trigger": "agent"}) for n in ("good", "bad")]
    nodes = [*PAIR, fn("good"), fn("bad")]
    replies = {
        "researcher": [over("math_wiz"), {"json": {"_next_node": "bad"}}],
        "math_wiz": [over("researcher")],
    }
    done = swarm(
        nodes,
        replies,
        edges=["__start__ -> researcher", *ways],
        script={"functions": {n: {"returns": {}} for n in ("good", "bad")}},
    )

    assert done.path == ["math_wiz", "researcher", "researcher", "bad"]


def test_peers_need_not_be_agents() -> None:
    """C130, C133."""

    async def calc(ctx: Any, params: Any) -> Any:
        return {"output": [ctx.item["from"], ctx.item["reason"], ctx.item["context"]["a"] + 4]}

    nodes = [peer("researcher", "calc"), fn("calc")]
    graph = doc(nodes, ["__start__ -> researcher"])
    done = run(graph, {"nodes": {"researcher": [over("calc")]}}, handlers={"calc": calc})

    assert done.outputs["researcher"] == ["researcher", "a sum", 21]


def test_a_peer_waits_for_people() -> None:
    """C78, C133."""
    nodes = [peer("researcher", "ask"), question("ask")]
    replies = {"researcher": [over("ask")]}
    waiting = swarm(nodes, replies)
    done = swarm(nodes, replies, {"ask": [{"selected": "yes"}]})

    assert (waiting.exit, waiting.report["interrupts"][0]["node"]) == (3, "ask")
    assert (done.outputs["researcher"], len(done.models)) == ("yes", 1)


def test_a_failing_peer_fails_the_swarm() -> None:
    """C77, C133."""
    nodes = [peer("researcher", "calc"), fn("calc", policy={"max_retries": 0})]
    failed = swarm(
        nodes,
        {"researcher": [over("calc")]},
        script={"functions": {"calc": {"error": {"message": "no"}}}},
    )

    assert failed.code == "ChildFailed"
    assert "HandlerFailed" in failed.report["error"]["message"]


def test_a_swarm_keeps_its_last_answer_when_money_ends() -> None:
    """C40, C42."""
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
