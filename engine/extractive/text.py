"""Words and sentences of a text in any of the languages that the lexicon knows."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_SENTENCES = 200
MAX_CHARS = 20_000
"""What is read of a text; more is cut, so that the work of one call is bounded."""

_ABBREVIATIONS = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|nr|vs|e\.g|i\.e|z\.b|bzw|sr|sra|st|art)\.$", re.IGNORECASE
)
_ENDINGS = re.compile(r"\b(?:inc|ltd|co|corp|etc|ca|no)\.$", re.IGNORECASE)
_NUMBERED = re.compile(r"\d+(?:\.\d+)*[.)](?:\s+[^\W\d]\w*){0,4}\.?$")
"""The number of a clause, alone or with its heading: the sentence after it belongs to it."""
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
    out: list[str] = []
    for piece in _BREAK.split(text[:MAX_CHARS]):
        piece = piece.strip().removeprefix("- ").removeprefix("* ").strip()
        if not piece:
            continue
        if out and _goes_on(out[-1], piece) and f"{out[-1]} {piece}" in text:
            out[-1] = f"{out[-1]} {piece}"
        else:
            out.append(piece)
    return out[:MAX_SENTENCES]


def _goes_on(before: str, piece: str) -> bool:
    if _ABBREVIATIONS.search(before) or _NUMBERED.match(before):
        return True
    return _ENDINGS.search(before) is not None and not piece[0].isupper()
