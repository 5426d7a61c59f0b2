"""Proves what can be proven about a graph before it runs.

`check` returns every problem at once: errors block a start, warnings and hints do not. Nothing
here knows a node type by name: what a config's fields stand for is told by their hints
(`engine.form`).
"""

from __future__ import annotations

from engine.check import (
    agents,
    approvals,
    expressions,
    flow,
    keys,
    names,
    schemas,
    tools,
    unsafe,
    writes,
)
from engine.check.budgets import WorstCase, worst_case
from engine.check.subject import Subject
from engine.check.world import StaticWorld, World
from engine.graph import GraphSpec
from engine.problems import Problem

__all__ = ["StaticWorld", "World", "WorstCase", "check", "worst_case"]

_PARTS = (names, schemas, flow, unsafe, approvals, keys, writes, expressions, agents, tools)


def check(spec: GraphSpec, world: World) -> list[Problem]:
    """Return everything wrong with a graph in its world, in a stable order, each thing once."""
    subject = Subject(spec, world)
    found = [*subject.problems, *(problem for part in _PARTS for problem in part.find(subject))]
    return list(dict.fromkeys(found))
