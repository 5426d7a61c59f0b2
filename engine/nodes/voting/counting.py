"""How votes are counted, and which of them tie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from engine.nodes.voting.ballots import ballot


def tally(votes: Sequence[Mapping[str, Any]], weights: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return what was voted, most weight first, on a tie in the order of the first votes.

    Each has the `vote` as it was first given, its `weight` and its `voters`. A voter without a
    weight counts 1. Weights are added as decimals, so that 0.1 and 0.2 tie with 0.3.
    """
    counted: dict[bytes, tuple[Any, list[str]]] = {}
    for vote in votes:
        _first, voters = counted.setdefault(ballot(vote["vote"]), (vote["vote"], []))
        voters.append(vote["agent_id"])
    sums = {key: _weight(voters, weights) for key, (_vote, voters) in counted.items()}
    return [
        {"vote": counted[key][0], "weight": float(sums[key]), "voters": counted[key][1]}
        for key in sorted(sums, key=lambda key: -sums[key])
    ]


def tied(counted: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the votes of a tally that share the most weight, none where one has more."""
    most = [row["vote"] for row in counted if row["weight"] == counted[0]["weight"]]
    return most if len(most) > 1 else []


def _weight(voters: Iterable[str], weights: Mapping[str, float]) -> Decimal:
    return sum((Decimal(str(weights.get(voter, 1))) for voter in voters), Decimal(0))
