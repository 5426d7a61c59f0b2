"""Reflection, recall and verifiers across crashes, pauses, budgets and cancels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import NodeTypes
from engine.core.ports import FactSource, MemoryRecord, NewFact
from engine.core.values.json import json_equal
from engine.integrations.memory.facts import InMemoryFacts, words_of
from engine.nodes.reflection import ReflectionNode
from engine.nodes.verifier import VerifierNode
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
NOTES = {"notes": "The first sentence here. The second sentence here."}


class Watched(InMemoryFacts):
    """A store that outlives processes and dies with them: `point` is the lab's."""

    def __init__(self) -> None:
        super().__init__()
        self.lab: Lab | None = None
        self.writes = self.reads = 0

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        self.writes += 1
        ids = await super().store(workspace_id, source, facts)
        assert self.lab is not None
        await self.lab.point("facts:stored")
        return ids

    async def search(self, workspace_id: str | None, **asked: Any) -> list[MemoryRecord]:
        self.reads += 1
        found = await super().search(workspace_id, **asked)
        assert self.lab is not None
        await self.lab.point("facts:found")
        return found


class Remembering(Lab):
    """A lab whose processes share one memory."""

    def __init__(self, *graphs: GraphSpec) -> None:
        self.facts = Watched()
        super().__init__(*graphs)

    def boot(self, types: NodeTypes) -> None:
        """Start a process over what is durable, the facts included."""
        super().boot(types)
        self.facts.lab = self
        self.runner.services.memory = self.facts


class PausingReflection(ReflectionNode):
    """Reflect, then ask a person."""

    type = "t_reflect"
    label = "Reflect"

    async def run(self, ctx: Any, config: Any) -> Any:
        result = await super().run(ctx, config)
        await ctx.interrupt({"kind": "text", "question": "Good?"})
        return result


def reflecting(kind: str = "reflection", extractor: Any = None, **fields: Any) -> GraphSpec:
    config = {
        "source_keys": ["notes"],
        "extractor": extractor or {"type": "rule_based"},
        "entity_keys": ["n"],
    }
    node = {"id": "it", "type": kind, "read_keys": ["notes", "n"], "config": config, **fields}
    return document([node], "__start__ > it", initial_memory={**NOTES, "n": 7})


def recalling(**fields: Any) -> GraphSpec:
    node = {
        "id": "it",
        "type": "agent",
        "memory_query": {"tags": ["t"]},
        "config": {"agent_id": "ann", "prompt": "Hello"},
        **fields,
    }
    return document([node], "__start__ > it")


@virtually
async def test_facts_are_stored_once_when_the_process_dies_after_the_write() -> None:
    """C176."""
    lab = Remembering(reflecting())
    lab.stop_at = "facts:stored"
    await lab.begin()
    await lab.stopped.wait()
    await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, lab.facts.writes) == ("completed", 2)
    envelope = state.memory["it_reflection"]
    assert envelope["fact_ids"] == [fact.id for fact in lab.facts.facts()]
    assert len(lab.facts.facts()) == 2


@virtually
async def test_a_pause_after_the_write_writes_and_says_nothing_twice() -> None:
    """C176, C174."""
    lab = Remembering(reflecting("t_reflect"))
    types = node_types()
    types.register(PausingReflection)
    lab.boot(types)
    await lab.start()
    await lab.crash()
    state = await lab.answer()

    assert (state.status, lab.facts.writes) == ("completed", 1)
    assert [e.data["keys"] for e in lab.events("WriteDropped")] == [["n"]]


@virtually
async def test_a_cancel_during_the_write_ends_the_run() -> None:
    """I22."""
    lab = Remembering(reflecting())
    lab.stop_at = "facts:stored"
    await lab.begin()
    await lab.stopped.wait()
    await lab.runner.cancel("r", "ann")
    await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, state.memory) == ("cancelled", {**NOTES, "n": 7})


