"""Documents that are long in the way that costs most."""

from __future__ import annotations

import io
import time

import pytest
from ruamel.yaml import YAML

from engine.core.values.limits import (
    MAX_IMPORT,
    LimitExceeded,
    UnreadableInput,
    parse_json,
    parse_yaml,
)


@pytest.mark.parametrize(
    "text",
    [
        "a: [" + "1," * 600_000 + "1]",
        "- 1\n" * 1_000_000,
        "".join(f"k{n}: 1\n" for n in range(300_000)),
        "a: [" * 200_000,
        "&a [*a, " * 100_000,
        "- - " * 100_000,
        "? " * 100_000,
        "!a " * 100_000,
        "a: 'b" + "\n" * 1_000_000,
    ],
)
def test_a_document_of_too_many_values_is_refused_soon(text: str) -> None:
    """A flow list of 600,000 items took more than 90 s."""
    began = time.thread_time()

    with pytest.raises(UnreadableInput):
        parse_yaml(text, max_bytes=MAX_IMPORT)

    assert time.thread_time() - began < 3


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "x y " * 1_200_000,
        'a: "' + "x\\n" * 1_500_000 + '"',
        "a: |\n" + " xxx\n" * 1_000_000,
        "a: [" + "1," * 200_000 + "1]",
    ],
)
def test_a_long_text_is_read_in_linear_time(text: str) -> None:
    """One text of 5 MB took 31 s."""
    began = time.thread_time()

    parse_yaml(text, max_bytes=MAX_IMPORT)

    assert time.thread_time() - began < 3


@pytest.mark.parametrize(
    "text", ["[" * 900_000, '"' + '\\"' * 400_000 + "[" * 65, "[" + '"",' * 300_000]
)
def test_broken_json_is_refused_in_linear_time(text: str) -> None:
    """Depth is found before anything is parsed."""
    began = time.thread_time()

    with pytest.raises(UnreadableInput):
        parse_json(text)

    assert time.thread_time() - began < 2


def test_what_the_export_writes_is_read_back() -> None:
    """Two parsers: one writes, the other reads; marks of lines and controls are escaped."""
    value = {"a": "x\u2028y\x85z\ttab\n\nend ", "b": ["yes", "1", "1.0", "~", "2020-01-01", "😀"]}
    written = io.StringIO()
    YAML(typ="safe", pure=True).dump(value, written)

    assert parse_yaml(written.getvalue()) == value


def test_the_number_of_values_is_named() -> None:
    """The message says how many are taken."""
    with pytest.raises(LimitExceeded, match="250000 values"):
        parse_yaml("- 1\n" * 300_000, max_bytes=MAX_IMPORT)
