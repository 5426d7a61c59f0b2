"""The embedded engine: one thread with the runner's loop, and the door web threads knock at."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import connection

from builder.adapters.graph_source import WorkspaceGraphs
from builder.adapters.models.turns import WorkspaceTurns
from builder.adapters.run_store.database import DatabaseRunStore
from builder.adapters.run_store.heartbeat import Heartbeat
from builder.adapters.threads import in_thread
from builder.adapters.tools.known import KnownTools
from builder.adapters.tools.toolset import (
    WorkspaceTools,
    listed_sources,
    sources_at_hand,
)
from builder.base import engine_door
from builder.base.bells import Frame, hub, run_topic
from builder.base.tool_sources import ListedSources
from builder.process.drain import see_out
from builder.process.house.audit_thread import audit_thread
from builder.process.house.beside import threads_beside, watching
from builder.process.runner import dialect, make_runner
from engine.core.graph.document import GraphSpec
from engine.core.node_types.registry import NODE_TYPES
from engine.core.state.program import Program
from engine.core.state.requests import ForkRun, StartRun, Supposed
from engine.integrations.tools.toolset import Toolset
from engine.runtime.foresight.look_ahead import look_ahead
from engine.runtime.foresight.steps import Foresight
from engine.runtime.runner import Runner
from engine.runtime.stores.buffered import RunExists
from engine.runtime.stores.requests import Told

log = logging.getLogger("graphwright.engine")
T = TypeVar("T")
CALL_SECONDS: Final = 60
SCAN_AGAIN_SECONDS: Final = 5
CHECK_PATIENCE_SECONDS: Final = 2
"""For a tool source that starts or hangs; a check then says so."""
LIST_PATIENCE_SECONDS: Final = 8


class EmbeddedEngine:
    """An `EngineDoor` onto a runner that lives on a thread of its own."""

    def __init__(self, make: Callable[[], Runner] | None = None) -> None:
        self._make = make or (lambda: make_runner(dialect()))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self.runner: Runner | None = None
        self._watch: asyncio.Future[None] | None = None
        self._taking_over: asyncio.Task[int] | None = None
        self._heartbeat: Heartbeat | None = None
        self._known_tools = KnownTools()

    def start(self) -> int:
        """Begin, and take over what a former process left; return how many runs that was."""
        self.begin()
        return self._call(self._taken_over(), timeout=None)

    def begin(self) -> None:
        """Start the thread and open the store; what a former process left is taken over meanwhile."""
        self._thread.start()
        self._call(self._open(), timeout=None, at_once=True)

    def stop(self) -> None:
        """Stop the loop. What is under way is taken over at the next start."""
        self._call(self._close(), timeout=CALL_SECONDS + settings.DRAIN_SECONDS, at_once=True)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def _open(self) -> None:
        self.runner = self._make()
        self._heartbeat = Heartbeat(self._store)
        crashed = await self._heartbeat.begin()
        await self._store.open()
        self._taking_over = asyncio.create_task(self._recover(crashed=crashed))

    async def _recover(self, *, crashed: bool) -> int:
        """Take over what a former process left, however often that fails.

        After a failure by scans: they leave alone what was taken over before it, and goes on already.
        """
        taken_over = None
        try:
            taken_over = await self._ready.recover(crashed=crashed)
        except Exception:
            log.exception("what a former process left could not all be taken over; scans follow")
        while taken_over is None:
            await asyncio.sleep(SCAN_AGAIN_SECONDS)
            try:
                taken_over = await self._ready.recovery.scan()
            except Exception:  # nobody may ask the engine before one has succeeded
                log.exception("a recovery scan failed; the next one follows")
        self._watch = asyncio.ensure_future(self._watch_forever())
        return taken_over

    async def _taken_over(self) -> int:
        """Return how many runs were taken over, once they are."""
        return await asyncio.shield(self._taking_over) if self._taking_over is not None else 0

    async def _watch_forever(self) -> None:
        while True:
            try:
                await self._ready.recovery.watch()
            except Exception:  # whatever broke one scan, runs depend on the next one
                log.exception("a recovery scan failed; the next one follows")
                await asyncio.sleep(SCAN_AGAIN_SECONDS)

    async def _close(self) -> None:
        assert self.runner is not None
        for under_way in (self._taking_over, self._watch):
            if under_way is not None:
                under_way.cancel()
        await see_out(self.runner)
        await self.runner.close()
        if self._heartbeat is not None:
            await self._heartbeat.leave()
        if isinstance(self.runner.tools, WorkspaceTools):
            await self.runner.tools.aclose()
        if isinstance(self.runner.services.turns, WorkspaceTurns):
            await self.runner.services.turns.aclose()
        await asyncio.to_thread(self._store.close)

    @property
    def _store(self) -> DatabaseRunStore:
        assert self.runner is not None
        assert isinstance(self.runner.store, DatabaseRunStore)
        return self.runner.store

    @property
    def _ready(self) -> Runner:
        assert self.runner is not None
        return self.runner

    def _call(
        self,
        work: Coroutine[Any, Any, T],
        timeout: float | None = CALL_SECONDS,
        *,
        at_once: bool = False,
    ) -> T:
        """Do the work on the engine's loop: after what a former process left, or `at_once`."""
        if connection.in_atomic_block:
            work.close()
            raise RuntimeError("the engine must not be called inside an open transaction")
        asked = work if at_once else self._in_turn(work)
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result(timeout)

    async def _in_turn(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            await self._taken_over()
        except BaseException:
            work.close()
            raise
        return await work

    def start_run(self, request: StartRun, spec: GraphSpec | None = None) -> str:
        """Record the run's start and return its id; a known `trigger_key` returns its run's."""
        context = {
            "tenant_id": request.workspace_id,
            "correlation_id": request.run_id,
            **({"user_id": request.started_by} if request.started_by else {}),
            **request.context,
        }
        return self._call(self._start(replace(request, context=context), spec))

    async def _start(self, request: StartRun, spec: GraphSpec | None) -> str:
        graphs = self._ready.graphs
        assert isinstance(graphs, WorkspaceGraphs)
        program = await graphs.version(str(request.version_id), spec)
        try:
            return await self._ready.start(request, program)
        except RunExists as exists:
            return exists.run_id

    def retry_run(
        self,
        run_id: str,
        by: str,
        *,
        resend: bool = False,
        key: str | None = None,
        source: str | None = None,
    ) -> str:
        """Start a new run that goes on at the failed node and return its id."""
        return self._call(
            self._ready.forks.retry(run_id, by, resend=resend, key=key, source=source)
        )

    def retry_plan(self, run_id: str) -> dict[str, Any]:
        """Return what a retry would do."""
        return self._call(self._ready.forks.retry_plan(run_id)).to_json()

    def fork_run(self, run_id: str, request: ForkRun) -> str:
        """Start a new run that goes on at a point of an ended one and return its id."""
        return self._call(self._fork(run_id, request))

    async def _fork(self, run_id: str, request: ForkRun) -> str:
        graphs = self._ready.graphs
        assert isinstance(graphs, WorkspaceGraphs)
        version = request.version_id
        program = None if version is None else await graphs.version(version)
        return await self._ready.forks.fork(run_id, request, program)

    def fork_plan(self, run_id: str, at: int | str) -> dict[str, Any]:
        """Return what a fork at a seq or activation would do."""
        return self._call(self._ready.forks.plan(run_id, at)).to_json()

    def stale_plan(self, run_id: str, spec: GraphSpec, pins: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a run of only what is stale in a draft would do."""
        program = Program(spec, NODE_TYPES)
        return self._call(self._ready.forks.stale_plan(run_id, program, pins)).to_json()

    def given_to(self, run_id: str, node: str) -> dict[str, Any]:
        """Return what a node found when it last began."""
        return self._call(self._ready.forks.given_to(run_id, node))

    def answer_to(self, run_id: str, number: int, within_s: float) -> Told | None:
        """Ring for a request to a run that is committed; return what became of it."""
        return self._call(self._ready.mailbox.answer_to(run_id, number, within_s))

    def foresee(self, run_id: str, supposed: Supposed) -> dict[str, Any]:
        """Return what a decision would lead to, without making it."""
        return self._call(self._foresee(run_id, supposed)).to_json()

    async def _foresee(self, run_id: str, supposed: Supposed) -> Foresight:
        state = await self._store.warm(run_id)
        workspace_id = str(state.started.get("workspace_id"))
        tools = await in_thread(self.known_tools, workspace_id)
        return await look_ahead(self._ready, run_id, supposed, tools.effects)

    def reset_breaker(self, breaker_id: str) -> bool:
        """Close a circuit breaker by an operator's word; return whether there is such a one."""
        return self._call(self._ready.reset_breaker(breaker_id))

    def state_at(self, run_id: str, seq: int | None) -> dict[str, Any]:
        """Return the lanes as of `seq` (None: the head)."""
        return self._call(self._state_at(run_id, seq))

    async def _state_at(self, run_id: str, seq: int | None) -> dict[str, Any]:
        state = await self._store.state(run_id, seq)
        return {
            "seq": state.seq,
            "memory": state.memory,
            "outputs": state.outputs,
            "metadata": state.metadata,
            "context": state.context,
            "ui": {"messages": state.messages, "structured": state.structured},
        }

    def resume_token(self, request_id: str) -> str:
        """Return the token that an answer to the interrupt must carry."""
        return self._ready.token(request_id)

    def tool_sources(self, workspace_id: str) -> ListedSources:
        """Return the sources of tools that the workspace may use, with their tools or problems."""
        return self._call(self._sources(workspace_id, LIST_PATIENCE_SECONDS))

    def tools_to_check(self, workspace_id: str) -> ListedSources:
        """Return the same for a check, which waits two seconds for a source and no longer."""
        return self._call(self._sources(workspace_id, CHECK_PATIENCE_SECONDS))

    def known_tools(self, workspace_id: str) -> ListedSources:
        """Return what the sources listed last, without waiting, and let them be asked again."""
        if self._known_tools.begin(workspace_id):
            asyncio.run_coroutine_threadsafe(self._ask_again(workspace_id), self._loop)
        return self._known_tools.of(workspace_id) or sources_at_hand(self._toolset, workspace_id)

    async def _ask_again(self, workspace_id: str) -> None:
        try:
            await self._sources(workspace_id, LIST_PATIENCE_SECONDS)
        finally:
            self._known_tools.end(workspace_id)

    async def _sources(self, workspace_id: str, patience_s: float) -> ListedSources:
        found = await listed_sources(self._toolset, workspace_id, patience_s=patience_s)
        self._known_tools.keep(workspace_id, found)
        return found

    @property
    def _toolset(self) -> Toolset:
        tools = self._ready.tools
        assert isinstance(tools, Toolset)
        return tools

    def limits_changed(self) -> None:
        """Let the limits hold that people have set, and whoever waits for one look again."""
        self._call(self._reload_budgets())

    async def _reload_budgets(self) -> None:
        await self._store.reload_budgets()
        await self._ready.rechecks.look()
        await self._ready.places.look()

    def is_alive(self, within_s: float) -> bool:
        """Return whether the engine's loop answers in that time."""
        try:
            return self._call(_turn(), timeout=within_s, at_once=True)
        except TimeoutError:
            return False

    def is_ready(self, within_s: float) -> bool:
        """Return whether what a former process left is taken over, waiting so long for it at most."""
        try:
            self._call(self._taken_over(), timeout=within_s, at_once=True)
        except TimeoutError:
            return False
        return True

    def subscribe(
        self, run_id: str, listener: Callable[[Frame | None], None]
    ) -> Callable[[], None]:
        """Call `listener` for every doorbell and ephemeral frame of the run until unsubscribed."""
        return hub.subscribe(run_topic(run_id), listener)


async def _turn() -> bool:
    return True


@contextmanager
def embedded() -> Iterator[None]:
    """Run the engine in this process while the block lasts.

    Pages answer at once; what asks the engine waits until it has taken over what was left.
    """
    running = EmbeddedEngine()
    running.begin()
    engine_door.install(running)
    audit, beside = audit_thread(), [*watching(), *threads_beside()]
    try:
        for thread in (audit, *beside):
            thread.start()
        yield
    finally:
        for thread in reversed(beside):
            thread.stop()
        engine_door.install(None)
        running.stop()
        audit.stop()
