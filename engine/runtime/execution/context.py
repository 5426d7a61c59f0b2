"""The node context: everything a node may do, each call journaled.

After a crash, retry or resume the node's code runs again from its first line, and calls that were
recorded return what they returned then. So take time and chance from here, and let pauses come
first: code before a pause may run again (docs/writing-nodes.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from engine.agents.conversation import Conversation, ReasonOptions, converse
from engine.core.decide.interrupts import reviewed_slice
from engine.core.decide.outcomes import Finish
from engine.core.decide.scheduler import Claim
from engine.core.effects import EffectClass
from engine.core.errors import NodeError, Suspended
from engine.core.node_types.run_views import ROW_KINDS, ViewKind
from engine.core.people.edits import reviewed_names
from engine.core.people.questions import check_request, check_timeout
from engine.core.state.lanes import expression_scope
from engine.core.values.json import FrozenDict, FrozenList, digest, freeze
from engine.runtime.execution.calls import Calls
from engine.runtime.execution.children import ChildCalls, ChildOptions
from engine.runtime.execution.fresh_view import look
from engine.runtime.execution.journal import SCOPE, Journal, Scope, current_scope
from engine.runtime.execution.recall import Recall
from engine.runtime.execution.waits import Waits

if TYPE_CHECKING:
    from engine.core.graph.document import NodeSpec
    from engine.core.node_types.view import View
    from engine.core.state.program import Program
    from engine.core.state.run_state import Activation
    from engine.integrations.egress.http_call import CredentialResolver
    from engine.runtime.runner import Runner


class StateBag:
    """Small durable state by name: read with a default, set by awaiting `set`.

    What is read is what stood there when the attempt began, and what it has set since: code that
    runs again after a pause sees the same values as the first time.
    """

    __slots__ = ("_emit", "_type", "_values")

    def __init__(
        self,
        values: Mapping[str, Any],
        emit: Callable[[str, dict[str, Any]], Awaitable[None]],
        type_: str,
    ) -> None:
        self._values = dict(values)
        self._emit = emit
        self._type = type_

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value, or `default` where none was set."""
        return self._values.get(name, default)

    async def set(self, name: str, value: Any) -> None:
        """Record the value. Set once per place: a replay does not set it again."""
        frozen = freeze(value, name)
        self._values[name] = frozen
        await self._emit(self._type, {"name": name, "value": frozen})


