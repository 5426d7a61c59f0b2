"""Fields of a config with the hints that the editor's form and the checks follow.

A hint says what a value stands for, so that no check and no form needs to know a node type by
name: `x-widget` is the kind (an agent's id, an expression, …), the others refine it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import orjson
from pydantic import Field
from pydantic.fields import FieldInfo

from engine.node import NodeConfig, NodeType

Widget: TypeAlias = Literal[
    "prompt",
    "template",
    "expression",
    "jsonpath",
    "agent",
    "agents",
    "tool",
    "tools",
    "handler",
    "node",
    "nodes",
    "graph",
    "key",
    "keys",
    "duration",
    "money",
    "credential",
    "json",
]
"""`prompt` is a long template; `template` may also stand on maps and trees of texts."""

WIDGETS = frozenset(get_args(Widget))
Grant: TypeAlias = Literal["read", "write"]
Reading: TypeAlias = Literal["must", "may"]


def field(
    default: Any = ...,
    *,
    description: str,
    title: str | None = None,
    widget: Widget | None = None,
    group: str = "Settings",
    default_factory: Callable[[], Any] | None = None,
    grants: Grant | None = None,
    reads: Reading | None = None,
    prefix: str | None = None,
    also_jsonpath: bool = False,
    warn_empty: tuple[str, str] | None = None,
    **constraints: Any,
) -> Any:
    """Return a config field with its hints; required without default.

    grants: the keys named here are granted by being named. reads: keys that the node needs to be
    able to read (`must`: `SourceNotReadable` without, `may`: `UnreadableKey`). prefix: texts that
    start with it are expressions. also_jsonpath: text that starts with `$` is JSONPath.
    warn_empty: problem code and message for an empty value. constraints: those of pydantic.
    """
    hints: dict[str, Any] = {
        "x-group": group,
        "x-widget": widget,
        "x-grants": grants,
        "x-reads": reads,
        "x-expression-prefix": prefix,
        "x-also-jsonpath": also_jsonpath or None,
        "x-warn-empty": list(warn_empty) if warn_empty else None,
    }
    given = {"default_factory": default_factory} if default_factory else {"default": default}
    return Field(
        **given,
        title=title,
        description=description,
        json_schema_extra={name: hint for name, hint in hints.items() if hint is not None},
        **constraints,
    )


def hint(info: FieldInfo, name: str) -> Any:
    """Return the hint `x-<name>` of a config field, None without."""
    extra = info.json_schema_extra
    return extra.get(f"x-{name}") if isinstance(extra, dict) else None


def read_config(node_type: NodeType, raw: Mapping[str, Any]) -> NodeConfig:
    """Return a node's config in the form of its type. Raises `pydantic.ValidationError`.

    Types are strict as in JSON: text is no number, and numbers are no text.
    """
    return node_type.Config.model_validate_json(orjson.dumps(raw), strict=True)
