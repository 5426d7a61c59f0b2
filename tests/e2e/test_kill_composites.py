"""`kill -9` in the middle of every composite: it goes on where it was, in a process of its own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.model import accept_provider, fake_model
from tests.e2e.server import Server, serving, wait_until
from tests.e2e.test_kill import add_graph

pytestmark = pytest.mark.slow

HAND_OVER = {"peer_delegation": {"peer_node_id": "second", "reason": "knows more"}}
REPLIES = [
    {"if": "swarm: first", "replies": [{"json": HAND_OVER}]},
    {"if": "swarm: second", "replies": [{"text": "Solved."}]},
]
"""What the model says; everything else gets the emptiest answer that fits its schema, or an echo."""


def node(name: str, kind: str, config: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a node of the document."""
    return {"id": name, "type": kind, "label": name, "config": config, **more}


def talk(name: str, prompt: str, **config: Any) -> dict[str, Any]:
    """Return an agent node that asks once."""
    return node(
        name,
        "agent",
        {"agent_id": "ann", "frame": "bare", "prompt": prompt, **config},
        write_keys=["note"],
    )


def judge(name: str) -> dict[str, Any]:
    """Return a verifier that asks a model about `note`."""
    config = {"type": "llm_judge", "target_key": "note", "evaluator_agent_id": "ben"}
    return node(name, "verifier", config, read_keys=["note"])


COMPOSITES: dict[str, list[dict[str, Any]]] = {
    "vote": [
        node(
            "vote",
            "voting",
            {
                "voter_agent_ids": ["ann", "ben", "cid"],
                "prompt": "vote: yes?",
                "options": ["yes", "no"],
            },
        ),
    ],
    "tally": [
        node(
            "spread",
            "map",
            {
                "worker_node_id": "each",
                "static_items": [1, 2, 3],
                "max_concurrency": 1,
                "synthesizer_node_id": "joined",
            },
        ),
        talk("each", "map: one"),
        node(
            "joined",
            "synthesizer",
            {"agent_id": "cid", "prompt": "synthesis: all"},
            read_keys=["previous"],
        ),
    ],
    "search": [
        node(
            "search",
            "evolution",
            {
                "candidate_agent_id": "ann",
                "evaluator_agent_id": "ben",
                "prompt": "evolution: try",
                "population_size": 2,
                "max_generations": 2,
                "stagnation_generations": 2,
            },
        ),
    ],
    "team": [
        node(
            "lead",
            "supervisor",
            {"agent_id": "ann", "managed_nodes": ["work"], "max_iterations": 2},
        ),
        talk("work", "supervisor: work"),
    ],
    "swarm": [
        talk("first", "swarm: first", swarm={"peer_nodes": ["second"]}),
        talk("second", "swarm: second"),
    ],
    "refine": [
        talk(
            "refine",
            "annealing: better",
            annealing={
                "evaluator_agent_id": "ben",
                "max_iterations": 3,
                "diminishing_returns_delta": 0,
            },
        ),
    ],
    "judged": [talk("write", "verifier: write"), judge("check"), talk("after", "verifier: after")],
    "noted": [
        talk("write", "reflection: write"),
        node(
            "keep",
            "reflection",
            {"source_keys": ["note"], "extractor": {"type": "llm", "agent_id": "cid"}},
            read_keys=["note"],
        ),
        talk("after", "reflection: after"),
    ],
    "outer": [node("down", "subgraph", {"subgraph_id": "inner"}), talk("after", "outer: after")],
}
CHAINED = {"judged", "noted", "outer", "inner"}


def document(name: str, nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a graph that runs the first node, or all of them one after the other."""
    ids = ["__start__", *(n["id"] for n in (nodes if name in CHAINED else nodes[:1]))]
    people = [
        {"id": who, "model": "fake/fake-small", "max_output_tokens": 100}
        for who in ("ann", "ben", "cid")
    ]
    edges = [
        {"id": f"e{n}", "source": a, "target": b}
        for n, (a, b) in enumerate(zip(ids, ids[1:], strict=False))
    ]
    return {
        "graphwright": 1,
        "id": name,
        "name": name,
        "agents": people,
        "nodes": nodes,
        "edges": edges,
    }


def start_all(client: Any) -> dict[str, str]:
    """Import and publish every composite, start each once and return the runs' ids."""
    inner = add_graph(
        client,
        document("inner", [talk("below", "subgraph: below"), talk("deeper", "subgraph: deeper")]),
    )
    revision = client.get(f"/api/graphs/{inner}/")["revision"]
    client.post(f"/api/graphs/{inner}/publish/", {"revision": revision})
    graphs = {name: add_graph(client, document(name, nodes)) for name, nodes in COMPOSITES.items()}
    return {
        name: client.start_run(graph, {"max_token_budget": 500_000})
        for name, graph in graphs.items()
    }


def answered(client: Any, run_id: str) -> int:
    """Return how many model calls of the run are recorded."""
    return sum(event["type"] == "StepCompleted" for event in client.events(run_id))


def wait_for_answers(client: Any, runs: dict[str, str]) -> None:
    """Return once each run that is under way has heard one more answer, or ended."""
    going = [run_id for run_id in runs.values() if client.run(run_id)["status"] == "running"]
    known = {run_id: answered(client, run_id) for run_id in going}

    def moved(run_id: str) -> bool:
        return answered(client, run_id) > known[run_id] or client.run(run_id)["status"] != "running"

    wait_until(lambda: all(map(moved, going)), "an answer to each composite")


def test_a_restart_in_the_middle_of_a_composite_parks_nothing(
    tmp_path: Path, sqlite_template: Path
) -> None:
    """I1, I5, I9: Every composite goes on after a restart; no call that was answered is sent again."""
    with (
        fake_model(tmp_path, 700, REPLIES) as model,
        serving(tmp_path, Server, sqlite_template) as server,
    ):
        server.start()
        client = server.client()
        client.set_up()
        accept_provider(server, client.workspace, model.base_url)
        runs = start_all(client)
        for _round in range(2):
            wait_for_answers(client, runs)
            server.kill()
            server.start()

        parked = client.open_interrupts()
        ended = {name: client.wait_ended(run_id, 60) for name, run_id in runs.items()}

        assert parked == []
        assert {name: run["status"] for name, run in ended.items()} == dict.fromkeys(
            runs, "completed"
        ), {name: run["error"] for name, run in ended.items()}
        sent = Counter(call["idempotency_key"] for call in model.charged)
        assert max(sent.values()) <= 3
        assert sum(sent.values()) - len(sent) <= 2 * 5 * len(runs)
