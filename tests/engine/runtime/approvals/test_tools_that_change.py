"""A tool that changes or goes while a conversation with it stands still.

The call is refused in words that the agent reads, or asked about anew; what was said and sent before
is found as it was, and is never another request.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.core.errors import NodeError
from engine.core.graph.document import GraphSpec
from engine.core.node_types.conversation import ToolCall
from engine.core.node_types.registry import NodeTypes
from engine.core.values.json import freeze
from engine.integrations.models.chat import ChatResponse
from engine.integrations.tools.protocol import ToolSpec
from tests.engine.lab import Lab, document, in_virtual_time
from tests.simulation.world import SPECS, SimTool

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

OTHER_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"order": {"type": "integer"}, "shop": {"type": "string"}},
    "required": ["shop"],
}


def graph(*tools: str, asks: tuple[str, ...] = ()) -> GraphSpec:
    ask = {"ask": {name: {"when": "always"} for name in asks}} if asks else {}
    agents = [{"id": "ann", "max_output_tokens": 40, "tools": list(tools), **ask}]
    config = {"agent_id": "ann", "prompt": "P", "frame": "bare"}
    node = {"id": "it", "type": "agent", "config": config}
    return document([node], "__start__ > it", "it > __end__", agents=agents)


class Changing(Lab):
    """A lab whose next process finds another outside from its first moment on."""

    then: Callable[[], None] | None = None

    def boot(self, types: NodeTypes) -> None:
        """Start a process, and change what it finds before it takes anything up."""
        super().boot(types)
        if self.then is not None:
            self.then()


class Said:
    """A model that calls, in each of its answers, what is written here; then it is done."""

    def __init__(self, lab: Lab, *answers: list[str]) -> None:
        self.answers = answers
        self.requests: list[Any] = []
        self.attach(lab)

    def attach(self, lab: Lab) -> None:
        """Speak for the process that runs now."""
        model: Any = lab.runner.services.models._model  # type: ignore[attr-defined]
        usual = model.complete

        async def complete(request: Any, *rest: Any) -> Any:
            self.requests.append(request)
            response = await usual(request, *rest)
            turn = sum(1 for message in request.messages if message.role == "assistant")
            calls = self.answers[turn] if turn < len(self.answers) else []
            wanted = tuple(
                ToolCall(f"c{n}", name, freeze({"order": f"{turn}{n}"}))
                for n, name in enumerate(calls)
            )
            reason = "tool_calls" if wanted else "stop"
            return ChatResponse(
                "" if wanted else "done", response.usage, tool_calls=wanted, finish_reason=reason
            )

        model.complete = complete

    @property
    def last_told(self) -> list[str]:
        return [m.content for m in self.requests[-1].messages if m.role == "tool"]


def now(lab: Lab, **tools: ToolSpec | NodeError | None) -> None:
    """Let tools be defined otherwise, refused, or gone, in the process that runs now."""
    services: Any = lab.runner.services.tools
    simulated: dict[str, SimTool] = services._tools

    def of(name: str) -> ToolSpec | None:
        said = tools.get(name, SPECS.get(name))
        if isinstance(said, NodeError):
            raise said
        return said

    async def find(name: str, *, workspace_id: str | None) -> Any:
        spec = of(name)
        if spec is None:
            return None
        simulated[name].spec = spec
        return simulated[name]

    async def expand(name: str, *, workspace_id: str | None) -> list[ToolSpec]:
        spec = of(name)
        return [] if spec is None else [spec]

    services.find, services.expand = find, expand


UNACCEPTED = NodeError("ToolChanged", "the definition of sim/mail is new or has changed")
CHANGES: list[ToolSpec | NodeError | None] = [
    None,
    UNACCEPTED,
    replace(SPECS["mail"], parameters=OTHER_FORM),
    replace(SPECS["mail"], description="Send it to everybody."),
]


async def approved_after(
    change: ToolSpec | NodeError | None, *, crash: bool
) -> tuple[Lab, Said, Any]:
    """Approve a mail that an agent wants to send, after its tool has changed."""
    lab = Changing(graph("look", "mail", asks=("mail",)))
    said = Said(lab, ["look"], ["look", "mail"])
    await lab.start()
    lab.then = lambda: now(lab, mail=change)
    if crash:
        await lab.crash()
        said.attach(lab)
    lab.then()
    return lab, said, await lab.answer(decision="approved")


@pytest.mark.parametrize("crash", [False, True])
@pytest.mark.parametrize("change", CHANGES[:3], ids=["gone", "unaccepted", "other arguments"])
def test_an_approved_call_that_cannot_be_made_is_told(change: Any, crash: bool) -> None:
    lab, said, state = in_virtual_time(lambda: approved_after(change, crash=crash))

    assert state.status == "completed", state.error
    assert "mail" not in str(lab.world.executed)
    assert said.last_told[-1].startswith("Error: nothing was sent: ")


@pytest.mark.parametrize("crash", [False, True])
def test_an_approved_call_that_fits_is_asked_about_anew(crash: bool) -> None:
    lab, _, state = in_virtual_time(lambda: approved_after(CHANGES[3], crash=crash))

    assert lab.world.executed == {}
    [item] = state.interrupts.values()
    assert item.path.endswith("!ask.1")


async def killed_in_the_second_call(change: Any) -> tuple[Lab, Said, Any]:
    """Let an agent without rules be killed in its third call; what it called first has changed."""
    lab = Changing(graph("charge", "look", "refund"))
    said = Said(lab, ["charge", "nothing"], ["look"], ["charge"])
    lab.stop_at = "tool:look:send"
    await lab.begin("r")
    await lab.stopped.wait()

    def then() -> None:
        said.attach(lab)
        now(lab, charge=change, refund=None)

    lab.then = then
    await lab.crash()
    return lab, said, await lab.runner.settled("r")


@pytest.mark.parametrize(
    "change",
    [None, replace(SPECS["charge"], parameters=OTHER_FORM)],
    ids=["gone", "other arguments"],
)
def test_what_was_sent_is_found_where_nobody_is_asked(change: Any) -> None:
    lab, said, state = in_virtual_time(lambda: killed_in_the_second_call(change))

    assert state.status == "completed", state.error
    assert dict(lab.world.executed) == {"00": 1}
    first, unknown, _, last = said.last_told
    assert first == '{"done":"00"}'
    assert unknown.startswith("Error: unknown tool 'nothing'. Available: charge")
    assert last.startswith("Error: ")


def test_a_tool_that_nobody_has_accepted_fails_the_step_where_it_is_called() -> None:
    lab, _, state = in_virtual_time(lambda: killed_in_the_second_call(UNACCEPTED))

    assert (state.status, state.error["code"]) == ("failed", "ToolChanged")
    assert dict(lab.world.executed) == {"00": 1}
