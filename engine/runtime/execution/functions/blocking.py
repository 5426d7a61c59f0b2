"""The node context for synchronous functions: what is awaited elsewhere blocks their thread."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from engine.core.errors import Cancelled

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext, StateBag

T = TypeVar("T")


class BlockingBag:
    """`StateBag` for synchronous handlers: `set` returns when it is recorded."""

    def __init__(self, bag: StateBag, wait: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._bag = bag
        self._wait = wait

    def get(self, name: str, default: object = None) -> Any:
        """Return the value, or `default` where none was set."""
        return self._bag.get(name, default)

    def set(self, name: str, value: object) -> None:
        """Record the value."""
        self._wait(self._bag.set(name, value))


class BlockingContext:
    """The node context for synchronous handlers: every awaitable call blocks its thread instead."""

    def __init__(self, ctx: NodeContext, loop: asyncio.AbstractEventLoop) -> None:
        self._ctx = ctx
        self._loop = loop
        self._awaited: Future[Any] | None = None
        self._over = False
        self.view = ctx.view
        self.node = ctx.node
        self.attempt = ctx.attempt
        self.context = ctx.context
        self.metadata = ctx.metadata
        self.messages = ctx.messages
        self.item = ctx.item
        self.previous = ctx.previous
        self.node_state = BlockingBag(ctx.node_state, self._wait)
        self.workflow_state = BlockingBag(ctx.workflow_state, self._wait)

    def _wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._over:
            coroutine.close()
            raise Cancelled
        awaited = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        self._awaited = awaited
        return awaited.result()

    def break_off(self) -> None:
        """End what the thread waits for; all it asks for after that is refused. Called on the loop."""
        self._over = True
        if self._awaited is not None:
            self._awaited.cancel()

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._ctx, name)
        if not inspect.iscoroutinefunction(attribute):
            return attribute
        return lambda *args, **kwargs: self._wait(attribute(*args, **kwargs))
