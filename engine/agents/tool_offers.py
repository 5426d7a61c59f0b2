"""The tools of one conversation: which are offered, and what happens when the model calls one."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.agents.pinning import ResolvedAgent
from engine.agents.skills import Skill
from engine.core.errors import NodeError
from engine.core.expressions.template_trees import render_tree
from engine.core.node_types.conversation import ToolCall
from engine.core.people.asked_calls import call_hash
from engine.core.state.lanes import may_write
from engine.core.values.json import FrozenDict, as_text, freeze
from engine.core.values.json_schema import schema_problem
from engine.integrations.models.chat import ToolOffer
from engine.integrations.tools.protocol import RESERVED_TOOL_NAMES, ToolSpec

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.core.node_types.context import NodeContext

MEMORY_WRITE = "memory_write"
MEMORY_WRITE_OFFER = ToolOffer(
    MEMORY_WRITE,
    "Store a value in the run's memory under a key you may write.",
    {
        "type": "object",
        "properties": {"key": {"type": "string"}, "value": {}},
        "required": ["key", "value"],
        "additionalProperties": False,
    },
)


def resolve_names(default: Iterable[str], listed: Sequence[str] | None) -> list[str]:
    """Return the tool names a node's list stands for (row V9).

    None is the default set; any name without prefix replaces it by the unprefixed names; then
    `+name` adds and `-name` removes; an empty list is no tools.
    """
    if listed is None:
        return list(dict.fromkeys(default))
    if not listed:
        return []
    plain = [name for name in listed if name[:1] not in ("+", "-")]
    names = dict.fromkeys(plain or default)
    for name in listed:
        if name.startswith("+"):
            names[name[1:]] = None
        elif name.startswith("-"):
            names.pop(name[1:], None)
    return list(names)


def tool_arguments(ctx: NodeContext, arguments: object) -> dict[str, Any]:
    """Return a tool's arguments: the templates rendered, nulls left out; else what is readable.

    A map worker's item keys are in the readable memory and win (row C106).
    """
    return rendered_arguments(arguments, ctx.scope())


def rendered_arguments(arguments: object, scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments rendered over a scope; without any, the memory in it."""
    if arguments is None:
        return dict(scope["memory"])
    rendered: Any = render_tree(arguments, scope)
    return {name: value for name, value in rendered.items() if value is not None}


async def make_toolbox(
    ctx: ActivationCalls, agent: ResolvedAgent, listed: Sequence[str] | None
) -> Toolbox:
    """Return the tools of a node's conversation. Raises `NodeError` `ToolNotFound`.

    The default set is the agent's tools and the installation's skills (row V8).
    """
    default = (*agent.tools, *ctx.skills.names())
    names = resolve_names(default, listed)
    specs, skills, missing = await _look_up(ctx, names, listed or ())
    if missing:
        raise NodeError("ToolNotFound", f"no tool {missing[0]!r}")
    return Toolbox(
        specs,
        skills=skills,
        memory_write=MEMORY_WRITE in names,
        ceiling=agent.write_ceiling,
    )


async def _look_up(
    ctx: ActivationCalls, names: Iterable[str], listed: Sequence[str] = ()
) -> tuple[list[ToolSpec], list[Skill], list[str]]:
    """Return the tools and skills behind names, and the names that lead nowhere.

    What `listed` removes goes too where a pattern or another spelling brought it, but not where
    the tool itself is added.
    """
    added = {name[1:] for name in listed if name.startswith("+") and not name.endswith("/*")}
    removed = {name[1:] for name in listed if name.startswith("-")}
    specs: list[ToolSpec] = []
    skills: list[Skill] = []
    missing: list[str] = []
    for name in names:
        if name == MEMORY_WRITE or name in RESERVED_TOOL_NAMES:
            continue
        skill = ctx.skills.find(name)
        if skill is not None:
            skills.append(skill)
            continue
        found = await ctx.expand_tools(name)
        specs += [spec for spec in found if name in added or not _is_among(spec, removed)]
        if not found:
            missing.append(name)
    return specs, skills, missing


def _is_among(spec: ToolSpec, names: set[str]) -> bool:
    """Return whether one of the names means this tool."""
    return not names.isdisjoint({spec.name, f"{spec.source}/{spec.name}", f"{spec.source}/*"})


async def _told(call: Awaitable[Any]) -> str:
    """Return what the model is told of a call: its result, or what went wrong."""
    try:
        return as_text(await call)
    except NodeError as error:
        if error.code not in ("ToolFailed", "ToolNotFound", "OutcomeUnknown"):
            raise
        return f"Error: {error.message}"


