"""Candidates by generations: propose, score, select; the best one so far is never lost."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from engine.agents.conversation import parse_whole
from engine.agents.frame import describe_schema
from engine.agents.node_answer import default_prompt
from engine.agents.pinning import resolve_agent
from engine.core.decide.holds import does_not_fit
from engine.core.effects import EffectClass
from engine.core.errors import OWN_FAULTS, BudgetStop, NodeError
from engine.core.expressions.templates import compile_template
from engine.core.node_types.conversation import Conversation
from engine.core.node_types.node_type import NodeResult
from engine.core.node_types.registry import FITNESS, Handler
from engine.core.state.events import error_data
from engine.core.values.json import JsonObject, as_text, freeze
from engine.runtime.execution.functions.handlers import call_handler

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls
    from engine.nodes.evolution.config import EvolutionConfig

SCORE_SCHEMA: JsonObject = freeze(
    {
        "type": "object",
        "properties": {
            "score": {"type": "number", "description": "higher is better, 1 is perfect"},
            "reasoning": {"type": "string", "description": "why, and what would be better"},
        },
        "required": ["score"],
    }
)
"""What an evaluator answers with (row C141)."""

CRITERIA = "Judge how well the candidate reaches the goal."
BITS = 1 << 53
SHOWN = 10
"""Candidates of a generation that the run view shows; all stand in the calls."""
SHOWN_CHARS = 240


@dataclass(frozen=True, slots=True)
class Member:
    """One scored candidate."""

    candidate: Any
    fitness: float
    reasoning: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the form in which the population is stored."""
        return {
            "candidate": self.candidate,
            "fitness": self.fitness,
            "reasoning": self.reasoning,
        }


