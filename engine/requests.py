"""What callers ask of the engine: start a run, answer an interrupt, and in whose name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from engine.node import UNSET


@dataclass(frozen=True, slots=True)
class StartRun:
    """A run to start. `graph_id` is the document's id; `trigger_key` starts at most one run."""

    run_id: str
    graph_id: str
    graph_hash: str
    version_id: str | None = None
    workspace_id: str | None = None
    input: Any = UNSET
    memory: Mapping[str, Any] = field(default_factory=dict)
    goal: str | None = None
    constraints: Sequence[str] | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    budget_usd: Decimal | None = None
    max_token_budget: int | None = None
    started_by: str | None = None
    trigger_key: str | None = None
    body_hash: str | None = None
    messages: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answered; which fields count depends on the kind of the interrupt."""

    token: str
    content_hash: str | None = None
    decision: str | None = None
    comment: str | None = None
    edits: Mapping[str, Any] | None = None
    selected: Any = None
    choice: Any = None
    choices: Any = None
    values: Mapping[str, Any] | None = None
    cancel: bool = False
    max_cost_usd: Decimal | None = None
    max_tokens: int | None = None
    result: Any = UNSET


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a person of the web (`user`) or the command line (`cli`)."""

    id: str
    name: str
    kind: Literal["user", "cli"] = "user"
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
