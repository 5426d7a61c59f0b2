"""Proves what can be proven about a graph before it runs.

`check` returns every problem at once: errors block a start, warnings and hints do not. Nothing
here knows a node type by name: what a config's fields stand for is told by their hints
(`engine.core.node_types.form`).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.check.rules import (
    agents,
    approvals,
    credentials,
    expressions,
    flow,
    keys,
    names,
    schemas,
    tools,
    unsafe,
    writes,
)
from engine.check.rules.dangers import Danger, Way, dangers
from engine.check.rules.worst_case import WorstCase, worst_case
from engine.check.subject import Subject
from engine.check.world import StaticWorld, World
from engine.core.graph.document import GraphSpec
from engine.core.graph.problems import Problem

__all__ = [
    "Danger",
    "Report",
    "StaticWorld",
    "Way",
    "World",
    "WorstCase",
    "check",
    "examine",
    "worst_case",
]

_PARTS = (approvals, keys, writes, expressions, agents, tools, credentials)


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with a graph, and its dangerous steps with a way to each unguarded one."""

    problems: tuple[Problem, ...]
    dangers: tuple[Danger, ...] = ()


def examine(spec: GraphSpec, world: World) -> Report:
    """Return everything that is proven about a graph in its world."""
    subject = Subject(spec, world)
    risky = dangers(subject)
    found = [
        *subject.problems,
        *(problem for part in (names, schemas, flow) for problem in part.find(subject)),
        *unsafe.find(subject, risky),
        *(problem for part in _PARTS for problem in part.find(subject)),
    ]
    return Report(tuple(dict.fromkeys(found)), risky)


def check(spec: GraphSpec, world: World) -> list[Problem]:
    """Return everything wrong with a graph in its world, in a stable order, each thing once."""
    return list(examine(spec, world).problems)
