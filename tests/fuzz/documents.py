"""Documents: a few nodes of each type with configs that nearly fit, or thousands of the same one."""

from __future__ import annotations

import random
from typing import Any, Final

from hypothesis import strategies as st

from engine.core.graph.document import GraphSpec, NodeSpec
from engine.core.node_types.registry import NODE_TYPES
from tests.fuzz.schemas import ANY as SCHEMAS
from tests.fuzz.soon import EFFORT
from tests.fuzz.texts import EXPRESSIONS, GRAMMATICAL, PATH, TEMPLATES, pumped
from tests.fuzz.trees import JSON, TREES, at_most

TYPES: Final = {kind.type: kind for kind in NODE_TYPES.all()}
MANY: Final = (2, 7, 60, 400) if EFFORT == 1 else (2, 60, 400, 1_990)
IDS = st.sampled_from(["n0", "n1", "n2", "n3", "__start__", "__end__", "n9", "", "N 0", "a" * 200])
AGENTS = st.sampled_from(["writer", "n0", "nobody", ""])
KEYS = st.sampled_from(["input", "a", "b", "*", "outputs.n0", "outputs.*", "previous", "_x", ""])
TEXTS = (
    TEMPLATES.filter(lambda text: len(text) < 5_000)
    | EXPRESSIONS.filter(lambda text: len(text) < 5_000)
    | pumped(PATH, 1_100)
    | st.sampled_from(["n0", "n1", "writer", "approved"])
)
VALUES = TEXTS | TREES | st.lists(TEXTS, max_size=3) | IDS | SCHEMAS


def _config(name: str) -> st.SearchStrategy[Any]:
    fields = TYPES[name].Config.model_fields
    known = {
        info.alias or field: TEXTS if info.annotation in (str, str | None) else VALUES
        for field, info in fields.items()
    }
    return st.fixed_dictionaries({}, optional=known)


def _node(name: str, *, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    mine = ("id", "type", "config", "read_keys", "write_keys")
    rest = [field for field in NodeSpec.model_fields if field not in mine] if odd else []
    return st.fixed_dictionaries(
        {"id": IDS, "type": st.just(name), "config": _config(name)},
        optional={
            "read_keys": st.lists(KEYS, max_size=3),
            "write_keys": st.lists(KEYS, max_size=3),
            **dict.fromkeys(rest, TREES),
        },
    )


PLAIN = st.sampled_from(sorted(TYPES)).flatmap(lambda name: _node(name, odd=False))
ODD = st.sampled_from(sorted(TYPES)).flatmap(lambda name: _node(name, odd=True))
NODES = PLAIN | PLAIN | PLAIN | ODD
EDGES = st.fixed_dictionaries(
    {"source": IDS, "target": IDS},
    optional={
        "id": st.text(max_size=3),
        "condition": GRAMMATICAL,
        "on": st.sampled_from(["failed", "completed", "x"]),
        "priority": st.integers(-3, 3) | st.just(2**62),
    },
)
AGENT_PARTS = st.fixed_dictionaries(
    {"id": AGENTS},
    optional={"model": st.text(max_size=5), "tools": st.lists(TEXTS, max_size=4)},
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "goal": TEXTS,
        "constraints": st.lists(TEXTS, max_size=3),
        "state_schema": SCHEMAS,
        "initial_memory": JSON,
    },
)
ODD_HEADERS = st.dictionaries(st.sampled_from(sorted(GraphSpec.model_fields)), TREES, max_size=3)


def _pairs(shape: str, count: int, dice: random.Random) -> list[tuple[int, int]]:
    """Return who leads to whom in a drawing of `count` nodes."""
    if shape == "line":
        return [(n, n + 1) for n in range(count - 1)]
    if shape == "star":
        return [(0, n) for n in range(1, count)] + [(n, 0) for n in range(1, count)]
    if shape == "ladder":
        return [(n, n + step) for n in range(count) for step in (1, 2) if n + step < count]
    if shape == "each":
        side = min(count, 70)
        return [(n, m) for n in range(side) for m in range(side)]
    return [(dice.randrange(count), dice.randrange(count)) for _ in range(min(4_900, count * 3))]


def _drawing(node: Any, count: int, shape: str, edge: Any, dice: random.Random) -> dict[str, Any]:
    """Return a document of one node many times."""
    count = at_most(count, {**node, **edge})
    ends = [("__start__", "n0"), *((f"n{a}", f"n{b}") for a, b in _pairs(shape, count, dice))]
    return {
        "nodes": [{**node, "id": f"n{n}"} for n in range(count)],
        "edges": [{**edge, "source": a, "target": b} for a, b in ends],
    }


DRAWINGS = st.builds(
    _drawing,
    NODES,
    st.sampled_from(MANY),
    st.sampled_from(["line", "star", "ladder", "each", "any"]),
    EDGES,
    st.randoms(use_true_random=False),
)
FREE = st.fixed_dictionaries(
    {"nodes": st.lists(NODES, max_size=4), "edges": st.lists(EDGES, max_size=5)}
)


def _whole(parts: Any, header: Any, agents: Any, name: str) -> dict[str, Any]:
    return {"graphwright": 1, "id": "fuzzed", "name": name, "agents": agents, **parts, **header}


DOCUMENTS = st.builds(
    _whole,
    FREE | FREE | FREE | DRAWINGS,
    HEADERS | st.just({}) | ODD_HEADERS,
    st.lists(AGENT_PARTS, max_size=3),
    st.text(max_size=5),
)
