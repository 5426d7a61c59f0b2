"""The public names: for who writes node types, functions, tools and skills, or runs graphs.

Import from here and from nowhere else in `engine`: where a module stands may change, these names
and what they do may not. docs/writing-nodes.md shows each of them at work.

A node type::

    from engine.sdk import EffectClass, NodeConfig, NodeContext, NodeResult, NodeType, field

A run in this process::

    from engine.sdk import run_document

    state = await run_document(open("graph.yaml").read(), {"question": "Why?"})

Runs that outlive it (docs/use-the-engine-without-the-web.md)::

    from engine.sdk import local

    async with local.open("runs.db", document) as engine:
        state = await engine.run("order 4711", {"question": "Why?"})
"""

from __future__ import annotations

from engine import local
from engine.agents.skills import SKILLS, Skill, Skills
from engine.core.effects import EffectClass
from engine.core.errors import (
    EngineError,
    GraphHasErrors,
    NodeError,
    OutcomeUnknown,
    ProviderError,
    RequestRefused,
    RunNotFound,
    RunUnreadable,
    StorageFull,
    StoreError,
    StoreInUse,
    StoreUnavailable,
    StoreUnusable,
    ToolFailed,
)
from engine.core.graph.document import AgentSpec, GraphSpec, parse_document
from engine.core.graph.problems import Problem
from engine.core.node_types.context import ChildOptions, NodeContext, StateBag
from engine.core.node_types.conversation import Conversation, Message, ReasonOptions
from engine.core.node_types.form import field
from engine.core.node_types.node_type import (
    UNSET,
    Handle,
    NodeConfig,
    NodeDefaults,
    NodeResult,
    NodeType,
    Refusal,
    Undo,
)
from engine.core.node_types.registry import (
    HANDLERS,
    NODE_TYPES,
    Handlers,
    NodeTypes,
    RegistrationError,
    fitness,
    handler,
)
from engine.core.node_types.run_views import (
    CHILD_RUN,
    DECISIONS,
    FACTS,
    GENERATIONS,
    HANDOFFS,
    ITEMS,
    SCORES,
    VERDICT,
    VOTES,
    RunView,
)
from engine.core.state.events import Event
from engine.core.state.requests import Actor, Answer, StartRun
from engine.core.state.run_state import OpenInterrupt, RunState
from engine.core.values.json import InvalidJson
from engine.integrations.egress import AllowList, Egress
from engine.integrations.models.catalog import ModelCatalog
from engine.integrations.tools.functions import FunctionTools, ToolContext, ToolNotRegistered, tool
from engine.local import (
    AnswerFields,
    Document,
    Installed,
    Local,
    LocalEngine,
    StartOptions,
    make_local,
    run_document,
)
from engine.scripted.script import Script, ScriptInvalid

__all__ = [
    "CHILD_RUN",
    "DECISIONS",
    "FACTS",
    "GENERATIONS",
    "HANDLERS",
    "HANDOFFS",
    "ITEMS",
    "NODE_TYPES",
    "SCORES",
    "SKILLS",
    "UNSET",
    "VERDICT",
    "VOTES",
    "Actor",
    "AgentSpec",
    "AllowList",
    "Answer",
    "AnswerFields",
    "ChildOptions",
    "Conversation",
    "Document",
    "EffectClass",
    "Egress",
    "EngineError",
    "Event",
    "FunctionTools",
    "GraphHasErrors",
    "GraphSpec",
    "Handle",
    "Handlers",
    "Installed",
    "InvalidJson",
    "Local",
    "LocalEngine",
    "Message",
    "ModelCatalog",
    "NodeConfig",
    "NodeContext",
    "NodeDefaults",
    "NodeError",
    "NodeResult",
    "NodeType",
    "NodeTypes",
    "OpenInterrupt",
    "OutcomeUnknown",
    "Problem",
    "ProviderError",
    "ReasonOptions",
    "Refusal",
    "RegistrationError",
    "RequestRefused",
    "RunNotFound",
    "RunState",
    "RunUnreadable",
    "RunView",
    "Script",
    "ScriptInvalid",
    "Skill",
    "Skills",
    "StartOptions",
    "StartRun",
    "StateBag",
    "StorageFull",
    "StoreError",
    "StoreInUse",
    "StoreUnavailable",
    "StoreUnusable",
    "ToolContext",
    "ToolFailed",
    "ToolNotRegistered",
    "Undo",
    "field",
    "fitness",
    "handler",
    "local",
    "make_local",
    "parse_document",
    "run_document",
    "tool",
]
