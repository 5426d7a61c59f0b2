"""A graph ready to run: the document, its token machine, and one plan per node, built once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

from pydantic import ValidationError

from engine.core.effects import EffectClass
from engine.core.errors import NodeError
from engine.core.graph.compiled import CompiledGraph, compile_graph
from engine.core.graph.document import FailurePolicy, GraphSpec, NodeSpec
from engine.core.node_types.form import read_config
from engine.core.node_types.hooks import told_by
from engine.core.node_types.node_type import NodeConfig, NodeType
from engine.core.node_types.registry import NodeTypes
from engine.core.node_types.view import LANES
from engine.core.state.code_hash import code_hash
from engine.core.state.run_state import CODE_DIGITS
from engine.core.values.json_schema import Validator, schema_problem


@dataclass(frozen=True, slots=True)
class NodePlan:
    """What executing one node needs, looked up once. `code` changes when the type's code does."""

    id: str
    spec: NodeSpec
    type: NodeType
    config: Any
    read_keys: tuple[str, ...]
    write_keys: tuple[str, ...]
    own_keys: frozenset[str]
    memory_reads: tuple[str, ...]
    output_reads: tuple[str, ...]
    merge: str
    policy: FailurePolicy
    pure: bool
    code: str
    agent_id: str | None

    @property
    def max_attempts(self) -> int:
        """Attempts in all: retries plus the first one."""
        return self.policy.max_retries + 1

    @property
    def asks_for_retries(self) -> bool:
        """Whether the author wrote how often to try again, and did not leave it to the default."""
        return "max_retries" in self.policy.model_fields_set


class Program:
    """An immutable graph and what was derived from it; shared by all runs of that graph."""

    def __init__(self, spec: GraphSpec, types: NodeTypes) -> None:
        self.spec = spec
        self.types = types
        self.reference: tuple[str | None, str | None] = (None, None)
        self.graph: CompiledGraph = compile_graph(spec)
        self._plans: dict[str, NodePlan] = {}
        schema = spec.state_schema or {}
        properties: dict[str, Any] = dict(schema.get("properties", {}))
        self.reducers: dict[str, str] = {
            key: value["reducer"]
            for key, value in properties.items()
            if isinstance(value, dict) and "reducer" in value
        }
        self.timed = frozenset(
            node.id for node in spec.nodes if node.failure_policy.timeout_ms is not None
        )
        """Nodes whose attempts may take only so long."""
        self.has_state_schema = spec.state_schema is not None
        self._closed = schema.get("additionalProperties") is False
        self._schemas = {
            key: {k: v for k, v in value.items() if k != "reducer"}
            if isinstance(value, dict)
            else value
            for key, value in properties.items()
        }
        self.elementwise = frozenset(
            key
            for key, kind in self.reducers.items()
            if kind == "append" and self._schemas[key].keys() <= _ELEMENTWISE
        )
        """Lists that fit their schema if what is appended does: it judges each item alone."""
        self._validators: dict[str, Validator] = {}
        self._defs = {k: v for k, v in schema.items() if k in ("$defs", "definitions")}

    def plan(self, node_id: str) -> NodePlan:
        """Return the node's plan. Raises `NodeError`: `NodeTypeMissing`, `NodeConfigInvalid`."""
        plan = self._plans.get(node_id)
        if plan is None:
            plan = self._plans[node_id] = self._make_plan(self.spec.node(node_id))
        return plan

    def _make_plan(self, node: NodeSpec) -> NodePlan:
        node_type = self.types.find(node.type)
        if node_type is None:
            raise NodeError("NodeTypeMissing", f"node type {node.type!r} is not installed")
        try:
            config: NodeConfig = read_config(node_type, node.config)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise NodeError(
                "NodeConfigInvalid", f"node {node.id!r}: config.{place}: {first['msg']}"
            ) from error
        reads = self.spec.read_keys_of(node)
        told = told_by(node_type, node.id, config)
        return NodePlan(
            id=node.id,
            spec=node,
            type=node_type,
            config=config,
            read_keys=tuple(dict.fromkeys((*reads, *node_type.always_reads))),
            write_keys=self.spec.write_keys_of(node),
            own_keys=frozenset(told.own_keys),
            memory_reads=_memory_keys((*reads, *told.granted_reads)),
            output_reads=tuple(k for k in reads if k == "outputs" or k.startswith("outputs.")),
            merge=self.spec.merge_of(node),
            policy=node.failure_policy,
            pure=told.effect is EffectClass.PURE,
            code=_code_of(node_type),
            agent_id=getattr(config, "agent_id", None),
        )

    def schema_problem(self, key: str, value: object) -> str | None:
        """Return why `value` may not stand at memory `key`, None if it may."""
        schema = self._schemas.get(key)
        if schema is None:
            return "the state schema allows no further keys" if self._closed else None
        validator = self._validators.get(key)
        if validator is None:
            if isinstance(schema, dict):
                schema = {**schema, **self._defs}
            validator = self._validators[key] = Validator(schema)
        return validator.problem(value)

    def typed_problem(self, key: str, value: object) -> str | None:
        """Return why people may not write `value` at memory `key`: they keep to its formats too."""
        problem, schema = self.schema_problem(key, value), self._schemas.get(key)
        if problem is not None or not isinstance(schema, dict):
            return problem
        return schema_problem({**schema, **self._defs}, value, formats=True)

    def property_schema(self, key: str) -> Any:
        """Return the state schema of a memory key without its reducer, None if it has none."""
        return self._schemas.get(key)


def _memory_keys(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for key in keys if key.split(".")[0] not in LANES))


_ELEMENTWISE = frozenset({"type", "items", "title", "description", "default", "examples"})

_CODE: dict[type[NodeType], str] = {}


def _code_of(node_type: NodeType) -> str:
    """Return what changes when a type's code changes: its version and the compiled `run`."""
    cls = type(node_type)
    if cls not in _CODE:
        _CODE[cls] = code_hash(cast("FunctionType", cls.run), cls.version)[:CODE_DIGITS]
    return _CODE[cls]
