"""JSONPath (RFC 9535) over JSON values, with bounded work.

The library's descent is lazy and unbounded: `$..*..*..*` over a small document visits millions of
nodes. Here every node that a segment visits or yields is counted, inner queries of filters too, and
what a filter compares or searches is charged by its size before it is done.
`match` and `search` in filters use the linear kind of pattern.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, ClassVar

from jsonpath_rfc9535 import (
    JSONPathEnvironment,
    JSONPathError,
    JSONPathNode,
    JSONPathNodeList,
    Parser,
)
from jsonpath_rfc9535.filter_expressions import (
    ComparisonExpression,
    Expression,
    FilterContext,
    _compare,
)
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction
from jsonpath_rfc9535.segments import (
    JSONPathChildSegment,
    JSONPathRecursiveDescentSegment,
    JSONPathSegment,
)
from jsonpath_rfc9535.selectors import NameSelector
from jsonpath_rfc9535.tokens import TokenStream

from engine.core.expressions.cel import ExpressionFailed, ExpressionInvalid, safe_match
from engine.core.values.json import Json

MAX_PATH = 1024
"""Longest path, in characters."""

MAX_VISITED = 100_000
"""Nodes that one query may visit."""

MAX_COMPARED = 500_000
"""Values that the filters of one query may compare: about a quarter of a second."""

_TEXT = 256
"""Characters of text that are compared in the time of one value."""

_SEARCHED = 32
"""Characters of text in which a pattern is looked for in the time of one value."""

_PATTERN = 50
"""What reading a pattern costs, in values, besides one for each character of it."""

_left: ContextVar[list[int]] = ContextVar("jsonpath_left")
"""What is left of the nodes to visit and of the values to compare."""


def _counted(nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
    left = _left.get()
    for node in nodes:
        left[0] -= 1
        if left[0] < 0:
            raise ExpressionFailed(f"the path visits more than {MAX_VISITED} values")
        yield node


def _charge(cost: int) -> None:
    """Take the cost of a comparison. Raises `ExpressionFailed` when nothing is left."""
    left = _left.get()
    left[1] -= cost
    if left[1] < 0:
        raise ExpressionFailed(
            f"the filter compares more than {MAX_COMPARED} values: compare parts such as @.id,"
            " or narrow the list first"
        )


def _charge_comparison(left: Any, right: Any) -> None:
    """Charge what comparing takes at most; containers of other lengths differ at once."""
    _charge(1)
    if isinstance(left, str) and isinstance(right, str):
        _charge(min(len(left), len(right)) // _TEXT)
    elif _is_container(left) and _is_container(right) and len(left) == len(right):
        _charge_size(left)


def _is_container(value: object) -> bool:
    return isinstance(value, (list, dict)) and not isinstance(value, JSONPathNodeList)


def _charge_size(value: object) -> None:
    """Charge every value inside; a walk ends as soon as nothing is left."""
    inside = [value]
    while inside:
        here = inside.pop()
        if isinstance(here, str):
            _charge(len(here) // _TEXT)
        elif isinstance(here, (list, dict)):
            _charge(len(here))
            inside.extend(here.values() if isinstance(here, dict) else here)


class _Comparison(ComparisonExpression):
    def evaluate(self, context: FilterContext) -> bool:
        left, right = _only(self.left.evaluate(context)), _only(self.right.evaluate(context))
        _charge_comparison(left, right)
        return _compare(left, self.operator, right)


def _only(value: Any) -> Any:
    lone = isinstance(value, JSONPathNodeList) and len(value) == 1
    return value[0].value if lone else value


class _Child(JSONPathChildSegment):
    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
        return _counted(super().resolve(_counted(nodes)))


class _Descent(JSONPathRecursiveDescentSegment):
    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
        return _counted(super().resolve(nodes))

    def _visit(self, node: JSONPathNode, depth: int = 1) -> Iterable[JSONPathNode]:
        return _counted(super()._visit(node, depth))


class _Parser(Parser):
    def parse_query(
        self, stream: TokenStream, *, in_filter: bool = False
    ) -> Iterable[JSONPathSegment]:
        for segment in super().parse_query(stream, in_filter=in_filter):
            descends = isinstance(segment, JSONPathRecursiveDescentSegment)
            kind = _Descent if descends else _Child
            yield kind(env=segment.env, token=segment.token, selectors=segment.selectors)

    def parse_infix_expression(self, stream: TokenStream, left: Expression) -> Expression:
        made = super().parse_infix_expression(stream, left)
        if isinstance(made, ComparisonExpression):
            return _Comparison(made.token, made.left, made.operator, made.right)
        return made


class _Pattern(FilterFunction):
    arg_types: ClassVar[list[ExpressionType]] = [ExpressionType.VALUE, ExpressionType.VALUE]
    return_type: ClassVar[ExpressionType] = ExpressionType.LOGICAL

    def __init__(self, whole: bool) -> None:
        self.whole = whole

    def __call__(self, text: object, pattern: object) -> bool:
        """Say whether `pattern` matches; by the standard, wrong types and patterns do not."""
        if not isinstance(text, str) or not isinstance(pattern, str):
            return False
        _charge(_PATTERN + len(pattern) + len(text) // _SEARCHED)
        try:
            return safe_match(f"^(?:{pattern})$" if self.whole else pattern, text)
        except ExpressionInvalid:
            return False


class _Environment(JSONPathEnvironment):
    parser_class = _Parser

    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        self.function_extensions["match"] = _Pattern(whole=True)
        self.function_extensions["search"] = _Pattern(whole=False)


_ENVIRONMENT = _Environment()


class JsonPath:
    """A compiled path; made by `compile_path`, shared by all threads."""

    def __init__(self, text: str) -> None:
        try:
            self._query = _ENVIRONMENT.compile(text)
        except JSONPathError as refused:
            line, column = refused.token.position() if refused.token else (1, 0)
            message = str(refused.args[0]) if refused.args else "no JSONPath"
            raise ExpressionInvalid(message, line, column + 1) from refused
        except (RecursionError, ValueError) as refused:
            raise ExpressionInvalid("the path cannot be read") from refused
        self.text = text

    def all(self, value: object) -> list[Json]:
        """Return every match in document order; raises `ExpressionFailed` past a budget."""
        return list(self._values(value, every=True))

    def first(self, value: object, default: Json = None) -> Json:
        """Return the first match, `default` without one; fails as `all` does."""
        found = self._values(value, every=False)
        return found[0] if found else default

    @property
    def is_singular(self) -> bool:
        """Whether it names one place at most: names and indices only, no wildcard or filter."""
        return self._query.singular_query()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that every match lies below, from the root on: `$.memory.a[*].b` → memory, a."""
        found: list[str] = []
        for segment in self._query.segments:
            only = segment.selectors[0] if len(segment.selectors) == 1 else None
            if not isinstance(segment, _Child) or not isinstance(only, NameSelector):
                break
            found.append(only.name)
        return tuple(found)

    def exists(self, value: object) -> bool:
        """Say whether anything matches, null included; fails as `all` does."""
        return bool(self._values(value, every=False))

    def _values(self, value: Any, *, every: bool) -> list[Any]:
        token = _left.set([MAX_VISITED, MAX_COMPARED])
        try:
            found = []
            for node in self._query.finditer(value):
                found.append(node.value)
                if not every:
                    break
            return found
        except (JSONPathError, RecursionError) as refused:
            raise ExpressionFailed(f"the path cannot be followed: {refused}") from refused
        finally:
            _left.reset(token)


@lru_cache(maxsize=1024)
def compile_path(text: str) -> JsonPath:
    """Return the compiled path, cached; raises `ExpressionInvalid` with line and column."""
    if len(text) > MAX_PATH:
        raise ExpressionInvalid(f"a path may have {MAX_PATH} characters")
    return JsonPath(text)
