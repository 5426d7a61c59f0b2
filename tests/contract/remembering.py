"""What tests of reflection and of memory queries share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.errors import StoreError
from engine.core.ports import FactSource, MemoryRecord, NewFact
from engine.integrations.memory.facts import InMemoryFacts
from tests.contract.harness import Node, Outcome, doc, node, run

SAY = "Say it plainly."
RULES = {"type": "rule_based"}


def verifier(kind: str, named: str = "v", /, **config: Any) -> Node:
    known = {k: config.pop(k) for k in ("reads", "writes", "policy") if k in config}
    fields = {"reads": ["draft"], **known}
    return node(named, "verifier", config={"type": kind, **config}, human_description=SAY, **fields)


def judged(score: float | None = None, *, memory: Any = None, **config: Any) -> Outcome:
    asked = {"target_key": "draft", "evaluator_agent_id": "judge", **config}
    graph = doc([verifier("llm_judge", **asked)], agents=[{"id": "judge"}])
    said = {"json": {"score": score, "reasoning": "because"}}
    return run(
        graph,
        {"agents": {"judge": [said, said]}},
        memory={"draft": "a text"} if memory is None else memory,
    )


def reflection(id: str = "reflect", **fields: Any) -> Node:
    config = {
        "source_keys": ["notes"],
        "extractor": RULES,
        "tags": ["lesson"],
        **fields.pop("config", {}),
    }
    base = {"reads": ["notes"], "human_description": SAY}
    return node(id, "reflection", config=config, **{**base, **fields})


class Failing(InMemoryFacts):
    """Fails the first times, before or after it has written."""

    def __init__(self, times: int, *, after: bool = False) -> None:
        super().__init__()
        self.times, self.after, self.asked = times, after, 0

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        self.asked += 1
        if self.after:
            await super().store(workspace_id, source, facts)
        if self.asked <= self.times:
            raise StoreError("no disk")
        return await super().store(workspace_id, source, facts)

    async def search(self, workspace_id: str | None, **asked: Any) -> list[MemoryRecord]:
        raise StoreError("no disk")
