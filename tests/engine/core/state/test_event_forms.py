"""What each event carries is said once; what is written from it is fresh."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.cli import event_forms
from engine.cli.event_forms.classes import Forms, Unreadable
from engine.core.decide.transition import Transition
from engine.core.state import events
from engine.core.state.fold import run as evolve

ROOT = Path(__file__).parents[4]
NAMES = {each.name for each in Forms().all_events()}
UNSAID = {"EdgeEvaluated", "JoinForced", "WritesCollided", "MemoryQueryFailed"}
"""Told to people, without effect on the state."""


def emitted() -> set[str]:
    """Return what the engine's code emits by a name that stands there."""
    code = "\n".join(path.read_text() for path in (ROOT / "engine").rglob("*.py"))
    return set(re.findall(r'(?:emit|append|record_event|Emission)\(\s*"([A-Z][A-Za-z]+)"', code))


def test_what_is_written_from_the_classes_is_fresh() -> None:
    stale = [path.name for path, text in event_forms.written().items() if path.read_text() != text]

    assert stale == [], f"run: {event_forms.COMMAND}"


def test_what_is_folded_or_emitted_has_a_class() -> None:
    assert set(evolve.APPLY) | UNSAID == NAMES
    assert emitted() <= NAMES
    assert NAMES >= events.TERMINAL_EVENTS


@pytest.mark.parametrize(
    ("annotation", "typescript"),
    [
        ("str | None", "string | null"),
        ("list[int]", "number[]"),
        ("list[str | None]", "(string | null)[]"),
        ("Literal['a', 'b']", "'a' | 'b'"),
        ("Error | None", "EventError | null"),
        ("FrozenDict", "JsonObject"),
        ("Annotated[list[EditedKey], 'may be set apart']", "EditedKey[] | BlobRef"),
    ],
)
def test_an_annotation_becomes_typescript(annotation: str, typescript: str) -> None:
    assert Forms().typescript(ast.parse(annotation, mode="eval").body) == typescript


def test_what_has_no_typescript_is_refused() -> None:
    with pytest.raises(Unreadable, match="set"):
        Forms().typescript(ast.parse("set[str]", mode="eval").body)


def refused_by_mypy(tx: Transition) -> None:
    """Never called: each line would be an unused `ignore` if mypy let it pass."""
    tx.emit("NodeCanceled", "a#1", {})  # type: ignore[call-overload]
    tx.emit("NodeCancelled", None, {})  # type: ignore[call-overload]
    tx.emit("NodeTimed", "a#1", {})  # type: ignore[call-overload]
    tx.emit("NodeTimed", "a#1", {"until": "soon"})  # type: ignore[call-overload]
    tx.emit("NodeTimed", "a#1", {"until": 5, "till": 5})  # type: ignore[call-overload]
