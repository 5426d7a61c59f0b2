"""Vectors of the local model around a common middle.

All of its vectors point much the same way, so that anything is 0.75 like anything. Taking away the
mean of ordinary sentences leaves what sets texts apart: of 24 questions in other words or languages
than the fact that answers them, 17 instead of 11 then have that fact first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from engine.integrations.models.embeddings.similarity import Kind, Vector

PASSAGES: Final = (
    "The meeting starts at nine.",
    "She bought a red bicycle.",
    "The report was sent last week.",
    "Our team has five members.",
    "It rained all night in the city.",
    "The price of oil rose again.",
    "He plays the piano in the evening.",
    "The train was late because of snow.",
    "Customers like the new product.",
    "The museum is open on Sundays.",
    "Please close the window.",
    "The book has three hundred pages.",
    "The doctor gave him medicine.",
    "They moved to a bigger house.",
    "The contract ends next year.",
    "A computer stores files on a disk.",
    "The teacher explained the lesson.",
    "The garden is full of flowers.",
    "The company hired a new manager.",
    "The soup needs more salt.",
    "Der Zug fährt um acht Uhr.",
    "La reunión es mañana.",
    "Le chat dort sur le canapé.",
    "会議は三時に始まります。",
)
QUERIES: Final = (
    "When does the meeting start?",
    "What color is the bicycle?",
    "Who sent the report?",
    "team members",
    "weather in the city",
    "price of oil",
    "playing the piano",
    "why was the train late",
    "new product feedback",
    "museum opening hours",
    "close the window",
    "number of pages in the book",
    "medicine from the doctor",
    "moving to a new house",
    "end of the contract",
    "where are files stored",
    "explain the lesson",
    "flowers in the garden",
    "new manager",
    "how much salt",
    "Abfahrt des Zuges",
    "hora de la reunión",
    "où dort le chat",
    "会議はいつですか",
)
REFERENCE: Final = {"passage": PASSAGES, "query": QUERIES}

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
