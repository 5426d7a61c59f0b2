"""The start of a run told anew for another draft: what the caller said stays, the rest is the draft's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.budgets.money import usd_text_or_none
from engine.core.decide.start import checked_input
from engine.core.graph.document import GraphSpec
from engine.core.values.json import FrozenDict, deep_merge, freeze


def begun_anew(started: Mapping[str, Any], was: GraphSpec, now: GraphSpec) -> dict[str, Any]:
    """Return `RunStarted` as the same start would give it with `now`.

    What is as `was` had it is taken from `now`: goal, constraints, initial memory, limits. Raises
    `RequestRefused` `InputInvalid` where the input does not fit any more.
    """
    data = dict(started)
    if data["goal"] == was.goal:
        data["goal"] = now.goal
    if list(data["constraints"]) == list(was.constraints):
        data["constraints"] = freeze(list(now.constraints))
    own = {
        key: value
        for key, value in data["memory"].items()
        if key not in was.initial_memory or was.initial_memory[key] != value
    }
    data["memory"] = deep_merge(now.initial_memory, FrozenDict(own))
    limits, before, after = data["limits"], _limits(was), _limits(now)
    data["limits"] = FrozenDict(
        {name: after[name] if limits[name] == before[name] else limits[name] for name in after}
    )
    if "input" in data:
        data["input"] = checked_input(now, data["input"])
    return data


def _limits(spec: GraphSpec) -> dict[str, Any]:
    limits = spec.limits
    return {
        "max_iterations": limits.max_iterations,
        "max_execution_time_ms": limits.max_execution_time_ms,
        "budget_usd": usd_text_or_none(limits.budget_usd),
        "max_token_budget": limits.max_token_budget,
    }
