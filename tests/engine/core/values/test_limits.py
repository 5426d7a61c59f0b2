"""What comes in is read once, strictly, within limits."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import RequestRefused
from engine.core.values.json import freeze
from engine.core.values.limits import (
    MAX_DEPTH,
    LimitExceeded,
    UnreadableInput,
    parse_json,
    parse_yaml,
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a": [1, 2.5, "x", null, true]}', {"a": [1, 2.5, "x", None, True]}),
        ('{"a": "[[[["}', {"a": "[[[["}),
        (b"\xef\xbb\xbf1", 1),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ('"\\ud83d\\ude00"', "😀"),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, json.loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)),
        (json.dumps(["[" * 200] * 3), ["[" * 200] * 3),
    ],
)
def test_json_is_read(data: bytes | str, expected: Any) -> None:
    assert parse_json(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        "9223372036854775808",
        "1" * 5000,
        '{"a": 1, "a": 2}',
        '{"b": {"a": 1, "a": 1}}',
        '"\\u0000"',
        '{"\\u0000": 1}',
        '"\\ud800"',
        "[1",
        "",
        "{'a': 1}",
        b"\xff",
        b'"\xed\xa0\x80"',
    ],
)
def test_json_that_a_later_stage_would_stumble_over_is_refused(data: bytes | str) -> None:
    with pytest.raises(UnreadableInput) as caught:
        parse_json(data)

    assert caught.value.code == "InputInvalid"
    assert isinstance(caught.value, RequestRefused)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 5_000, 200_000])
def test_depth_is_found_before_parsing(opening: str, levels: int) -> None:
    with pytest.raises(LimitExceeded, match="deeper"):
        parse_json(opening * levels, max_bytes=10_000_000)


def test_size_is_found_before_decoding() -> None:
    with pytest.raises(LimitExceeded, match="bytes"):
        parse_json(b"\xff" * 11, max_bytes=10)
    with pytest.raises(LimitExceeded, match="bytes"):
        parse_json('"ééé"', max_bytes=7)


def test_the_place_is_named() -> None:
    with pytest.raises(UnreadableInput) as caught:
        parse_json('{"a": [{"b": "\\u0000"}]}', code="UnreadableDocument")

    assert caught.value.path == "a[0].b"
    assert caught.value.code == "UnreadableDocument"


def test_yaml_words_of_1_1_are_text() -> None:
    """C190."""
    text = "on: yes\noff: [no, y, True, ~, 2020-01-01, 1:30, 012, 0o17, 0x1f, 1_0, 1e3, .5, '1']"

    assert parse_yaml(text) == {
        "on": "yes",
        "off": ["no", "y", True, None, "2020-01-01", "1:30", 12, 15, 31, "1_0", 1000.0, 0.5, "1"],
    }


def test_a_1_1_directive_changes_nothing() -> None:
    """C190."""
    assert parse_yaml("%YAML 1.1\n---\na: yes") == {"a": "yes"}


@pytest.mark.parametrize(
    "text",
    [
        "a: *x",
        "a: &x [*x]",
        "a: &x b\n? *x\n: 1",
        "!!python/object/apply:os.system [id]",
        "!custom 1",
        "!!timestamp 2020-01-01",
        "!!binary aGk=",
        "a: 1\na: 2",
        "---\na\n---\nb",
        "a: .inf",
        "a: .NaN",
        "a: 1e999",
        "a: 99999999999999999999",
        "? [1]\n: 2",
        "a: 'x",
        "{a: b",
        "\t- a",
        'a: "\\0"',
        '{"a": 1, "a": 2}',
    ],
)
def test_yaml_that_is_no_plain_json_is_refused(text: str) -> None:
    """C190."""
    with pytest.raises(UnreadableInput) as caught:
        parse_yaml(text)

    assert caught.value.code == "UnreadableDocument"


def test_an_alias_is_a_copy_of_what_its_anchor_marks() -> None:
    """C190: An alias is a copy of what its anchor last marked before it."""
    value: Any = parse_yaml("a: &x {n: [1]}\nb: *x\nc: &x yes\nd: [*x, *x]")

    assert value == {"a": {"n": [1]}, "b": {"n": [1]}, "c": "yes", "d": ["yes", "yes"]}
    value["b"]["n"].append(2)
    assert value["a"] == {"n": [1]}


LAUGHS = "a: &a [x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before} '] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
DEEP = f"a: &a {'[' * 40}{']' * 40}\nb: {'[' * 40}*a {']' * 40}"
LONG = f"a: &a {'x' * 100_000}\nb: [*a , *a , *a ]"


@pytest.mark.parametrize("text", [LAUGHS, DEEP, LONG])
def test_aliases_stand_for_so_much_and_no_more(text: str) -> None:
    """C190: Aliases multiply neither size nor depth beyond a limit."""
    with pytest.raises(LimitExceeded):
        parse_yaml(text)


@pytest.mark.parametrize("text", ["[" * 5000, "- " * 300 + "x", "{a: " * 300, "x" * 2_000_000])
def test_yaml_has_the_same_limits(text: str) -> None:
    """C190."""
    with pytest.raises(LimitExceeded):
        parse_yaml(text)


def test_flow_style_yaml_that_looks_like_json_is_read() -> None:
    """C190."""
    assert parse_yaml("{a: 1, on: [x]}") == {"a": 1, "on": ["x"]}
    assert parse_yaml('{"a": 1}') == {"a": 1}
    assert parse_yaml("") is None


def test_a_large_document_is_read_in_time() -> None:
    text = json.dumps([{"a": [number, str(number)]} for number in range(30_000)])
    before = time.process_time()

    parse_json(text, max_bytes=5_000_000)

    assert time.process_time() - before < 3


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_what_is_read_can_be_stored_and_equals_what_was_written(value: Any) -> None:
    text = json.dumps(value)
    for parse in (parse_json, parse_yaml):
        try:
            found = parse(text)
        except UnreadableInput:
            continue
        assert freeze(found) == json.loads(text)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_any_input_is_read_or_refused(data: bytes | str) -> None:
    for parse in (parse_json, parse_yaml):
        try:
            freeze(parse(data))
        except UnreadableInput:
            continue


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ('{"a": 1,\n', "", "a name in double quotes is missing, at line 2, column 1"),
        ('{"a" 1}', "", "a colon is missing after a name, at line 1, column 6"),
        ('["x]', "", "a text has no closing quote, at line 1, column 2"),
        ("a: [1", "line 2, column 1", "a comma or a closing bracket is missing"),
        ("{a: 1, b: [2}", "line 1, column 13", "a comma or a closing bracket is missing"),
    ],
)
def test_what_cannot_be_read_is_told_once_and_in_words(text: str, path: str, reason: str) -> None:
    with pytest.raises(UnreadableInput) as refused:
        parse_yaml(text)

    assert refused.value.path == path
    assert refused.value.reason.partition(": ")[2] == reason
