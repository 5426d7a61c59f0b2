"""The recorded run that has to have a place whenever it moves."""

from __future__ import annotations

from typing import Any, Final

from tests.engine.lab import Lab
from tests.engine.turns import Turns

SAYS: Final = "A run stands until it has a place, and again once its question is answered."
NODE: Final[dict[str, Any]] = {"kind": "question", "config": {"question": "Go on?"}}


async def in_turn(lab: Lab) -> None:
    """Start it where places are few, and answer its question."""
    Turns(lab.runner, 1, ["r"])
    await lab.start()
    await lab.answer(selected="yes")
