"""A refusal of a call that was sent before says nothing of the first sending: its key is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.sdk import EffectClass, NodeConfig, NodeError, NodeType, OutcomeUnknown
from tests.engine.lab import Lab, document
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually


class Config(NodeConfig):
    """Nothing is configured."""


class Service:
    """Does what it is asked, once for each key, and then plays its script, a word a request."""

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.done: list[str] = []
        service = self

        class Call(NodeType):
            """Asks the service."""

            type = "t_service"
            label = "Service"
            Config = Config

            async def run(self, ctx: Any, config: Any) -> Any:
                said = await ctx.perform("service", {}, EffectClass.KEYED, service.asked)
                return {"output": said}

        types = node_types()
        types.register(Call)
        nodes = [{"id": "it", "type": "t_service"}]
        self.lab = Lab(document(nodes, "__start__ > it", "it > __end__"), types=types)

    async def asked(self, key: str) -> str:
        """Refuse, or do it and then answer, break off or never answer."""
        word = self.script.pop(0)
        if word == "busy":
            raise NodeError("HttpUnavailable", "answered 503", retryable=True)
        if key not in self.done:
            self.done.append(key)
        if word == "cut":
            raise OutcomeUnknown("the connection broke")
        if word == "silent":
            await asyncio.get_running_loop().create_future()
        return "done"


@virtually
async def test_a_call_that_a_crash_cut_off_keeps_its_key_when_it_is_refused_then() -> None:
    """I5: The service had done it, and is too busy to say so."""
    service = Service("silent", "busy", "busy", "answers")
    await service.lab.begin()
    await asyncio.sleep(1)
    await service.lab.crash()
    state = await service.lab.runner.settled("r")

    assert state.status == "completed"
    assert len(service.done) == 1


@pytest.mark.parametrize("busy", [1, 2])
def test_a_call_that_broke_off_keeps_its_key_when_it_is_refused_then(busy: int) -> None:
    """I5: The same within one process."""

    @virtually
    async def play() -> None:
        service = Service("cut", *["busy"] * busy, "answers")
        state = await service.lab.start()

        assert state.status == "completed"
        assert len(service.done) == 1

    play()


@virtually
async def test_who_asks_for_another_try_says_nothing_of_the_first() -> None:
    """I5: It broke off until a person was asked; they say to send it again, and it is refused then."""
    service = Service(*["cut"] * 4, "busy", "busy", "answers")
    state = await service.lab.start()
    assert [one.kind for one in state.interrupts.values()] == ["in_doubt"]

    state = await service.lab.answer(decision="retry")

    assert state.status == "completed"
    assert len(service.done) == 1


@virtually
async def test_a_call_that_was_only_refused_gets_a_new_key() -> None:
    """I5: Each attempt has its own, where nobody doubts what became of the one before."""
    service = Service("busy", "answers")
    asked: list[str] = []
    inner = service.asked

    async def noted(key: str) -> str:
        asked.append(key)
        return await inner(key)

    service.asked = noted  # type: ignore[method-assign]
    state = await service.lab.start()

    assert state.status == "completed"
    assert len(set(asked)) == 2
