"""JSON trees whose texts are templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.expressions.templates import compile_template
from engine.core.values.json import Json


def render_tree(value: Any, scope: Mapping[str, Any], names: Iterable[str] = ()) -> Json:
    """Return a JSON tree with every text in it rendered by `render_value`; keys stay as they are."""
    if isinstance(value, str):
        return compile_template(value, names).render_value(scope)
    if isinstance(value, dict):
        return {key: render_tree(item, scope, names) for key, item in value.items()}
    if isinstance(value, list):
        return [render_tree(item, scope, names) for item in value]
    plain: Json = value
    return plain


def tree_templates(value: object, path: str = "") -> Iterable[tuple[str, str]]:
    """Yield path and text of every text in a JSON tree, for checking a document."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from tree_templates(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from tree_templates(item, f"{path}[{index}]")
