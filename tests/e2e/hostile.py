"""Requests that cost the server more than they cost their sender."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from engine.core.values.limits import MAX_CONFIG, MAX_IMPORT, MAX_TEMPLATE
from tests.engine.check.test_entangled import tangled
from tests.engine.hostile.test_schemas import chain

Person = Literal["viewer", "author", "stranger"]
DOCUMENT: Final[dict[str, Any]] = {"graphwright": 1, "id": "hostile", "name": "Hostile"}
LONG: Final = "a" * 100_000
WORK: Final[Mapping[str, Any]] = {
    "l": list(range(200)),
    "s": LONG,
    "t": LONG[:-1] + "b",
    "commas": "," * 100_000,
    "numbers": list(range(5_000)),
    "same": list(range(5_000)),
}


@dataclass(frozen=True, slots=True)
class Attack:
    """One request, or a run when there is a `document` and its `input`; `times` at once."""

    who: Person
    body: bytes = b""
    path: str = "graphs/{graph}/check/"
    method: str = "POST"
    document: dict[str, Any] | None = None
    input: Any = None
    times: int = 1


def check(document: Any) -> Attack:
    """Return the request of a viewer to check a document, or its text in YAML."""
    return Attack("viewer", json.dumps({"document": document}).encode())


def one_node(kind: str, **more: Any) -> dict[str, Any]:
    """Return a document with one node after the start."""
    node = {"id": "n", "type": kind, "read_keys": ["input"], **more}
    edges = [{"id": "e", "source": "__start__", "target": "n"}]
    return {**DOCUMENT, "nodes": [node], "edges": edges}


def template(text: str) -> Attack:
    """Return the check of a document with a template."""
    agents = [{"id": "a", "model": "builtin/extractive"}]
    document = one_node("agent", config={"agent_id": "a", "prompt": text})
    return check({**document, "agents": agents})


def filled(start: str, middle: str, limit: int = MAX_TEMPLATE) -> str:
    """Return a text of the length that is just taken."""
    return (start + middle * limit)[: limit - 1_000]


def expression(text: str) -> Attack:
    """Return a run that evaluates an expression on long values."""
    document = one_node("output", config={"value": text})
    return Attack("author", document=document, input=dict(WORK))


def jsonpath(text: str, value: Any) -> Attack:
    """Return a run that selects items by a JSONPath."""
    document = one_node("map", config={"worker_node_id": "w", "items_path": text})
    document["nodes"].append({"id": "w", "type": "output", "read_keys": ["map_item"]})
    return Attack("author", document=document, input=value)


def properties(count: int) -> dict[str, Any]:
    """Return an object's schema with many properties."""
    return {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(count)}}


def bomb(levels: int) -> str:
    """Return YAML whose aliases stand for ten times as much at each level."""
    inner = (f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels))
    return "\n".join(["a0: &a0 [x, x, x, x, x, x, x, x, x, x]", *inner])


def large(back: float, near: int | None, **more: Any) -> dict[str, Any]:
    """Return a document as large and as tangled as documents may be."""
    return {**DOCUMENT, **tangled(1, 2_000, 4_990, back=back, near=near), **more}


def many_templates() -> dict[str, Any]:
    """Return a document whose configs are full of expressions, each as many as one may have."""
    document = one_node("output")
    nodes = [
        {
            "id": f"n{n}",
            "type": "agent",
            "config": {
                "agent_id": "a",
                "prompt": "".join(f"{{{{ memory.k{n}+{x} }}}}" for x in range(390)),
            },
        }
        for n in range(500)
    ]
    agents = [{"id": "a", "model": "builtin/extractive"}]
    edges = [{"id": "e", "source": "__start__", "target": "n0"}]
    return {**document, "nodes": nodes, "edges": edges, "agents": agents}


def unknown_names() -> dict[str, Any]:
    """Return a document whose every name is a near miss of many others."""
    agents = [{"id": f"agent-number-{n}"} for n in range(1_000)]
    wanted = [f"agent-numbers-{n}" for n in range(2_000)]
    nodes = [
        {"id": f"n{n}", "type": "agent", "config": {"agent_id": w}} for n, w in enumerate(wanted)
    ]
    return {**DOCUMENT, "agents": agents, "nodes": nodes}


def tools_of_all() -> dict[str, Any]:
    """Return a document in which each node takes each of many tools from its agent."""
    tools = [f"t{n}" for n in range(2_000)]
    config = {"agent_id": "a", "tools": [f"-{tool}" for tool in tools]}
    nodes = [{"id": f"n{n}", "type": "agent", "config": config} for n in range(100)]
    return {**DOCUMENT, "agents": [{"id": "a", "tools": tools}], "nodes": nodes}


def ladder(rungs: int) -> dict[str, Any]:
    """Return one fork and join after the other, all of them dangerous steps."""
    drawn = [("__start__", "j0")]
    for n in range(rungs):
        drawn += [(f"j{n}", f"a{n}"), (f"j{n}", f"b{n}")]
        drawn += [(f"a{n}", f"j{n + 1}"), (f"b{n}", f"j{n + 1}")]
    names = dict.fromkeys(target for _, target in drawn)
    wait = {"type": "delay", "config": {"duration_ms": 1}, "metadata": {"dangerous": True}}
    return {
        **DOCUMENT,
        "nodes": [{"id": name, **wait} for name in names],
        "edges": [{"source": source, "target": target} for source, target in drawn],
    }


