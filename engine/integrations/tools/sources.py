"""Where tools come from: Python functions, MCP servers, the script. `engine.integrations.tools.toolset` joins them.

This module holds what every source needs: the two ways in which a call can go wrong without the
tool having reported an error.
"""

from __future__ import annotations

from engine.core.effects import EffectClass
from engine.core.errors import NodeError, OutcomeUnknown, ToolFailed
from engine.core.values.limits import MIB

MAX_RESULT = 10 * MIB
"""Bytes of one result as JSON, the same as of an HTTP answer."""

REPEATABLE = frozenset({EffectClass.PURE, EffectClass.READ, EffectClass.LLM})
"""Classes whose calls may simply be made again when nobody knows what became of one."""


def lost_call(effect_class: EffectClass, message: str) -> NodeError:
    """Return the error of a call that was sent and never answered.

    It is `ToolFailed` (a retry helps) where calling again does no harm, else `OutcomeUnknown`.
    """
    return ToolFailed(message) if effect_class in REPEATABLE else OutcomeUnknown(message)


def not_retryable(message: str, **detail: object) -> ToolFailed:
    """Return the failure that the same call would meet again: wrong arguments, unusable result."""
    failed = ToolFailed(message, detail=detail)
    failed.retryable = False
    return failed
