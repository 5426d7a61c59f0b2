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

    The default set is the agent's tools and the installation's skills (row V8). A conversation that is
    under way goes on without a tool that is gone or that nobody has accepted as it is now.
    """
    default = (*agent.tools, *ctx.skills.names())
    names = resolve_names(default, listed)
    under_way = ctx.was_begun()
    withheld: dict[str, NodeError] | None = {} if under_way else None
    specs, skills, missing = await _look_up(ctx, names, listed or (), withheld)
    if missing and not under_way:
        raise NodeError("ToolNotFound", f"no tool {missing[0]!r}")
    return Toolbox(
        specs,
        skills=skills,
        withheld=withheld,
        memory_write=MEMORY_WRITE in names,
        ceiling=agent.write_ceiling,
    )


async def _look_up(
    ctx: ActivationCalls,
    names: Iterable[str],
    listed: Sequence[str] = (),
    withheld: dict[str, NodeError] | None = None,
) -> tuple[list[ToolSpec], list[Skill], list[str]]:
    """Return the tools and skills behind names, and the names that lead nowhere.

    What `listed` removes goes too where a pattern or another spelling brought it, but not where
    the tool itself is added. What may not be called is noted in `withheld`, and raised without it.
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
        try:
            found = await ctx.expand_tools(name)
        except NodeError as error:
            if withheld is None or error.code not in NOT_TO_CALL:
                raise
            withheld[name] = error
            continue
        specs += [spec for spec in found if name in added or not _is_among(spec, removed)]
        if not found:
            missing.append(name)
    return specs, skills, missing


def _is_among(spec: ToolSpec, names: set[str]) -> bool:
    """Return whether one of the names means this tool."""
    return not names.isdisjoint({spec.name, f"{spec.source}/{spec.name}", f"{spec.source}/*"})


NOT_TO_CALL = frozenset({"ToolNotFound", "ToolChanged", "ToolOff"})
TOLD = frozenset({"ToolFailed", "ToolNotFound", "OutcomeUnknown"})


async def _told(call: Awaitable[Any]) -> str:
    """Return what the model is told of a call: its result, or what went wrong."""
    try:
        return as_text(await call)
    except NodeError as error:
        if error.code not in TOLD:
            raise
        return f"Error: {error.message}"


async def _refused(ctx: ActivationCalls, place: str, problem: str) -> str:
    """Note why a call is not made, so that a replay tells the same, and return what is told."""
    told = f"Error: {problem}"
    await ctx.note(place, "refusal", told)
    return told


def refusal_place(coming: str, index: int) -> str:
    """Return where it is noted that a call was not made: beside the path that it would have had."""
    return f"{coming}!no{index}"


def _misfit(spec: ToolSpec, arguments: Mapping[str, Any]) -> str | None:
    """Return why arguments do not fit a tool, None if they do."""
    try:
        problem = schema_problem(spec.parameters, arguments)
    except ValueError:
        return None
    return None if problem is None else f"arguments: {problem}"


