"""One run of a document in memory, from its text to its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.check import check
from engine.core.errors import GraphHasErrors
from engine.core.graph.document import GraphSpec, parse_document
from engine.core.graph.problems import has_errors
from engine.core.node_types.node_type import UNSET
from engine.core.state.requests import StartRun
from engine.core.state.run_state import RunState
from engine.local.installed import Installed, tools_of, world_of
from engine.local.parts import make_local
from engine.runtime.system import SystemEntropy
from engine.scripted.script import Script


async def run_document(
    document: str | bytes | Mapping[str, Any],
    input: Any = UNSET,
    *,
    script: Mapping[str, Any] | None = None,
    graphs: Iterable[GraphSpec] = (),
    installed: Installed | None = None,
) -> RunState:
    """Check a document, run it in memory and return the state in which it rests.

    `document` is YAML or JSON text, or what such text stands for. A `script` (docs/DOCUMENT.md,
    section 3) answers instead of models, tools and functions; `graphs` are what subgraph nodes may
    name; `installed` names other node types and functions than those of this process.

    The state's `status` is `completed`, `failed`, `cancelled`, `timeout`, or `waiting` where the
    run asks a person. Raises `GraphHasErrors` with all problems before anything ran, and
    `ScriptInvalid`.
    """
    parts = installed or Installed()
    parts.load()
    spec, problems = parse_document(document)
    if spec is None:
        raise GraphHasErrors(problems)
    replies = None if script is None else Script.parse(script)
    others = {each.id: each for each in graphs}
    tools = await tools_of(replies, parts.functions)
    found = [*problems, *check(spec, world_of(spec, others, replies, parts, tools))]
    if has_errors(found):
        raise GraphHasErrors(found)
    local = make_local(
        [spec, *others.values()],
        script=replies,
        types=parts.types,
        handlers=parts.handlers,
        functions=parts.functions,
        skills=parts.skills,
        egress=parts.egress,
        services={"memory": parts.memory},
    )
    start = StartRun(SystemEntropy().new_id(), spec.id, input=input, started_by="script")
    program = local.graphs.program_of(spec)
    run_id = await local.runner.start(replace(start, graph_hash=spec.hash), program)
    try:
        return await local.runner.settled(run_id)
    finally:
        await local.runner.close()
