"""The places that list all event types name the same ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.state import events
from engine.core.state.fold import run as evolve

ROOT = Path(__file__).parent.parent.parent
NAME = r"[A-Z][A-Za-z]+"


def in_module() -> set[str]:
    assert events.__doc__ is not None
    lists = events.__doc__.split("\n\n")[2]
    return set(re.findall(rf"\b{NAME}\b(?!:)", lists))


def in_docs() -> set[str]:
    text = (ROOT / "docs" / "events.md").read_text()
    return {
        name
        for row in re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
        for name in re.findall(rf"`({NAME})`", row)
    }


def in_front_end() -> set[str]:
    text = (ROOT / "frontend" / "src" / "run" / "fold" / "events.ts").read_text()
    return {
        name
        for union in re.findall(r"type: ((?:'[A-Za-z]+'(?: \| )?)+)", text)
        for name in re.findall(rf"'({NAME})'", union)
    }


def emitted() -> set[str]:
    """Return what the engine's code emits by a name that stands there."""
    code = "\n".join(path.read_text() for path in (ROOT / "engine").rglob("*.py"))
    return set(re.findall(rf'(?:emit|record_event|Emission)\(\s*"({NAME})"', code))


@pytest.mark.parametrize("listed", [in_docs, in_front_end])
def test_every_list_of_events_names_the_same(listed: Callable[[], set[str]]) -> None:
    assert listed() == in_module()


def test_what_is_folded_or_emitted_is_listed() -> None:
    said = {"EdgeEvaluated", "JoinForced", "WritesCollided", "MemoryQueryFailed"}
    """Told to people, without effect on the state."""

    assert set(evolve.APPLY) | said == in_module()
    assert emitted() <= in_module()
    assert in_module() >= events.TERMINAL_EVENTS
