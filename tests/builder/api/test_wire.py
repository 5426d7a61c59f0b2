"""The flat form of an event: one for files, REST and sockets."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from builder.reads.event_log import encode_events
from engine.cli.event_lines import INLINE, event_line
from engine.core.state.events import Event
from engine.core.state.wire import encode_event

AT = 1_700_000_000_123
OPTIONS = [{"id": "a", "label": "A", "value": {"secret": 7}}]


def flat(type_: str, key: str | None = "a#1", **data: Any) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(encode_event(Event(3, type_, AT, key, data)))
    return found


def test_what_is_said_of_an_event_stands_before_what_it_carries() -> None:
    assert flat("NodeTimed", "m#1/w[0]#2", until=5) == {
        "seq": 3,
        "type": "NodeTimed",
        "at": "2023-11-14T22:13:20.123Z",
        "node": "w",
        "key": "m#1/w[0]#2",
        "until": 5,
    }
    assert flat("RunStarted", None).keys() == {"seq", "type", "at"}


def test_an_output_that_the_log_keeps_once_is_there() -> None:
    assert flat("NodeCompleted", writes={"output": 1})["output"] == {"output": 1}
    assert flat("NodeCompleted")["output"] == {}
    assert flat("NodeCompleted", writes={"a": 1}, output=None)["output"] is None


def test_what_an_option_stands_for_is_not_there() -> None:
    """I4."""
    opened = flat("InterruptOpened", request={"kind": "choice", "options": OPTIONS})

    assert opened["request"]["options"] == [{"id": "a", "label": "A"}]


@pytest.mark.parametrize(
    ("type_", "key", "data"),
    [
        ("RunCancelled", None, {"by": "ann"}),
        ("NodeCancelled", "a#1", {}),
        ("NodeCompleted", "a#1", {"writes": {"x": "ä"}}),
        ("InterruptOpened", "a#1", {"request": {"kind": "choice", "options": OPTIONS}}),
    ],
)
def test_files_and_pages_have_the_same_form(type_: str, key: str | None, data: Any) -> None:
    event = Event(9, type_, AT, key, data)
    row = (9, type_, AT, key, orjson.dumps(data))

    assert [json.loads(event_line(event))] == json.loads(encode_events([row]))


def test_a_large_value_stands_apart_in_a_file() -> None:
    line = json.loads(event_line(Event(1, "NodeCompleted", AT, "a#1", {"writes": "x" * INLINE})))

    assert line["writes"] == line["output"]
    assert line["writes"]["bytes"] == INLINE + 2
