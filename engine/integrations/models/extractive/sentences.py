"""Sentences of a text in any of the languages that the lexicon knows."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_SENTENCES = 200
MAX_CHARS = 20_000
"""What is read of a text; more is cut, so that the work of one call is bounded."""

_ABBREVIATIONS = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|nr|vs|e\.g|i\.e|z\.b|bzw|sr|sra|st|art)\.$", re.IGNORECASE
)
_ENDINGS = re.compile(r"\b(?:inc|ltd|co|corp|etc|ca|no)\.$", re.IGNORECASE)
_NUMBERED = re.compile(r"\d++(?:\.\d++)*+[.)](?:\s++[^\W\d]\w*+){0,4}+\.?$")
"""The number of a clause, alone or with its heading: the sentence after it belongs to it."""
_TAIL = 16
"""More characters than the longest abbreviation has: what stands before them says nothing."""
_LONGEST_HEADING = 200
_BREAK = re.compile(r"(?<=[.!?…。！？])[\"'”’)]*\s+|\n+")  # noqa: RUF001


def sentences(text: str) -> list[str]:
    """Return the sentences of `text` as they stand in it; line breaks end one too."""
    text = text[:MAX_CHARS]
    found: list[tuple[int, int]] = []
    for start, end in _pieces(text):
        beside = found and start == found[-1][1] + 1 and text[start - 1] == " "
        if beside and _goes_on(text, found[-1], text[start]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return [text[start:end] for start, end in found[:MAX_SENTENCES]]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text stands between breaks, without the mark of a list in front."""
    start = 0
    for end, following in (*(found.span() for found in _BREAK.finditer(text)), (len(text), 0)):
        piece = text[start:end].strip()
        piece = piece.removeprefix("- ").removeprefix("* ").strip()
        if piece:
            begin = text.rindex(piece, start, end)
            yield begin, begin + len(piece)
        start = following


def _goes_on(text: str, before: tuple[int, int], first: str) -> bool:
    start, end = before
    tail = text[max(start, end - _TAIL) : end]
    numbered = end - start <= _LONGEST_HEADING and _NUMBERED.match(text[start:end])
    if numbered or _ABBREVIATIONS.search(tail):
        return True
    return _ENDINGS.search(tail) is not None and not first.isupper()
