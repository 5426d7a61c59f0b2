"""Content binding: what an approval covers, and whether it still stands when an effect is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from pydantic import BaseModel

from engine.core.node_types.view import value_at
from engine.core.people.start_fields import is_start_field, start_value
from engine.core.state.run_state import Activation, RunState
from engine.core.values.json import digest

_GONE: Final = object()


def drifted_approval(state: RunState, act: Activation) -> str | None:
    """Return an approval above `act` whose reviewed content is no longer what was approved.

    A reviewed key is fine while it is unchanged, or was last written by an activation that
    descends from that approval. Of a key with dots the part that it names counts.
    """
    memory = state.memory
    for approval in sorted(act.lineage):
        for key, approved in state.approvals.get(approval, {}).items():
            writer = state.writers.get(key if key in memory else key.partition(".")[0])
            if writer is not None and approval in writer[1]:
                continue
            if is_start_field(key):  # a fork may have been given another input
                value = start_value(state.started.get("input"), key, _GONE)
            else:
                value = value_at(memory, key, _GONE)
            if value is _GONE or digest(value) != approved:
                return approval
    return None


class Asked(Protocol):
    """As much of an approval's config as its request shows."""

    @property
    def approval_type(self) -> str: ...

    @property
    def editable_keys(self) -> Sequence[str]: ...

    @property
    def editable_by(self) -> Mapping[str, Sequence[str]]: ...

    @property
    def policy(self) -> BaseModel | None: ...

    @property
    def timeout_ms(self) -> int: ...

    @property
    def alike_by(self) -> Sequence[str]: ...

    @property
    def reasons(self) -> Sequence[str]: ...


def approval_request(config: Asked, prompt: str, edit_schema: dict[str, Any]) -> dict[str, Any]:
    """Return what an approval shows besides its data, from the node's config."""
    policy = (
        {} if config.policy is None else config.policy.model_dump(mode="json", exclude_none=True)
    )
    beside = {
        "alike_by": list(config.alike_by),
        "reasons": list(config.reasons),
        "editable_by": {key: list(entries) for key, entries in config.editable_by.items()},
    }
    return {
        "prompt": prompt,
        "approval_type": config.approval_type,
        "editable_keys": list(config.editable_keys),
        "edit_schema": edit_schema,
        "require_reason": policy.get("require_reason", "never"),
        "policy": policy,
        "timeout_ms": config.timeout_ms,
        **{name: said for name, said in beside.items() if said},
    }


def reapproval_request(
    state: RunState, approval: str, intended: object
) -> tuple[dict[str, Any], list[str]]:
    """Return the request that opens `approval` again, and the keys it reviews."""
    from engine.core.state.events import node_of

    config = state.program.plan(node_of(approval)).config
    request = approval_request(
        config, "What was approved has changed since. Approve it as it is now?", {}
    )
    return {**request, "editable_keys": [], "about_to": intended}, list(state.approvals[approval])
