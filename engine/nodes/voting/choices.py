"""A vote for one of several options: its schema, and how it is found in an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.agents.conversation import parse_text
from engine.core.values.json import JsonObject, freeze

if TYPE_CHECKING:
    from engine.integrations.models.chat import ChatResponse


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
