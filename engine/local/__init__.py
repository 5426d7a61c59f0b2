"""Graphs in this process, without a server: for scripts, tests and the command line.

`run_document` runs one in memory, `open` keeps runs in a file.
"""

from __future__ import annotations

from engine.local.documents import Document
from engine.local.durable import open  # noqa: A004  as `gzip.open`
from engine.local.engine import AnswerFields, LocalEngine, StartOptions
from engine.local.graphs import LocalGraphs
from engine.local.installed import Installed, world_of
from engine.local.parts import Local, StoreMaker, make_local
from engine.local.run import run_document
from engine.scripted.agents import scripted_agents

__all__ = [
    "AnswerFields",
    "Document",
    "Installed",
    "Local",
    "LocalEngine",
    "LocalGraphs",
    "StartOptions",
    "StoreMaker",
    "make_local",
    "open",
    "run_document",
    "scripted_agents",
    "world_of",
]