@virtually
async def test_a_run_out_of_budget_asks_no_extractor() -> None:
    """C172, C41."""
    extractor = {"type": "llm", "agent_id": "ann"}
    lab = Remembering(reflecting(extractor=extractor, budget={"max_tokens": 50}))
    state = await lab.start()

    assert (state.status, state.error and state.error["code"]) == ("failed", "NodeBudgetExceeded")
    assert (lab.world.charges, lab.facts.facts()) == ({}, [])


@virtually
async def test_what_was_recalled_stays_the_same_after_a_crash() -> None:
    """C181: The model's answer is lost with the process; it is asked the same again."""
    lab = Remembering(recalling())
    source = FactSource("old", "n#1", "g", "n", 1)
    await InMemoryFacts.store(lab.facts, None, source, [NewFact("Learned before.", ("t",))])
    lab.stop_at = "model:send"
    await lab.begin()
    await lab.stopped.wait()
    later = FactSource("old", "n#2", "g", "n", 2)
    await InMemoryFacts.store(lab.facts, None, later, [NewFact("Learned meanwhile.", ("t",))])
    await lab.crash()
    state = await lab.runner.settled("r")
    asked = [e.data["request"] for e in lab.events("StepIntended") if e.data["kind"] == "model"]

    assert (state.status, lab.facts.reads, lab.broken) == ("completed", 1, [])
    assert asked[0] == asked[1]
    assert "Learned before." in str(asked[0])


@virtually
async def test_a_search_that_was_cut_off_is_made_again() -> None:
    """C181."""
    lab = Remembering(recalling())
    lab.stop_at = "facts:found"
    await lab.begin()
    await lab.stopped.wait()
    await lab.crash()
    state = await lab.runner.settled("r")

    assert (state.status, lab.facts.reads) == ("completed", 2)
    assert [e.data["kind"] for e in lab.events("StepIntended")] == ["memory", "model"]


@virtually
async def test_a_cancel_during_a_search_ends_the_run() -> None:
    """C181, I22."""
    lab = Remembering(recalling())
    lab.stop_at = "facts:found"
    await lab.begin()
    await lab.stopped.wait()
    await lab.runner.cancel("r", "ann")
    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.status == "cancelled"
    assert lab.events("MemoryQueryFailed") == []


@virtually
async def test_a_judge_without_budget_stops_the_run() -> None:
    """C160, C41."""
    node = {
        "id": "it",
        "type": "verifier",
        "read_keys": ["notes"],
        "budget": {"max_tokens": 5},
        "config": {"type": "llm_judge", "target_key": "notes", "evaluator_agent_id": "ann"},
    }
    lab = Remembering(document([node], "__start__ > it", initial_memory=NOTES))
    state = await lab.start()

    assert (state.status, state.error and state.error["code"]) == ("failed", "NodeBudgetExceeded")


@virtually
async def test_a_verdict_without_a_model_is_one_commit() -> None:
    """C161."""
    node = {
        "id": "it",
        "type": "verifier",
        "read_keys": ["notes"],
        "config": {"type": "expression", "expression": "now() > timestamp('2020-01-01T00:00:00Z')"},
    }
    lab = Remembering(document([node], "__start__ > it", initial_memory=NOTES))
    state = await lab.start()

    assert state.status == "completed"
    assert not lab.events("StepIntended")
    assert VerifierNode.effect_class.value == "llm"


def test_values_are_compared_as_json() -> None:
    """C162."""
    assert json_equal({"a": [1, None]}, {"a": [1.0, None]})
    assert not json_equal(True, 1)
    assert not json_equal([1], [1, 2])
    assert not json_equal({"a": 1}, {"b": 1})
    assert not json_equal("1", 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [("refund", "Refunds"), ("policy", "policies"), ("stop", "stopped"), ("Café", "cafes")],
)
def test_forms_of_a_word_are_one_word(one: str, other: str) -> None:
    """C182."""
    assert words_of(one) == words_of(other)
