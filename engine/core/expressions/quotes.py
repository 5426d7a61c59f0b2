"""Where the marks of an expression stand that are no part of a quoted text.

The expression language quotes with one or three of `'` or `"`; a backslash takes the next
character with it unless an `r` stands before the quote. Each character is looked at a fixed number
of times: what closes a quote is searched for once, and a search that found nothing is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_SIMPLE = {
    "'": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"),
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'),
}
_TRIPLE = {
    "'''": re.compile(r"[^'\\]*+(?:(?:\\[\s\S]|'(?!''))[^'\\]*+)*+'''"),
    '"""': re.compile(r'[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+"""'),
}
_RAW = {
    "'": re.compile(r"[^'\n]*+'"),
    '"': re.compile(r'[^"\n]*+"'),
    "'''": re.compile(r"[^']*+(?:'(?!'')[^']*+)*+'''"),
    '"""': re.compile(r'[^"]*+(?:"(?!"")[^"]*+)*+"""'),
}
"""What follows an opening quote up to and with the closing one. Every repetition is possessive."""


def marks(text: str, start: int, wanted: str) -> Iterator[int]:
    """Yield where the characters `wanted` stand in `text` from `start` on, outside of quotes.

    A quote that is never closed is a character like others.
    """
    token = _token(wanted)
    quotes = _Quotes(text)
    found = token.search(text, start)
    while found is not None:
        position, end = found.start("mark"), found.end()
        if text[position] in wanted:
            yield position
        else:
            end = quotes.closed(position, raw=bool(found["raw"])) or end
        found = token.search(text, end)


def unquoted(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each stretch of `text` that is no part of a quoted text."""
    token, quotes, position = _token(""), _Quotes(text), 0
    found = token.search(text)
    while found is not None:
        end = quotes.closed(found.start("mark"), raw=bool(found["raw"]))
        if end is not None:
            yield position, found.start()
            position = end
        found = token.search(text, end or found.end())
    yield position, len(text)


@lru_cache(maxsize=16)
def _token(wanted: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<raw>[rR])?(?P<mark>['\"{re.escape(wanted)}])")


class _Quotes:
    """Finds closing quotes, and knows how far ahead there is none of a kind."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.none_before: dict[tuple[str, bool], int] = {}

    def closed(self, position: int, *, raw: bool) -> int | None:
        """Return the end of the quoted text that opens at `position`, None if it never closes."""
        quote = self.text[position]
        if self.text.startswith(quote * 3, position):
            end = self._end(quote * 3, position, raw=raw)
            if end is not None:
                return end
        return self._end(quote, position, raw=raw)

    def _end(self, quote: str, position: int, *, raw: bool) -> int | None:
        if position < self.none_before.get((quote, raw), 0):
            return None
        patterns = _RAW if raw else _SIMPLE if len(quote) == 1 else _TRIPLE
        found = patterns[quote].match(self.text, position + len(quote))
        if found is not None:
            return found.end()
        line = self.text.find("\n", position) if len(quote) == 1 else -1
        self.none_before[quote, raw] = line if line >= 0 else len(self.text)
        return None
