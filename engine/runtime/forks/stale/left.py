"""Why an activation of a run does not hold for another draft."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Why: TypeAlias = Literal["changed", "reads", "failed", "asks", "open"]
"""`changed`: it is defined otherwise; `reads`: what it builds on is not kept; `failed`: it ended the
run; `asks`: a person approved something else; `open`: it had not ended, or cannot be taken over."""


@dataclass(frozen=True, slots=True)
class Left:
    """Why it is not kept: `of` are the nodes behind that, `parts` what of its definition changed."""

    why: Why
    of: frozenset[str] = frozenset()
    parts: tuple[str, ...] = ()


class NotKept(Exception):
    """What was kept so far turns out to be different: the walk begins anew without it."""

    def __init__(self, key: str, left: Left) -> None:
        super().__init__(key)
        self.key, self.left = key, left
