"""Graphs of the workloads."""

from __future__ import annotations

from typing import Any

from engine.core.graph.document import GraphSpec

Json = dict[str, Any]


def _spec(name: str, nodes: list[Json], edges: list[Json], **more: Any) -> GraphSpec:
    document = {"id": name, "nodes": nodes, "edges": edges, "limits": {"max_iterations": 10_000}}
    return GraphSpec.model_validate({**document, **more})


def chain(kind: str, length: int, **config: Any) -> GraphSpec:
    """Return nodes of one type in a row; with `write=True` each appends 1 KB to `memory.log`."""
    writes = ("log",) if config.get("write") else ()
    nodes = [
        {"id": f"n{i}", "type": kind, "config": config, "write_keys": writes} for i in range(length)
    ]
    edges = [{"source": "__start__", "target": "n0"}]
    edges += [{"source": f"n{i}", "target": f"n{i + 1}"} for i in range(length - 1)]
    schema = {"type": "object", "properties": {"log": {"type": "array", "reducer": "append"}}}
    more: Json = {"state_schema": schema} if writes else {}
    marks = "-".join(str(value) for value in config.values())
    return _spec(f"chain-{kind}-{length}-{marks}".strip("-").lower(), nodes, edges, **more)


def loop(laps: int) -> GraphSpec:
    """Return a node that makes a journaled read and goes back to itself, so many times in all."""
    node = {"id": "a", "type": "bench_look", "config": {"lap": True}}
    edges = [
        {"source": "__start__", "target": "a"},
        {"source": "a", "target": "a", "condition": f"memory.laps < {laps}"},
    ]
    node["write_keys"] = ("laps", "value")
    counted = {"type": "object", "properties": {"laps": {"type": "integer", "reducer": "sum"}}}
    ends = {"on_no_match": "end"}
    return _spec(f"loop-{laps}", [node], edges, state_schema=counted, defaults=ends)


def fan(worker: str, width: int) -> GraphSpec:
    """Return a node that runs `width` children of the type `worker`, 50 at a time."""
    nodes: list[Json] = [
        {"id": "fan", "type": "bench_fan", "config": {"width": width}},
        {"id": "worker", "type": worker},
    ]
    return _spec(f"fan-{worker}-{width}", nodes, [{"source": "__start__", "target": "fan"}])


def wide_map(items: int, in_flight: int, wait_ms: int) -> GraphSpec:
    """Return a map whose worker waits, so many at a time."""
    config: Json = {
        "worker_node_id": "worker",
        "static_items": list(range(items)),
        "max_items": 10_000,
        "max_concurrency": in_flight,
    }
    nodes: list[Json] = [
        {"id": "m", "type": "map", "config": config},
        {"id": "worker", "type": "bench_wait", "config": {"wait_ms": wait_ms}},
    ]
    name = f"map-{items}-{in_flight}-{wait_ms}"
    return _spec(name, nodes, [{"source": "__start__", "target": "m"}])


def question() -> GraphSpec:
    """Return a graph that asks, then runs a trivial node."""
    nodes: list[Json] = [
        {"id": "ask", "type": "bench_ask"},
        {"id": "after", "type": "bench_trivial"},
    ]
    edges = [{"source": "__start__", "target": "ask"}, {"source": "ask", "target": "after"}]
    return _spec("question", nodes, edges)
