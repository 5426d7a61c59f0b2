"""What the engine's own node types and agents may ask of an activation beyond `NodeContext`.

Packages never see this: what they need is in `engine.sdk`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Unpack, cast

from engine.core.node_types.context import NodeContext
from engine.core.node_types.conversation import ReasonOptions
from engine.core.node_types.rules.call_mistakes import WHOLE

if TYPE_CHECKING:
    from engine.agents.skills import Skills
    from engine.core.decide.outcomes import Finish
    from engine.core.decide.transition import Transition
    from engine.core.graph.document import AgentSpec
    from engine.core.node_types.conversation import Conversation
    from engine.core.node_types.registry import Handlers
    from engine.core.people.asked_calls import AskedCall
    from engine.core.ports import MemoryStore
    from engine.core.state.program import NodePlan, Program
    from engine.core.state.run_state import Activation, RunState
    from engine.core.values.json import FrozenDict
    from engine.integrations.egress import Egress
    from engine.integrations.egress.http_call import CredentialResolver
    from engine.integrations.models.chat import ChatModel, ChatRequest, ChatResponse
    from engine.integrations.tools.protocol import Tool, ToolSpec


S = TypeVar("S")
A = TypeVar("A")
R = TypeVar("R")


class TalkOptions(ReasonOptions, total=False):
    """What the engine's own types may ask of a conversation besides."""

    read: Callable[[ChatResponse], object] | None
    """Finds the answer that the schema asks for where the model worded it its own way."""


class ModelCalls(Protocol):
    """Outside calls of an activation, inside the budgets and the journal."""

    def model(
        self,
        model: ChatModel,
        request: ChatRequest,
        agent_id: str | None,
        *,
        stream: bool,
        described: Mapping[str, object],
        last_resort: bool = False,
    ) -> Awaitable[ChatResponse]:
        """Make one model call inside the budgets. Raises `ProviderError`, `BudgetStop`.

        `FallbackWanted` is raised where the node names a cheaper agent and this is not it yet
        (`last_resort`).
        """
        ...

    def was_made(self, name: str, arguments: FrozenDict) -> bool:
        """Return whether the call that comes next is this one of a tool, and was sent before."""
        ...


class ActivationCalls(NodeContext, Protocol):
    """An activation as the engine's own code sees it."""

    @property
    def act(self) -> Activation: ...

    @property
    def plan(self) -> NodePlan: ...

    @property
    def program(self) -> Program: ...

    @property
    def finish(self) -> Finish:
        """What is added to the node's result."""
        ...

    @property
    def run(self) -> RunState:
        """The run's state as it is now. Raises `Cancelled` if it is gone."""
        ...

    @property
    def workspace_id(self) -> str | None: ...

    @property
    def calls(self) -> ModelCalls: ...

    @property
    def skills(self) -> Skills: ...

    @property
    def handlers(self) -> Handlers: ...

    @property
    def memory(self) -> MemoryStore | None: ...

    @property
    def credentials(self) -> CredentialResolver | None:
        """The credentials that the run's workspace may use; values never reach node code's state."""
        ...

    async def egress(self) -> Egress | None:
        """Return what the workspace's requests leave by, None where HTTP is switched off."""
        ...

    async def reason(
        self, agent: str | None, prompt: str, **options: Unpack[TalkOptions]
    ) -> Conversation:
        """Hold a conversation with a model and return its end: see `NodeContext.reason`."""
        ...

    async def find_agent(self, agent_id: str) -> AgentSpec | None:
        """Return the workspace's agent, None if it has none of that id."""
        ...

    async def resolve_model(self, model: str, agent_id: str | None) -> ChatModel:
        """Return the model behind a name. Raises `ProviderError`."""
        ...

    async def expand_tools(self, pattern: str) -> list[ToolSpec]:
        """Return the tools that a name or `source/*` stands for."""
        ...

    async def tool_for(self, name: str, arguments: FrozenDict) -> Tool:
        """Return the tool of the call that comes next, as it is now, or what stands for one that was
        sent already and is gone. Raises `NodeError`: `ToolNotFound`, `ToolChanged`, `ToolOff`.
        """
        ...

    async def send(self, tool: Tool, arguments: FrozenDict) -> Any:
        """Call this very tool. Raises `ToolFailed`."""
        ...

    def path(self) -> str:
        """Take the next step path."""
        ...

    @property
    def coming(self) -> str:
        """The path of the next call, which is not taken yet."""
        ...

    def apart(self, path: str, index: int) -> AbstractContextManager[None]:
        """Give the calls of a block a journal scope of their own, as those of `gather` have."""
        ...

    def was_asked(self, path: str) -> bool:
        """Return whether any attempt has put a question at this path."""
        ...

    def was_sent(self) -> bool:
        """Return whether the call that comes next was sent, and need not be judged again."""
        ...

    def was_begun(self) -> bool:
        """Return whether this attempt has made the call that comes next."""
        ...

    def noted(self, path: str) -> Any:
        """Return what this attempt noted at the path, None without anything."""
        ...

    async def note(self, path: str, kind: str, value: object) -> None:
        """Note a value at a path of its own, for the replays of this attempt."""
        ...

    async def decisions(self, asked: Sequence[tuple[str, AskedCall]]) -> list[dict[str, Any]]:
        """Ask about calls, each at its path, in one suspension; return the recorded decisions."""
        ...

    def reviewed_view(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the names an approval's prompt may use: the view, and the reviewed memory."""
        ...

    def edit_schema(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the JSON Schema of the form in which a reviewer edits these keys; `*` is all."""
        ...

    async def review(
        self, request: Mapping[str, Any], review_keys: Sequence[str]
    ) -> dict[str, Any]:
        """Pause for an approval of the reviewed slice of memory; return the recorded decision."""
        ...

    def record(self, fn: Callable[[Transition], object]) -> Awaitable[object]:
        """Apply `fn` to the run under the lease. Raises `Cancelled` if that is no longer held."""
        ...

    async def record_event(self, type_: str, data: dict[str, Any], *, earlier: bool = True) -> None:
        """Emit an event once; with `earlier`, once in all attempts."""
        ...


def gets_activation(
    method: Callable[[S, ActivationCalls, A], Coroutine[Any, Any, R]],
) -> Callable[[S, NodeContext, A], Coroutine[Any, Any, R]]:
    """Declare that a method of one of the engine's own node types works on the whole activation.

    Every context that is handed to node code has this inner side; only these types are told so.
    """
    setattr(method, WHOLE, True)
    return cast("Callable[[S, NodeContext, A], Coroutine[Any, Any, R]]", method)
