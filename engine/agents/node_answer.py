"""How an agent node answers: its prompt, its result schema, and what becomes of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.agents.conversation import parse_text, with_facts
from engine.agents.frame import FRAME_HASH, FRAME_VERSION, standard_frame
from engine.agents.pinning import ResolvedAgent, resolve_agent
from engine.agents.prompts import purpose, render_prompt
from engine.agents.swarm.handoff import DELEGATION, handoff_in
from engine.agents.swarm.peers import handed_section, peers_of, peers_section, schema_with_handoff
from engine.core.errors import NodeError
from engine.core.node_types.conversation import Conversation, Message
from engine.core.node_types.node_type import NodeResult
from engine.core.node_types.view import View
from engine.core.people.model_questions import asking_section
from engine.core.state.events import node_of
from engine.core.state.lanes import check_schema, check_writes, may_write
from engine.core.values.json import JsonObject, as_text, freeze
from engine.integrations.models.chat import CUT

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.agents.agent_config import AgentConfig

NEXT_NODE = "_next_node"


@dataclass(frozen=True, slots=True)
class Answering:
    """What one agent node asks for, worked out before any model is called."""

    agent: ResolvedAgent
    view: View
    targets: tuple[tuple[str, str], ...]
    schema: JsonObject | None
    prompt: str
    peers: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """What an answer that hands over to no peer must hold; asked for by its schema otherwise."""


async def prepare(ctx: ActivationCalls, config: AgentConfig) -> Answering:
    """Resolve the agent, narrow the view, render the prompt, derive the schema.

    Raises `NodeError` `MissingReference` and `UnknownAgent` before anything is dispatched.
    """
    agent = await resolve_agent(ctx, config.agent_id, config.model)
    view = ctx.view.narrowed(agent.read_ceiling)
    prompt = render_prompt(ctx, view, config.prompt) if config.prompt else default_prompt(view)
    targets = agent_targets(ctx)
    schema = result_schema(ctx, config, agent, targets)
    peers = peers_of(config)
    told = (prompt, handed_section(ctx), peers_section(ctx.program.spec, peers))
    asked = Answering(agent, view, targets, schema, "\n\n".join(t for t in told if t), peers)
    if not peers or schema is None:
        return asked
    required: Any = schema.get("required") or ()
    return replace(asked, schema=schema_with_handoff(schema, peers), required=tuple(required))


def agent_targets(ctx: ActivationCalls) -> tuple[tuple[str, str], ...]:
    """Return the targets an agent may choose, with the labels of their edges.

    A child follows no edges; the entry of a swarm that is handed back to still chooses for itself.
    """
    parent = ctx.act.parent
    if parent is not None and not (ctx.act.handoff and node_of(parent) == ctx.node.id):
        return ()
    edges = ctx.program.spec.edges_from(ctx.node.id, "completed")
    return tuple((e.target, e.label) for e in edges if e.trigger == "agent")


def default_prompt(view: View) -> str:
    """Return goal, constraints and the readable state, `previous` first (row S9)."""
    aim = purpose(view)
    parts = [aim] if aim else []
    for name, value in view.readable().items():
        parts.append(f"{name}:\n{as_text(value)}")
    return "\n\n".join(parts) or "Do what this workflow is for."


def result_schema(
    ctx: ActivationCalls,
    config: AgentConfig,
    agent: ResolvedAgent,
    targets: tuple[tuple[str, str], ...],
) -> JsonObject | None:
    """Return the schema of the answer (rows V5 to V7), None where it is free text."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    schema: dict[str, Any] = {}
    if config.result_schema is not None:
        schema = dict(config.result_schema)
        properties = dict(schema.get("properties") or {})
        required = list(schema.get("required") or ())
    else:
        for key in ctx.plan.write_keys:
            field = None if key == "*" else ctx.program.property_schema(key)
            reduced = key in ctx.program.reducers
            if field is not None and not reduced and may_write(ctx.plan, key, agent.write_ceiling):
                properties[key] = field
                required.append(key)
    if len(targets) > 1:
        properties[NEXT_NODE] = {"type": "string", "enum": [target for target, _label in targets]}
        required.append(NEXT_NODE)
    if not properties and config.result_schema is None:
        return None
    extra = {} if config.result_schema is not None else {"additionalProperties": False}
    schema |= {"type": "object", "properties": properties, "required": required, **extra}
    return freeze(schema)  # type: ignore[no-any-return]


def user_message(
    ctx: ActivationCalls,
    config: AgentConfig,
    asked: Answering,
    facts: str = "",
    interrupt: str | None = None,
) -> str:
    """Return the text sent to the model: the standard frame, or the author's prompt alone."""
    prompt = with_facts(asked.prompt, facts)
    if config.frame == "bare":
        return prompt
    spec = ctx.program.spec
    return standard_frame(
        graph_name=spec.name or spec.id,
        graph_description=spec.description,
        node_id=ctx.node.id,
        prompt=prompt,
        write_keys=[
            k for k in ctx.plan.write_keys if may_write(ctx.plan, k, asked.agent.write_ceiling)
        ],
        state=asked.view.readable(),
        targets=asked.targets,
        schema=asked.schema,
        asking=asking_section(interrupt),
    )


