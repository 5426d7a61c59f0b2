"""What an answer votes for, and what equal votes have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.agents.conversation import parse_text, parse_whole
from engine.core.values.json import canonical

if TYPE_CHECKING:
    from engine.core.node_types.conversation import Conversation


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
