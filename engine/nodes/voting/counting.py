"""Votes: what an answer says, which votes are equal, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson

from engine.agents.conversation import parse_text, parse_whole
from engine.core.values.json import JsonObject, canonical, freeze

if TYPE_CHECKING:
    from engine.core.node_types.conversation import Conversation
    from engine.integrations.models.chat import ChatResponse

VERDICT = "verdict"


def vote_in(talk: Conversation, *keys: str) -> Any:
    """Return the first of the fields that the answer has, else the whole answer.

    Text that is one JSON object or list, or holds an object with such a field, counts as that;
    other text is stripped.
    """
    answer = talk.output
    if isinstance(answer, str):
        answer = _said(answer, keys)
    if isinstance(answer, Mapping):
        for key in keys:
            if key in answer:
                answer = answer[key]
                break
    return answer.strip() if isinstance(answer, str) else answer


def _said(text: str, keys: Sequence[str]) -> Any:
    held = parse_text(text)
    if isinstance(held, Mapping) and any(key in held for key in keys):
        return held
    whole = parse_whole(text)
    return whole if isinstance(whole, dict | list | str) else text


def ballot(vote: object) -> bytes:
    """Return what equal votes have in common: their canonical JSON.

    The order of keys, blanks around text, and whether a whole number has a decimal point do not
    count.
    """
    return canonical(_plain(vote))


def _plain(value: object) -> Any:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return int(value) if abs(value) < 2**63 else value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


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


def ballot_schema(options: Sequence[str] | None, key: str) -> JsonObject | None:
    """Return the schema of an answer whose field `key` is one of the options, None without any.

    Other fields are welcome: a voter may explain.
    """
    if options is None:
        return None
    vote = {"type": "string", "enum": list(options), "description": "the vote alone"}
    return freeze(  # type: ignore[no-any-return]
        {"type": "object", "properties": {key: vote}, "required": [key]}
    )


def read_choice(options: Sequence[str], *keys: str) -> Callable[[ChatResponse], Any]:
    """Return what finds the option in an answer, as an object with the first of `keys`.

    It may stand in any of the fields `keys`, or be the whole answer; case and blanks around it do
    not count, unless options differ in nothing else. None where the answer names no option.
    """

    def read(response: ChatResponse) -> Any:
        told = response.structured
        if told is None:
            told = parse_text(response.text)
        fields: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
        places = [fields.get(key) for key in keys] if fields else [told, response.text]
        named = (_option(place, options) for place in places if isinstance(place, str))
        found = next((option for option in named if option is not None), None)
        return None if found is None else {**fields, keys[0]: found}

    return read


def _option(text: str, options: Sequence[str]) -> str | None:
    if text.strip() in options:
        return text.strip()
    alike = [option for option in options if option.strip().casefold() == text.strip().casefold()]
    return alike[0] if len(alike) == 1 else None


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