async def answer(
    ctx: ActivationCalls,
    config: AgentConfig,
    asked: Answering,
    *,
    temperature: float | None = None,
    first: bool = True,
) -> Conversation:
    """Hold the node's conversation and return its end, checked against gate and schemas.

    A person is asked in the `first` conversation only, where a node holds several.
    """
    earlier = ctx.messages[-config.history :] if config.history else ()
    history = tuple(
        Message(m["role"], as_text(m["content"]))
        for m in earlier
        if m.get("role") in ("user", "assistant")
    )
    interrupt = config.interrupt if first else None
    return await ctx.reason(
        config.agent_id,
        user_message(ctx, config, asked, await ctx.recall(), interrupt),
        model=config.model,
        schema=asked.schema,
        tools=config.tools,
        history=history,
        temperature=temperature,
        repair_turns=config.repair_turns,
        emit=config.emit_message,
        interrupt=interrupt,
        beside=(NEXT_NODE, DELEGATION) if asked.peers else (NEXT_NODE,),
        described=FRAME if config.frame == "standard" else {},
        check=lambda value: check_answer(ctx, asked, value),
        verify=lambda value: verify_answer(ctx, asked, value),
    )


def check_answer(ctx: ActivationCalls, asked: Answering, value: object) -> None:
    """Judge hand-over, target and grant before the schema is looked at (rows V15, V16, C132)."""
    if asked.schema is None or not isinstance(value, Mapping):
        return
    hands_over = bool(asked.peers) and handoff_in(value, asked.peers) is not None
    names = [target for target, _label in asked.targets]
    chosen = value.get(NEXT_NODE)
    if chosen is not None and chosen not in names:
        raise NodeError(
            "UndeclaredTarget", f"{NEXT_NODE} {chosen!r} is no agent edge; there are {names}"
        )
    if chosen is None and len(names) > 1 and not hands_over:
        raise NodeError("NoTarget", f"{NEXT_NODE} is missing; choose one of {names}")
    writes = _writes_in(asked, value)
    check_writes(ctx.plan, writes, asked.agent.write_ceiling)
    missing = [k for k in asked.required if k not in value and k != NEXT_NODE]
    if missing and not hands_over:
        raise NodeError("ResultSchemaMismatch", f"the answer lacks {', '.join(missing)}")


def verify_answer(ctx: ActivationCalls, asked: Answering, value: object) -> None:
    """Judge what memory would become."""
    if isinstance(value, Mapping):
        check_schema(ctx.run, ctx.plan, _writes_in(asked, value))


def _writes_in(asked: Answering, value: Mapping[str, Any]) -> dict[str, Any]:
    beside = (NEXT_NODE, DELEGATION) if asked.peers else (NEXT_NODE,)
    return {key: item for key, item in value.items() if key not in beside}


def result_of(
    ctx: ActivationCalls, config: AgentConfig, asked: Answering, talk: Conversation
) -> NodeResult:
    """Split the answer into target, writes and output (rows V14, V27, C10)."""
    metadata = {"agent_id": config.agent_id}
    if "tenant_id" in ctx.context:
        metadata["tenant_id"] = ctx.context["tenant_id"]
    if talk.cut:
        metadata["finish_reason"] = CUT
    ctx.finish.ceiling = asked.agent.write_ceiling
    if asked.schema is not None:
        value = dict(talk.output)
        chosen = value.pop(NEXT_NODE, None)
        ctx.finish.agent_choice = chosen
        return NodeResult(data={**talk.wrote, **value}, output=value, metadata=metadata)
    output = talk.output
    writes = _free_writes(ctx, asked.agent, output)
    if writes is None:
        writes = _whole_answer(ctx, asked.agent, output) if not talk.wrote else {}
    return NodeResult(data={**talk.wrote, **writes}, output=output, metadata=metadata)


def _free_writes(
    ctx: ActivationCalls, agent: ResolvedAgent, output: object
) -> dict[str, Any] | None:
    value = output
    if isinstance(output, str) and output.lstrip().startswith(("{", "```")):
        value = parse_text(output)
    if not isinstance(value, dict) or not value:
        return None
    if not all(may_write(ctx.plan, key, agent.write_ceiling) for key in value):
        return None
    return dict(freeze(value))


def _whole_answer(ctx: ActivationCalls, agent: ResolvedAgent, output: object) -> dict[str, Any]:
    keys = [
        key
        for key in ctx.plan.write_keys
        if key != "*" and may_write(ctx.plan, key, agent.write_ceiling)
    ]
    return {keys[0]: output} if len(keys) == 1 else {}


FRAME = {"frame": FRAME_VERSION, "frame_hash": FRAME_HASH}
