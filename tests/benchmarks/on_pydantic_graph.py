"""The same workloads on pydantic-graph, which keeps nothing. Import it only where it is installed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic_graph import GraphBuilder, StepContext, reduce_list_append

from tests.benchmarks.contest import Run

MAPPED = 50


@dataclass
class Values:
    """The state of every graph here."""

    value: int = 0
    log: list[str] = field(default_factory=list)


async def _small(ctx: StepContext[Values, None, Any]) -> int:
    ctx.state.value = 1
    return 1


def chain(length: int) -> Any:
    """Return steps in a row that each write a small value."""
    builder = GraphBuilder(state_type=Values, input_type=int, output_type=int)
    last: Any = builder.start_node
    for index in range(length):
        step = builder.step(_small, node_id=f"n{index}")
        builder.add(builder.edge_from(last).to(step))
        last = step
    builder.add(builder.edge_from(last).to(builder.end_node))
    return builder.build()


def fan(width: int) -> Any:
    """Return a step that maps a list over workers, whose results are joined."""
    builder = GraphBuilder(state_type=Values, input_type=int, output_type=list[int])

    async def plan(_ctx: StepContext[Values, None, int]) -> list[int]:
        return list(range(width))

    plans = builder.step(plan, node_id="plan")
    worker = builder.step(_small, node_id="worker")
    joined = builder.join(reduce_list_append, initial_factory=list)
    builder.add(
        builder.edge_from(builder.start_node).to(plans),
        builder.edge_from(plans).map().to(worker),
        builder.edge_from(worker).to(joined),
        builder.edge_from(joined).to(builder.end_node),
    )
    return builder.build()


@contextmanager
def entry(graph: Any) -> Iterator[Run]:
    """Give what runs a graph once; it is built once."""

    async def once() -> float:
        began = time.perf_counter()
        await graph.run(state=Values(), inputs=0)
        return time.perf_counter() - began

    yield lambda: asyncio.run(once())
