"""What voters and the judge are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

VERDICT = "verdict"


def voter_task(task: str, vote_key: str) -> str:
    """Return what a voter is asked: the task, and how to give the vote."""
    return (
        f"{task}\n\nVote on this. Answer with one JSON object whose field "
        f"{_quoted(vote_key)} is your vote alone, as short as it can be; other fields may explain."
    )


def judge_task(goal: str, task: str, votes: Sequence[Mapping[str, Any]]) -> str:
    """Return what the judge is asked: goal, question and all votes."""
    listed = orjson.dumps(votes, option=orjson.OPT_INDENT_2).decode()
    how = (
        "Weigh the votes and decide. Answer with one JSON object whose field "
        f"{_quoted(VERDICT)} is the decision alone; other fields may explain."
    )
    parts = [f"Goal: {goal}"] if goal and goal not in task else []
    parts += [f"## Question\n{task}", f"## Votes\n```json\n{listed}\n```", how]
    return "\n\n".join(parts)


def _quoted(name: str) -> str:
    return orjson.dumps(name).decode()
