"""Calling registered Python functions: asynchronous ones on the loop, others in a bounded pool."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from engine.core.errors import ControlFlow
from engine.runtime.execution.held import Held

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext, StateBag

T = TypeVar("T")

POOL = ThreadPoolExecutor(max_workers=16, thread_name_prefix="handler")
"""Threads for synchronous handlers of all runs of this process."""


async def call_handler(ctx: NodeContext, function: Callable[..., Any], params: object) -> Any:
    """Return what `function(ctx, params)` returns."""
    if inspect.iscoroutinefunction(function):
        return await function(ctx, params)
    loop = asyncio.get_running_loop()
    assert isinstance(ctx, Held)
    ctx.root.task = None  # a thread's calls arrive in tasks of their own, one after the other
    result = await loop.run_in_executor(
        POOL, _guarded, function, BlockingContext(ctx, loop), params
    )
    if isinstance(result, _Left):
        raise result.control
    return await result if inspect.isawaitable(result) else result


class _Left:
    """Carries control flow out of a pool thread, where it must not end the worker."""

    def __init__(self, control: ControlFlow) -> None:
        self.control = control


def _guarded(function: Callable[..., Any], ctx: BlockingContext, params: object) -> Any:
    try:
        return function(ctx, params)
    except ControlFlow as control:
        return _Left(control)


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
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._ctx, name)
        if not inspect.iscoroutinefunction(attribute):
            return attribute
        return lambda *args, **kwargs: self._wait(attribute(*args, **kwargs))
