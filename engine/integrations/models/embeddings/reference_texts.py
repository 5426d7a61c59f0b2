"""Ordinary texts, whose mean is the middle of all vectors."""

from __future__ import annotations

from typing import Final

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
