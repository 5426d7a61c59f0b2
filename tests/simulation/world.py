"""The outside of the simulation: a model provider, tools and people, with records of their own.

Nothing here looks at the engine's tables. What was asked, executed and charged is counted where
it happens, so that the engine can be judged by it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any, Protocol

from engine.core.effects import EffectClass
from engine.core.errors import Cancelled, OutcomeUnknown, ProviderError, StoreError, ToolFailed
from engine.core.node_types.conversation import Usage
from engine.core.ports import FactSource, MemoryRecord, NewFact
from engine.core.values.json import JsonObject, canonical
from engine.integrations.memory.facts import InMemoryFacts
from engine.integrations.models.chat import (
    CallOrigin,
    ChatRequest,
    ChatResponse,
    OnDelta,
    Price,
    worst_case_usage,
)
from engine.integrations.models.heard import Heard
from engine.integrations.tools.protocol import Tool, ToolSpec
from tests.simulation.composites import REPEATING
from tests.simulation.replies import reply

PRICE = Price(Decimal(10), Decimal(30))
ORDER: JsonObject = {
    "type": "object",
    "properties": {"order": {"type": "string"}},
    "required": ["order"],
}
SPECS = {
    "charge": ToolSpec("charge", "Charge an order.", ORDER, EffectClass.KEYED),
    "refund": ToolSpec("refund", "Give it back.", ORDER, EffectClass.KEYED),
    "mail": ToolSpec("mail", "Send a mail.", ORDER, EffectClass.UNSAFE),
    "recall": ToolSpec("recall", "Call a mail back.", ORDER, EffectClass.UNSAFE),
    "wire": ToolSpec("wire", "Wire money.", ORDER, EffectClass.PROBE),
    "look": ToolSpec("look", "Look something up.", ORDER, EffectClass.READ),
}


class Process(Protocol):
    """What the outside needs of the process that calls it; `number` tells its lives apart."""

    number: int

    async def point(self, name: str) -> None:
        """A place where the process may die or be delayed."""
        ...


@dataclass
class World:
    """What really happened. `violate` is told of what must never happen."""

    rng: Random
    violate: Callable[[str], None]
    faults: bool = True
    charges: dict[str, Decimal] = field(default_factory=dict)
    tokens: Counter[str] = field(default_factory=Counter)
    executed: Counter[str] = field(default_factory=Counter)
    keyed: dict[str, Any] = field(default_factory=dict)
    sent: Counter[str] = field(default_factory=Counter)
    bought: dict[tuple[str, bytes], str] = field(default_factory=dict)
    on_charge: Callable[[CallOrigin, Usage, Decimal], None] = lambda *_parts: None
    facts: InMemoryFacts = field(default_factory=InMemoryFacts)
    learned: dict[tuple[str, str], str] = field(default_factory=dict)
    observed: dict[tuple[str, str, int], Any] = field(default_factory=dict)
    answered: set[tuple[int, str]] = field(default_factory=set)
    under_way: dict[int, Counter[str]] = field(default_factory=dict)
    """Which orders each process that lives has sent and not heard of."""

    def chance(self, probability: float) -> bool:
        """Return whether a fault happens now; never once faults have stopped."""
        return self.faults and self.rng.random() < probability

    def charge(self, origin: CallOrigin, usage: Usage) -> None:
        """Note that the provider took money."""
        run = origin.run_id
        self.charges[run] = self.charges.get(run, Decimal(0)) + PRICE.cost(usage)
        self.tokens[run] += usage.total
        self.on_charge(origin, usage, PRICE.cost(usage))

    def charge_stopped(self, origin: CallOrigin, usage: Usage, heard: Heard) -> None:
        """Note that the provider took money for what it had made when nobody listened any more."""
        most = heard.most(usage)
        if most is not None:
            self.charge(origin, Usage(usage.input_tokens, most.output_tokens))

    def execute(self, order: str, place: str) -> None:
        """Note that an order was carried out; that may happen once."""
        self.executed[order] += 1
        if self.executed[order] > 1:
            self.violate(f"I5: order {order} carried out {self.executed[order]} times ({place})")

    def hear(self, process: Process, key: str) -> None:
        """Check that no call comes again whose answer this life of the process has heard."""
        if (process.number, key) in self.answered:
            self.violate(f"I5: {key} was answered and is sent again by the same process")

    def answer(self, process: Process, key: str) -> None:
        """Note that a call was answered: only the end of the process may forget that."""
        self.answered.add((process.number, key))

    def is_under_way(self, order: str) -> bool:
        """Return whether an order may still arrive that somebody has sent."""
        return any(orders[order] for orders in self.under_way.values())

    def forget(self, process: int) -> None:
        """Note that nothing arrives any more of what a process was about to send: it is dead."""
        self.under_way.pop(process, None)

    def observe(self, run: str, key: str, attempt: int, value: Any) -> None:
        """Check that a replay of an attempt sees the time and chance that it saw at first."""
        known = self.observed.setdefault((run, key, attempt), value)
        if known != value:
            self.violate(f"I12: {key} saw {known} first and {value} in its replay")


class SimModels:
    """Every model name leads to the one simulated provider."""

    def __init__(self, world: World, process: Process) -> None:
        self._model = SimModel(world, process)

    async def resolve(
        self, model: str, *, agent_id: str | None, node_id: str, workspace_id: str | None = None
    ) -> SimModel:
        return self._model


class SimModel:
    """A provider that charges, answers slowly, refuses, or breaks the connection."""

    native_schema = True

    def __init__(self, world: World, process: Process) -> None:
        self._world = world
        self._process = process

    def price(self) -> Price:
        return PRICE

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        return worst_case_usage(request)

    async def complete(
        self, request: ChatRequest, origin: CallOrigin, on_delta: OnDelta | None
    ) -> ChatResponse:
        world, worst = self._world, worst_case_usage(request)
        asked = (origin.run_id, canonical(request.to_json()))
        if asked in world.bought and origin.graph_id not in REPEATING:
            world.violate(f"C34: {world.bought[asked]} is recorded and was bought again")
        world.hear(self._process, origin.idempotency_key)
        await self._process.point("model:send")
        if world.chance(0.06):
            raise ProviderError("busy", status=429, retry_after_ms=2_000)
        if world.chance(0.04):
            raise ProviderError("broken", status=500)
        usage = Usage(worst.input_tokens // 2, world.rng.randint(1, request.max_output_tokens))
        if world.chance(0.04):
            raise ProviderError("no answer came", status=None)
        if isinstance(on_delta, Heard) and world.faults:
            await self._stream(on_delta, origin, usage)
        world.charge(origin, usage)
        await self._process.point("model:charged")
        if world.chance(0.04):
            raise ProviderError("the answer was lost", status=None)
        various = origin.graph_id in REPEATING
        world.answer(self._process, origin.idempotency_key)
        return reply(request, usage, world.rng, odd=world.chance(0.05), various=various)

    async def _stream(self, heard: Heard, origin: CallOrigin, usage: Usage) -> None:
        """Answer in two pieces; who stops in between pays for what was generated by then."""
        half = usage.output_tokens // 2
        try:
            for piece in (half, usage.output_tokens - half):
                await self._process.point("model:piece")
                if not heard.note(piece):
                    raise Cancelled
            await self._process.point("model:end")
        except (asyncio.CancelledError, Cancelled):
            self._world.charge_stopped(origin, usage, heard)
            raise


class SimTools:
    """The simulated tools, by name."""

    def __init__(self, world: World, process: Process) -> None:
        self._tools = {name: SimTool(spec, world, process) for name, spec in SPECS.items()}

    async def find(self, name: str, *, workspace_id: str | None) -> Tool | None:
        return self._tools.get(name)

    async def expand(self, pattern: str, *, workspace_id: str | None) -> list[ToolSpec]:
        return [SPECS[pattern]] if pattern in SPECS else []


class SimTool:
    """One tool; its faults depend on its effect class."""

    def __init__(self, spec: ToolSpec, world: World, process: Process) -> None:
        self.spec = spec
        self._world = world
        self._process = process

    async def call(self, arguments: JsonObject, origin: CallOrigin) -> Any:
        order = str(arguments["order"])
        orders = self._world.under_way.setdefault(self._process.number, Counter())
        orders[order] += 1
        try:
            return await self._call(order, origin)
        finally:
            orders[order] -= 1

    async def _call(self, order: str, origin: CallOrigin) -> Any:
        key, world = origin.idempotency_key, self._world
        world.hear(self._process, key)
        await self._process.point(f"tool:{self.spec.name}:send")
        if self.spec.effect_class is EffectClass.READ:
            if self._world.chance(0.3):
                raise ToolFailed("could not look")
            world.answer(self._process, key)
            return {"seen": order}
        if self.spec.effect_class is EffectClass.KEYED and key in world.keyed:
            return world.keyed[key]
        if self.spec.effect_class is EffectClass.UNSAFE:
            world.sent[key] += 1
        if world.chance(0.06):
            raise ToolFailed("refused")
        if world.chance(0.03):
            raise OutcomeUnknown("no connection")
        world.execute(order, self.spec.name)
        world.keyed[key] = {"done": order}
        await self._process.point(f"tool:{self.spec.name}:done")
        if world.chance(0.05):
            raise OutcomeUnknown("the answer was lost")
        world.answer(self._process, key)
        return {"done": order}


class SimFacts:
    """A memory that outlives the process; it fails at times, before or after it has written."""

    def __init__(self, world: World, process: Process) -> None:
        self._world = world
        self._process = process

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        await self._process.point("facts:store")
        if self._world.chance(0.1):
            raise StoreError("no disk")
        visit = (source.run_id, source.activation)
        if self._world.learned.setdefault(visit, source.id) != source.id:
            self._world.violate(f"C176: the facts of {visit} are stored twice")
        ids = await self._world.facts.store(workspace_id, source, facts)
        await self._process.point("facts:stored")
        if self._world.chance(0.1):
            raise StoreError("the answer was lost")
        return ids

    async def search(self, workspace_id: str | None, **asked: Any) -> list[MemoryRecord]:
        await self._process.point("facts:search")
        return await self._world.facts.search(workspace_id, **asked)