class NodeContext:
    """What `run(ctx, config)` gets. Primitives raise control flow that node code must not catch.

    Its parts are made when they are first used: most nodes need one or two of them.
    """

    def __init__(self, runner: Runner, run_id: str, claim: Claim, act: Activation) -> None:
        self.runner = runner
        self.run_id = run_id
        self.claim = claim
        self.act = act
        self.plan = claim.plan
        self.node: NodeSpec = claim.plan.spec
        self.attempt = act.attempt
        self.finish = Finish()
        self.journal = Journal(act)
        self.root = Scope("", None)
        self.calls = Calls(self)
        assert act.view is not None
        self.view: View = act.view
        state = runner.state_of(run_id)
        self.context: FrozenDict = state.context
        self.metadata: FrozenDict = act.metadata
        self._runtime = state.runtime

    @cached_property
    def _children(self) -> ChildCalls:
        return ChildCalls(self)

    @cached_property
    def _waits(self) -> Waits:
        return Waits(self)

    @cached_property
    def _recall(self) -> Recall:
        return Recall(self)

    @cached_property
    def node_state(self) -> StateBag:
        """Small durable state of this node, or of this item of it."""
        return StateBag(self.act.node_state, self._set, "NodeStateSet")

    @cached_property
    def workflow_state(self) -> StateBag:
        """Small durable state of the run."""
        return StateBag(self.act.workflow_state, self._set, "WorkflowStateSet")

    @cached_property
    def messages(self) -> list[Any]:
        """The messages of the chat that this run answers."""
        return FrozenList(self._runtime.get("messages", ()))

    @property
    def credentials(self) -> CredentialResolver | None:
        """The credentials that the run's workspace may use; values never reach node code's state."""
        known = self.runner.services.credentials
        workspace = self.runner.state_of(self.run_id).started.get("workspace_id")
        return None if known is None else known(workspace)

    @property
    def program(self) -> Program:
        """The graph this run runs."""
        return self.runner.state_of(self.run_id).program

    def reviewed_view(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the names an approval's prompt may use: the view, and the reviewed memory."""
        reviewed = reviewed_slice(self.runner.state_of(self.run_id), keys, self.act.key)
        return reviewed_names(self.view, self.act.started_at, reviewed, {})

    def edit_schema(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the JSON Schema of the form in which a reviewer edits these keys; `*` is all."""
        schemas = {key: self.program.property_schema(key) for key in keys if key != "*"}
        return {
            "type": "object",
            "properties": {k: ({} if v is None else v) for k, v in schemas.items()},
            "additionalProperties": "*" in keys,
        }

    @property
    def item(self) -> Any:
        """The item of a map worker, else None."""
        return self.act.item

    @property
    def previous(self) -> Any:
        """The output of the node whose token arrived; composites hand it to their children."""
        return self.act.previous

    def scope(self) -> dict[str, Any]:
        """The names an expression of this node may use, with the log's time as `now`."""
        return expression_scope(self.view, self.act.started_at)

    async def look(self) -> View:
        """Return what the node may read now, what its children wrote included; replays agree."""
        return await look(self)

    def path(self) -> str:
        """Take the next step path. Called at the moment a call is made, before any await."""
        return current_scope(self.root).next_path()

    async def _set(self, type_: str, data: dict[str, Any]) -> None:
        await self.record_event(type_, data, earlier=False)

    async def record_event(self, type_: str, data: dict[str, Any], *, earlier: bool = True) -> None:
        """Emit an event once; with `earlier`, once in all attempts.

        It is known by its content and takes no step path, so that code which emits only the first
        time finds its other calls where they were.
        """
        request_hash = digest([type_, data])
        path = current_scope(self.root).next_mark(request_hash)
        if self.journal.emitted(path, earlier=earlier):
            return
        place = {
            "path": path,
            "attempt": self.attempt,
            "request_hash": request_hash,
            "kind": "emit",
        }
        await self.emit(type_, {**data, **place})

    async def emit(self, type_: str, data: dict[str, Any]) -> None:
        """Emit one event of this activation under its lease."""
        await self.runner.transact_held(self, lambda tx: tx.emit(type_, self.act.key, data))

    async def emit_message(self, content: str) -> None:
        """Show text to the user of the run. Recorded once; blank text is not emitted."""
        if not isinstance(content, str):
            raise NodeError("NodeConfigInvalid", f"a message is text, not {content!r:.60}")
        if content.strip():
            await self.record_event("MessageEmitted", {"content": freeze(content), "final": True})

    async def emit_structured(
        self, data: Mapping[str, Any], data_type: str = "generic", mode: str = "snapshot"
    ) -> None:
        """Show structured data: `snapshot` replaces what `data_type` held, `merge` adds to it."""
        if mode not in ("snapshot", "merge"):
            raise NodeError("NodeConfigInvalid", f"mode {mode!r} is neither snapshot nor merge")
        if not isinstance(data_type, str):
            raise NodeError("NodeConfigInvalid", f"data_type is text, not {data_type!r:.60}")
        frozen = freeze(data)
        await self.record_event(
            "StructuredEmitted", {"data_type": data_type, "mode": mode, "data": frozen}
        )

    async def show(self, view: ViewKind, row: Mapping[str, Any]) -> None:
        """Add one row to a view that the type declares (`engine.core.node_types.run_views`), once per attempt."""
        if view not in ROW_KINDS:
            raise NodeError("NodeConfigInvalid", f"view {view!r} takes no rows")
        data = {"view": view, "row": freeze(row)}
        await self.record_event("RowShown", data, earlier=False)

    async def recorded(self, kind: str, request: Any, make: Callable[[], Any]) -> Any:
        """Return `make()` the first time, and the same value ever after."""
        path = self.path()
        request_hash = digest([kind, request])
        step = self.journal.find(path, request_hash, EffectClass.PURE)
        if step is not None:
            return step.result
        value = freeze(make())
        await self.emit(
            "StepRecorded",
            {
                "path": path, "attempt": self.attempt, "kind": kind,
                "request_hash": request_hash, "result": value,
            },
        )  # fmt: skip
        return value

    async def now(self) -> int:
        """Return the time in milliseconds since the epoch, the same after every replay."""
        return int(await self.recorded("now", None, self.runner.clock.now))

    async def random(self) -> float:
        """Return a number in [0, 1), the same after every replay."""
        return float(await self.recorded("random", None, self.runner.entropy.random))

    async def sleep(self, duration_ms: int) -> None:
        """Wait as a durable timer; no worker is held."""
        await self._waits.sleep(duration_ms)

    async def interrupt(self, request: Mapping[str, Any]) -> Any:
        """Pause until a person answers, and return the typed answer.

        `request`: `{kind: text|choice|multi-choice|form, question, options?, schema?, timeout_ms?}`.
        Raises `NodeError`: `NodeConfigInvalid` for a malformed request, `InterruptExpired`.
        """
        timeout_ms, rest = None, request
        if isinstance(request, Mapping):
            timeout_ms = check_timeout(request.get("timeout_ms"))
            rest = {k: v for k, v in request.items() if k != "timeout_ms"}
        return await self._waits.ask(check_request(rest), timeout_ms)

    async def review(
        self, request: Mapping[str, Any], review_keys: Sequence[str]
    ) -> dict[str, Any]:
        """Pause for an approval of the reviewed slice of memory; return the recorded decision."""
        return await self._waits.review(request, review_keys)

    async def reason(
        self, agent: str | None, prompt: str, **options: Unpack[ReasonOptions]
    ) -> Conversation:
        """Hold a conversation with a model and return its end.

        `agent` names an agent of the graph or workspace. Raises `NodeError`, such as
        `ResultSchemaMismatch`, `ProviderError` and `PriceUnknown`.
        """
        return await converse(self, agent, prompt, **options)

    async def recall(self) -> str:
        """Return the section of facts that the node's `memory_query` finds, "" without any.

        They are looked up once per attempt; every conversation of the node has them already.
        """
        return await self._recall.section()

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Make one tool call under its effect class. Raises `ToolFailed`, `ToolNotFound`."""
        tool = await self.runner.find_tool(self.run_id, name)
        return await self.calls.tool(tool, freeze(arguments))

    async def perform(
        self, kind: str, request: Any, effect: EffectClass, call: Callable[[str], Awaitable[Any]],
        **described: Any,
    ) -> Any:  # fmt: skip
        """Make one outside call that is neither model nor tool. `call` gets the idempotency key."""
        return await self.calls.effect(kind, freeze(request), effect, call, described)

    async def run_node(
        self, node_id: str, *, isolated: bool = False,
        writes: Mapping[str, Any] | None = None, **child: Unpack[ChildOptions],
    ) -> dict[str, Any]:  # fmt: skip
        """Run another node of this graph as a child; return `{status, output, data, error?}`.

        `isolated`: its writes come back instead of into memory. `writes`: this node's own, which
        passed its gate and land before the child starts.
        """
        results = await self._children.nodes(
            [{"node": node_id, **child}], 1, False, isolated, writes
        )
        return results[0]

    async def run_nodes(
        self, children: Sequence[Mapping[str, Any]], *, max_concurrency: int = 5,
        fail_fast: bool = False, isolated: bool = False,
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Run children of this graph in bounded parallel; results in item order.

        The parent suspends and wakes once, when all are done or `fail_fast` fired.
        """
        return await self._children.nodes(children, max_concurrency, fail_fast, isolated)

    async def run_graph(
        self, graph_id: str, *, input: Any = None, memory: Mapping[str, Any] | None = None,
        max_iterations: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Run another graph as a child run; return `{status, result, memory, error}`."""
        return await self._children.graph(graph_id, input, memory or {}, max_iterations)

    async def gather(
        self, calls: Sequence[Callable[[], Awaitable[Any]]], *, max_concurrency: int = 5,
        return_errors: bool = False,
    ) -> list[Any]:  # fmt: skip
        """Make calls in bounded parallel, each in a journal scope of its own; results in order.

        The first error is raised after the others have ended, unless `return_errors`.
        """
        path = self.path()
        slots = asyncio.Semaphore(max_concurrency)

        async def branch(index: int, call: Callable[[], Awaitable[Any]]) -> Any:
            async with slots:
                SCOPE.set(Scope(f"{path}/{index}/", asyncio.current_task()))
                return await call()

        tasks = [asyncio.ensure_future(branch(i, call)) for i, call in enumerate(calls)]
        try:
            done = await asyncio.gather(*tasks, return_exceptions=True)
        except BaseException:
            for task in tasks:
                task.cancel()
            raise
        return _settled(done, return_errors)

    async def pause_at(
        self, path: str, kind: str, request: FrozenDict, identity: Any,
        timeout_ms: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Pause for the engine's own question at a path beside the call that needs it."""
        return await self._waits.pause(kind, request, timeout_ms, path, identity)

    async def review_at(
        self, path: str, request: Mapping[str, Any], keys: Sequence[str], approval: str
    ) -> dict[str, Any]:
        """Open an approval again at a path beside the effect that it guards."""
        return await self._waits.review(request, keys, approval, path=path)


def _settled(done: list[Any], return_errors: bool) -> list[Any]:
    control = [e for e in done if isinstance(e, BaseException) and not isinstance(e, Exception)]
    for error in control:
        if not isinstance(error, Suspended):
            raise error
    if control:
        raise control[0]
    if not return_errors:
        for error in done:
            if isinstance(error, Exception):
                raise error
    return done
