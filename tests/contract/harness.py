"""Runs documents through the commands themselves, in this process, and shows what came of it."""

from __future__ import annotations

import io
import itertools
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.agents.skills import Skills
from engine.cli import check_graph, run_graph
from engine.core.graph.document import parse_document
from engine.core.node_types.node_type import UNSET
from engine.core.node_types.registry import Handlers, NodeTypes
from engine.core.ports import MemoryStore
from engine.core.state.requests import StartRun
from engine.integrations.egress import Egress
from engine.integrations.memory.facts import InMemoryFacts
from engine.integrations.tools.functions import FunctionTools
from engine.local import Local, make_local
from engine.local.installed import Installed
from engine.scripted.models import RecordedCall
from engine.scripted.script import Script
from engine.scripted.tools import RecordedToolCall

FAST = {"initial_backoff_ms": 1}
Doc = dict[str, Any]
Node = dict[str, Any]
Edge = str | tuple[str, str, dict[str, Any]]


def node(id: str, type: str, **fields: Any) -> Node:
    """Return a node with a back-off of 1 ms; `reads` and `writes` are its keys."""
    policy = {**FAST, **fields.pop("policy", {})}
    out: Node = {"id": id, "type": type, "failure_policy": policy}
    for short, name in (("reads", "read_keys"), ("writes", "write_keys")):
        if short in fields:
            out[name] = fields.pop(short)
    return out | fields


def fn(id: str, handler: str | None = None, **fields: Any) -> Node:
    """Return a function node whose handler is called like it; it may write everything."""
    config = {"handler": handler or id, **fields.pop("config", {})}
    return node(id, "function", config=config, **{"writes": ["*"], **fields})


def agent(id: str, prompt: str = "Do it.", **fields: Any) -> Node:
    """Return an agent node; its agent is called `x` unless said."""
    config = {"agent_id": "x", "prompt": prompt, **fields.pop("config", {})}
    return node(id, "agent", config=config, **fields)


def tool(id: str, tool_id: str, **fields: Any) -> Node:
    """Return a tool node."""
    config = {"tool_id": tool_id, **fields.pop("config", {})}
    return node(id, "tool", config=config, **fields)


def question(id: str, question: str = "What?", **config: Any) -> Node:
    """Return a question node."""
    return node(id, "question", config={"question": question, **config})


def approval(id: str, **config: Any) -> Node:
    """Return an approval node."""
    return node(id, "approval", config=config)


def output(id: str, value: str | None = None, **fields: Any) -> Node:
    """Return an output node."""
    config = {**({} if value is None else {"value": value}), **fields.pop("config", {})}
    return node(id, "output", config=config, **fields)


def doc(nodes: Sequence[Node], edges: Sequence[Edge] | None = None, **fields: Any) -> Doc:
    """Return a document. Edges are chains such as `a -> b -> c`, or (source, target, fields).

    Without `edges` the nodes stand in line. Agents that are named and not given are plain ones.
    """
    if edges is None:
        edges = [" -> ".join(["__start__", *(n["id"] for n in nodes)])]
    flat: list[dict[str, Any]] = []
    for edge in edges:
        if isinstance(edge, str):
            names = [name.strip() for name in edge.split("->")]
            flat += [{"source": a, "target": b} for a, b in itertools.pairwise(names)]
        else:
            flat.append({"source": edge[0], "target": edge[1], **edge[2]})
    given = fields.pop("agents", [])
    known = {a["id"] for a in given}
    named = dict.fromkeys(
        value
        for n in nodes
        for key, value in n.get("config", {}).items()
        if key == "agent_id" and value not in known
    )
    agents = [*given, *({"id": name} for name in named)]
    return {"graphwright": 1, "id": "g", "agents": agents, "nodes": list(nodes), "edges": flat} | (
        fields
    )


@dataclass(slots=True)
class Outcome:
    """What a run left: exit status, report, log, problems, and the calls that were made."""

    exit: int
    report: dict[str, Any]
    events: list[dict[str, Any]]
    problems: list[dict[str, Any]]
    stderr: str
    local: Local | None
    models: list[RecordedCall] = field(default_factory=list)
    tools: list[RecordedToolCall] = field(default_factory=list)

    def _reported(self, name: str) -> Any:
        assert self.report, f"there is no report: {self.stderr}"
        return self.report[name]

    @property
    def status(self) -> str:
        return str(self._reported("status"))

    @property
    def code(self) -> str | None:
        """The code of the run's error."""
        error = self._reported("error")
        return None if error is None else error["code"]

    @property
    def memory(self) -> dict[str, Any]:
        return dict(self._reported("memory"))

    @property
    def outputs(self) -> dict[str, Any]:
        return dict(self._reported("outputs"))

    @property
    def path(self) -> list[str]:
        return list(self._reported("path"))

    def of(self, type_: str, node: str | None = None) -> list[dict[str, Any]]:
        """Return the events of a type, of one node if it is named."""
        return [
            e for e in self.events if e["type"] == type_ and (node is None or e.get("node") == node)
        ]

    def activation(self, name: str, visit: int = 1) -> dict[str, Any]:
        """Return the report's entry of a visit."""
        entries = self.report["nodes"]
        return next(n for n in entries if n["node"] == name and n["visit"] == visit)

    def prompt(self, call: int = 0) -> str:
        """Return everything that a recorded model call said."""
        return "\n".join(m.content for m in self.models[call].request.messages)

    @property
    def codes(self) -> list[str]:
        return [p["code"] for p in self.problems]


