"""What node code logs can be told to be of its run and activation, and nothing else is."""

from __future__ import annotations

from typing import Any

from engine.runtime.execution.journal import ACTIVATION
from engine.sdk import NodeType
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually

SEEN: list[tuple[str, str] | None] = []


class Speaker(NodeType):
    """Notes where it runs."""

    type = "t_speaker"
    label = "Speak"

    async def run(self, ctx: Any, config: Any) -> Any:
        SEEN.append(ACTIVATION.get())
        return {}


@virtually
async def test_node_code_runs_under_the_name_of_its_activation() -> None:
    types = node_types()
    types.register(Speaker)
    nodes = [{"id": name, "type": "t_speaker"} for name in ("one", "two")]
    lab = Lab(document(nodes, "__start__ > one", "one > two"), types=types)
    SEEN.clear()

    await lab.start()
    await lab.runner.settled("r")

    assert SEEN == [("r", "one#1"), ("r", "two#1")]
    assert ACTIVATION.get() is None
