"""What people are told of where an agent's call goes, and of what it does, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.effects import EffectClass
from engine.core.graph.call_asks import CallAsk
from engine.core.people.asked_calls import AskedCall, CalledAt
from engine.core.values.json import freeze
from engine.integrations.tools.protocol import ToolSpec
from tests.engine.lab import Lab
from tests.engine.runtime.approvals.test_asked_calls import graph, redefine
from tests.engine.runtime.test_primitives import virtually

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def asked(tool: str, at: CalledAt, effect: EffectClass) -> str:
    call = AskedCall(
        CallAsk(), "Refunds", "refund", tool, freeze({}), effect, "d" * 64, freeze({}), "why", at
    )
    return str(call.request("buy")["prompt"])


@pytest.mark.parametrize(
    ("tool", "at", "effect", "said"),
    [
        (
            "python/calculate",
            CalledAt("python", "function"),
            EffectClass.PURE,
            "Refunds wants to use “calculate”, which only works with the values it is given",
        ),
        (
            "stripe/refund",
            CalledAt("stripe", "api", "api.stripe.com"),
            EffectClass.UNSAFE,
            "Refunds wants to use “refund” of stripe, which may change something outside",
        ),
        (
            "notes/search",
            CalledAt("notes", "mcp", "notes.example"),
            EffectClass.READ,
            "Refunds wants to use “search” of notes, which only looks something up",
        ),
    ],
)
def test_the_question_is_a_sentence(
    tool: str, at: CalledAt, effect: EffectClass, said: str
) -> None:
    assert asked(tool, at, effect) == said


@virtually
async def test_the_source_and_the_host_are_told_and_nothing_else_of_the_address() -> None:
    lab = Lab(graph())
    place = "https://ann:secret@mail.example:8443/v1?key=secret"
    redefine(lab, "mail", place=place, source="post", kind="api", name="mail")

    state = await lab.start()

    [item] = state.interrupts.values()
    told = {name: item.request[name] for name in ("source", "source_kind", "host", "tool")}
    assert told == {
        "source": "post",
        "source_kind": "api",
        "host": "mail.example:8443",
        "tool": "post/mail",
    }
    assert "secret" not in str(item.request)


@pytest.mark.parametrize(
    ("place", "host"),
    [("", ""), ("https://a.example/x", "a.example"), ("http://u:p@[::1]:80/", "[::1]:80")],
)
def test_a_tool_knows_its_host(place: str, host: str) -> None:
    spec: Any = ToolSpec("t", "", {}, place=place)
    assert spec.host_name == host
