"""Rows about chats as the engine runs them: a result that nobody said becomes a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.graph.document import parse_document
from engine.core.node_types.registry import Handlers
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.local import Local, make_local
from engine.scripted.script import Script
from tests.contract.harness import agent, doc, fn, output

SILENT: tuple[dict[str, Any], ...] = ({}, {"output": None}, {"output": " "})


async def talked(
    document: Mapping[str, Any], answer: Any = None, *, chat: bool = True
) -> tuple[Local, RunState]:
    """Run a document as a chat; its handler `h` returns `answer`, its model says hello."""
    spec, problems = parse_document(json.dumps(document))
    assert spec is not None, problems
    handlers = Handlers()
    handlers.register("h")(lambda ctx, params: answer)
    script = Script.parse({"default": [{"text": "hello"}]})
    local = make_local([spec], script=script, handlers=handlers)
    start = StartRun(run_id="r", graph_id=spec.id, chat=chat)
    await local.runner.start(start, local.graphs.program_of(spec))
    return local, await local.runner.settled("r")


def told(state: RunState) -> list[tuple[str, str]]:
    return [(said["node"], said["content"]) for said in state.messages]


async def test_a_single_agent_answers() -> None:
    """K44: The text of a lone agent is the chat's one message, said before the run completes."""
    local, state = await talked(doc([agent("a")]))

    assert (state.status, told(state)) == ("completed", [("a", "hello")])
    types = [event.type for event in local.store.logs["r"]]  # type: ignore[attr-defined]
    assert types[-2:] == ["MessageEmitted", "RunCompleted"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [({"output": {"b": [1]}}, '{"b":[1]}'), ({"output": 7}, "7"), ({"data": {"x": 1}}, '{"x":1}')],
)
async def test_values_are_said_as_json(answer: Any, said: str) -> None:
    """K44: A result that is no text is said as JSON."""
    _local, state = await talked(doc([fn("h")]), answer)

    assert told(state) == [("h", said)]


async def test_the_output_nodes_value_is_the_result_that_is_said() -> None:
    """K44: Where an output node sets the result, that is what is said, in its name."""
    graph = doc([output("o", "'fine'"), fn("h")])
    _local, state = await talked(graph, {"output": "later"})

    assert told(state) == [("o", "fine")]


async def test_only_a_silent_chat_is_given_a_voice() -> None:
    """K44: Nothing is added to what was said, to a run that is no chat, or for no result."""
    _local, state = await talked(doc([fn("h"), agent("a")]), {"ui": {"message": "me"}})
    _local, plain = await talked(doc([agent("a")]), chat=False)
    silent = [(await talked(doc([fn("h")]), answer))[1] for answer in SILENT]

    assert told(state) == [("h", "me")]
    assert told(plain) == []
    assert [told(each) for each in silent] == [[], [], []]
