"""The node context: everything a node may do, each call journaled.

After a crash, retry or resume the node's code runs again from its first line, and calls that were
recorded return what they returned then. So take time and chance from here, and let pauses come
first: code before a pause may run again (docs/writing-nodes.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Unpack

from engine.agents.conversation import converse
from engine.core.decide.interrupts import reviewed_slice
from engine.core.effects import EffectClass
from engine.core.errors import NodeError, Suspended
from engine.core.node_types.run_views import ROW_KINDS, ViewKind
from engine.core.people.edits import reviewed_names
from engine.core.people.questions import check_request, check_timeout
from engine.core.values.json import FrozenDict, FrozenList, digest, freeze
from engine.runtime.execution.calls import Calls
from engine.runtime.execution.children import ChildCalls
from engine.runtime.execution.fresh_view import look
from engine.runtime.execution.held import Held, RecordedBag
from engine.runtime.execution.journal import SCOPE, Scope
from engine.runtime.execution.recall import Recall
from engine.runtime.execution.waits import Waits

if TYPE_CHECKING:
    from engine.agents.activation import TalkOptions
    from engine.agents.skills import Skills
    from engine.core.graph.document import AgentSpec
    from engine.core.node_types.context import ChildOptions
    from engine.core.node_types.conversation import Conversation
    from engine.core.node_types.registry import Handlers
    from engine.core.node_types.view import View
    from engine.core.people.asked_calls import AskedCall
    from engine.core.ports import MemoryStore
    from engine.core.state.program import Program
    from engine.integrations.egress import Egress
    from engine.integrations.egress.http_call import CredentialResolver
    from engine.integrations.models.chat import ChatModel
    from engine.integrations.tools.protocol import Tool, ToolSpec


class ActivationContext(Held):
    """What `run(ctx, config)` gets. Primitives raise control flow that node code must not catch.

    Authors see it as `NodeContext`, the engine's own types as `ActivationCalls` too. Its parts are
    made when they are first used: most nodes need one or two of them.
    """

    _made: Calls | None = None

    @property
    def calls(self) -> Calls:
        """Outside calls: intent, send, outcome."""
        calls = self._made  # most nodes make some: a cached property would cost its lock
        if calls is None:
            calls = self._made = Calls(self._host, self)
        return calls

    @cached_property
    def _children(self) -> ChildCalls:
        return ChildCalls(self._host, self)

    @cached_property
    def _waits(self) -> Waits:
        return Waits(self._host, self)

    @cached_property
    def _recall(self) -> Recall:
        return Recall(self._host, self)

    @cached_property
    def node_state(self) -> RecordedBag:
        """Small durable state of this node, or of this item of it."""
        return RecordedBag(self.act.node_state, self._set, "NodeStateSet")

    @cached_property
    def workflow_state(self) -> RecordedBag:
        """Small durable state of the run."""
        return RecordedBag(self.act.workflow_state, self._set, "WorkflowStateSet")

    @cached_property
    def messages(self) -> list[Any]:
        """The messages of the chat that this run answers."""
        return FrozenList(self._runtime.get("messages", ()))

    @property
    def program(self) -> Program:
        """The graph this run runs."""
        return self.run.program

    @property
    def skills(self) -> Skills:
        """What the agents of this installation may learn."""
        return self._host.services.skills

    @property
    def handlers(self) -> Handlers:
        """The functions that are registered."""
        return self._host.services.handlers

    @property
    def memory(self) -> MemoryStore | None:
        """The store of facts, None without one."""
        return self._host.services.memory

    @property
    def credentials(self) -> CredentialResolver | None:
        """The credentials that the run's workspace may use; values never reach node code's state."""
        known = self._host.services.credentials
        return None if known is None else known(self.workspace_id)

    async def egress(self) -> Egress | None:
        """Return what the workspace's requests leave by, None where HTTP is switched off."""
        return await self._host.services.egress_for(self.workspace_id)

    async def find_agent(self, agent_id: str) -> AgentSpec | None:
        """Return the workspace's agent, None if it has none of that id."""
        return await self._host.graphs.find_agent(agent_id, self.workspace_id)

    async def resolve_model(self, model: str, agent_id: str | None) -> ChatModel:
        """Return the model behind a name. Raises `ProviderError`."""
        return await self._host.models.resolve(
            model, agent_id=agent_id, node_id=self.act.node, workspace_id=self.workspace_id
        )

    async def expand_tools(self, pattern: str) -> list[ToolSpec]:
        """Return the tools that a name or `source/*` stands for."""
        return await self._host.tools.expand(pattern, workspace_id=self.workspace_id)

    def reviewed_view(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the names an approval's prompt may use: the view, and the reviewed memory."""
        reviewed = reviewed_slice(self.run, keys, self.act.key)
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

    async def look(self) -> View:
        """Return what the node may read now, what its children wrote included; replays agree."""
        return await look(self._host, self)

    async def _set(self, type_: str, data: dict[str, Any]) -> None:
        await self.record_event(type_, data, earlier=False)

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

    async def recorded(self, kind: str, request: object, make: Callable[[], object]) -> Any:
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
                "path": path,
                "attempt": self.attempt,
                "kind": kind,
                "request_hash": request_hash,
                "result": value,
            },
        )
        return value

    async def now(self) -> int:
        """Return the time in milliseconds since the epoch, the same after every replay."""
        return int(await self.recorded("now", None, self._host.clock.now))

    async def random(self) -> float:
        """Return a number in [0, 1), the same after every replay."""
        return float(await self.recorded("random", None, self._host.entropy.random))

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
        self, agent: str | None, prompt: str, **options: Unpack[TalkOptions]
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
        given = freeze(arguments)
        return await self.send(await self.tool_for(name, given), given)

    async def tool_for(self, name: str, arguments: FrozenDict) -> Tool:
        """Return the tool of the call that comes next, as it is now.

        Where the call was sent and the tool is gone since, what returned stands for it. Raises
        `NodeError`: `ToolNotFound`, `ToolChanged`, `ToolOff`.
        """
        try:
            tool = await self._host.tools.find(name, workspace_id=self.workspace_id)
            why = NodeError("ToolNotFound", f"no tool {name!r}")
        except NodeError as error:
            tool, why = None, error
        return tool or self.calls.sent_tool(name, arguments, why)

    async def send(self, tool: Tool, arguments: FrozenDict) -> Any:
        """Call this very tool. Raises `ToolFailed`."""
        return await self.calls.tool(tool, arguments)

    async def decisions(self, asked: Sequence[tuple[str, AskedCall]]) -> list[dict[str, Any]]:
        """Ask about calls, each at its path, in one suspension; return the recorded decisions."""
        return await self._waits.decisions(asked)

    async def perform(
        self,
        kind: str,
        request: object,
        effect: EffectClass | str,
        call: Callable[[str], Awaitable[object]],
        **described: object,
    ) -> Any:
        """Make one outside call that is neither model nor tool. `call` gets the idempotency key."""
        return await self.calls.effect(kind, freeze(request), effect, call, described)

    async def run_node(
        self,
        node_id: str,
        *,
        isolated: bool = False,
        writes: Mapping[str, Any] | None = None,
        **child: Unpack[ChildOptions],
    ) -> dict[str, Any]:
        """Run another node of this graph as a child; return `{status, output, data, error?}`.

        `isolated`: its writes come back instead of into memory. `writes`: this node's own, which
        passed its gate and land before the child starts.
        """
        results = await self._children.nodes(
            [{"node": node_id, **child}], 1, False, isolated, writes
        )
        return results[0]

    async def run_nodes(
        self,
        children: Sequence[Mapping[str, Any]],
        *,
        max_concurrency: int = 5,
        fail_fast: bool = False,
        isolated: bool = False,
    ) -> list[dict[str, Any]]:
        """Run children of this graph in bounded parallel; results in item order.

        The parent suspends and wakes once, when all are done or `fail_fast` fired.
        """
        return await self._children.nodes(children, max_concurrency, fail_fast, isolated)

    async def run_graph(
        self,
        graph_id: str,
        *,
        input: object = None,
        memory: Mapping[str, Any] | None = None,
        max_iterations: int | None = None,
    ) -> dict[str, Any]:
        """Run another graph as a child run; return `{status, result, memory, error, run_id}`."""
        return await self._children.graph(graph_id, input, memory or {}, max_iterations)

    async def gather(
        self,
        calls: Sequence[Callable[[], Awaitable[object]]],
        *,
        max_concurrency: int = 5,
        return_errors: bool = False,
    ) -> list[Any]:
        """Make calls in bounded parallel, each in a journal scope of its own; results in order.

        The first error is raised after the others have ended, unless `return_errors`.
        """
        path = self.path()
        slots = asyncio.Semaphore(max_concurrency)

        async def branch(index: int, call: Callable[[], Awaitable[object]]) -> object:
            async with slots:
                SCOPE.set(Scope.of_branch(path, index))
                return await call()

        tasks = [asyncio.ensure_future(branch(i, call)) for i, call in enumerate(calls)]
        try:
            done = await asyncio.gather(*tasks, return_exceptions=True)
        except BaseException:
            for task in tasks:
                task.cancel()
            raise
        return _settled(done, return_errors)


def let_go(ctx: ActivationContext) -> None:
    """Let a context that has ended let go of its parts: they know it, so that only the collector
    would find them.
    """
    ctx._made = None
    own = vars(ctx)
    for part in PARTS & own.keys():
        del own[part]


PARTS: Final = {
    name for name, part in vars(ActivationContext).items() if isinstance(part, cached_property)
}


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
