"""Fields of a config with the hints that the editor's form and the checks follow.

A hint says what a value stands for, so that no check and no form needs to know a node type by
name: `x-widget` is the kind (an agent's id, an expression, …), the others refine it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, TypedDict, get_args

import orjson
from pydantic import Field
from pydantic.fields import FieldInfo

from engine.core.node_types.node_type import NodeConfig, NodeType

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
    "model",
    "json",
    "policy",
    "editors",
]
"""`prompt` is a long template; `template` may also stand on maps and trees of texts. `policy` is said
in a sentence; `editors` are people by key."""

WIDGETS = frozenset(get_args(Widget))


class Hints(TypedDict, total=False):
    """Finer hints of a config field, for the checks.

    runs: the nodes named here are run as children. gives: memory keys that those children can
    read without a grant. grants: keys are granted by being named here. start: keys may name
    Start fields too, such as `input.cv`.
    reads: the node needs to be able to read these keys (`must`: `SourceNotReadable` without,
    `may`: `UnreadableKey`). expression_prefix: texts that start with it are expressions.
    also_jsonpath: text that starts with `$` is JSONPath. over_view: a JSONPath here starts from what
    the node may read, as an expression does, and not from one value. warn_empty: problem code and message for
    an empty value. fitness: fitness functions count as handlers here.
    when: another field of the config and the values of it with which this one has an effect; the
    form shows it only then. beside: other fields of the config that this one's form edits too.
    of: the field of the config whose keys this one goes through.
    points: an expression that rows of conditions with a number each can write.
    template_in: another field of the config that says the same as a template; one of both is set.
    sent_by: the field beside it that says by which HTTP method this is sent.
    needed: it must be set where it has one. must_have: the node fails where
    the expression names something absent; templates always do.
    """

    runs: bool
    gives: tuple[str, ...]
    grants: Literal["read", "write"]
    start: bool
    reads: Literal["must", "may"]
    expression_prefix: str
    also_jsonpath: bool
    over_view: bool
    warn_empty: tuple[str, str]
    fitness: bool
    when: tuple[str, ...]
    beside: tuple[str, ...]
    of: str
    points: bool
    template_in: str
    sent_by: str
    needed: bool
    must_have: bool


def field(
    default: Any = ...,
    *,
    description: str,
    title: str | None = None,
    widget: Widget | None = None,
    group: str = "Settings",
    hints: Hints | None = None,
    default_factory: Callable[[], Any] | None = None,
    **constraints: Any,
) -> Any:
    """Return a config field with its hints; required without default.

    widget: what its values stand for. group: where the form shows it. constraints: those of
    `pydantic.Field`, and `alias`.
    """
    extra: dict[str, Any] = {"x-group": group}
    if widget is not None:
        extra["x-widget"] = widget
    for name, value in (hints or {}).items():
        extra[f"x-{name.replace('_', '-')}"] = list(value) if isinstance(value, tuple) else value
    if default_factory is not None:
        constraints["default_factory"] = default_factory
    else:
        constraints["default"] = default
    return Field(title=title, description=description, json_schema_extra=extra, **constraints)


def hint(info: FieldInfo, name: str) -> Any:
    """Return the hint `x-<name>` of a config field, None without."""
    extra = info.json_schema_extra
    return extra.get(f"x-{name}") if isinstance(extra, dict) else None


def read_config(node_type: NodeType, raw: Mapping[str, Any]) -> NodeConfig:
    """Return a node's config in the form of its type. Raises `pydantic.ValidationError`.

    Types are strict as in JSON: text is no number, and numbers are no text.
    """
    model: Any = node_type.Config
    config: NodeConfig = model.model_validate_json(orjson.dumps(raw), strict=True)
    return config
