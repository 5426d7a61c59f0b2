"""A skill: instructions that an agent asks for, and the tools that come with them."""

from __future__ import annotations

from engine.sdk import Skill

FORECASTING = Skill(
    "forecasting",
    "How to answer questions about the weather.",
    "Look the mean temperature up before you answer, and say that it is a mean.",
    ("mean_temperature",),
)