def composites(depth: int) -> dict[str, Any]:
    """Return maps that run maps that run maps."""
    nodes: list[dict[str, Any]] = [
        {
            "id": f"n{n}",
            "type": "map",
            "config": {"worker_node_id": f"n{n + 1}", "static_items": [1]},
        }
        for n in range(depth)
    ]
    nodes.append({"id": f"n{depth}", "type": "output"})
    return {**DOCUMENT, "nodes": nodes, "edges": [{"source": "__start__", "target": "n0"}]}


def wrong_everywhere() -> dict[str, Any]:
    """Return a document whose nodes have fields that do not exist."""
    nodes = [
        {"id": f"n{n}", "type": "output", **{f"fields{x}": 1 for x in range(100)}}
        for n in range(2_000)
    ]
    return {**DOCUMENT, "nodes": nodes}


def at_once(attack: Attack, times: int) -> Attack:
    """Return the same request many times at the same moment."""
    return replace(attack, times=times)


def sign_ins(count: int) -> Attack:
    """Return many guesses at once, each for somebody else."""
    body = json.dumps({"email": "{n}@example.org", "password": "wrong horse"}).encode()
    return Attack("stranger", body, path="session/", times=count)


TWICE: Final = "input.l.all(a, input.l.all(b, {}))"
ATTACKS: Final[dict[str, Callable[[], Attack]]] = {
    "template, quotes and backslashes": lambda: template(filled("{{ '''", "\\")),
    "template, unclosed quotes": lambda: template(filled("{{ ", "'\n")),
    "template, braces": lambda: template(filled("", "{")),
    "template, pairs of braces": lambda: template(filled("", "{{}}")),
    "template, 100 KB of braces": lambda: template("{" * 100_000),
    "templates in every config": lambda: check(many_templates()),
    "expression, contains": lambda: expression(TWICE.format(f"!input.s.contains('{'a' * 99}b')")),
    "expression, indexOf": lambda: expression(TWICE.format("input.s.indexOf('aaab') < 0")),
    "expression, ==": lambda: expression(TWICE.format("input.numbers == input.same")),
    "expression, split": lambda: expression("input.l.all(a, input.commas.split(',')[0] != 'x')"),
    "expression, replace": lambda: expression("input.l.all(a, input.s.replace('a','b') != '')"),
    "expression, just legal": lambda: expression(
        "input.l.all(a, !input.s.contains('aaaaaaaab')) && input.numbers == input.same"
    ),
    "schema that doubles": lambda: check({**DOCUMENT, "state_schema": chain(28)}),
    "schema of 60,000 properties": lambda: check({**DOCUMENT, "state_schema": properties(60_000)}),
    "JSONPath, each with each": lambda: jsonpath(
        "$.input[?@ == $.input[0]]", [list(range(n % 3, 1_000)) for n in range(180)]
    ),
    "JSONPath, search": lambda: jsonpath("$..[?search(@, '(a|aa)*b')]", ["a" * 9_000] * 90),
    "YAML, a list": lambda: check("a: [" + "1," * 600_000 + "1]"),
    "YAML, a long text": lambda: check("a: " + "x y " * 1_200_000),
    "YAML, aliases": lambda: check(bomb(12)),
    "YAML, many keys": lambda: check("".join(f"k{n}: 1\n" for n in range(240_000))),
    "JSON, deep": lambda: Attack("viewer", b'{"document": ' + b"[" * 900_000),
    "JSON, 5 MB of numbers": lambda: Attack(
        "viewer", b'{"document": {"a": [' + b"1," * (MAX_IMPORT // 2 - 100) + b"1]}}"
    ),
    "JSON, 5 MB of objects": lambda: Attack(
        "viewer", b'{"document": {"a": [' + b"{}," * (MAX_IMPORT // 3 - 100) + b"1]}}"
    ),
    "JSON, 5 MB of members": lambda: check({**DOCUMENT, **{f"m{n}": n for n in range(200_000)}}),
    "JSON, 5 MB of text": lambda: check({**DOCUMENT, "goal": "x" * (MAX_IMPORT - 200)}),
    "document, near edges": lambda: check(large(0.05, 4)),
    "document, far edges": lambda: check(large(0.05, None)),
    "document, many cycles": lambda: check(large(0.5, None)),
    "document, broken": lambda: check(large(0.2, None, goal=7)),
    "document, unknown names": lambda: check(unknown_names()),
    "document, wrong everywhere": lambda: check(wrong_everywhere()),
    "document, tools of all": lambda: check(tools_of_all()),
    "document, a ladder": lambda: check(ladder(660)),
    "document, maps of maps": lambda: check(composites(1_900)),
    "document, 8 at once": lambda: at_once(check(large(0.05, None)), 8),
    "JSON, 12 at once": lambda: at_once(
        check({**DOCUMENT, "initial_memory": {"a": list(range(200_000))}}), 12
    ),
    "bodies, 24 at once": lambda: at_once(
        check({**DOCUMENT, "goal": "x" * (MAX_IMPORT - 200)}), 24
    ),
    "configs, at their limit": lambda: check(
        {
            **DOCUMENT,
            "nodes": [
                {"id": f"n{n}", "type": "output", "config": {"value": "1", "x": [0] * 20_000}}
                for n in range(MAX_IMPORT // MAX_CONFIG)
            ],
        }
    ),
    "sign-ins": lambda: sign_ins(60),
    "model on brackets": lambda: Attack(
        "author",
        document={
            **one_node("agent", config={"agent_id": "a", "prompt": "{{ input }}"}),
            "agents": [{"id": "a", "model": "builtin/extractive"}],
        },
        input="[" * 200_000,
    ),
}
