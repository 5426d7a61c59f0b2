"""Graphs in this process, without a server: for scripts, tests and the command line."""

from __future__ import annotations

from engine.local.installed import Installed, world_of
from engine.local.parts import Local, LocalGraphs, StoreMaker, make_local, scripted_agents
from engine.local.run import run_document

__all__ = [
    "Installed",
    "Local",
    "LocalGraphs",
    "StoreMaker",
    "make_local",
    "run_document",
    "scripted_agents",
    "world_of",
]
