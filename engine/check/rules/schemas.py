"""JSON Schemas inside the document: they are schemas, and what is given fits them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import jsonschema_rs

from engine.check.subject import Subject
from engine.core.graph.cures import Cure, Edit
from engine.core.graph.document import GraphSpec
from engine.core.graph.problems import Problem, json_path, one_of
from engine.core.values.json_schema import validator
from engine.core.values.schema_cost import SchemaTooDear

REDUCERS: Final = frozenset({"replace", "merge", "append", "union", "sum", "min", "max"})

_WORDS = """
    $schema $id $ref $defs $anchor $comment $dynamicRef $dynamicAnchor $vocabulary definitions type
    enum const properties required additionalProperties patternProperties propertyNames
    minProperties maxProperties dependentRequired dependentSchemas dependencies
    unevaluatedProperties items prefixItems additionalItems contains minContains maxContains
    minItems maxItems uniqueItems unevaluatedItems anyOf oneOf allOf not if then else title
    description default examples format pattern minLength maxLength minimum maximum
    exclusiveMinimum exclusiveMaximum multipleOf contentEncoding contentMediaType contentSchema
    readOnly writeOnly deprecated reducer
"""
KEYWORDS: Final = frozenset(_WORDS.split())
"""Words that may stand at the top of a JSON Schema."""

_KINDS: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object in { }",
    "string": "a text",
}
GIVEN: Final = 60
"""Characters that are shown of a place, and of what stands there where something else belongs."""

_SHAPELESS: Final = (
    "These are names and not yet a schema, so nothing is asked for and nothing is refused:"
    ' write them as fields, `{"type": "object", "properties": {"name": {"type": "string"}}}`.'
)

_SAID_SHAPELESS: Final = (
    "These are names and not yet fields, so nothing is asked for and nothing is refused."
)


def is_shaped(schema: Mapping[str, Any]) -> bool:
    """Return whether it is written as a schema: empty, or with a word of JSON Schema at its top."""
    return not schema or any(key in KEYWORDS or key.startswith("x-") for key in schema)


def find(subject: Subject) -> Iterator[Problem]:
    """Yield schemas that are none or that nothing fits, unknown reducers, and initial memory that does not fit."""
    spec = subject.spec
    if spec.state_schema is not None:
        yield from _state(spec.state_schema, spec.initial_memory)
    if spec.interface is not None:
        for message in _faults(spec.interface.inputs):
            yield Problem.of("InvalidValue", "interface.inputs", message)
    yield from _shapeless(spec)
    yield from _choiceless(spec)
    for node in subject.nodes:
        for name in ("result_schema", "schema_"):
            schema: Any = getattr(node.config, name, None)
            if isinstance(schema, Mapping):
                for message in _faults(schema, wants_object=True):
                    path = f"config.{name.rstrip('_')}"
                    yield node.problem("InvalidValue", path, message)


def _shapeless(spec: GraphSpec) -> Iterator[Problem]:
    inputs = spec.interface.inputs if spec.interface is not None else {}
    for path, schema in (("interface.inputs", inputs), ("state_schema", spec.state_schema or {})):
        if not is_shaped(schema):
            yield Problem.of("SchemaShape", path, _SHAPELESS).mended(_SAID_SHAPELESS)


def _choiceless(spec: GraphSpec) -> Iterator[Problem]:
    """Yield fields that are one of values of which there is none: no value fits them."""
    inputs = spec.interface.inputs if spec.interface is not None else {}
    for path, schema in (
        (("interface", "inputs"), inputs),
        (("state_schema",), spec.state_schema or {}),
    ):
        properties = schema.get("properties")
        for name, field in properties.items() if isinstance(properties, Mapping) else ():
            for inner in ((), ("items",)):
                choice = field.get("items") if inner and isinstance(field, Mapping) else field
                values = choice.get("enum") if isinstance(choice, Mapping) else None
                if isinstance(values, list | tuple) and not values:
                    at = (*path, "properties", name, *inner, "enum")
                    message = f"{name} is one of values, and none is named yet: nothing fits it."
                    cure = Cure("Take any value", (Edit("graph", "", at),))
                    yield Problem.of("NoChoices", json_path(at), message).mended(message, cure)


def _state(schema: Mapping[str, Any], memory: Mapping[str, Any]) -> Iterator[Problem]:
    faults = list(_faults(schema, wants_object=True))
    yield from (Problem.of("InvalidValue", "state_schema", fault) for fault in faults)
    properties = schema.get("properties")
    for key, inner in properties.items() if isinstance(properties, Mapping) else ():
        reducer = inner.get("reducer", "replace") if isinstance(inner, Mapping) else "replace"
        if reducer not in REDUCERS:
            path = json_path(("state_schema", "properties", key, "reducer"))
            message = f"There is no reducer {reducer!r}; known are: {one_of(REDUCERS)}."
            say = f"What {key} is given at once cannot be combined by {reducer!r}: choose another way."
            yield Problem.of("InvalidValue", path, message).mended(say)
        elif not faults and key in memory and not _fits(inner, memory[key]):
            message = f"The value does not fit the property {key!r} of state_schema."
            say = f"What {key} is set to at the start does not fit its type."
            yield Problem.of("InvalidValue", json_path(("initial_memory", key)), message).mended(
                say
            )


def _fits(schema: object, value: object) -> bool:
    if isinstance(schema, Mapping):
        return validator(schema).problem(value) is None
    return bool(schema)


def _faults(schema: Mapping[str, Any], *, wants_object: bool = False) -> Iterator[str]:
    if wants_object and schema.get("type", "object") != "object":
        yield 'The schema must describe an object: "type: object" with "properties".'
    try:
        validator(schema)
    except SchemaTooDear as error:
        yield f"This schema takes too long: {error}."
    except jsonschema_rs.ValidationError as error:
        yield f"This is no JSON Schema: {_wrong(error)}."
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        yield f"This is no JSON Schema: {str(error).splitlines()[0]}"


def _wrong(error: jsonschema_rs.ValidationError) -> str:
    """Return which word of a schema holds what, and what belongs there."""
    steps = [str(step) for step in error.instance_path]
    place = _short(".".join(steps))
    at = f"{place} is {_short(json.dumps(error.instance, ensure_ascii=False, default=str))}"
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.AnyOf() if steps and steps[-1] == "type":
            return f"{at}, a type is one of {one_of(_KINDS)}"
        case jsonschema_rs.ValidationErrorKind.Type(types) if steps:
            return f"{at}, it must be {' or '.join(_KINDS.get(kind, kind) for kind in types)}"
    said = str(error).splitlines()[0]
    return f"{place}: {said}" if steps else said


def _short(text: str) -> str:
    return text if len(text) <= GIVEN else f"{text[:GIVEN]}…"
