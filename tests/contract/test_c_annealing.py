"""Rows C120 to C126: annealing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Outcome, agent, doc, run
from tests.contract.scripts import used


def scored(*scores: Any) -> list[dict[str, Any]]:
    return [{"json": {"score": s, "n": i}} for i, s in enumerate(scores)]


def anneal(replies: Any, judge: Any = (), *, node_: Any = None, **config: Any) -> Outcome:
    """Run an annealing agent `a`, judged by `judge` if there are replies for it."""
    if judge:
        config["evaluator_agent_id"] = "judge"
    head = agent("a", config={"annealing": config}, **(node_ or {}))
    agents = [{"id": "x"}, {"id": "judge"}]
    script = {"agents": {"x": list(replies), "judge": list(judge)}}
    return run(doc([head], agents=agents, goal="Be good."), script)


def test_an_evaluator_scores_each_pass() -> None:
    """C120."""
    judge = [{"json": {"score": 0.5, "feedback": "too dry"}}, {"json": {"score": 0.9}}]
    done = anneal([{"text": "one"}, {"text": "two"}], judge)
    alone = anneal(scored(0.9))

    assert done.outputs["a"] == {"answer": "two", "stopped_by": "threshold", "scores": [0.5, 0.9]}
    assert [c.origin.agent_id for c in done.models] == ["x", "judge", "x", "judge"]
    assert "one" in done.prompt(1)
    assert "Be good." in done.prompt(1)
    assert "too dry" in done.prompt(2)
    assert [c.origin.agent_id for c in alone.models] == ["x"]


@pytest.mark.parametrize(
    ("reply", "path", "score"),
    [
        ({"json": {"score": 0.9}}, "$.score", 0.9),
        ({"json": {"marks": [{"v": 1}]}}, "$.marks[0].v", 1),
        ({"text": "good"}, "$.score", 0),
        ({"json": {"score": "0.9"}}, "$.score", 0),
        ({"json": {"score": True}}, "$.score", 0),
        ({"json": {"score": None}}, "$.score", 0),
    ],
)
def test_the_score_stands_in_the_answer(reply: Any, path: str, score: float) -> None:
    """C121."""
    assert anneal([reply], score_path=path, max_iterations=1).outputs["a"]["scores"] == [score]


@pytest.mark.parametrize(
    ("scores", "passes", "stopped_by"),
    [
        ((0.5, 0.7, 0.85, 0.9), 3, "threshold"),
        ((0.8, 0.9), 1, "threshold"),
        ((0.1, 0.15, 0.2, 0.25, 0.3, 0.35), 5, "limit"),
        ((0.5, 0.51, 0.9), 2, "delta"),
        ((0.5, 0.4, 0.9), 2, "delta"),
        ((0.1, 0.12, 0.14, 0.15), 4, "delta"),
    ],
)
def test_when_it_stops(scores: Any, passes: int, stopped_by: str) -> None:
    """C122, C123, C125."""
    done = anneal(scored(*scores))

    assert done.outputs["a"]["scores"] == list(scores[:passes])
    assert (len(done.models), done.outputs["a"]["stopped_by"]) == (passes, stopped_by)


def test_the_temperature_falls_in_equal_steps() -> None:
    """C124."""
    done = anneal(scored(0.1, 0.2, 0.3, 0.4, 0.5))
    once = anneal(scored(0.1), max_iterations=1)

    assert [c.request.temperature for c in done.models] == [1.0, 0.8, 0.6, 0.4, 0.2]
    assert [c.request.temperature for c in once.models] == [1.0]


def test_the_best_pass_counts_and_is_shown() -> None:
    """C126."""
    done = anneal(scored(0.5, 0.4), node_={"writes": ["score", "n"]})

    assert done.outputs["a"] == {
        "score": 0.5,
        "n": 0,
        "stopped_by": "delta",
        "scores": [0.5, 0.4],
    }
    assert done.memory == {"score": 0.5, "n": 0}
    assert "0.5" in done.prompt(1)
    assert "0.5" not in done.prompt(0)
    assert anneal(scored(0.5, 0.5)).outputs["a"]["n"] == 0  # the first of equal ones


def test_each_pass_is_shown_the_one_before_with_its_score() -> None:
    """C126: From pass 2 on the prompt has the last answer, its score and its feedback."""
    judge = [
        {"json": {"score": score, "feedback": said}}
        for score, said in ((0.37, "too dry"), (0.64, "too wet"), (0.9, "fine"))
    ]
    texts = [{"text": text} for text in ("first poem", "second poem", "third poem")]
    done = anneal(texts, judge)
    first, second, third = (done.prompt(number) for number in (0, 2, 4))

    assert not any(word in first for word in ("poem", "0.37", "too dry"))
    assert all(word in second for word in ("first poem", "0.37", "too dry"))
    assert all(word in third for word in ("second poem", "0.64", "too wet"))
    assert not any(word in third for word in ("first poem", "0.37", "too dry"))
    assert done.outputs["a"]["answer"] == "third poem"


def test_a_text_answer_is_kept_as_text_in_memory() -> None:
    """C126."""
    judge = [{"json": {"score": 0.9}}]
    done = anneal([{"text": "poem"}], judge, node_={"writes": ["draft"]})

    assert done.memory == {"draft": "poem"}
    assert done.outputs["a"] == {"answer": "poem", "stopped_by": "threshold", "scores": [0.9]}


def test_a_pass_that_does_not_fit_is_not_bought() -> None:
    """C40, C42."""
    replies = [used(r) for r in scored(0.1, 0.3, 0.9)]
    done = anneal(replies, node_={"budget": {"max_tokens": 25}})
    judged = anneal(
        [used({"text": t}) for t in ("one", "two")],
        [used({"json": {"score": 0.1}}), used({"json": {"score": 0.3}})],
        node_={"budget": {"max_tokens": 30}},
    )
    failed = anneal(replies, node_={"budget": {"max_tokens": 9}})

    assert (done.exit, len(done.models)) == (0, 2)
    assert done.outputs["a"] == {
        "score": 0.3,
        "n": 1,
        "stopped_by": "budget",
        "scores": [0.1, 0.3],
    }
    assert judged.outputs["a"] == {"answer": "one", "stopped_by": "budget", "scores": [0.1]}
    assert (failed.code, failed.models) == ("NodeBudgetExceeded", [])
