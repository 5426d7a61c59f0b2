"""Words and sentences of a text in any of the languages that the lexicon knows."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
