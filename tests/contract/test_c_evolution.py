"""Rows C140 to C152: evolution over generations."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.core.node_types.registry import FITNESS
from tests.contract.harness import (
    Outcome,
    check,
    doc,
    run,
)
from tests.contract.harness import node as any_node


def evolving(**config: Any) -> dict[str, Any]:
    node_fields = {name: config.pop(name) for name in ("budget", "reads") if name in config}
    config = {"candidate_agent_id": "maker", "evaluator_agent_id": "judge", **config}
    agents = [{"id": "maker"}, {"id": "judge"}]
    return doc(
        [any_node("e", "evolution", config=config, **node_fields)], agents=agents, goal="Win."
    )


def scores(*values: float) -> list[dict[str, Any]]:
    return [{"json": {"score": v, "reasoning": f"because {v}"}} for v in values]


def texts(count: int) -> list[dict[str, Any]]:
    return [{"text": f"try {n}"} for n in range(count)]


def evolve(graph: dict[str, Any], judged: list[Any], made: int = 60, **parts: Any) -> Outcome:
    script = {"agents": {"maker": texts(made), "judge": judged}, **parts.pop("script", {})}
    return run(graph, script, **parts)


def calls_of(done: Outcome, name: str) -> list[Any]:
    return [call.request for call in done.models if call.origin.agent_id == name]


def test_a_generation_has_the_size_of_the_population() -> None:
    """C140."""
    assert "InvalidValue" in check(evolving(population_size=1)).codes
    done = evolve(evolving(max_generations=1), scores(0.1, 0.2, 0.3, 0.4, 0.5))

    assert (done.exit, len(calls_of(done, "maker"))) == (0, 5)
    assert len(done.memory["e_population"]) == 5
    assert done.memory["e_winner"] == "try 4"


def test_fitness_comes_from_evaluator_or_function() -> None:
    """C141."""

    def without(name: str) -> list[str]:
        graph = evolving()
        del graph["nodes"][0]["config"][name]
        return check(graph).codes

    assert "MissingField" in without("candidate_agent_id")
    assert "MissingField" in without("evaluator_agent_id")
    for returned in (0.7, {"score": 0.7, "reasoning": "counted"}):
        done = evolve(
            evolving(fitness_function="fit", max_generations=1),
            scores(0.4),
            script={"functions": {"fit": {"returns": returned}}},
        )
        assert done.memory["e_winner_fitness"] == 0.7
        assert calls_of(done, "judge") == []
    assert done.memory["e_winner_reasoning"] == "counted"


def test_a_registered_fitness_function_gets_the_candidate() -> None:
    """C141."""
    given: list[Any] = []

    @FITNESS.register("test.length")
    def length(ctx: Any, candidate: Any) -> float:
        given.append(candidate)
        return len(candidate) / 100

    graph = evolving(fitness_function="test.length", max_generations=1, population_size=2)
    assert check(graph).exit == 0
    done = evolve(graph, [])
    unknown = check(evolving(fitness_function="test.nope"))

    assert (sorted(given), done.memory["e_winner_fitness"]) == (["try 0", "try 1"], 0.05)
    assert "UnknownHandler" in unknown.codes


def test_an_unusable_fitness_drops_the_candidate() -> None:
    """C141, C150."""
    done = evolve(
        evolving(fitness_function="fit", max_generations=1, population_size=2),
        [],
        script={"functions": {"fit": [{"returns": "high"}, {"returns": 0.2}]}},
    )

    assert done.memory["e_winner_fitness"] == 0.2
    assert [e["error"]["code"] for e in done.outputs["e"]["errors"]] == ["NodeResultInvalid"]


def parents_of(done: Outcome) -> list[str]:
    """Return which candidate each later request names as its parent."""
    requests = [r.messages[-1].content for r in calls_of(done, "maker")]
    return [r.split("## Parent\n")[1].split("\n")[0] for r in requests if "## Parent" in r]


def test_the_best_is_the_parent_by_rank() -> None:
    """C142, C152."""
    done = evolve(evolving(population_size=3, max_generations=2), scores(0.1, 0.6, 0.3, 0.2, 0.2))

    assert parents_of(done) == ["try 1", "try 1"]
    asked = calls_of(done, "maker")[-1].messages[-1].content
    assert "0.6" in asked
    assert "because 0.6" in asked
    assert "## Parent" not in calls_of(done, "maker")[0].messages[-1].content


@pytest.mark.parametrize("strategy", ["tournament", "roulette"])
def test_drawn_parents_come_from_the_population(strategy: str) -> None:
    """C142."""
    graph = evolving(population_size=4, max_generations=2, selection_strategy=strategy)
    done = evolve(graph, scores(0.1, 0.6, 0.3, 0.0, *[0.2] * 3))

    assert done.exit == 0
    assert len(parents_of(done)) == 3
    assert set(parents_of(done)) <= {"try 0", "try 1", "try 2"}
    assert len([e for e in done.of("StepRecorded", "e") if e["kind"] == "random"]) == 1


def test_a_roulette_without_fitness_takes_the_first() -> None:
    """C142."""
    graph = evolving(population_size=3, max_generations=2, selection_strategy="roulette")

    assert parents_of(evolve(graph, scores(*[0.0] * 5))) == ["try 0", "try 0"]


def test_a_tournament_of_everybody_is_won_by_the_best() -> None:
    """C142, C148."""
    graph = evolving(
        population_size=3, max_generations=2, selection_strategy="tournament", tournament_size=3
    )

    assert parents_of(evolve(graph, scores(0.1, 0.2, 0.5, 0.1, 0.1))) == ["try 2", "try 2"]


def test_the_elite_lives_on_unchanged() -> None:
    """C143."""
    assert "InvalidValue" in check(evolving(elite_count=5)).codes
    done = evolve(evolving(max_generations=2), scores(0.1, 0.2, 0.3, 0.4, 0.5, *[0.0] * 4))

    assert (len(calls_of(done, "maker")), len(calls_of(done, "judge"))) == (9, 9)
    assert done.memory["e_population"][0]["candidate"] == "try 4"


def test_generations_are_limited() -> None:
    """C144."""
    rising = scores(*[n / 1000 for n in range(60)])
    done = evolve(evolving(stagnation_generations=100), rising)

    assert len(done.memory["e_fitness_history"]) == done.memory["e_generation"] == 10
    assert done.outputs["e"]["stopped_by"] == "limit"


@pytest.mark.parametrize(("threshold", "generations"), [(0.95, 1), (1.5, 2)])
def test_a_good_enough_fitness_stops(threshold: float, generations: int) -> None:
    """C145."""
    done = evolve(
        evolving(fitness_threshold=threshold, max_generations=2), scores(0.95, *[0.1] * 8)
    )

    assert done.memory["e_generation"] == generations
    assert (done.outputs["e"]["stopped_by"] == "threshold") is (generations == 1)


def test_constant_fitness_stagnates_after_four_generations() -> None:
    """C146."""
    done = evolve(evolving(population_size=2), scores(*[0.5] * 20))

    assert done.memory["e_fitness_history"] == [0.5] * 4
    assert done.outputs["e"]["stopped_by"] == "stagnation"


def test_temperature_falls_over_the_generations() -> None:
    """C147."""
    done = evolve(evolving(population_size=2, max_generations=3), scores(*[0.5] * 4))

    asked = [request.temperature for request in calls_of(done, "maker")]
    assert asked == [1.0, 1.0, 0.65, 0.3]


def test_only_tournaments_bound_their_size() -> None:
    """C148."""
    large = evolving(selection_strategy="tournament", tournament_size=6)

    assert "InvalidValue" in check(large).codes
    assert check(evolving(population_size=2)).exit == 0


def test_calls_in_flight_are_bounded() -> None:
    """C149."""
    slow = [{"text": f"try {n}", "delay_ms": 20} for n in range(8)]
    graph = evolving(population_size=8, max_generations=1)
    judged = [{**s, "delay_ms": 20} for s in scores(*[0.1] * 8)]
    done = run(graph, {"agents": {"maker": slow, "judge": judged}})

    open_calls = most = 0
    for event in done.events:
        open_calls += {"StepIntended": 1, "StepCompleted": -1}.get(event["type"], 0)
        most = max(most, open_calls)
    assert (done.exit, most) == (0, 5)


ERROR = {"error": {"status": 401, "message": "no"}}


def test_failed_candidates_are_dropped_or_fail_the_node() -> None:
    """C150."""
    some = run(
        evolving(population_size=2, max_generations=1),
        {"agents": {"maker": [ERROR, *texts(1)], "judge": scores(0.3)}},
    )
    none = run(
        evolving(population_size=2),
        {"agents": {"maker": [ERROR], "judge": []}, "repeat_last": True},
    )
    fast = run(
        evolving(population_size=2, error_strategy="fail_fast"),
        {"agents": {"maker": [ERROR, *texts(1)], "judge": scores(0.3)}},
    )

    assert some.memory["e_winner"] == "try 0"
    assert (none.exit, none.memory["e_winner"]) == (0, None)
    assert (none.memory["e_population"], none.outputs["e"]["stopped_by"]) == ([], "stagnation")
    assert (fast.code, fast.activation("e")["attempts"]) == ("ChildFailed", 1)
    assert "ProviderRejected" in fast.report["error"]["message"]


def test_criteria_are_part_of_every_evaluation() -> None:
    """C151."""
    done = evolve(
        evolving(population_size=2, max_generations=2, evaluation_criteria="Rhymes count."),
        scores(*[0.1] * 3),
    )

    asked = [request.messages[-1].content for request in calls_of(done, "judge")]
    assert len(asked) == 3
    assert all("Rhymes count." in text and "Win." in text for text in asked)


def test_the_best_never_falls_and_the_keys_are_complete() -> None:
    """C152, C8."""
    done = evolve(evolving(population_size=2, max_generations=4), scores(0.3, 0.2, 0.5, 0.1, 0.2))
    history = done.memory["e_fitness_history"]

    assert history == sorted(history) == [0.3, 0.5, 0.5, 0.5]
    names = (
        "winner",
        "winner_fitness",
        "winner_reasoning",
        "generation",
        "fitness_history",
        "population",
    )
    assert set(done.memory) == {f"e_{name}" for name in names}
    for name in names:
        assert done.outputs["e"][name] == done.memory[f"e_{name}"]
    assert done.memory["e_winner_reasoning"] == "because 0.5"


def test_candidates_see_what_the_node_may_read() -> None:
    """C141."""
    graph = evolving(
        population_size=2, max_generations=1, reads=["topic"], prompt="About {{ memory.topic }}."
    )
    done = evolve(graph, scores(0.1, 0.2), memory={"topic": "bees", "secret": "wasps"})
    default = evolve(
        evolving(population_size=2, max_generations=1, reads=["topic"]),
        scores(0.1, 0.2),
        memory={"topic": "bees", "secret": "wasps"},
    )

    assert calls_of(done, "maker")[0].messages[-1].content == "About bees."
    text = calls_of(default, "maker")[0].messages[-1].content
    assert "bees" in text
    assert "Win." in text
    assert "wasps" not in text


def test_object_candidates_are_the_same_with_and_without_native_output() -> None:
    """V12."""
    maker = [{"json": {"a": n}} for n in range(2)]
    graph = evolving(population_size=2, max_generations=1)

    def plain(local: Any) -> None:
        local.models.native_schema = False

    script = {"agents": {"maker": maker, "judge": scores(0.1, 0.2)}}
    native, text = run(graph, script), run(graph, script, observe=plain)

    assert native.memory == text.memory
    assert native.memory["e_winner"] == {"a": 1}


@pytest.mark.parametrize("level", ["node", "run"])
def test_evolution_stops_between_generations_when_money_is_short(level: str) -> None:
    """C42."""
    ten = {"usage": {"input_tokens": 10, "output_tokens": 0}}
    script = {
        "agents": {
            "maker": [t | ten for t in texts(9)],
            "judge": [s | ten for s in scores(0.1, 0.4, 0.5, 0.6)],
        }
    }
    graph = evolving(population_size=2)
    limit = {"node": 60, "run": 69}[level]  # two generations: 4 calls, then 2
    if level == "node":
        graph["nodes"][0]["budget"] = {"max_tokens": limit}
    else:
        graph["limits"] = {"max_token_budget": limit}
    done = run(graph, script)

    assert done.exit == 0, done.report["error"]
    assert (done.memory["e_generation"], done.memory["e_winner"]) == (2, "try 2")
    assert done.outputs["e"]["stopped_by"] == "budget"
    assert done.report["spend"]["tokens"] == 60


def test_a_first_generation_that_does_not_fit_is_a_breach() -> None:
    """C42, C41."""
    ten = {"usage": {"input_tokens": 10, "output_tokens": 0}}
    script = {"agents": {"maker": [t | ten for t in texts(9)], "judge": scores(0.1)}}
    graph = evolving(population_size=2, budget={"max_tokens": 15})
    failed = run(graph, script)

    assert (failed.code, len(failed.models)) == ("NodeBudgetExceeded", 1)
    assert Decimal(failed.report["error"]["detail"]["asked_tokens"]) == 10


def test_a_threshold_above_1_never_ends_it() -> None:
    """C145: A threshold above 1 switches the early exit off, whatever the fitness."""
    graph = evolving(max_generations=2, population_size=2, fitness_threshold=1.5)
    done = evolve(graph, scores(2, 1, 1))

    assert (done.memory["e_fitness_history"], done.memory["e_winner_fitness"]) == ([2, 2], 2)
    assert done.outputs["e"]["stopped_by"] == "limit"


@pytest.mark.parametrize("value", [0.7, {"score": 0.7, "reasoning": "ok"}])
def test_a_fitness_function_may_return_a_node_result(value: Any) -> None:
    """C141: A fitness function may return its score as a node's output."""
    graph = evolving(max_generations=1, population_size=2, fitness_function="fit")
    script = {"functions": {"fit": {"returns": {"output": value}}}}
    done = evolve(graph, [], script=script)

    assert (done.exit, done.memory["e_winner_fitness"]) == (0, 0.7)
