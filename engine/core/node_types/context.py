"""What node code gets: the Protocol that authors of node types, functions and skills see.

After a crash, retry or resume node code runs again from its first line, and calls that were recorded
return what they returned then. What the engine's own agents ask for besides is in
`engine.agents.activation`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

if TYPE_CHECKING:
    from engine.core.effects import EffectClass
    from engine.core.graph.document import NodeSpec
    from engine.core.node_types.conversation import Conversation, ReasonOptions
    from engine.core.node_types.run_views import ViewKind
    from engine.core.node_types.view import View
    from engine.core.values.json import FrozenDict


class ChildOptions(TypedDict, total=False):
    """What a child is started with."""

    item: Any
    """What it works on."""
    previous: Any
    """What it reads as the output before it; by default what this node read."""
    graceful: bool
    """Whether a call of the child that no longer fits fails the child, not the run."""
    handoff: bool
    """Whether it takes over for this node, as a peer of a swarm."""
    slot: int
    """Its place among its siblings."""


class StateBag(Protocol):
    """Small durable state by name: read with a default, set by awaiting `set`.

    What is read is what stood there when the attempt began, and what it has set since: code that
    runs again after a pause sees the same values as the first time.
    """

    def get(self, name: str, default: object = None) -> Any:
        """Return the value, or `default` where none was set."""
        ...

    async def set(self, name: str, value: object) -> None:
        """Record the value (JSON). Set once per place: a replay does not set it again."""
        ...


class NodeContext(Protocol):
    """What `run(ctx, config)` gets. Its calls raise control flow that node code must not catch."""

    @property
    def run_id(self) -> str:
        """Which run these decisions are for."""
        ...

    @property
    def node(self) -> NodeSpec:
        """The node as the document has it: `id`, `label`, `description`."""
        ...

    @property
    def attempt(self) -> int:
        """Which try this is, 1 for the first."""
        ...

    @property
    def view(self) -> View:
        """What the node may read, fixed when its activation started."""
        ...

    @property
    def context(self) -> FrozenDict:
        """The context that the run was started with."""
        ...

    @property
    def metadata(self) -> FrozenDict:
        """The metadata that reached this activation."""
        ...

    @property
    def messages(self) -> list[Any]:
        """The messages of the chat that this run answers."""
        ...

    @property
    def item(self) -> Any:
        """The item of a map worker, else None."""
        ...

    @property
    def previous(self) -> Any:
        """The output of the node whose token arrived; composites hand it to their children."""
        ...

    @property
    def node_state(self) -> StateBag:
        """Small durable state of this node, or of this item of it."""
        ...

    @property
    def workflow_state(self) -> StateBag:
        """Small durable state of the run."""
        ...

    def scope(self) -> dict[str, Any]:
        """The names an expression of this node may use, with the log's time as `now`."""
        ...

    async def look(self) -> View:
        """Return what the node may read now, what its children wrote included; replays agree."""
        ...

    async def now(self) -> int:
        """Return the time in milliseconds since the epoch, the same after every replay."""
        ...

    async def random(self) -> float:
        """Return a number in [0, 1), the same after every replay."""
        ...

    async def sleep(self, duration_ms: int) -> None:
        """Wait as a durable timer; no worker is held."""
        ...

    async def recorded(self, kind: str, request: object, make: Callable[[], object]) -> Any:
        """Return `make()` the first time, and the same value ever after."""
        ...

    async def interrupt(self, request: Mapping[str, Any]) -> Any:
        """Pause until a person answers, and return the typed answer.

        `request`: `{kind: text|choice|multi-choice|form, question, options?, schema?, timeout_ms?}`.
        Raises `NodeError`: `NodeConfigInvalid` for a malformed request, `InterruptExpired`.
        """
        ...

    async def reason(
        self, agent: str | None, prompt: str, **options: Unpack[ReasonOptions]
    ) -> Conversation:
        """Hold a conversation with a model and return its end.

        `agent` names an agent of the graph or workspace. Raises `NodeError`, such as
        `ResultSchemaMismatch`, `ProviderError` and `PriceUnknown`.
        """
        ...

    async def recall(self) -> str:
        """Return the section of facts that the node's `memory_query` finds, "" without any.

        They are looked up once per attempt; every conversation of the node has them already.
        """
        ...

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Make one tool call under its effect class. Raises `ToolFailed`, `ToolNotFound`."""
        ...

    async def perform(
        self,
        kind: str,
        request: object,
        effect: EffectClass | str,
        call: Callable[[str], Awaitable[object]],
        **described: object,
    ) -> Any:
        """Make one outside call that is neither model nor tool. `call` gets the idempotency key."""
        ...

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
        ...

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
        ...

    async def run_graph(
        self,
        graph_id: str,
        *,
        input: object = None,
        memory: Mapping[str, Any] | None = None,
        max_iterations: int | None = None,
    ) -> dict[str, Any]:
        """Run another graph as a child run; return `{status, result, memory, error, run_id}`."""
        ...

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
        ...

    async def emit_message(self, content: str) -> None:
        """Show text to the user of the run. Recorded once; blank text is not emitted."""
        ...

    async def emit_structured(
        self, data: Mapping[str, Any], data_type: str = "generic", mode: str = "snapshot"
    ) -> None:
        """Show structured data: `snapshot` replaces what `data_type` held, `merge` adds to it."""
        ...

    async def show(self, view: ViewKind, row: Mapping[str, Any]) -> None:
        """Add one row to a view that the type declares, once per attempt."""
        ...