@dataclass(slots=True)
class Evolution:
    """One search under way. `population` stands best first; `stale` counts idle generations."""

    ctx: ActivationCalls
    config: EvolutionConfig
    prompt: str = ""
    best: Member | None = None
    population: list[Member] = field(default_factory=list)
    history: list[float | None] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    stale: int = 0

    async def run(self) -> str:
        """Search until something stops it; return threshold, stagnation, limit or budget.

        Raises `NodeError` `ChildFailed` where the first failure ends it, and the budget's stop if
        there is nothing yet to keep.
        """
        self.prompt = await base_prompt(self.ctx, self.config)
        for generation in range(self.config.max_generations):
            try:
                members = await self._generation(generation)
            except BudgetStop as stop:
                if self.best is None or not does_not_fit(stop):
                    raise
                return "budget"
            self._take(members)
            await self.ctx.show("generations", self._row(generation, members))
            if self._good_enough():
                return "threshold"
            if self.stale >= self.config.stagnation_generations:
                return "stagnation"
        return "limit"

    def _good_enough(self) -> bool:
        """Say whether the best one ends the search; a threshold above 1 never does (row C145)."""
        threshold = self.config.fitness_threshold
        return self.best is not None and threshold <= 1 and self.best.fitness >= threshold

    def _take(self, members: list[Member]) -> None:
        self.history.append(members[0].fitness if members else None)
        self.stale += 1
        if members:
            self.population = members
            if self.best is None or members[0].fitness > self.best.fitness:
                self.best, self.stale = members[0], 0

    def _row(self, generation: int, members: list[Member]) -> dict[str, Any]:
        """Return what the run view shows of a generation: its fitness, and the best of it."""
        fitness = [member.fitness for member in members]
        return {
            "generation": generation,
            "temperature": temperature_at(self.config, generation),
            "best": max(fitness, default=None),
            "mean": round(math.fsum(fitness) / len(fitness), 6) if fitness else None,
            "count": len(members),
            "failed": sum(error["generation"] == generation for error in self.errors),
            "threshold": self.config.fitness_threshold,
            "top": [_shown(member) for member in members[:SHOWN]],
        }

    async def _generation(self, generation: int) -> list[Member]:
        """Return the next population, best first: the elite, and what was proposed and scored."""
        elite = self.population[: self.config.elite_count]
        parents = await self._parents(self.config.population_size - len(elite))
        temperature = temperature_at(self.config, generation)
        proposed = await self._each(
            generation,
            [
                partial(self._propose, generation, index, parent, temperature=temperature)
                for index, parent in enumerate(parents)
            ],
        )
        scored = await self._each(
            generation,
            [
                partial(self._score, generation, index, candidate)
                for index, (candidate,) in proposed
            ],
            [index for index, _candidate in proposed],
        )
        return ranked([*elite, *(member for _index, member in scored)])

    async def _each(
        self,
        generation: int,
        calls: Sequence[Callable[[], Awaitable[Any]]],
        indexes: Sequence[int] | None = None,
    ) -> list[tuple[int, Any]]:
        """Make calls in bounded parallel; return what succeeded, with the candidates' numbers."""
        failed: list[int] = []
        fail_fast = self.config.error_strategy == "fail_fast"

        async def guarded(call: Callable[[], Awaitable[Any]]) -> Any:
            if fail_fast and failed:
                return None
            try:
                return await call()
            except NodeError:
                failed.append(1)
                raise

        results = await self.ctx.gather(
            [partial(guarded, call) for call in calls],
            max_concurrency=self.config.max_concurrency,
            return_errors=True,
        )
        numbers = range(len(calls)) if indexes is None else indexes
        kept: list[tuple[int, Any]] = []
        for index, result in zip(numbers, results, strict=True):
            if isinstance(result, NodeError) and result.code not in OWN_FAULTS:
                self._dropped(generation, index, result)
            elif isinstance(result, Exception):
                raise result
            else:
                kept.append((index, result))
        return kept

    def _dropped(self, generation: int, index: int, error: NodeError) -> None:
        """Note a failed candidate, or fail with it."""
        if self.config.error_strategy == "fail_fast":
            raise NodeError(
                "ChildFailed",
                f"candidate {index} of generation {generation} failed: {error.code}: "
                f"{error.message}",
                detail={"generation": generation, "index": index, "error": error_data(error)},
            ) from error
        self.errors.append({"generation": generation, "index": index, "error": error_data(error)})

    async def _propose(
        self, generation: int, index: int, parent: Member | None, *, temperature: float
    ) -> tuple[Any]:
        """Return a candidate, in a tuple so that null is one too."""
        talk = await self.ctx.reason(
            self.config.candidate_agent_id,
            self.prompt if parent is None else f"{self.prompt}\n\n{describe_parent(parent)}",
            temperature=temperature,
            stream=False,
            described={"role": "candidate", "generation": generation, "candidate": index},
        )
        return (answer_of(talk),)

    async def _score(self, generation: int, index: int, candidate: object) -> Member:
        """Return the candidate with its fitness, from the function if one is named."""
        config = self.config
        if config.fitness_function is not None:
            return scored(candidate, await self._measured(config.fitness_function, candidate))
        talk = await self.ctx.reason(
            config.evaluator_agent_id,
            evaluation_prompt(self.ctx.view.goal, config.evaluation_criteria, candidate),
            schema=SCORE_SCHEMA,
            stream=False,
            recall=False,
            described={"role": "evaluator", "generation": generation, "candidate": index},
        )
        return scored(candidate, talk.output)

    async def _measured(self, name: str, candidate: object) -> Any:
        ctx = self.ctx
        entry = find_fitness(ctx, name)

        async def call(_key: str) -> Any:
            return await call_handler(ctx, entry, candidate)

        request = {"function": name, "candidate": candidate}
        return await ctx.perform("fitness", request, EffectClass.READ, call, function=name)

    async def _parents(self, count: int) -> list[Member | None]:
        """Return who each of `count` candidates descends from, nobody in the first generation."""
        if not self.population:
            return [None] * count
        if self.config.selection_strategy == "rank":
            return [self.population[0]] * count
        chance = Random(int(await self.ctx.random() * BITS))
        return [select(self.config, self.population, chance) for _ in range(count)]


