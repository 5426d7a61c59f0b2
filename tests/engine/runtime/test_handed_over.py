"""A transition whose target goes away between the check and the start."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.state.program import Program
from engine.local import LocalGraphs
from engine.sdk import GraphSpec, NodeResult, NodeType
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Hand(NodeType):
    """Go on in another graph."""

    type = "t_hand"
    label = "Hand over"

    async def run(self, ctx: Any, config: Any) -> Any:
        return NodeResult(transition_to="other", data={"x": 1})


class Archive(LocalGraphs):
    """Finds each graph once: it is archived then. Versions stay readable, as in the database."""

    pinned = True
    archived = True
    seen: set[str]

    async def find_graph(self, graph_id: str, workspace_id: str | None) -> GraphSpec | None:
        found = await super().find_graph(graph_id, workspace_id)
        if self.archived and graph_id in self.seen:
            return None
        self.seen.add(graph_id)
        return found

    async def program(self, spec: GraphSpec, workspace_id: str | None) -> Program:
        found = await super().program(spec, workspace_id)
        if self.pinned:
            found.reference = (f"version of {spec.id}", None)
        return found

    async def graph_of_run(self, run_id: str, started: Mapping[str, Any]) -> Program:
        if started.get("version_id"):
            spec = self._specs[started["version_id"].removeprefix("version of ")]
            return await self.program(spec, None)
        return await super().graph_of_run(run_id, started)


def handing() -> tuple[Lab, Archive]:
    types = node_types()
    types.register(Hand)
    edges = ("__start__ > it", "it > __end__")
    specs = [
        document([{"id": "it", "type": kind, "write_keys": ["x"]}], *edges, id=name)
        for name, kind in (("main", "t_hand"), ("other", "t_child"))
    ]
    lab = Lab(*specs, types=types)
    graphs = Archive(specs, types)
    graphs.seen = set()
    lab.graphs = lab.store.graphs = lab.runner.graphs = graphs
    return lab, graphs


@virtually
async def test_the_version_that_was_checked_runs() -> None:
    """K30: A target that is archived before its run starts does not take the run with it."""
    lab, _graphs = handing()
    state = await lab.start()
    await lab.runner.quiet()
    [told] = lab.events("RunTransitioned")
    other = await lab.runner.settled(told.data["run_id"])

    assert (state.status, other.status, other.input) == ("completed", "completed", {"x": 1})
    assert other.started["version_id"] == "version of other"
    assert lab.broken == []


@virtually
async def test_a_run_that_cannot_begin_is_reported_and_kept() -> None:
    """K41: Where no version is kept the word is not lost: it is told aloud, and tried again."""
    lab, graphs = handing()
    graphs.pinned = False
    await lab.start()
    [told] = lab.events("RunTransitioned")
    await asyncio.sleep(1)
    assert "GraphNotFound" in lab.broken[0]
    assert told.data["run_id"] not in lab.medium.logs

    graphs.archived = False
    await asyncio.sleep(20)
    assert (await lab.runner.settled(told.data["run_id"])).status == "completed"
    assert list(await lab.store.signals()) == []
