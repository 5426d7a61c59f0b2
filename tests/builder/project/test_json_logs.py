"""Logs for machines: one object a line, whatever is logged, and the ids of what it is about."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import pytest
from django.test import Client

from builder.project.json_logs import MAX_TEXT, JsonLines
from builder.project.middleware import REQUEST
from engine.runtime.execution.journal import ACTIVATION


def line(message: Any, *args: Any, exc_info: Any = None) -> dict[str, Any]:
    """Return what is logged, read back."""
    record = logging.LogRecord("graphwright.x", logging.WARNING, "f", 1, message, args, exc_info)
    text = JsonLines().format(record)
    assert "\n" not in text
    return dict(json.loads(text))


def test_a_line_is_one_object() -> None:
    told = line("two\nlines for %s", "you")

    assert told == {
        "at": told["at"],
        "level": "WARNING",
        "logger": "graphwright.x",
        "message": "two\nlines for you",
    }
    assert told["at"].endswith("+00:00")


def test_whatever_is_logged_becomes_a_line() -> None:
    """Half characters, wrong arguments, a megabyte."""
    assert line("half \ud800")["message"] == "half ?"
    assert line("%d apples", "no number")["message"] == "%d apples ('no number',)"
    assert len(line("x" * 1_000_000)["message"]) < MAX_TEXT + 50
    assert line({"a": {1}})["message"] == "{'a': {1}}"


def test_an_error_comes_with_its_way() -> None:
    try:
        raise ValueError("what broke")
    except ValueError:
        told = line("it failed", exc_info=sys.exc_info())

    assert told["error"].startswith("Traceback")
    assert "ValueError: what broke" in told["error"]


def test_a_line_names_run_node_and_request() -> None:
    tokens = ACTIVATION.set(("r1", "draft#1")), REQUEST.set("q1")
    try:
        told = line("hello")
    finally:
        ACTIVATION.reset(tokens[0])
        REQUEST.reset(tokens[1])

    assert (told["run"], told["node"], told["request"]) == ("r1", "draft#1", "q1")
    assert not {"run", "node", "request"} & set(line("hello"))


@pytest.mark.django_db
def test_a_request_keeps_the_id_it_brings_and_gets_one_else(client: Client) -> None:
    def answered(**headers: str) -> str:
        return client.get("/api/session/", headers=headers)["X-Request-ID"]

    assert answered(**{"X-Request-ID": "from-a.proxy_1"}) == "from-a.proxy_1"
    first, second = answered(), answered(**{"X-Request-ID": "two words\t{}"})
    assert len(first) == len(second) == 32
    assert first != second
    assert REQUEST.get() == ""