def _shown(member: Member) -> dict[str, Any]:
    text = as_text(freeze(member.candidate))
    return {
        "fitness": member.fitness,
        "text": text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…",
        "reasoning": member.reasoning,
    }


def select(config: EvolutionConfig, population: Sequence[Member], chance: Random) -> Member:
    """Return one parent of a population that stands best first, by tournament or roulette."""
    if config.selection_strategy == "tournament":
        size = min(config.tournament_size, len(population))
        return population[min(chance.sample(range(len(population)), size))]
    weights = [max(member.fitness, 0.0) for member in population]
    if not any(weights):
        return population[0]
    return chance.choices(population, weights)[0]


def ranked(members: Sequence[Member]) -> list[Member]:
    """Return members best first; of equal ones the earlier goes first."""
    return sorted(members, key=lambda member: -member.fitness)


def temperature_at(config: EvolutionConfig, generation: int) -> float:
    """Return the temperature of a generation, linear over `max_generations`."""
    steps = max(config.max_generations - 1, 1)
    first, last = config.initial_temperature, config.final_temperature
    return round(first + (last - first) * generation / steps, 6)


def scored(candidate: object, value: object) -> Member:
    """Return a candidate with its fitness: a number, or `{score, reasoning?}`.

    Either may also be the `output` of a `NodeResult`. Raises `NodeError` `NodeResultInvalid` for
    anything else.
    """
    if isinstance(value, NodeResult):
        value = value.output
    elif isinstance(value, Mapping) and "score" not in value and "output" in value:
        value = value["output"]
    score, reasoning = value, None
    if isinstance(value, Mapping):
        score, reasoning = value.get("score"), value.get("reasoning")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise NodeError("NodeResultInvalid", f"fitness must be a number, not {score!r}")
    return Member(candidate, score, None if reasoning is None else as_text(reasoning))


def find_fitness(ctx: ActivationCalls, name: str) -> Handler:
    """Return the registered function. Raises `NodeError` `UnknownHandler`."""
    entry = ctx.handlers.find(name) or FITNESS.find(name)
    if entry is None:
        raise NodeError("UnknownHandler", f"no fitness function {name!r} is registered")
    return entry


async def base_prompt(ctx: ActivationCalls, config: EvolutionConfig) -> str:
    """Return what every candidate is asked: the rendered prompt, else goal and readable state."""
    agent = await resolve_agent(ctx, config.candidate_agent_id)
    view = ctx.view.narrowed(agent.read_ceiling)
    if not config.prompt:
        return default_prompt(view)
    scope = {**ctx.scope(), **view.scope()}
    for lane in ("input", "previous"):
        if not view.may_read(lane):
            scope.pop(lane, None)
    return compile_template(config.prompt).render(scope)


def describe_parent(parent: Member) -> str:
    """Return what a candidate is told about the one it descends from (row C152)."""
    parts = [f"## Parent\n{as_text(freeze(parent.candidate))}", f"Its fitness: {parent.fitness}"]
    if parent.reasoning:
        parts.append(f"Why: {parent.reasoning}")
    parts.append("Answer with a better one.")
    return "\n\n".join(parts)


def evaluation_prompt(goal: str, criteria: str | None, candidate: object) -> str:
    """Return what the evaluator is asked about one candidate."""
    parts = [criteria or CRITERIA]
    if goal:
        parts.append(f"Goal: {goal}")
    parts.append(f"## Candidate\n{as_text(freeze(candidate))}")
    parts.append(f"## Answer\n{describe_schema(SCORE_SCHEMA)}")
    return "\n\n".join(parts)


def answer_of(talk: Conversation) -> Any:
    """Return an answer as JSON where the whole of it is an object, else as it is."""
    output = talk.output
    if isinstance(output, str):
        value = parse_whole(output)
        return freeze(value) if isinstance(value, dict) else output
    return output
