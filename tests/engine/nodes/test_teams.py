"""Supervisors, annealing and swarms across crashes, pauses, retries and cancels."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from engine.core.graph.document import GraphSpec
from engine.core.node_types.form import read_config
from engine.core.node_types.registry import NODE_TYPES, NodeTypes
from engine.core.state.run_state import RunState
from engine.scripted.models import ScriptedModels
from engine.scripted.script import Script
from tests.engine.lab import Lab, document, in_virtual_time

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Team(Lab):
    """A laboratory whose models follow a script that outlives the process."""

    def __init__(self, script: dict[str, Any], *graphs: GraphSpec) -> None:
        self.scripted = ScriptedModels(Script.parse(script))
        super().__init__(*graphs)

    def boot(self, types: NodeTypes) -> None:
        super().boot(types)
        self.runner.models = self.scripted

    @property
    def prompts(self) -> list[str]:
        return [call.request.messages[-1].content for call in self.scripted.calls]


def pick(name: str) -> dict[str, Any]:
    return {"json": {"next_node": name, "reasoning": "because"}}


def over(peer: str, **beside: Any) -> dict[str, Any]:
    return {"json": {"peer_delegation": {"peer_node_id": peer, "reason": "r"}, **beside}}


WORKERS: list[dict[str, Any]] = [
    {"id": "note", "type": "t_write", "write_keys": ["note"]},
    {"id": "ask", "type": "question", "config": {"question": "Good?"}},
    {"id": "call", "type": "tool", "config": {"tool_id": "charge", "arguments": {"order": "o"}}},
]


def supervised(**more: Any) -> GraphSpec:
    config = {"agent_id": "ann", "managed_nodes": ["note", "ask", "call"]}
    boss = {"id": "boss", "type": "supervisor", "config": config, "read_keys": ["note"], **more}
    return document([boss, *WORKERS], "__start__ > boss", initial_memory={"note": 1})


ORDER = [pick("note"), pick("call"), pick("ask"), pick("__done__")]


def _is_done(state: RunState, lab: Team) -> None:
    assert state.status == "completed"
    assert [h["node"] for h in state.outputs["boss"]["history"]] == ["note", "call", "ask"]
    assert lab.world.executed == {"o": 1}
    assert len(lab.scripted.calls) == 4
    assert len(lab.events("ChildrenRequested")) == 3
    assert lab.broken == []


def test_a_supervisor_goes_on_after_a_crash_and_buys_nothing_twice() -> None:
    """I12, C78: The prompt of each routing call is what it was, although memory has changed since."""

    async def play() -> None:
        lab = Team({"agents": {"ann": ORDER}}, supervised())
        await lab.start()
        await lab.crash()
        _is_done(await lab.answer(), lab)
        assert '"note": 1' in lab.prompts[0]
        assert '"note": 2' in lab.prompts[1]

    in_virtual_time(play)


def test_a_retry_of_a_supervisor_finds_the_children_that_completed() -> None:
    """C34: The third routing call fails once; the second attempt asks only that one anew."""

    async def play() -> None:
        busy = {"error": {"status": 500, "message": "busy"}}
        lab = Team({"agents": {"ann": [*ORDER[:2], busy, *ORDER[2:]]}}, supervised())
        await lab.start()
        state = await lab.answer()

        assert state.outputs["boss"]["iterations"] == 3
        assert [e.data["attempt"] for e in lab.events("AttemptFailed", "boss#1")] == [1]
        assert len(lab.scripted.calls) == 5
        assert lab.world.executed == {"o": 1}
        assert len(lab.events("ChildrenRequested")) == 3

    in_virtual_time(play)


def test_a_cancel_ends_a_supervisor_and_its_child() -> None:
    """I22."""

    async def play() -> None:
        lab = Team({"agents": {"ann": ORDER}}, supervised())
        await lab.start()
        await lab.runner.cancel("r", "ann")
        state = await lab.runner.settled("r")

        assert (state.status, state.activations) == ("cancelled", {})
        assert [e.data["outcome"] for e in lab.events("InterruptResolved")] == ["superseded"]
        assert len(lab.scripted.calls) == 3

    in_virtual_time(play)


def test_a_child_that_no_longer_fits_is_left_to_its_supervisor_after_a_crash() -> None:
    """C42."""

    async def play() -> None:
        told = {"text": "told", "usage": {"input_tokens": 30}}
        script = {"nodes": {"tell": [told, told]}, "agents": {"ann": [pick("tell")] * 3}}
        config = {"agent_id": "ann", "managed_nodes": ["tell"]}
        budget = {"max_tokens": 1_000}
        tell = {"id": "tell", "type": "agent", "config": {"agent_id": "ann", "prompt": "Tell."}}
        boss = {"id": "boss", "type": "supervisor", "config": config, "budget": budget}
        for replies in script["agents"].values():
            replies[:] = [r | {"usage": {"input_tokens": 480}} for r in replies]
        lab = Team(script, document([boss, tell], "__start__ > boss"))
        state = await lab.start()

        assert (state.status, state.outputs["tell"]) == ("completed", "told")
        assert state.outputs["boss"]["stopped_by"] == "budget"
        assert state.spent_tokens == 480 + 30 + 480
        assert state.held_tokens == 0

    in_virtual_time(play)


def test_annealing_after_a_crash_buys_only_the_pass_in_flight() -> None:
    """I13, C126."""

    async def play() -> None:
        passes = [{"json": {"score": score}, "delay_ms": 50} for score in (0.1, 0.2, 0.3, 0.9)]
        config = {"agent_id": "ann", "prompt": "Go.", "annealing": {}}
        graph = document([{"id": "a", "type": "agent", "config": config}], "__start__ > a")
        lab = Team({"default": passes}, graph)
        await lab.begin()
        await asyncio.sleep(0.125)  # virtual: two passes are over, the third is under way
        await lab.crash()
        state = await lab.runner.settled("r")

        assert state.outputs["a"]["scores"] == [0.1, 0.2, 0.9]
        assert len(lab.scripted.calls) == 4
        assert [e.data.get("presumed") for e in lab.events("StepFailed")] == [True]
        assert lab.prompts[2] == lab.prompts[3]

    in_virtual_time(play)


def test_an_agent_says_its_answer_once_whatever_comes_after() -> None:
    """K22, K36: The answer that was corrected is never said; a crash behind it says nothing anew."""

    async def play() -> None:
        config = {"agent_id": "ann", "prompt": "Go.", "emit_message": True}
        speak = {"id": "a", "type": "agent", "config": config, "write_keys": ["note"]}
        schema = {"type": "object", "properties": {"note": {"type": "string"}}}
        graph = document([speak, WORKERS[1]], "__start__ > a", "a > ask", state_schema=schema)
        answers = [{"json": {"note": 7}}, {"json": {"note": "ready"}}]
        lab = Team({"default": answers}, graph)
        await lab.start()
        await lab.crash()
        await lab.answer()

        assert [e.data["content"] for e in lab.events("MessageEmitted")] == ['{"note":"ready"}']
        assert len(lab.scripted.calls) == 2

    in_virtual_time(play)


@pytest.mark.parametrize("composite", [{"annealing": {}}, {"swarm": {"peer_nodes": ["b"]}}])
def test_several_answers_are_not_said(composite: dict[str, Any]) -> None:
    config = {"agent_id": "ann", "emit_message": True, **composite}

    with pytest.raises(ValidationError, match="a step behind it may"):
        read_config(NODE_TYPES.get("agent"), config)


def swarmed() -> GraphSpec:
    def peer(name: str, *peers: str) -> dict[str, Any]:
        config = {"agent_id": "ann", "prompt": "Go.", "swarm": {"peer_nodes": list(peers)}}
        return {"id": name, "type": "agent", "config": config, "write_keys": ["n"]}

    return document([peer("a", "b"), peer("b", "ask", "a"), WORKERS[1]], "__start__ > a")


def test_a_swarm_goes_on_after_a_crash_and_lands_writes_once() -> None:
    """C131, I12."""

    async def play() -> None:
        replies = {"a": [over("b", n=1)], "b": [over("ask", n=2)]}
        lab = Team({"nodes": replies}, swarmed())
        state = await lab.start()
        assert state.memory == {"n": 2}
        await lab.crash()
        state = await lab.answer(values="yes")

        assert (state.outputs["a"], state.memory) == ("yes", {"n": 2})
        assert len(lab.scripted.calls) == 2
        landed = [e.data.get("writes") for e in lab.events("ChildrenRequested")]
        assert landed == [{"n": 1}, None]
        assert (await lab.store.state("r")).memory == {"n": 2}

    in_virtual_time(play)


def test_a_cancel_ends_a_swarm() -> None:
    """I22."""

    async def play() -> None:
        lab = Team({"nodes": {"a": [over("b")], "b": [over("ask")]}}, swarmed())
        await lab.start()
        await lab.runner.cancel("r", "ann")
        state = await lab.runner.settled("r")

        assert (state.status, state.activations) == ("cancelled", {})

    in_virtual_time(play)
