"""Facts before a prompt: the `memory_query` of a node, looked up once per attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.core.effects import EffectClass
from engine.core.errors import EngineError, NodeError
from engine.core.expressions.templates import compile_template
from engine.core.ports import MemoryRecord
from engine.core.state.event_types.steps import StepCompleted, StepFailed, StepIntended
from engine.core.state.events import error_data
from engine.core.values.json import FrozenDict, digest, freeze
from engine.runtime.execution.journal import current_scope

if TYPE_CHECKING:
    from engine.core.decide.transition import Transition
    from engine.core.graph.document import MemoryQuery
    from engine.runtime.execution.held import Held
    from engine.runtime.host import RunHost

HEADING: Final = "## Relevant Memory"
PATH: Final = "memory"
"""The step's place: beside the numbered calls, so that looking up moves none of them."""


def section_of(facts: Sequence[MemoryRecord]) -> str:
    """Return the facts as a section of a prompt, one line each; "" without facts."""
    if not facts:
        return ""
    lines = [f"- {' '.join(str(fact['text']).split())}" for fact in facts]
    return "\n".join([HEADING, *lines])


class Recall:
    """The facts of one execution. Conversations that run at once wait for the one retrieval."""

    __slots__ = ("_ctx", "_host", "_lock", "_section")

    def __init__(self, host: RunHost, ctx: Held) -> None:
        self._host = host
        self._ctx = ctx
        self._lock = asyncio.Lock()
        self._section: str | None = None

    async def section(self) -> str:
        """Return the section; a store that fails is recorded, and the node goes on without it.

        Raises `NodeError` `MissingReference` where the query's text cannot be rendered.
        """
        query = self._ctx.node.memory_query
        if query is None or not self._ctx.plan.type.prompts:
            return ""
        current_scope(self._ctx.root)  # refuses tasks that `gather` did not start
        async with self._lock:
            if self._section is None:
                self._section = section_of(await self._facts(self._request(query)))
        return self._section

    def _request(self, query: MemoryQuery) -> FrozenDict:
        """Return what is looked up: what is set, and the goal only where nothing is (row C182)."""
        text = ""
        if query.text.strip():
            text = compile_template(query.text).render(self._ctx.scope())
        elif not query.entity_ids and not query.tags:
            text = self._ctx.view.goal
        request: FrozenDict = freeze(
            {
                "text": text,
                "entity_ids": query.entity_ids,
                "tags": query.tags,
                "max_facts": query.max_facts,
            }
        )
        return request

    async def _facts(self, request: FrozenDict) -> Sequence[MemoryRecord]:
        ctx = self._ctx
        step = ctx.act.steps.get((ctx.attempt, PATH))
        if step is not None and step.status != "intended":
            found: Sequence[MemoryRecord] = step.result or ()
            return found
        if step is None:
            await self._intend(request)
        try:
            facts = freeze(await self._search(request))
        except Exception as error:  # noqa: BLE001  whatever a store raises, the node runs without it
            await self._failed(error)
            return ()
        done: StepCompleted = {"path": PATH, "attempt": ctx.attempt, "result": facts}
        await self._host.transact_held(ctx, lambda tx: tx.emit("StepCompleted", ctx.act.key, done))
        return facts  # type: ignore[no-any-return]

    async def _search(self, request: FrozenDict) -> list[MemoryRecord]:
        ctx = self._ctx
        memory = self._host.services.memory
        if memory is None:
            raise NodeError("MemoryStoreMissing", "no memory store is configured")
        return await memory.search(
            ctx.workspace_id,
            text=request["text"],
            entity_ids=request["entity_ids"],
            tags=request["tags"],
            limit=request["max_facts"],
        )

    async def _intend(self, request: FrozenDict) -> None:
        data: StepIntended = {
            "path": PATH,
            "attempt": self._ctx.attempt,
            "kind": "memory",
            "effect_class": EffectClass.READ.value,
            "request_hash": digest(["memory", request]),
            "request": request,
        }
        ctx = self._ctx
        await self._host.transact_held(ctx, lambda tx: tx.emit("StepIntended", ctx.act.key, data))

    async def _failed(self, error: Exception) -> None:
        ctx = self._ctx
        known = error if isinstance(error, EngineError) else _unknown(error)
        data = error_data(known)
        failed: StepFailed = {"path": PATH, "attempt": ctx.attempt, "error": data}

        def record(tx: Transition) -> None:
            tx.emit("StepFailed", ctx.act.key, failed)
            tx.emit("MemoryQueryFailed", ctx.act.key, {"error": data})

        await self._host.transact_held(ctx, record)


def _unknown(error: Exception) -> NodeError:
    return NodeError("MemoryStoreFailed", f"{type(error).__name__}: {error}")