class Toolbox:
    """What a model may call now. Results and refusals are told to the model, never raised."""

    def __init__(
        self,
        specs: Sequence[ToolSpec],
        *,
        skills: Sequence[Skill] = (),
        memory_write: bool = False,
        ceiling: tuple[str, ...] | None = None,
    ) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self._skills = {skill.tool_name: skill for skill in skills}
        self._learned_specs: list[ToolSpec] = []
        self._learned_skills: list[Skill] = []
        self._pinned: dict[str, ToolOffer] = {}
        self._memory_write = memory_write
        self._ceiling = ceiling
        self.wrote: dict[str, Any] = {}

    def offers(self) -> list[ToolOffer]:
        """Return the tools as the next request shows them: with it, what was learned counts."""
        self._specs |= {spec.name: spec for spec in self._learned_specs}
        self._skills |= {skill.tool_name: skill for skill in self._learned_skills}
        offers = [self._offer(spec) for spec in self._specs.values()]
        offers += [skill.offer for skill in self._skills.values()]
        return [*offers, MEMORY_WRITE_OFFER] if self._memory_write else offers

    def _offer(self, spec: ToolSpec) -> ToolOffer:
        shown = self._pinned.get(spec.name)
        return shown or ToolOffer(spec.name, spec.description, spec.parameters)

    async def pin(self, ctx: ActivationCalls) -> None:
        """Show the tools to the end as they are now: people may take days, and a replay says the same.

        What is sent is held against the definition of that moment all the same.
        """

        def shown() -> list[Any]:
            return [[s.name, s.description, s.parameters] for s in self._specs.values()]

        kept = await ctx.recorded("offers", None, shown)
        self._pinned = {name: ToolOffer(name, text, form) for name, text, form in kept}

    async def use(self, ctx: ActivationCalls, call: ToolCall) -> str:
        """Make the call and return what the model is told."""
        if call.name == MEMORY_WRITE and self._memory_write:
            return await self._write(ctx, call)
        if call.name in self._skills:
            return await self._learn(ctx, self._skills[call.name])
        spec = self._specs.get(call.name)
        if spec is None:
            known = ", ".join([*self._specs, *self._skills]) or "none"
            return f"Error: unknown tool {call.name!r}. Available: {known}"
        problem = self.argument_problem(spec, call)
        if problem is not None:
            return f"Error: {problem}"
        return await _told(ctx.call_tool(call.name, call.arguments))

    def spec(self, name: str) -> ToolSpec | None:
        """Return the definition of a tool that is offered now, None for all else."""
        return self._specs.get(name)

    async def send(
        self, ctx: ActivationCalls, name: str, arguments: FrozenDict, approved: str
    ) -> str | None:
        """Make a call that was approved and return what the model is told.

        None where it is not the call any more whose hash was `approved`: nothing is sent then.
        """
        tool = await ctx.find_tool(name)
        if tool is None:
            return f"Error: no tool {name!r}"
        is_approved = call_hash(tool.spec.full_name, tool.spec.binding, arguments) == approved
        if not is_approved and not ctx.was_sent():
            return None
        return await _told(ctx.send(tool, arguments))

    async def _learn(self, ctx: ActivationCalls, skill: Skill) -> str:
        """Return the skill's instructions; its tools are offered from the next model call on.

        Both are recorded: a conversation that goes on after a restart knows what it learned.
        """

        def taught() -> dict[str, Any]:
            return {"instructions": skill.instructions, "tools": list(skill.tools)}

        learned = await ctx.recorded("skill", {"skill": skill.name}, taught)
        specs, skills, missing = await _look_up(ctx, learned["tools"])
        self._learned_specs += specs
        self._learned_skills += skills
        told = str(learned["instructions"])
        return f"{told}\n\nNot available here: {', '.join(missing)}" if missing else told

    @staticmethod
    def argument_problem(spec: ToolSpec, call: ToolCall) -> str | None:
        """Return why a call's arguments do not fit its tool, None if they do."""
        try:
            problem = schema_problem(spec.parameters, call.arguments)
        except ValueError:
            return None
        return None if problem is None else f"arguments: {problem}"

    async def _write(self, ctx: ActivationCalls, call: ToolCall) -> str:
        key, value = call.arguments.get("key"), call.arguments.get("value")
        if isinstance(key, str) and may_write(ctx.plan, key, self._ceiling):
            self.wrote[key] = freeze(value)
            return "stored"
        await ctx.record_event("WriteDropped", {"keys": [str(key)], "reason": "not allowed"})
        return f"Error: not allowed to write {key!r}"
