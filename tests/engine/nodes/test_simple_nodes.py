"""The node types that need nothing but a view: router, output, delay, question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.core.decide.outcomes import Finish
from engine.core.errors import NodeError
from engine.core.node_types.form import read_config
from engine.core.node_types.node_type import UNSET
from engine.core.node_types.registry import NODE_TYPES


@dataclass
class View:
    """What a node may read."""

    names: dict[str, Any]

    def scope(self):
        return self.names


@dataclass
class Context:
    """Records what a node asks for."""

    view: View
    answer: Any = None
    asked: list[Any] = field(default_factory=list)
    finish: Finish = field(default_factory=Finish)

    def scope(self):
        return self.view.names

    async def interrupt(self, request):
        self.asked.append(request)
        return self.answer

    async def sleep(self, ms):
        self.asked.append(ms)


async def run(type_, config, memory=None, **given):
    scope = {"memory": memory or {}, "previous": "before", "input": None}
    ctx = Context(View(scope), **given)
    node_type: Any = NODE_TYPES.get(type_)
    return await node_type.run(ctx, read_config(node_type, config)), ctx


@pytest.mark.parametrize(
    ("value", "route"), [("billing", "billing"), (True, "true"), (3, "3"), (1.5, "1.5")]
)
async def test_a_router_names_its_way_as_text(value, route):
    """C62."""
    result, ctx = await run("router", {"expression": "memory.t"}, {"t": value})

    assert (ctx.finish.route, result.data) == (route, None)


async def test_a_missing_reference_names_no_way():
    """C62."""
    _result, ctx = await run("router", {"expression": "memory.topic"})

    assert ctx.finish.route == ""


async def test_without_expression_the_edges_decide():
    """C62."""
    _result, ctx = await run("router", {})

    assert ctx.finish.route is None


async def test_an_output_passes_on_what_came_before():
    """S19."""
    result, _ctx = await run("output", {})

    assert result.output == "before"


async def test_an_output_computes_its_value_and_metadata():
    """S19, S21."""
    config = {"value": "{'a': memory.x}", "metadata": {"k": "{{ memory.x }}!"}}

    result, _ctx = await run("output", config, {"x": 1})

    assert (result.output, result.metadata) == ({"a": 1}, {"k": "1!"})


async def test_an_output_is_a_text_with_values():
    letter, _ctx = await run("output", {"text": "Dear {{ memory.x }}, hello"}, {"x": "Ada"})
    alone, _ctx = await run("output", {"text": "{{ memory.x }}"}, {"x": [1]})

    assert (letter.output, alone.output) == ("Dear Ada, hello", [1])


def test_an_output_has_an_expression_or_a_text():
    with pytest.raises(ValueError, match="not both"):
        read_config(NODE_TYPES.get("output"), {"value": "1", "text": "one"})


async def test_an_output_of_something_missing_fails():
    """S19."""
    with pytest.raises(NodeError) as error:
        await run("output", {"value": "memory.nope"})

    assert error.value.code == "MissingReference"


async def test_a_delay_waits_and_says_so():
    """S32."""
    result, ctx = await run("delay", {"duration_ms": 1000})

    assert (ctx.asked, result.output) == ([1000], "Delayed for 1000ms")


async def test_a_question_keeps_its_answer():
    """I7."""
    config = {
        "kind": "choice",
        "question": "Which {{ memory.x }}?",
        "answer_key": "team",
        "timeout_ms": 5,
        "options": [{"id": "a", "label": "A", "value": 7}, {"id": "b", "label": "B"}],
    }

    result, ctx = await run("question", config, {"x": "team"}, answer=7)

    assert (result.output, result.data) == (7, {"team": 7})
    assert ctx.asked == [
        {
            "kind": "choice",
            "question": "Which team?",
            "timeout_ms": 5,
            "options": [{"id": "a", "label": "A", "value": 7}, {"id": "b", "label": "B"}],
        }
    ]


async def test_a_question_without_key_writes_nothing():
    """I7."""
    result, _ctx = await run("question", {"question": "Name?"}, answer="Ada")

    assert (result.output, result.data) == ("Ada", None)
    assert result.condition is None
    assert result.output is not UNSET
