"""Vectors of the local model around a common middle.

All of its vectors point much the same way, so that anything is 0.75 like anything. Taking away the
mean of ordinary sentences leaves what sets texts apart: of 24 questions in other words or languages
than the fact that answers them, 17 instead of 11 then have that fact first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from engine.integrations.models.embeddings.reference_texts import REFERENCE
from engine.integrations.models.embeddings.similarity import Kind, Vector

Embed = Callable[[Sequence[str], Kind], list[Vector]]


def middle(embed: Embed, kind: Kind) -> Vector:
    """Return the mean of the vectors of ordinary texts of this kind."""
    vectors = embed(REFERENCE[kind], kind)
    return [math.fsum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def centred(vector: Vector, mean: Vector) -> Vector:
    """Return a vector seen from `mean`, of length 1."""
    moved = [a - b for a, b in zip(vector, mean, strict=True)]
    length = math.sqrt(math.fsum(x * x for x in moved)) or 1.0
    return [x / length for x in moved]
