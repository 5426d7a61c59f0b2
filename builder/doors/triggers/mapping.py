"""The input of a run out of what came in: an expression for each field, or all of the body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from builder.base.errors import InvalidInput, problem
from builder.doors.house import facts
from builder.models import Graph, GraphVersion, Trigger
from engine.core.errors import EngineError
from engine.core.expressions.cel import Expression, ExpressionInvalid, compile_expression

NAMES: Final = ("body", "headers", "query")
MOST_FIELDS: Final = 50
MOST_NAMED: Final = 5
GIVEN: Final[Mapping[str, frozenset[str]]] = {
    Trigger.Kind.SCHEDULE: frozenset({"due", "missed"}),
    Trigger.Kind.EVENT: frozenset(facts.NAMES),
}
"""What triggers give by themselves."""


def mapped(mapping: Mapping[str, str], sample: Mapping[str, Any]) -> Any:
    """Return the input: the whole body without a mapping. Raises `EngineError` with the field."""
    if not mapping:
        return sample["body"]
    found = {}
    for name, text in mapping.items():
        try:
            found[name] = compile_expression(text, NAMES).evaluate(sample)
        except EngineError as failed:
            raise MappingFailed(name, failed.message) from failed
    return found


class MappingFailed(Exception):
    """A field of the input cannot be made of what came in."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"the field {field}: {why}")


def check_mapping(mapping: Mapping[str, str]) -> None:
    """Raise `InvalidInput` for an expression that can never be evaluated, with its field."""
    if len(mapping) > MOST_FIELDS:
        raise InvalidInput(f"{MOST_FIELDS} fields are the most", path="mapping")
    found = [(name, why) for name, text in mapping.items() if (why := _wrong(text))]
    if found:
        problems = [problem("MappingInvalid", f"mapping.{name}", why) for name, why in found]
        raise InvalidInput(f"{found[0][0]}: {found[0][1]}", problems=problems)


def check_required(graph: Graph, kind: str, mapping: Mapping[str, str]) -> None:
    """Raise `InvalidInput` where the published workflow asks for fields that are never given.

    What a webhook is sent is known when it comes; what schedules and events give is known now.
    """
    given = set(mapping) if mapping else GIVEN.get(kind, frozenset())
    version = GraphVersion.objects.filter(graph=graph).published().order_by("-number").first()
    if version is None or not (mapping or kind in GIVEN):
        return
    inputs = (version.document.get("interface") or {}).get("inputs") or {}
    lacking = [name for name in inputs.get("required", ()) if name not in given]
    if lacking:
        said = "a run needs it: say what it starts with, a value in quotes or an expression"
        problems = [problem("FieldNotGiven", f"mapping.{name}", said) for name in lacking]
        names = ", ".join(lacking[:MOST_NAMED]) + ("…" if len(lacking) > MOST_NAMED else "")
        raise InvalidInput(
            f"Every run of this workflow needs {names}: say what it starts with.",
            problems=problems,
        )


def _wrong(text: str) -> str | None:
    try:
        found: Expression = compile_expression(text, NAMES)
    except ExpressionInvalid as invalid:  # there is no memory before a run
        return invalid.message.replace("did you mean memory.", "did you mean body.")
    strange = sorted({one.path[0] for one in found.references} - {*NAMES, "now"})
    return f"there is only {', '.join(NAMES)}, no {strange[0]}" if strange else None
