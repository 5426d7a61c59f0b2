"""Events of the calls that an activation makes, and of what it shows."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from engine.core.state.event_types.forms import (
    Emitted,
    Error,
    Held,
    OfActivation,
    OfStep,
    Value,
)
from engine.core.values.json import FrozenDict


class CallShown(TypedDict, total=False):
    """What people are shown of a call, by its kind."""

    tool: str
    """Of a tool call: the tool."""
    arguments: FrozenDict
    """Of a tool call: its arguments."""
    agent: str | None
    """Of a model call: the agent, null without one."""
    model: str
    """Of a model call: the model."""
    unpriced: bool
    """Of a model call: true where no price is known."""
    frame: str
    """Of a model call: the name of the frame around its prompt."""
    frame_hash: str
    """Of a model call: the hash of that frame."""
    role: str
    """Of a model call in a search: `candidate` or `evaluator`."""
    generation: int
    """Of a model call in a search: the generation, from 0."""
    candidate: int
    """Of a model call in a search: which candidate of it."""


class Spent(TypedDict, total=False):
    """What a call cost, where it cost anything."""

    hold: str | None
    """The hold that it settles."""
    tokens: int
    """Tokens, in and out."""
    cost_usd: str
    """USD, as decimal text."""
    usage: FrozenDict
    """What the provider counted."""
    presumed: bool
    """Whether nobody knows what it cost: all that was held counts."""


class StepIntended(CallShown, OfStep):
    """A call is about to be made; what it may cost is held."""

    kind: str
    """`model`, `tool`, `http`, `memory`, or a type's own."""
    effect_class: str
    """What making it twice would do: `pure`, `read`, `llm`, `keyed`, `once`, …"""
    request_hash: str
    """The hash of the request."""
    request: Value
    """The request."""
    hold: NotRequired[Held | None]
    """What is held for it."""


class StepCompleted(CallShown, Spent, OfStep):
    """A call was made and has a result."""

    result: Value
    """What it returned."""
    cut: NotRequired[bool]
    """Whether a model stopped at its limit of tokens."""


class StepFailed(CallShown, Spent, OfStep):
    """A call failed, or nobody will learn how it ended."""

    error: Error
    """Why."""
    again: NotRequired[bool]
    """Whether a person asked for it to be made once more."""


class StepRecorded(OfStep):
    """A value that needs no call was fixed, so that a replay finds the same."""

    kind: str
    """`now`, `random`, `look`, …"""
    request_hash: str
    """The hash of what was asked for."""
    result: NotRequired[Value]
    """The value; of a `look` absent: what counts is its place in the log."""


class MessageEmitted(Emitted):
    """A message for the user of the run."""

    content: str
    """The text."""
    final: bool
    """Whether it is complete."""


class StructuredEmitted(Emitted):
    """Structured data for the user of the run."""

    data_type: str | None
    """The part that it changes, null for the whole."""
    mode: Literal["snapshot", "merge"]
    """Whether it replaces what was there or adds to it."""
    data: FrozenDict
    """The data."""


class RowShown(Emitted):
    """One row of a view that the type declares (see [writing-nodes.md](writing-nodes.md))."""

    view: str
    """The view."""
    row: FrozenDict
    """The row."""


class NodeStateSet(Emitted):
    """A value of one node was set."""

    name: str
    """Its name."""
    value: Value
    """The value."""


class WorkflowStateSet(Emitted):
    """A value of the whole run was set."""

    name: str
    """Its name."""
    value: Value
    """The value."""


class MemoryQueryFailed(OfActivation):
    """Facts could not be looked up; the node runs without them."""

    error: Error
    """Why."""
