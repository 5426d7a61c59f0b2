"""Calling registered Python functions: asynchronous ones on the loop, others in a bounded pool of threads,
those that compute in processes of their own.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from engine.core.errors import ControlFlow
from engine.runtime.execution.functions.blocking import BlockingContext
from engine.runtime.execution.functions.own_process import Seen, in_own_process
from engine.runtime.execution.held import Held

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext
    from engine.core.node_types.registry import Handler


POOL = ThreadPoolExecutor(max_workers=16, thread_name_prefix="handler")
"""Threads for synchronous handlers of all runs of this process."""


async def call_handler(ctx: NodeContext, handler: Handler, params: object) -> Any:
    """Return what the function returns for `(ctx, params)`."""
    function = handler.function
    if handler.cpu_bound:
        return await in_own_process(handler.path, Seen.of(ctx), params)
    if handler.is_async:
        return await function(ctx, params)
    loop = asyncio.get_running_loop()
    assert isinstance(ctx, Held)
    ctx.root.task = None  # a thread's calls arrive in tasks of their own, one after the other
    blocking = BlockingContext(ctx, loop)
    try:
        result = await loop.run_in_executor(POOL, _guarded, function, blocking, params)
    except asyncio.CancelledError:
        blocking.break_off()
        raise
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
