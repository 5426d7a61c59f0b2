"""The form of refusals in the generated schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict

from builder.api.http.wire import Wire


class FixItem(Wire):
    """A cure that a client can apply: put `key` among the read keys of `node`."""

    kind: Literal["add_read_key"]
    node: str
    key: str


class EditItem(Wire):
    """One change of a part of the document; an empty path is the whole part."""

    op: Literal["set", "add"]
    part: Literal["node", "edge", "graph"]
    id: str
    path: list[str | int]
    value: Any


class CureItem(Wire):
    """A way to mend a problem, under the words of its button; where edits do not, what to open."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    label: str
    edits: list[EditItem]
    tool: str | None = None
    settings: Literal["models"] | None = None


class ProblemItem(Wire):
    """One thing that is wrong, and where."""

    model_config = ConfigDict(extra="allow", json_schema_serialization_defaults_required=False)

    severity: Literal["error", "warning", "hint"]
    code: str
    path: str
    message: str
    fix: FixItem | None = None
    say: str | None = None
    fixes: list[CureItem] = []
    words: list[str] = []


class Problem(Wire):
    """A refusal (RFC 9457). `code` is stable; some codes add fields that `docs/api.md` names."""

    model_config = ConfigDict(extra="allow", json_schema_serialization_defaults_required=False)

    type: str
    title: str
    status: int
    code: str
    detail: str
    problems: list[ProblemItem] | None = None
