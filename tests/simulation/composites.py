"""Graphs of the simulation with every composite type, each small enough to be crashed everywhere."""

from __future__ import annotations

from typing import Any

from tests.simulation.graphs import FAST, agent, graph, node

AGENTS = [
    {"id": "buyer", "tools": ["charge"], "max_output_tokens": 40},
    {"id": "ann", "max_output_tokens": 40},
    {"id": "ben", "system_prompt": "You are careful.", "max_output_tokens": 40},
    {"id": "cid", "system_prompt": "You judge.", "max_output_tokens": 40},
]
TEXT = {"type": "object", "properties": {"draft": {"type": "string"}, "said": {"type": "string"}}}
ASK = {"on_breach": "ask"}
ONCE = {**FAST, "max_retries": 0}
ORDER = "{{ context.run_id }}/"


def undoable(name: str, tool: str, undo: str, **fields: Any) -> dict[str, Any]:
    """Return a tool node that another tool undoes."""
    config = {
        "tool_id": tool,
        "arguments": {"order": f"{ORDER}{name}"},
        "compensation": {"tool_id": undo, "arguments": {"order": f"{ORDER}{name}/back"}},
    }
    return node(
        name, "tool", read_keys=["context"], config=config, requires_compensation=True, **fields
    )


MAPPED = graph(
    "mapped",
    [
        node(
            "spread",
            "map",
            config={
                "worker_node_id": "worker",
                "static_items": [0, 1, 2, 3],
                "max_concurrency": 2,
                "synthesizer_node_id": "joined",
            },
        ),
        node("worker", "sim_worker"),
        node("joined", "synthesizer", read_keys=["previous"]),
        node("caught", "sim_pure", write_keys=["*"]),
        node(
            "fast",
            "map",
            config={
                "worker_node_id": "worker",
                "static_items": [0, 2, 3],
                "error_strategy": "fail_fast",
            },
        ),
        node(
            "outer",
            "map",
            config={"worker_node_id": "inner", "static_items": ["a", "b"]},
            budget={"max_cost_usd": "0.012", **ASK},
        ),
        node("inner", "map", config={"worker_node_id": "talk", "static_items": [1, 2]}),
        agent("talk", config={"agent_id": "ann"}),
        node("mixed", "sim_mixed", failure_policy=ONCE),
    ],
    "__start__ > mixed",
    ("mixed > caught", {"on": "failed"}),
    "__start__ > spread",
    "__start__ > fast",
    "__start__ > outer",
    "outer > __end__",
    ("fast > caught", {"on": "failed"}),
    "fast > __end__",
    "caught > __end__",
    agents=AGENTS,
    limits={"budget_usd": "0.06"},
)

TEAM = graph(
    "team",
    [
        node(
            "lead",
            "supervisor",
            read_keys=["said"],
            config={
                "agent_id": "ann",
                "max_iterations": 3,
                "managed_nodes": ["talk", "look", "ask"],
            },
            budget={"max_cost_usd": "0.05"},
        ),
        agent(
            "talk", write_keys=["said"], config={"agent_id": "ben"}, budget={"max_cost_usd": "0.01"}
        ),
        node("look", "sim_look"),
        node("ask", "question", config={"question": "What next?"}),
        node(
            "vote",
            "voting",
            read_keys=["context"],
            budget={"max_cost_usd": "0.02", **ASK},
            config={
                "voter_agent_ids": ["ann", "ben", "cid"],
                "quorum": 2,
                "prompt": "Yes?",
                "strategy": "llm_judge",
                "judge_agent_id": "cid",
            },
        ),
    ],
    "__start__ > lead",
    "lead > vote",
    "vote > __end__",
    agents=AGENTS,
    state_schema=TEXT,
    limits={"budget_usd": "0.09"},
)

SWARM = graph(
    "swarm",
    [
        agent(
            "first",
            write_keys=["said"],
            config={
                "agent_id": "ann",
                "swarm": {"peer_nodes": ["second", "third"], "max_handoffs": 3},
            },
        ),
        agent(
            "second",
            write_keys=["said"],
            config={"agent_id": "ben", "swarm": {"peer_nodes": ["first", "third"]}},
        ),
        node("third", "question", config={"question": "Can you?"}),
        agent(
            "refine",
            budget={"max_cost_usd": "0.03"},
            config={
                "agent_id": "ann",
                "annealing": {
                    "evaluator_agent_id": "cid",
                    "max_iterations": 3,
                    "diminishing_returns_delta": 0,
                },
            },
        ),
    ],
    "__start__ > first",
    "first > refine",
    "refine > __end__",
    agents=AGENTS,
    state_schema=TEXT,
    limits={"budget_usd": "0.09"},
)

