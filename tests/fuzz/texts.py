"""Texts that are nearly right, and parts of them repeated up to the longest that is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

SIZES: Final = (0, 1, 2, 30, 1_000, 10**9)
"""How often a part is repeated; the last means as long as it may be."""

CHARACTERS = st.characters(codec="utf-8")

PLACES: Final = (
    "memory",
    "memory.a",
    "memory.list",
    "memory.rows",
    "memory.long",
    "memory.?none",
    "memory['a b']",
    "input",
    "outputs.n1",
    "goal",
    "now",
    "constraints",
    "x",
    "memory.rows[0].id",
)
EXPRESSION: Final = (
    *PLACES,
    *"()[]{}.,:?!'\"\\",
    *(" + ", " - ", " * ", " / ", " % ", " == ", " != ", " < ", " >= ", " && ", " || ", " in "),
    *("1", "-9223372036854775808", "1.5e300", "0x7f", "1u", "null", "true", "'a'", "b'a'", '"""'),
    *("r'\\d'", "'\\x'", "'\\u0000'", "'é'", "'\U0001f600'", "// note\n", "\n", "\t", " "),
    *(".all(v, ", ".exists(v, ", ".map(v, ", ".filter(v, ", ".exists_one(v, ", "has("),
    *("size(", "string(", "int(", "double(", "timestamp(", "duration(", "type(", "dyn("),
    *(".contains('a')", ".matches('(a|aa)*b')", ".split(',')", ".replace('a', 'bb')", ".join()"),
    *(".indexOf('b')", ".substring(1)", ".lowerAscii()", "[v]", "v", "? 1 : 2", "{'k': "),
)
TEMPLATE: Final = (
    *("{{", "}}", "{", "}", "{{ ", " }}", "{%", "%}", "{#", "#}", "\\", "'", '"', "\n", "\r", "\0"),
    *(f"{{{{ {place} }}}}" for place in PLACES),
    *("{{ 'a' }}", "{{ memory.rows.map(r, r.id) }}", "{{ {'a': {'b': 1}} }}", "{{ '}}' }}"),
    *("{{ '{{' + \"}}\" }}", "text ", "\u2028", "\U0001f600", "<a>", "```", "&"),
)
PATH: Final = (
    *("$", "@", ".", "..", "*", "[*]", "[0]", "[-1]", "[::2]", "[::-1]", "[1:9999999]", "['a']"),
    *("..*", "..a", ".rows", ".list", ".id", "[?", "]", "(", ")", "&&", "||", "!", "==", "<"),
    *("[?@.id > 1]", "[?@ == $.list]", "[?search(@, '(a|aa)*b')]", "[?match(@.id, 'a*')]"),
    *("[?count($..*) > 1]", "[?length(@) == 1]", "[?value(@..id) == 1]", "[?@..*]", ",", "'", '"'),
    *("\\", "\\u0000", "9" * 30, "é", "\U0001f600", " ", "\n", "[?$..[?$..[?$..*]]]"),
)
PATTERN: Final = (
    *("a", "b", ".", "*", "+", "?", "|", "(", ")", "[", "]", "[^", "{2,9}", "{1000}", "\\d", "\\w"),
    *("^", "$", "(?i)", "(?:", "(?=", "(?<n>", "\\1", "\\", "\\p{L}", "é", "(a+)+", "(a|aa)*"),
)


def pumped(parts: Sequence[str], most: int) -> st.SearchStrategy[str]:
    """Give a beginning, a middle that is repeated, and an end: `most` characters altogether."""
    few = st.lists(st.sampled_from(parts) | st.text(CHARACTERS, max_size=2), max_size=5).map(
        "".join
    )
    return st.builds(
        lambda start, middle, size, end: _long(start, middle, size, end, most),
        few,
        few,
        st.sampled_from(SIZES),
        few,
    )


def _long(start: str, middle: str, size: int, end: str, most: int) -> str:
    room = max(0, most - len(start) - len(end))
    times = min(size, room // len(middle)) if middle else 0
    return (start + middle * times + end)[:most]


def mended(text: str) -> str:
    """Return a text with its brackets closed, so that more of it is read to the end."""
    pairs, open_ones = {"(": ")", "[": "]", "{": "}"}, []
    for char in text:
        if char in pairs:
            open_ones.append(pairs[char])
        elif open_ones and char == open_ones[-1]:
            open_ones.pop()
    return text + "".join(reversed(open_ones))


ATOMS = st.sampled_from([*PLACES, "1", "-1", "2.5", "'a'", "null", "true", "[1, 2]", "{'k': 1}"])
OPERATORS = st.sampled_from([" + ", " - ", " * ", " == ", " < ", " && ", " || ", " in ", " != "])
LOOPS = st.sampled_from(["all", "exists", "map", "filter", "exists_one"])
CALLS = st.sampled_from(["size({})", "string({})", "[{}]", "!({})", "dyn({})", "type({})", "-{}"])
AFTER = st.sampled_from([part for part in EXPRESSION if part[:1] == "." and part[-1:] == ")"])


def _around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    times = st.sampled_from((2, 3, 12, 90))
    return st.one_of(
        st.builds(lambda one, sign, other: f"({one}{sign}{other})", inner, OPERATORS, inner),
        st.builds(lambda one, loop, of: f"{of}.{loop}(v, {one})", inner, LOOPS, inner),
        st.builds(lambda call, one: call.format(one), CALLS, inner),
        st.builds(lambda one, after: one + after, inner, AFTER),
        st.builds(lambda one, two, three: f"({one} ? {two} : {three})", inner, inner, inner),
        st.builds(lambda one, sign, count: sign.join([one] * count), inner, OPERATORS, times),
    )


GRAMMATICAL = st.recursive(ATOMS, _around, max_leaves=8).filter(lambda text: len(text) < 60_000)
EXPRESSIONS = GRAMMATICAL | pumped(EXPRESSION, 60_000).map(mended)
TEMPLATES = st.one_of(
    pumped(TEMPLATE, 65_536),
    st.builds(
        lambda parts, times: " ".join(f"{{{{ {part} }}}}" for part in parts) * times,
        st.lists(GRAMMATICAL, min_size=1, max_size=3),
        st.sampled_from((1, 1, 40, 130)),
    ).filter(lambda text: len(text) < 65_536),
)
