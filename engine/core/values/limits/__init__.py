"""Limits of everything that comes in, and the two doors through which documents are read.

Used by REST, websocket, import, command line and node output, so that each limit has one number.
"""

from __future__ import annotations

from engine.core.values.json import MAX_DEPTH
from engine.core.values.limits.json_input import parse_json
from engine.core.values.limits.numbers import (
    KIB,
    MAX_BODY,
    MAX_CONFIG,
    MAX_GRAPH_EDGES,
    MAX_GRAPH_NODES,
    MAX_IMPORT,
    MAX_LABEL,
    MAX_MAP_ITEMS,
    MAX_RENDERED,
    MAX_RESULT_BYTES,
    MAX_RUN_BYTES,
    MAX_RUN_EVENTS,
    MAX_SOCKET_FRAME,
    MAX_TEMPLATE,
    MAX_TEMPLATE_EXPRESSIONS,
    MAX_TRANSITIONS,
    MAX_VALUES,
    MIB,
)
from engine.core.values.limits.refusals import Code, LimitExceeded, UnreadableInput
from engine.core.values.limits.storable import refuse_unstorable
from engine.core.values.limits.yaml_input import parse_yaml

__all__ = [
    "KIB",
    "MAX_BODY",
    "MAX_CONFIG",
    "MAX_DEPTH",
    "MAX_GRAPH_EDGES",
    "MAX_GRAPH_NODES",
    "MAX_IMPORT",
    "MAX_LABEL",
    "MAX_MAP_ITEMS",
    "MAX_RENDERED",
    "MAX_RESULT_BYTES",
    "MAX_RUN_BYTES",
    "MAX_RUN_EVENTS",
    "MAX_SOCKET_FRAME",
    "MAX_TEMPLATE",
    "MAX_TEMPLATE_EXPRESSIONS",
    "MAX_TRANSITIONS",
    "MAX_VALUES",
    "MIB",
    "Code",
    "LimitExceeded",
    "UnreadableInput",
    "parse_json",
    "parse_yaml",
    "refuse_unstorable",
]
