"""The words by which a run is found: of its workflow, input, output and error, bounded; and the line
by which lists call it.

Words are split here and not by a database, so that SQLite and PostgreSQL find the same runs: letters
and digits in lower case without marks, `K-4720` as `k` and `4720`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any, Final

MAX_TITLE: Final = 120
MAX_PARTS: Final = 3
"""Values of an input with several fields that stand in a title."""
MAX_TITLED: Final = 30
BETWEEN: Final = " · "
"""Stands between these."""
SIGNIFICANT: Final = 10
"""Digits of a number with a fraction in a title; two behind the point at least."""
MAX_TEXT: Final = 4_000
"""Characters that are read of a run's start, and as many of its end; more is not found."""
MAX_VALUES: Final = 1_000
MAX_WORD: Final = 40
MAX_ASKED: Final = 8
"""Words of a search that count."""
MAX_SHORT: Final = 2
"""Letters of words of which a beginning says too little: they are found as a whole only."""
PARTS: Final = 2
"""Texts of a run: how it began at its number times this, how it ended one after."""

_WORD: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,20}\.[0-9]+)(?![\w.,])"
)
"""A number as it is printed: with commas at thousands, or with decimals."""


def title_of(value: Any) -> str:
    """Return the first line of a text, or the first short values of an object, at most 120 letters."""
    parts = islice(_lines(value), MAX_PARTS if isinstance(value, Mapping) else 1)
    return BETWEEN.join(parts)[:MAX_TITLE]


def plain_number(value: float) -> str:
    """Return a number as a person writes it: 1240, 20.25, without what binary fractions add."""
    if isinstance(value, int):
        return str(value)
    if value and not 1e-6 <= abs(value) < 1e15:
        return f"{value:g}"
    whole = len(str(int(abs(value))))
    # a text of digits, as the number itself would bring its binary fraction back
    return f"{Decimal(f'{value:.{max(SIGNIFICANT, whole + 2)}g}'):f}"


def words_of(*values: Any) -> str:
    """Return the words of JSON values, each once, with spaces between; keys are none of them."""
    found: dict[str, None] = {}
    left = MAX_TEXT
    for text in islice(_texts(values), MAX_VALUES):
        for word in split(text[:left]):
            found[word] = None
        left -= len(text)
        if left <= 0:
            break
    return " ".join(found)


def split(text: str) -> Iterator[str]:
    """Return the words of a text in the form in which they are kept."""
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text[:MAX_TEXT])
        text = "".join(char for char in plain if not unicodedata.combining(char))
    return (match[0][:MAX_WORD] for match in _WORD.finditer(text.casefold()))


def asked(text: str) -> list[str]:
    """Return the words that a search asks for, each of which a run must have, or begin with."""
    return list(islice(dict.fromkeys(split(text)), MAX_ASKED))


def is_whole(word: str) -> bool:
    """Whether a word is asked for as a whole, and not as the beginning of others: it is too short.

    In scripts that write no spaces between words two letters are a word that begins a longer text.
    """
    return len(word) <= MAX_SHORT and all(unicodedata.category(char) != "Lo" for char in word)


def readings(text: str) -> list[list[str]]:
    """Return the ways to read a search, each as `asked`: `1,476.10` also as the number 1476.1."""
    plain = _NUMBER.sub(lambda found: _plain(found[0]), text[:MAX_TEXT])
    found = [asked(plain), asked(text)]
    return found if found[0] != found[1] else found[:1]


def _plain(number: str) -> str:
    """Return a printed number without commas and without zeros that say nothing."""
    whole, _, decimals = number.replace(",", "").partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole


def _texts(values: Iterable[Any]) -> Iterator[str]:
    """Return texts and numbers in the values, in order, without going deep by recursion."""
    stack: list[Iterator[Any]] = [_without_none(values)]
    while stack:
        value = next(stack[-1], None)
        if value is None:
            stack.pop()
        elif isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            stack.append(_without_none(value.values()))
        elif isinstance(value, list | tuple):
            stack.append(_without_none(value))
        elif not isinstance(value, bool):
            yield str(value)


def _without_none(values: Iterable[Any]) -> Iterator[Any]:
    return (value for value in values if value is not None)


def _lines(value: Any) -> Iterator[str]:
    values = value.values() if isinstance(value, Mapping) else [value]
    for each in islice(values, MAX_TITLED):
        if isinstance(each, list) and each:
            each = each[0]
        if isinstance(each, bool) or not isinstance(each, str | int | float):
            continue
        text = each if isinstance(each, str) else plain_number(each)
        line = next((line.strip() for line in text[:2_000].splitlines() if line.strip()), "")
        if line:
            yield line[:MAX_TITLE]
