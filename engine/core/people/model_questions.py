"""What a model is told about asking a person, and the question that its answer is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.people.questions import FIELDS, OPTION_FIELDS
from engine.core.values.json import JsonObject

REQUEST_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["text", "choice", "multi-choice", "form"]},
        "question": {"type": "string"},
        "options": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "label": {"type": "string"},
                    "description": {"type": "string"},
                },
                "required": ["id", "label"],
            },
        },
        "schema": {"type": "object"},
    },
    "required": ["kind", "question"],
}
"""What a model that asks a person must answer with."""

_FORM: Final = """\
{"kind": "text", "question": "..."}: an answer in words
{"kind": "choice", "question": "...", "options": [{"id": "a", "label": "..."}]}: one of the options
{"kind": "multi-choice", "question": "...", "options": [{"id": "a", "label": "..."}]}: some of them
{"kind": "form", "question": "...", "schema": {"type": "object", "properties": {}}}: several values"""

_WHEN: Final = {
    "required": "Before you answer, ask a person one question: what you say first is the question.",
    "optional": "If the task cannot be done without knowing more, you may ask a person one question"
    " instead of answering.",
}


def asking_section(mode: str | None) -> str:
    """Return how a model is told that it must or may ask a person, "" where it cannot."""
    if mode is None:
        return ""
    return (
        f"## Asking a person\n{_WHEN[mode]} A question is one JSON object of one of these forms,"
        f" and nothing else:\n{_FORM}\nThe person's answer is told to you; then do the task."
    )


def request_in(answer: object) -> dict[str, Any] | None:
    """Return the request that a model's answer is, without what no request has; None for others."""
    if not isinstance(answer, Mapping) or not {"kind", "question"} <= answer.keys():
        return None
    kept = {name: answer[name] for name in FIELDS if name in answer}
    if answer["kind"] not in ("choice", "multi-choice"):
        kept.pop("options", None)
    if answer["kind"] != "form":
        kept.pop("schema", None)
    if isinstance(kept.get("options"), list):
        kept["options"] = [_plain_option(option) for option in kept["options"]]
    return kept


def _plain_option(option: object) -> Any:
    if not isinstance(option, Mapping):
        return option
    return {name: option[name] for name in OPTION_FIELDS if option.get(name) is not None}
