"""Functions that compute for long: each call in a process of its own, so that the loop goes on.

A thread would share the interpreter with the loop, and cannot be ended. The process is given what the node
sees and no more; it ends with its call, and is killed where the call is called off or takes too long.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import select
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final

from engine.core.errors import NodeError
from engine.core.graph.document import NodeSpec
from engine.core.node_types.node_type import UNSET, NodeResult
from engine.core.node_types.view import View
from engine.core.values.json import FrozenDict, canonical, freeze
from engine.core.values.limits import MAX_RESULT_BYTES

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

    from engine.core.node_types.context import NodeContext

LIMIT_S: Final = 300.0
"""Seconds that a call may take, beside the time limit of its node."""
SDK: Final = "engine.sdk"
"""What modules of such functions import; by its name alone, as it stands above the runtime."""
CORES: Final = os.cpu_count() or 1
WAITING: Final = ThreadPoolExecutor(max_workers=CORES, thread_name_prefix="own-process")
"""A thread for each process, which waits for it; as many as there are cores."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What such a function sees of its node: the names of a context that answer at once."""

    run_id: str
    node: NodeSpec
    attempt: int
    view: View
    context: FrozenDict
    metadata: FrozenDict
    messages: list[Any]
    item: Any
    previous: Any

    @classmethod
    def of(cls, ctx: NodeContext) -> Seen:
        """Return what a context says now."""
        return cls(**{name: getattr(ctx, name) for name in cls.__slots__})


async def in_own_process(path: str, seen: Seen, params: object, limit_s: float = LIMIT_S) -> Any:
    """Return what `module:function` returns for what a node sees and `params`.

    Raises the function's `NodeError`s; `HandlerFailed` for whatever else it raises and where its
    process ends without a word, `NodeTimeout` after `limit_s`.
    """
    call = _Call(path, seen, params, limit_s)
    try:
        return await asyncio.get_running_loop().run_in_executor(WAITING, call.made)
    except asyncio.CancelledError:
        call.end()
        raise


class _Call:
    """One process, from its beginning to its end."""

    def __init__(self, *asked: Any) -> None:
        *self._asked, self._limit_s = asked
        self._lock = threading.Lock()
        self._is_over = False
        self._process: Any = None

    def made(self) -> Any:
        """Make the call and wait for its end."""
        answers, answer = _context().Pipe(duplex=False)
        with answers:
            try:
                with answer:
                    process = self._begin(answer)
                return _said(*self._heard(answers, process))
            finally:
                self.end()
                self._tidy()

    def _begin(self, answer: Connection) -> Any:
        """Start the process. Without the lock: whoever calls the call off must not wait for that."""
        with self._lock:
            if self._is_over:
                raise NodeError("HandlerFailed", "the call was called off before it began")
        asked = (answer, self._limit_s, *self._asked)
        process = _context().Process(target=_work, args=asked, daemon=True)
        process.start()
        with self._lock:
            self._process = process
            if self._is_over:
                process.kill()
        return process

    def _heard(self, answers: Connection, process: Any) -> tuple[bool, Any]:
        if not answers.poll(self._limit_s):
            message = f"the function took longer than {self._limit_s:g} seconds"
            raise NodeError("NodeTimeout", message, retryable=False)
        try:
            said: tuple[bool, Any] = answers.recv()
        except (EOFError, OSError):  # nothing was said, or half of it
            process.join()
            message = f"the function's process ended with {process.exitcode}, and no result"
            raise NodeError("HandlerFailed", message, retryable=True) from None
        return said

    def end(self) -> None:
        """See that the process is gone, and that none begins; called from any thread."""
        with self._lock:
            self._is_over = True
            if self._process is not None and self._process.is_alive():
                self._process.kill()

    def _tidy(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.join()
            process.close()


def _said(is_good: bool, value: Any) -> Any:
    if is_good:
        return value
    code, message, retryable, detail = value
    raise NodeError(code, message, retryable=retryable, detail=detail)


@lru_cache(maxsize=1)
def _context() -> ForkServerContext | SpawnContext:
    """Return what makes processes: copies of a small one that has loaded what all need."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, SDK])
    return context


def _work(answer: Connection, limit_s: float, path: str, seen: Seen, params: object) -> None:
    """What the process does: it calls the function, says what came of it, and ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever ends the server ends this, too
    _limit_time(limit_s)
    threading.Thread(target=_end_with, args=(answer,), daemon=True).start()
    with answer:
        answer.send(_outcome(path, seen, params))


def _end_with(answer: Connection) -> None:
    """End this process once nobody can read its answer: the server was killed, or began anew."""
    heard = select.poll()
    heard.register(answer.fileno(), 0)  # that there is no reader is told unasked
    heard.poll()
    os._exit(1)


def _limit_time(limit_s: float) -> None:
    """End by itself also where the function never lets another thread see who is left."""
    try:
        import resource
    except ImportError:  # there is none on this system
        return
    most = int(limit_s) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def _outcome(path: str, seen: Seen, params: object) -> tuple[bool, Any]:
    try:
        module, _, name = path.partition(":")
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        result = _plain(found(seen, params))
        size = len(canonical(result))
        if size > MAX_RESULT_BYTES:
            message = f"the function returned {size} bytes; {MAX_RESULT_BYTES} are allowed"
            raise NodeError("ResultTooLarge", message)
    except NodeError as error:
        return False, (error.code, error.message, error.retryable, dict(error.detail))
    except Exception as error:  # noqa: BLE001  foreign code may raise anything
        return False, ("HandlerFailed", f"{type(error).__name__}: {error}", True, {})
    return True, result


def _plain(result: object) -> Any:
    """Return a function's result as JSON."""
    if isinstance(result, NodeResult):
        fields = {name: getattr(result, name) for name in NodeResult.FIELDS}
        result = {k: v for k, v in fields.items() if v is not None and v is not UNSET}
    return freeze(result)
