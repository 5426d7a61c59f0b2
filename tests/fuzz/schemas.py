"""JSON Schemas: nearly right ones, that name one another, branch, repeat, and look for patterns."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.fuzz.texts import PATTERN, pumped
from tests.fuzz.trees import LEAVES, TREES, at_most

NAMES = st.sampled_from(["a", "b", "c", "id", "é", "", "$defs", "x/y~0"])
REFERENCES = st.sampled_from(
    [
        *("#", "#/$defs/a", "#/$defs/b", "#/$defs/c", "#/properties/a", "#/a b", "#b"),
        *("#/$defs/" + "a/" * 500, "http://x.invalid/y", "file:///etc/passwd", "~", "%00"),
    ]
)
SMALL = st.integers(-1, 3) | st.sampled_from([10**9, 2**62, 0.1])
KINDS = st.sampled_from(
    ["object", "array", "string", "number", "integer", "boolean", "null", "any", 7]
)
FORMATS = st.sampled_from(["date", "date-time", "email", "uri", "uuid", "regex", "ipv4", "x"])


def _plain() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": KINDS | st.lists(KINDS, max_size=3),
            "enum": st.lists(LEAVES, max_size=3) | LEAVES,
            "const": TREES,
            "pattern": pumped(PATTERN, 400),
            "format": FORMATS,
            "minLength": SMALL,
            "maxItems": SMALL,
            "multipleOf": SMALL,
            "maximum": SMALL,
            "uniqueItems": st.booleans(),
            "required": st.lists(NAMES, max_size=3),
            "$ref": REFERENCES,
            "$dynamicRef": REFERENCES,
            "title": st.text(max_size=5),
            "default": TREES,
        },
    )


def _around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(NAMES, inner, max_size=3)
    listed = st.lists(inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": KINDS,
            "properties": named,
            "patternProperties": st.dictionaries(pumped(PATTERN, 60), inner, max_size=2),
            "additionalProperties": inner,
            "items": inner,
            "prefixItems": listed,
            "contains": inner,
            "allOf": listed,
            "anyOf": listed,
            "oneOf": listed,
            "not": inner,
            "if": inner,
            "then": inner,
            "dependentSchemas": named,
            "unevaluatedProperties": inner,
            "propertyNames": inner,
            "$defs": named,
            "$ref": REFERENCES,
        },
    )


def _repeated(schema: Any, times: int) -> Any:
    """Return one schema that holds another many times."""
    times = at_most(times, schema)
    return {
        "type": "object",
        "properties": {f"p{n}": schema for n in range(times)},
        "anyOf": [schema] * min(times, 50),
        "$defs": {"a": schema, "b": {"anyOf": [{"$ref": "#/$defs/a"}] * 2}},
    }


SCHEMAS = st.recursive(_plain() | st.booleans(), _around, max_leaves=12)
WIDE = st.builds(_repeated, SCHEMAS, st.sampled_from([1, 40, 900, 4_000]))
ANY = SCHEMAS | SCHEMAS | WIDE
