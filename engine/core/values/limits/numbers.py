"""The numbers: how much of anything is taken, and why so much."""

from __future__ import annotations

KIB, MIB = 1024, 1024 * 1024

MAX_BODY = MIB
"""Bytes of a request body; larger content goes to the blob upload."""
MAX_IMPORT = 5 * MIB
"""Bytes of an imported document: a graph at the limits below, with long prompts."""
MAX_VALUES = 250_000
"""Values of a body or document, about a second to read; the largest graph has some 100,000."""
MAX_SOCKET_FRAME = 64 * KIB
"""Bytes of one inbound websocket frame; clients send subscriptions and small patches only."""
MAX_GRAPH_NODES = 2_000
"""Nodes of a graph: the editor stays fluid to about 3,000 on a laptop."""
MAX_GRAPH_EDGES = 5_000
"""Edges of a graph; check walks them in one pass."""
MAX_LABEL = 200
"""Characters of a label; longer ones do not fit a node."""
MAX_CONFIG = 64 * KIB
"""Bytes of one node's config, so that an autosave stays small."""
MAX_TEMPLATE = 64 * KIB
"""Characters of a template: no longer than the config that holds it."""
MAX_TEMPLATE_EXPRESSIONS = 400
"""Expressions of a template: compiling as many takes about a quarter of a second."""
MAX_RENDERED = 4 * MIB
"""Characters of a rendered template: beyond the context window of every model."""
MAX_RESULT_BYTES = 20 * MIB
"""About as many bytes of JSON a node may leave: two of the largest answers of a tool; a page still
shows it, and a worker holds it in memory while the run reads it."""
MAX_MAP_ITEMS = 1_000
"""Items of a map node by default."""
MAX_RUN_EVENTS = 500_000
"""Events of one run: a map of maps with 150,000 items; its worker holds about 1 KB for each."""
MAX_RUN_BYTES = 256 * MIB
"""About as many bytes of JSON a run may record in all, in its worker's memory at the worst."""
MAX_TRANSITIONS = 50
"""Runs in a chain of transitions, so that a circle of them ends."""
