"""What the kit runs: a workflow for each thing that can be broken, and what each owes the outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from tests.chaos import desk

Json = dict[str, Any]

BUDGET_TOKENS: Final = 400_000
"""What each run may spend: many calls of which nobody knows what they cost count in full."""
STUBBORN: Final[Json] = {
    "max_retries": 10,
    "backoff_strategy": "exponential",
    "initial_backoff_ms": 200,
    "max_backoff_ms": 6_000,
}
"""A step goes on trying for longer than the provider is broken."""
ASK_WITHIN_MS: Final = 4_000
LAPS: Final = 3
ITEMS: Final = 4


@dataclass(frozen=True, slots=True)
class Workflow:
    """A document and what must have happened at the other side once a run of it completed."""

    document: Json
    owes: tuple[str, ...] = ()
    weight: int = 2

    @property
    def name(self) -> str:
        """The slug."""
        return str(self.document["id"])


def node(name: str, kind: str, config: Json, **more: Any) -> Json:
    """Return a node that reads the input."""
    return {
        "id": name,
        "type": kind,
        "label": name,
        "read_keys": ["input"],
        "config": config,
        **more,
    }


def effect(name: str, kind: str, address: str, step: str = "", **more: Any) -> Json:
    """Return a node that has something done by the service at `address`."""
    url = f"{address}/effect/{kind}/{{{{ input.tag }}}}/{step or name}"
    config = {"method": "POST", "url": url, "body": {"from": name}, "effect_class": kind}
    return node(name, "http_request", config, failure_policy=STUBBORN, **more)


def ask(name: str, agent: str = "ann") -> Json:
    """Return a node that asks the model once."""
    config = {"agent_id": agent, "frame": "bare", "prompt": f"{{{{ input.tag }}}} step={name}"}
    patience = {**STUBBORN, "timeout_ms": ASK_WITHIN_MS}
    return node(name, "agent", config, write_keys=["note"], failure_policy=patience)


def document(name: str, nodes: list[Json], edges: list[Json] | None = None, **more: Any) -> Json:
    """Return a graph; without edges its nodes follow one another."""
    ids = ["__start__", *(n["id"] for n in nodes)]
    people = [
        {"id": who, "model": "recorder/fake-small", "max_output_tokens": 50}
        for who in ("ann", "ben", "cid")
    ]
    return {
        "graphwright": 1,
        "id": name,
        "name": name,
        "limits": {"max_token_budget": BUDGET_TOKENS},
        "agents": people,
        "nodes": nodes,
        "edges": edges or [{"source": a, "target": b} for a, b in pairwise(ids)],
        **more,
    }


def workflows(address: str) -> Mapping[str, Workflow]:
    """Return the mix whose other side is at `address`, by slug; `inner` is published first."""
    made = [
        Workflow(document("inner", [ask("below"), effect("deep", "keyed", address)]), weight=0),
        Workflow(_orders(address), ("ship",), weight=4),
        Workflow(_board(address), ("publish",)),
        Workflow(_batch(address), tuple(f"item-{n}" for n in range(1, ITEMS + 1))),
        Workflow(_rounds(address), tuple(f"lap-{n}" for n in range(1, LAPS + 1))),
        Workflow(_flaky(address), ("flaky", "after")),
        Workflow(_outer(address), ("deep", "top")),
        Workflow(_vote(address), ("counted",)),
        Workflow(_later(address), ("early", "late")),
        Workflow(_purse(), weight=3),
        Workflow(_refunds()),
    ]
    return {workflow.name: workflow for workflow in made}


def _orders(at: str) -> Json:
    """A model, a keyed effect, a decision that people race for, an unsafe effect."""
    review = node("review", "approval", {"review_keys": ["note"]}, read_keys=["note"])
    ways = [
        ("__start__", "think", "completed"),
        ("think", "ship", "completed"),
        ("ship", "review", "completed"),
        ("review", "pay", "completed"),
        ("review", "refund", "rejected"),
    ]
    edges = [{"source": a, "target": b, "on": on} for a, b, on in ways]
    edges[0].pop("on")
    nodes = [ask("think"), effect("ship", "keyed", at), review]
    return document(
        "orders", [*nodes, effect("pay", "unsafe", at), effect("refund", "keyed", at)], edges
    )


def _refunds() -> Json:
    """An agent wants a call that people edit before they approve it: what it wanted is never sent."""
    tool = f"{desk.NAME}/refund"
    asked = {tool: {"when": "always", "editable": ["step"]}}
    clerk = {"id": "clerk", "model": "recorder/fake-small", "max_output_tokens": 50}
    made = document("refunds", [ask("want", "clerk")])
    return {**made, "agents": [{**clerk, "tools": [tool], "ask": asked}]}


def _board(at: str) -> Json:
    """Two of three people must agree."""
    policy = {"review_keys": ["note"], "policy": {"rule": {"at_least": 2}}}
    agree = node("agree", "approval", policy, read_keys=["note"])
    return document("board", [ask("draft"), agree, effect("publish", "keyed", at)])


def _batch(at: str) -> Json:
    items = {"worker_node_id": "each", "static_items": list(range(1, ITEMS + 1))}
    each = effect("each", "keyed", at, "item-{{ memory.map_item }}")
    spread = node("spread", "map", {**items, "max_concurrency": 2})
    return document("batch", [spread, each], [{"source": "__start__", "target": "spread"}])


def _rounds(at: str) -> Json:
    """A loop whose rounds are counted by the other side."""
    lap = "lap-{{ memory.lap_result.body.next }}"
    more = f"memory.lap_result.body.next <= {LAPS}"
    edges = [
        {"source": "__start__", "target": "lap"},
        {"source": "lap", "target": "rest", "condition": more},
        {"source": "rest", "target": "lap"},
        {"source": "lap", "target": "__end__"},
    ]
    reads = {"read_keys": ["input", "lap_result"]}
    nodes = [effect("lap", "keyed", at, lap, **reads), node("rest", "delay", {"duration_ms": 200})]
    begin = {"lap_result": {"body": {"next": 1}}}
    return document("rounds", nodes, edges, initial_memory=begin)


def _flaky(at: str) -> Json:
    """The first step is refused twice before it is done."""
    return document("retried", [effect("flaky", "keyed", at), effect("after", "unsafe", at)])


def _outer(at: str) -> Json:
    given = {"subgraph_id": "inner", "input_mapping": {"tag": "tag"}}
    down = node("down", "subgraph", given)
    return document("outer", [down, effect("top", "keyed", at)])


def _vote(at: str) -> Json:
    voters = {"voter_agent_ids": ["ann", "ben", "cid"], "options": ["yes", "no"], "quorum": 2}
    prompt = {"prompt": "{{ input.tag }} step=vote"}
    patience = {**STUBBORN, "timeout_ms": 3 * ASK_WITHIN_MS}
    poll = node("poll", "voting", {**voters, **prompt}, failure_policy=patience)
    return document("vote", [poll, effect("counted", "keyed", at)])


def _later(at: str) -> Json:
    wait = node("wait", "delay", {"duration_ms": 1_500})
    return document("later", [effect("early", "keyed", at), wait, effect("late", "keyed", at)])


def _purse() -> Json:
    """Nothing but calls that all its runs pay from one budget."""
    return document("purse", [ask("one"), ask("two"), ask("three")])
