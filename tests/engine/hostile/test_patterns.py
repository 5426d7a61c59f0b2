"""No pattern of the code matches in two ways: twice the text costs about twice the time."""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.engine.hostile.pumped import pumped
from tests.repository import parsed

ROOT = Path(settings.BASE_DIR)
PACKAGES = ("engine", "builder")
SMALLEST, MIDDLE, LARGEST = 12, 384, 8000
AT_MOST = 0.1
"""Seconds of the processor. A linear pattern takes a tenth for 8,000 characters."""
UNNOTICED = 0.0001
"""Seconds below which twice the text cannot cost minutes, and 21 times `MIDDLE` not `AT_MOST`.

Any two of 384 characters take a fraction of a millisecond to be tried, any three of them many.
"""
WORTH_MORE_AT, WORTH_MORE = 1500, 0.003
"""Characters, and seconds for them below which 8,000 need not be tried: 28 times is still less."""
CLOSE, WIDE = 1.14, 1.4
"""Above it texts grow little: what takes just under `AT_MOST` must not take minutes at the next."""
ASKED = ("search", "match", "fullmatch", "sub", "findall", "split")
AT_ONE_PLACE = {
    "engine.check.renames.texts",  # tried behind each mention, spaces between two once each
    "engine.core.expressions.quotes",  # tried where a quote opens, and remembered where none closes
    "engine.integrations.models.extractive.sentences:_NUMBERED",  # `match`, of 200 characters
    "engine.core.expressions.cel.patterns",  # tried where the last one ended, in 256 characters
    "builder.api.workspace.audit",  # `match`, from the beginning only
    "builder.services.catalogue",  # likewise
}


@pytest.mark.slow
def test_no_pattern_costs_more_than_the_length_of_its_text() -> None:
    """The triple quotes of templates were exponential, a signature in a letter cubic."""
    dear = {}
    for name, pattern in _patterns():
        at_one_place = not {name, name.partition(":")[0]}.isdisjoint(AT_ONE_PLACE)
        text = _dear(pattern, at_one_place=at_one_place)
        if text is not None:
            dear[name] = text

    assert not dear


@pytest.mark.parametrize(
    "pattern",
    [
        r"'''(?:\\.|(?!''')[\s\S])*'''",
        r"(?:a+)+b",
        r"(?:a|a?b|ab)*c",
        r"regards[,.!]?\s*\n+\s*([A-Z])",
        r"[\w.+-]+@[\w-]+",
        r"^#{1,6}\s+(.+?)[ \t]*$",
    ],
)
def test_an_ambiguous_pattern_is_found(pattern: str) -> None:
    """The measure finds what it is there for: patterns that were here, and textbook ones."""
    assert _dear(re.compile(pattern, re.MULTILINE), at_one_place=False) is not None


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text()
            if "migrations" in path.parts or "import re\n" not in source:
                continue
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            for label, value in vars(importlib.import_module(name)).items():
                yield from ((f"{name}:{label}", found) for found in _compiled(value))
            yield from ((f"{name}:{line}", found) for line, found in _written(source))


def _compiled(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _compiled(item)
    elif isinstance(value, dict):
        yield from _compiled(list(value.values()))


def _written(source: str) -> Iterator[tuple[int, re.Pattern[str]]]:
    """Yield the patterns that stand inside of functions."""
    for node in ast.walk(parsed(source)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and isinstance(node, ast.Call):
            of_re = isinstance(called.value, ast.Name) and called.value.id == "re"
            first = node.args[0] if node.args else None
            text = _text_of(first)
            # constants that are compiled stand in their module, where they are found by name
            is_made = isinstance(first, ast.JoinedStr) and called.attr == "compile"
            if of_re and text is not None and (is_made or called.attr in ASKED):
                yield node.lineno, re.compile(text, re.MULTILINE)


def _text_of(node: ast.expr | None) -> str | None:
    """Return a text as it is written, `name` where a value is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text_of(part) or "name" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _dear(pattern: re.Pattern[str], *, at_one_place: bool) -> str | None:
    """Return the text for which the pattern takes too long, None if there is none."""
    for start, middle, end in pumped(pattern):
        size = SMALLEST
        while size <= LARGEST:
            text = start + middle * (size // len(middle)) + end
            cost = _cost(pattern, text, at_one_place)
            if cost > AT_MOST and _cost(pattern, text, at_one_place) > AT_MOST:
                return text[:60]
            size = _next(size, cost)
    return None


def _next(size: int, cost: float) -> int:
    """Return how long a text is tried after one that took so many seconds."""
    if size < MIDDLE:
        return size * 2 if cost < UNNOTICED else int(size * CLOSE) + 1
    is_cheap = cost < (UNNOTICED if size < WORTH_MORE_AT else WORTH_MORE)
    return LARGEST + 1 if is_cheap or size == LARGEST else min(int(size * WIDE), LARGEST)


def _cost(pattern: re.Pattern[Any], text: str, at_one_place: bool) -> float:
    searched = text.encode() if isinstance(pattern.pattern, bytes) else text
    began = time.thread_time()
    if at_one_place:
        pattern.match(searched)
    else:
        sum(1 for _ in pattern.finditer(searched))
    return time.thread_time() - began
