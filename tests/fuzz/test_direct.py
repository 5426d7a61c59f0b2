"""Straight at what reads them: expressions, templates, paths, schemas, patterns, documents, YAML."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.check import StaticWorld, examine
from engine.check.remainder import remainder
from engine.core.errors import EngineError
from engine.core.expressions.cel import (
    ExpressionInvalid,
    check_pattern,
    compile_expression,
    safe_match,
)
from engine.core.expressions.jsonpath import MAX_PATH, compile_path
from engine.core.expressions.templates import compile_template
from engine.core.graph.document import dump_document, parse_document
from engine.core.values.json import freeze
from engine.core.values.json_schema import Validator
from tests.fuzz.documents import DOCUMENTS
from tests.fuzz.schemas import ANY as SCHEMAS
from tests.fuzz.soon import soon, tries
from tests.fuzz.texts import EXPRESSIONS, PATH, PATTERN, TEMPLATES, mended, pumped
from tests.fuzz.trees import TREES

MEMORY: dict[str, Any] = {
    "a": 1,
    "list": list(range(2_000)),
    "long": "ab," * 30_000,
    "rows": [{"id": n, "a": {"a": ["aab"] * 3}} for n in range(300)],
    "a b": None,
}
SCOPE = {
    "memory": freeze(MEMORY),
    "input": "x" * 50_000,
    "outputs": {"n1": {"a": 1}},
    "goal": "",
    "constraints": [],
    "now": 0,
}


@tries(120)
@given(text=EXPRESSIONS)
def test_an_expression_gives_json_or_a_named_error(text: str) -> None:
    with soon(f"the expression {text[:60]!r} of {len(text)}"):
        try:
            freeze(compile_expression(text).evaluate(SCOPE))
        except EngineError as error:
            assert error.message


@tries(80)
@given(text=TEMPLATES)
def test_a_template_gives_text_or_a_named_error(text: str) -> None:
    with soon(f"the template {text[:60]!r} of {len(text)}"):
        try:
            compile_template(text).render(SCOPE)
        except EngineError as error:
            assert error.message


@tries(120)
@given(text=pumped(PATH, MAX_PATH + 1).map(lambda path: "$" + mended(path)))
def test_a_path_finds_something_or_is_refused(text: str) -> None:
    with soon(f"the path {text[:60]!r} of {len(text)}"):
        try:
            compile_path(text).all(MEMORY)
        except EngineError as error:
            assert error.message


@tries(60)
@given(pattern=pumped(PATTERN, 300), text=pumped(("a", "b", "ab", "1", " ", "\n"), 60_000))
def test_a_pattern_is_matched_or_refused(pattern: str, text: str) -> None:
    with soon(f"the pattern {pattern[:60]!r} on {len(text)}"):
        try:
            check_pattern(pattern)
            safe_match(pattern, text)
        except EngineError:
            return


@tries(80)
@given(schema=SCHEMAS.filter(lambda schema: isinstance(schema, dict)), value=TREES)
def test_a_schema_tells_what_is_wrong_or_is_refused(schema: Any, value: Any) -> None:
    with soon("a schema"):
        try:
            held = freeze(value)
            Validator(freeze(schema)).problem(held)
        except ValueError as error:
            assert str(error)


@tries(25)
@given(document=DOCUMENTS, publishes=st.booleans())
def test_a_document_is_examined(document: Any, publishes: bool) -> None:
    world = StaticWorld(require_approval=publishes)
    with soon("a document"):
        spec, problems = parse_document(document)
        if spec is None:
            problems = [*problems, *remainder(document, problems, lambda _part: world)]
            assert problems
            return
        found = examine(spec, world).problems
        assert len(found) < 25_000
        assert parse_document(dump_document(spec))[0] == spec


def test_what_is_no_expression_is_said_with_its_place() -> None:
    """The fuzzer's own eyes: it would notice an error that has no words."""
    try:
        compile_expression("memory.")
    except ExpressionInvalid as error:
        assert (error.line, bool(error.message)) == (1, True)