class Toolbox:
    """What a model may call now. Results and refusals are told to the model, never raised."""

    def __init__(
        self,
        specs: Sequence[ToolSpec],
        *,
        skills: Sequence[Skill] = (),
        memory_write: bool = False,
        ceiling: tuple[str, ...] | None = None,
        withheld: Mapping[str, NodeError] | None = None,
    ) -> None:
        self._withheld = withheld or {}
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

    async def use(self, ctx: ActivationCalls, call: ToolCall, index: int = 0) -> str:
        """Make the call and return what the model is told; `index` is its place in its answer.

        What was sent is found again whatever became of its tool; a refusal is noted, so that a
        replay tells the same.
        """
        if call.name == MEMORY_WRITE and self._memory_write:
            return await self._write(ctx, call)
        if call.name in self._skills:
            return await self._learn(ctx, self._skills[call.name])
        place = refusal_place(ctx.coming, index)
        noted: str | None = ctx.noted(place)
        if noted is not None:
            return noted
        given = freeze(call.arguments)
        problem = None if ctx.calls.was_made(call.name, given) else self._problem(call)
        if problem is not None:
            return await _refused(ctx, place, problem)
        try:
            tool = await ctx.tool_for(call.name, given)
        except NodeError as error:
            if error.code not in TOLD:
                raise
            return await _refused(ctx, place, error.message)
        return await _told(ctx.send(tool, given))

    def _problem(self, call: ToolCall) -> str | None:
        """Return why a call is not made, None if it is. Raises what withholds its tool."""
        spec = self._specs.get(call.name)
        if spec is not None:
            return self.argument_problem(spec, call)
        for listed, error in self._withheld.items():
            if listed.endswith("/*") or call.name in (listed, listed.rpartition("/")[2]):
                raise error
        known = ", ".join([*self._specs, *self._skills]) or "none"
        return f"unknown tool {call.name!r}. Available: {known}"

    def spec(self, name: str) -> ToolSpec | None:
        """Return the definition of a tool that is offered now, None for all else."""
        return self._specs.get(name)

    async def send(
        self, ctx: ActivationCalls, name: str, arguments: FrozenDict, approved: str
    ) -> str | None:
        """Make a call that was approved and return what the model is told.

        None where it is not the call any more whose hash was `approved`, and can be asked about
        anew. Nothing is sent then, nor where the tool is gone, may not be called, or takes no such
        arguments any more: the agent is told so.
        """
        place = refusal_place(ctx.coming, 0)
        noted: str | None = ctx.noted(place)
        if noted is not None:
            return noted
        try:
            tool = await ctx.tool_for(name, arguments)
        except NodeError as error:
            if error.code not in NOT_TO_CALL:
                raise
            return await _refused(ctx, place, f"nothing was sent: {error.message}")
        is_approved = call_hash(tool.spec.full_name, tool.spec.binding, arguments) == approved
        if not is_approved and not ctx.was_sent():
            problem = _misfit(tool.spec, arguments)
            if problem is None:
                return None
            changed = f"nothing was sent: {name} has changed since; {problem}"
            return await _refused(ctx, place, changed)
        return await _told(ctx.send(tool, arguments))

    async def _learn(self, ctx: ActivationCalls, skill: Skill) -> str:
        """Return the skill's instructions; its tools are offered from the next model call on.

        Both are recorded: a conversation that goes on after a restart knows what it learned.
        """

        def taught() -> dict[str, Any]:
            return {"instructions": skill.instructions, "tools": list(skill.tools)}

        place = f"{ctx.coming}!missing"
        withheld: dict[str, NodeError] | None = {} if ctx.was_begun() else None
        learned = await ctx.recorded("skill", {"skill": skill.name}, taught)
        specs, skills, missing = await _look_up(ctx, learned["tools"], (), withheld)
        if withheld is None and missing:
            await ctx.note(place, "missing", missing)
        elif withheld is not None:
            self._withheld = {**self._withheld, **withheld}
            missing = ctx.noted(place) or []
        self._learned_specs += specs
        self._learned_skills += skills
        told = str(learned["instructions"])
        return f"{told}\n\nNot available here: {', '.join(missing)}" if missing else told

    @staticmethod
    def argument_problem(spec: ToolSpec, call: ToolCall) -> str | None:
        """Return why a call's arguments do not fit its tool, None if they do."""
        return _misfit(spec, call.arguments)

    async def _write(self, ctx: ActivationCalls, call: ToolCall) -> str:
        key, value = call.arguments.get("key"), call.arguments.get("value")
        if isinstance(key, str) and may_write(ctx.plan, key, self._ceiling):
            self.wrote[key] = freeze(value)
            return "stored"
        await ctx.record_event("WriteDropped", {"keys": [str(key)], "reason": "not allowed"})
        return f"Error: not allowed to write {key!r}"