EVOLVED = graph(
    "evolved",
    [
        node(
            "search",
            "evolution",
            read_keys=["context"],
            budget={"max_cost_usd": "0.05"},
            config={
                "candidate_agent_id": "ann",
                "evaluator_agent_id": "cid",
                "prompt": "Try.",
                "population_size": 3,
                "max_generations": 2,
                "tournament_size": 2,
                "fitness_threshold": 2,
                "selection_strategy": "tournament",
                "max_concurrency": 2,
            },
        ),
        agent("write", write_keys=["draft"], config={"agent_id": "ben"}),
        node(
            "check",
            "verifier",
            read_keys=["draft"],
            config={"type": "llm_judge", "target_key": "draft", "evaluator_agent_id": "cid"},
        ),
    ],
    "__start__ > search",
    "search > write",
    "write > check",
    ("check > __end__", {"condition": "memory.check_verification_passed"}),
    "check > write",
    agents=AGENTS,
    state_schema=TEXT,
    limits={"budget_usd": "0.2", "max_iterations": 8},
)

OUTER = graph(
    "outer",
    [
        node("down", "subgraph", config={"subgraph_id": "middle"}, budget={"max_cost_usd": "0.02"}),
        undoable("paid", "charge", "refund"),
        node("coin", "sim_coin", config={"fails": 0.4}, failure_policy=ONCE),
    ],
    "__start__ > down",
    "down > paid",
    "paid > coin",
    "coin > __end__",
    agents=AGENTS,
    limits={"budget_usd": "0.025"},
)

MIDDLE = graph(
    "middle",
    [
        undoable("below", "charge", "refund"),
        node("deeper", "subgraph", config={"subgraph_id": "child"}),
        agent("talk", config={"agent_id": "ben"}),
    ],
    "__start__ > below",
    "below > deeper",
    "__start__ > talk",
    "deeper > __end__",
    "talk > __end__",
    agents=AGENTS,
)

UNDONE = graph(
    "undone",
    [
        undoable("paid", "charge", "refund"),
        undoable("told", "mail", "recall"),
        node("spread", "map", config={"worker_node_id": "talk", "static_items": [1, 2]}),
        agent("talk", config={"agent_id": "ann"}),
        node("coin", "sim_coin", config={"fails": 0.8}, failure_policy=ONCE),
    ],
    "__start__ > paid",
    "paid > told",
    "__start__ > spread",
    "told > coin",
    "spread > coin",
    "coin > __end__",
    agents=AGENTS,
)

BROKEN = graph(
    "broken",
    [
        node(
            "look",
            "sim_look",
            failure_policy={
                **FAST,
                "max_retries": 4,
                "circuit_breaker": {
                    "enabled": True,
                    "failure_threshold": 2,
                    "success_threshold": 1,
                    "timeout_ms": 1_500,
                },
            },
        ),
        node("pause", "delay", config={"duration_ms": 1_000}),
        node("hand", "sim_coin", write_keys=["*"], config={"fails": 0.1, "hands_over_to": "after"}),
    ],
    "__start__ > look",
    ("look > pause", {"on": "failed"}),
    "pause > look",
    "look > hand",
    "hand > __end__",
    limits={"budget_usd": "0.03", "max_iterations": 9},
    agents=AGENTS,
)

AFTER = graph(
    "after",
    [
        agent("talk", config={"agent_id": "ann"}),
        node("down", "subgraph", config={"subgraph_id": "child"}),
    ],
    "__start__ > talk",
    "talk > down",
    "down > __end__",
    agents=AGENTS,
)

LEARNT = graph(
    "learnt",
    [
        node(
            "learn",
            "reflection",
            read_keys=["notes"],
            config={
                "source_keys": ["notes"],
                "tags": ["sim"],
                "extractor": {"type": "llm", "agent_id": "cid", "max_facts": 2},
            },
        ),
        agent("recall", config={"agent_id": "ann"}, memory_query={"tags": ["sim"]}),
        node(
            "strict",
            "verifier",
            read_keys=["notes"],
            config={
                "type": "llm_judge",
                "target_key": "notes",
                "evaluator_agent_id": "cid",
                "throw_on_fail": True,
            },
        ),
    ],
    "__start__ > learn",
    "learn > recall",
    "__start__ > strict",
    "recall > __end__",
    "strict > __end__",
    agents=AGENTS,
    initial_memory={"notes": "The shop opens at nine."},
    limits={"budget_usd": "0.09"},
)

COMPOSITES = (MAPPED, TEAM, SWARM, EVOLVED, OUTER, UNDONE, BROKEN, LEARNT)
BELOW = (MIDDLE, AFTER)
"""Graphs that the composites run."""

REPEATING = {spec.id for spec in (*COMPOSITES, *BELOW)}
"""Graphs whose nodes may well ask the same thing twice."""