def run(
    document: Mapping[str, Any],
    script: Mapping[str, Any] | None = None,
    decide: Mapping[str, Any] | None = None,
    *,
    input: Any = UNSET,
    handlers: Mapping[str, Callable[..., Any]] | None = None,
    functions: FunctionTools | None = None,
    types: NodeTypes | None = None,
    egress: Egress | None = None,
    facts: MemoryStore | None = None,
    skills: Skills | None = None,
    graphs: Sequence[Mapping[str, Any]] = (),
    flags: Sequence[str] = (),
    observe: Callable[[Local], None] | None = None,
    **json_flags: Any,
) -> Outcome:
    """Run a document through `run_graph.main`. `memory`, `context`, `metadata` are JSON flags."""
    made: list[Local] = []

    def seen(local: Local) -> None:
        made.append(local)
        if observe is not None:
            observe(local)

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        argv = [_write(place / "graph.json", document)]
        for name, value in (("script", script), ("decide", decide)):
            if value is not None:
                argv += [f"--{name}", _write(place / f"{name}.json", value)]
        for number, graph in enumerate(graphs):
            argv += ["--graphs", _write(place / f"graph{number}.json", graph)]
        if input is not UNSET:
            json_flags["input"] = input
        for name, value in json_flags.items():
            argv += [f"--{name}={json.dumps(value)}"]
        log = place / "events.jsonl"
        argv += ["--events", str(log), *flags]
        out, err = io.StringIO(), io.StringIO()
        here = _installed(handlers, functions, types, egress, facts, skills)
        status = run_graph.main(argv, out, err, installed=here, observe=seen)
        lines = log.read_text().splitlines() if log.exists() else []
    return _outcome(status, out.getvalue(), err.getvalue(), lines, made)


def check(
    document: Mapping[str, Any] | str,
    script: Mapping[str, Any] | None = None,
    *,
    handlers: Mapping[str, Callable[..., Any]] | None = None,
    skills: Skills | None = None,
    graphs: Sequence[Mapping[str, Any]] = (),
) -> Outcome:
    """Check a document through `check_graph.main`; problems of both streams."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        argv = [_write(place / "graph.json", document)]
        if script is not None:
            argv += ["--script", _write(place / "script.json", script)]
        for number, graph in enumerate(graphs):
            argv += ["--graphs", _write(place / f"graph{number}.json", graph)]
        out, err = io.StringIO(), io.StringIO()
        here = _installed(handlers, None, None, None, None, skills)
        status = check_graph.main(argv, out, err, installed=here)
    problems = [json.loads(line) for line in (out.getvalue() + err.getvalue()).splitlines()]
    return Outcome(status, {}, [], problems, err.getvalue(), None)


def _write(path: Path, value: Any) -> str:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def _installed(
    handlers: Mapping[str, Callable[..., Any]] | None,
    functions: FunctionTools | None,
    types: NodeTypes | None,
    egress: Egress | None,
    facts: MemoryStore | None = None,
    skills: Skills | None = None,
) -> Installed:
    registry = Handlers()
    for name, function in (handlers or {}).items():
        registry.register(name)(function)
    given: dict[str, Any] = {} if types is None else {"types": types}
    return Installed(
        handlers=registry,
        functions=functions or FunctionTools(),
        egress=egress,
        memory=facts or InMemoryFacts(),
        skills=Skills() if skills is None else skills,
        **given,
    )


def _outcome(status: int, out: str, err: str, log: Sequence[str], made: Sequence[Local]) -> Outcome:
    local = made[0] if made else None
    outcome = Outcome(
        exit=status,
        report=json.loads(out) if out else {},
        events=[json.loads(line) for line in log],
        problems=[json.loads(line) for line in err.splitlines() if line.startswith("{")],
        stderr=err,
        local=local,
    )
    if local is not None:
        outcome.models = list(getattr(local.models, "calls", ()))
        outcome.tools = [] if local.scripted_tools is None else list(local.scripted_tools.calls)
    return outcome


def codes(found: Outcome, *wanted: str) -> list[str]:
    """Return those of the wanted codes that were found, in order."""
    return [code for code in found.codes if code in wanted]


async def started(
    document: Mapping[str, Any],
    script: Mapping[str, Any] | None = None,
    *,
    handlers: Mapping[str, Callable[..., Any]] | None = None,
    settle: bool = True,
    until: str | None = None,
    trial: Mapping[str, Any] | None = None,
    **parts: Any,
) -> tuple[Local, str]:
    """Start a document on a runner of its own and return it, settled, with the run's id.

    `trial` are fields of the start that make it a test run.
    """
    spec, problems = parse_document(json.dumps(document))
    assert spec is not None, problems
    here = _installed(handlers, None, None, None)
    local = make_local(
        [spec],
        script=Script.parse(script or {}),
        handlers=here.handlers,
        functions=here.functions,
        **parts,
    )
    start = StartRun(run_id="r", graph_id=spec.id, until=until, **(trial or {}))
    await local.runner.start(start, local.graphs.program_of(spec))
    if settle:
        await local.runner.settled("r")
    return local, "r"


async def revived(
    document: Mapping[str, Any],
    dead: Local,
    *,
    handlers: Mapping[str, Callable[..., Any]] | None = None,
) -> Local:
    """Stop a runner where it stands and return another over what it left, after its recovery."""
    await dead.store.flush("r")
    await dead.runner.close()
    dead.store.forget("r")
    spec, _problems = parse_document(json.dumps(document))
    assert spec is not None
    registry = _installed(handlers, None, None, None).handlers
    local = make_local(
        [spec], script=Script.parse({}), handlers=registry, store=lambda *_parts: dead.store
    )
    await local.runner.recover()
    return local
