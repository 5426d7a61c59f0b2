"""Start fields that are read as memory: `memory.cv` where a run that a person starts has `input.cv`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.check.subject import Subject
from engine.core.graph.problems import Problem

CODE: Final = "UnwrittenKey"


def is_meant(subject: Subject, path: Sequence[str]) -> bool:
    """Return whether a path leads to memory that only a calling graph would give: `memory`, its name."""
    return len(path) > 1 and path[0] == "memory" and subject.only_start(path[1])


def message(key: str) -> str:
    """Return what is said of such a key in words of the document."""
    return (
        f'Only the start gives "{key}", as input.{key}: memory.{key} is there only in runs that'
        " another graph starts, or that are given memory."
    )


def said(key: str) -> str:
    """Return what people are told."""
    return (
        f"Start gives this as input.{key}; memory.{key} is there only where another workflow"
        " calls this one."
    )


def told(problem: Problem, key: str) -> Problem:
    """Return the problem with what people are told; what mends it is the field of the start."""
    return problem.on(key).mended(said(key))
