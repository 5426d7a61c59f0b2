"""A tool that agents and `tool` nodes call."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.sdk import EffectClass, ToolContext, tool

NORMALS = {"berlin": 10.3, "lisbon": 17.5, "oslo": 6.3}
"""Yearly means in degrees Celsius; a real package would ask a weather service."""


@tool(effect_class=EffectClass.READ)
def mean_temperature(
    city: Annotated[str, Field(description='Such as "Lisbon".')], ctx: ToolContext
) -> float:
    """Say the mean temperature of a city over the year, in degrees Celsius."""
    if city.lower() not in NORMALS:
        raise ValueError(f"{city!r} is not known; known are {sorted(NORMALS)}")
    return NORMALS[city.lower()]
