"""What a node type says about one config of it, checked: its effect, its keys."""

from __future__ import annotations

from typing import NamedTuple

from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.node_types.node_type import NodeConfig, NodeType


class Told(NamedTuple):
    """The answers of a type for one node."""

    effect: EffectClass
    own_keys: tuple[str, ...]
    granted_reads: tuple[str, ...]


def told_by(kind: NodeType, node_id: str, config: NodeConfig) -> Told:
    """Return what the type says about a node. Raises `NodeError` `NodeConfigInvalid`.

    The message names the method that failed or gave something else than it should.
    """
    name = "effect_of"
    try:
        effect = kind.effect_of(config)
        if type(effect) is not EffectClass:
            effect = EffectClass.named(effect)
        name = "own_keys"
        own = kind.own_keys(node_id, config)
        if type(own) is not tuple:
            own = _keys(own)
        name = "granted_reads"
        reads = kind.granted_reads(config)
        if type(reads) is not tuple:
            reads = _keys(reads)
    except Exception as error:
        raise NodeError(
            "NodeConfigInvalid", f"{name}() of node type {kind.type!r} failed: {error}"
        ) from error
    return Told(effect, own, reads)


def _keys(value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, tuple | list | set | frozenset):
        raise TypeError(f"it must return a tuple of memory keys, not {value!r}")
    return tuple(value)
