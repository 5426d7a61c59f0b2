"""Facts compared by meaning: what an embedder gives, and which texts are near a question."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Iterable, Sequence
from typing import Final, Literal, Protocol, TypeVar

Vector = list[float]
Kind = Literal["query", "passage"]
K = TypeVar("K")

NEAREST: Final = 50
"""Facts of one question that are ranked by meaning; what is further away does not count."""


class Embedder(Protocol):
    """A model that turns texts into vectors of length 1. It blocks: use it in a thread."""

    @property
    def name(self) -> str:
        """Which model it is; vectors of two models are never compared."""
        ...

    @property
    def floor(self) -> float:
        """The least likeness at which a passage counts as an answer to a query."""
        ...

    def available(self) -> bool:
        """Return whether it works here; the first call may load the model."""
        ...

    def embed(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        """Return one vector for each text. Raises `RuntimeError` where it cannot."""
        ...


def packed(vector: Vector) -> bytes:
    """Return a vector as it is stored: numbers of four bytes."""
    return array("f", vector).tobytes()


def nearest(
    query: Vector, known: Iterable[tuple[K, bytes]], floor: float, most: int = NEAREST
) -> dict[K, float]:
    """Return the likeness of the packed vectors nearest to `query`, none below `floor`.

    At most `most`, the nearest first; of equally near ones those that came first.
    """
    rows = [(key, data) for key, data in known if len(data) == 4 * len(query)]
    values = _cosines(query, [data for _key, data in rows])
    near = [(key, value) for (key, _data), value in zip(rows, values, strict=True)]
    near.sort(key=lambda found: -found[1])
    return {key: value for key, value in near[:most] if value >= floor}


def _cosines(query: Vector, rows: Sequence[bytes]) -> list[float]:
    """Return the cosines, rounded so that the order of additions never decides."""
    try:
        import numpy as np
    except ImportError:
        one = array("f", query)
        found = [sum(map(operator.mul, one, memoryview(data).cast("f"))) for data in rows]
    else:
        matrix = np.frombuffer(b"".join(rows), dtype=np.float32).reshape(len(rows), len(query))
        found = (matrix @ np.asarray(query, dtype=np.float32)).tolist()
    return [round(value, 5) for value in found]
