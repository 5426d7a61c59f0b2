"""Words and sentences of a text in any of the languages that the lexicon knows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

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
_STOP = frozenset(
    "a an the is are was were be been it its this that these those of to in on at by for from with and "  # noqa: SIM905
    "or not no do does did can could would should will may i you we they he she my your our their me us "
    "what which who when where how why whether if as so than then there here have has had any some all "
    "each one der die das den dem des ein eine einen ist sind war und oder nicht ich wir sie es in im am "
    "zu mit von fur auf el la los las un una de del que es son y o no en por para con mi su se lo".split()
)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return `text` in lower case without accents; `_` and other marks become spaces."""
    folded = unicodedata.normalize("NFKD", text.replace("ß", "ss")).casefold()
    kept = "".join(c for c in folded if not unicodedata.combining(c))
    return re.sub(r"[^\w]+|_+", " ", kept).strip()


def words_of_name(name: str) -> str:
    """Return a key or label such as `billing_refund` or `orderId` as words."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[\s_\-./]+", " ", spaced).strip().lower()


def stems(text: str) -> list[str]:
    """Return the words of `text` that carry meaning, cut to a comparable beginning, in order."""
    out: list[str] = []
    for word in plain(text).split():
        if word in _STOP or (len(word) < 3 and not word.isdigit()):
            continue
        stem = word if len(word) <= 4 else word[: max(4, min(6, len(word) - 2))]
        if stem not in out:
            out.append(stem)
    return out


def overlap(wanted: list[str], text: str) -> float:
    """Return which share of the stems `wanted` begins a word of `text` (0 to 1)."""
    if not wanted:
        return 0.0
    words = plain(text).split()
    return sum(any(word.startswith(stem) for word in words) for stem in wanted) / len(wanted)


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
