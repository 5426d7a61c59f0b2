"""Calls of an agent that people decide on, where something happens between asking and sending."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.errors import ProviderError, RequestRefused, ToolFailed
from engine.core.graph.document import GraphSpec
from engine.core.state.requests import Answer
from engine.integrations.tools.protocol import ToolSpec
from tests.engine.lab import ANN, BOB, Lab, document
from tests.engine.runtime.test_primitives import virtually
from tests.simulation.world import SPECS, SimTool

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def graph(tool: str = "mail", **rule: Any) -> GraphSpec:
    asks = {tool: {"when": "always", "editable": ["order"], **rule}}
    agents = [{"id": "ann", "max_output_tokens": 40, "tools": [tool], "ask": asks}]
    node = {
        "id": "it",
        "type": "agent",
        "config": {"agent_id": "ann", "prompt": "P", "frame": "bare"},
    }
    return document([node], "__start__ > it", "it > __end__", agents=agents)


def tools_of(lab: Lab) -> dict[str, SimTool]:
    return lab.runner.services.tools._tools  # type: ignore[attr-defined,no-any-return]


def redefine(lab: Lab, tool: str, description: str = "", **more: Any) -> None:
    """Let the tool's owner offer another definition under the same name, or change what is set of it."""
    kept = tools_of(lab)[tool]
    said = {"description": description or kept.spec.description, **more}
    spec = kept.spec = replace(kept.spec, **said)

    async def expand(_pattern: str, *, workspace_id: str | None) -> list[ToolSpec]:
        return [spec]

    lab.runner.services.tools.expand = expand  # type: ignore[assignment]


async def stopped(lab: Lab, **said: Any) -> None:
    """Decide, and return where the outside stands still."""
    request_id = lab.open_request()
    await lab.runner.answer(request_id, Answer(lab.runner.token(request_id), **said), ANN)
    await lab.stopped.wait()


@virtually
async def test_a_tool_that_has_changed_is_asked_about_again() -> None:
    """The hash binds tool, arguments and definition: nothing is sent under an approval of another."""
    lab = Lab(graph())
    await lab.start()
    redefine(lab, "mail", "Send a mail to everybody.")
    state = await lab.answer(decision="approved", edits={"order": "less"})

    assert lab.world.executed == {}
    [item] = state.interrupts.values()
    assert "has changed since" in item.request["prompt"]
    assert item.path == "2/0/0!ask.1"

    state = await lab.answer(decision="approved", actor=BOB)

    assert state.status == "completed"
    assert dict(lab.world.executed) == {"P": 1}


@virtually
async def test_a_tool_that_is_called_elsewhere_now_is_asked_about_again() -> None:
    """Its definition is the same, and an admin has chosen another server while people thought."""
    lab = Lab(graph())
    await lab.start()
    redefine(lab, "mail", place="https://elsewhere.example")

    await asked_anew_then_sent(lab)


@virtually
async def test_a_tool_that_would_be_repeated_now_is_asked_about_again() -> None:
    """Its definition is the same, and an admin has said how safe it is to repeat."""
    lab = Lab(graph())
    await lab.start()
    was = tools_of(lab)["mail"].spec.effect_class
    redefine(lab, "mail", effect_class=EffectClass.KEYED, declared=was)

    await asked_anew_then_sent(lab)


async def asked_anew_then_sent(lab: Lab) -> None:
    """Approve, find nothing sent and the question asked again, approve that, and find it sent once."""
    state = await lab.answer(decision="approved")
    assert lab.world.executed == {}
    [item] = state.interrupts.values()
    assert "has changed since" in item.request["prompt"]
    state = await lab.answer(decision="approved", actor=BOB)
    assert state.status == "completed"
    assert dict(lab.world.executed) == {"P": 1}


@virtually
async def test_what_was_sent_is_not_judged_by_a_later_definition() -> None:
    lab = Lab(graph())
    await lab.start()
    lab.stop_at = "tool:mail:done"
    await stopped(lab, decision="approved")
    await lab.crash()
    redefine(lab, "mail", "Another tool by now.")
    state = await lab.runner.settled("r")

    assert dict(lab.world.executed) == {"P": 1}
    assert [opened.kind for opened in state.interrupts.values()] == ["in_doubt"]


@virtually
async def test_an_approval_survives_the_end_of_the_process() -> None:
    lab = Lab(graph("charge"))
    await lab.start()
    await lab.crash()
    state = await lab.answer(decision="approved", edits={"order": "less"})

    assert state.status == "completed"
    assert dict(lab.world.executed) == {"less": 1}
    assert len(lab.events("InterruptOpened")) == 1
    assert lab.world.tokens["r"] > 0
    assert len([e for e in lab.events("StepIntended") if e.data["kind"] == "model"]) == 2


@virtually
async def test_a_crash_while_it_is_sent_sends_the_approved_call_under_its_key() -> None:
    lab = Lab(graph("charge"))
    await lab.start()
    lab.stop_at = "tool:charge:done"
    await stopped(lab, decision="approved", edits={"order": "less"})
    await lab.crash()
    state = await lab.runner.settled("r")

    assert state.status == "completed"
    assert dict(lab.world.executed) == {"less": 1}
    assert len(lab.events("InterruptOpened")) == 1


@virtually
async def test_a_retry_finds_the_decision_and_the_call() -> None:
    """The node fails after an approved and edited call: its next attempt neither asks nor sends it again."""
    lab = Lab(graph("charge"))
    await lab.start()
    model: Any = lab.runner.services.models._model  # type: ignore[attr-defined]
    answers, broken = model.complete, iter([True, True])

    async def complete(*asked: Any) -> Any:
        if next(broken, False):
            raise ProviderError("broken", status=500)
        return await answers(*asked)

    model.complete = complete
    state = await lab.answer(decision="approved", edits={"order": "less"})

    assert state.status == "completed"
    assert len(lab.events("AttemptFailed")) == 2
    assert len(lab.events("InterruptOpened")) == 1
    assert dict(lab.world.executed) == {"less": 1}


@virtually
async def test_edits_that_do_not_fit_the_schema_are_refused_and_it_stays_open() -> None:
    lab = Lab(graph())
    await lab.start()

    with pytest.raises(RequestRefused) as refused:
        await lab.answer(decision="approved", edits={"order": 7})
    assert (refused.value.code, "order" in str(refused.value)) == ("AnswerInvalid", True)
    state = await lab.answer(decision="approved", edits={"order": "7"})
    assert state.status == "completed"
    assert dict(lab.world.executed) == {"7": 1}


@virtually
async def test_a_failed_call_is_told_to_the_agent() -> None:
    lab = Lab(graph())
    await lab.start()

    async def fail(*_args: Any) -> Any:
        raise ToolFailed("no paper")

    tools_of(lab)["mail"]._call = fail  # type: ignore[assignment]
    state = await lab.answer(decision="approved")

    assert state.status == "completed"
    assert SPECS["mail"].effect_class is EffectClass.UNSAFE
    assert [e.data["error"]["message"] for e in lab.events("StepFailed")] == ["no paper"]


@virtually
async def test_the_deadline_passes_while_the_process_is_away() -> None:
    lab = Lab(graph(timeout_ms=1_000))
    await lab.start()
    await lab.crash()
    await lab.clock.sleep(5)
    state = await lab.runner.settled("r")
    if not state.terminal:
        state = await lab.runner.settled("r")

    assert lab.world.executed == {}
    assert [e.data["outcome"] for e in lab.events("InterruptResolved")] == ["expired"]
    assert state.status == "completed"
