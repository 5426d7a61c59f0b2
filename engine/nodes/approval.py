"""The node type `approval`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from engine.agents.activation import gets_activation
from engine.core.effects import EffectClass
from engine.core.errors import UNDECIDED, NodeError
from engine.core.expressions.cel import ExpressionInvalid, compile_expression
from engine.core.expressions.templates import compile_template
from engine.core.graph.fields import Id, Key, Milliseconds
from engine.core.graph.principals import NamedPeople, Principal, listed
from engine.core.node_types.form import field
from engine.core.node_types.node_type import (
    FAILED,
    Handle,
    NodeConfig,
    NodeDefaults,
    NodeResult,
    NodeType,
)
from engine.core.people.content_binding import approval_request
from engine.core.state.events import iso
from engine.core.values.json import freeze
from engine.runtime.execution.waits import InterruptEnded

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls

DEFAULT_MESSAGE = "Please review and approve this workflow step."
DAY_MS = 86_400_000
HIGHEST_RISK = 100.0
USUAL_REASONS = (
    "The amount is wrong",
    "Something is missing",
    "It is a duplicate",
    "It is not in the budget",
    "Somebody else must decide this",
    "It is against our rules",
)
"""What rejections are mostly about, offered to whoever lists reasons."""


Reason: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]


class AtLeast(NodeConfig):
    """So many approvals are needed."""

    at_least: int = field(ge=1, le=1_000, description="How many people must approve.")


class Escalation(NodeConfig):
    """Who is asked too when nobody decides."""

    after_ms: Milliseconds = field(widget="duration", description="How long nobody decided.")
    to: Annotated[tuple[Principal, ...], BeforeValidator(listed)] = field(
        min_length=1, hints={"expression_prefix": "="}, description="Who may decide from then on."
    )


class ApprovalPolicy(NodeConfig):
    """Who may decide, and what counts as decided."""

    eligible: tuple[Principal, ...] | None = field(
        None,
        hints={"expression_prefix": "="},
        description="user:x (id or e-mail), group:y, role:z or =expression; absent: all reviewers.",
    )
    rule: Literal["any", "all", "per_group"] | AtLeast = field(
        "any",
        description="any: who decides first; all: everyone eligible; per_group: someone of each.",
    )
    four_eyes: tuple[Literal["starter", "publisher", "editor"], ...] = field(
        (), description="Who may not decide on their own work."
    )
    veto: bool = field(False, description="One rejection is enough to reject.")
    require_reason: Literal["never", "reject", "always"] = field(
        "never", description="When a decision needs a reason."
    )
    reminders: tuple[Milliseconds, ...] = field(
        (), description="When to remind, in milliseconds after the request."
    )
    escalation: Escalation | None = field(
        None, description="Whom to ask too when it is not decided."
    )
    confirm: Literal["never", "dangerous", "type"] | None = field(
        None,
        description="When an approval takes more than one key: never (absent), before a step that is"
        " dangerous or unsafe to repeat, or always by typing the sum.",
    )


class ApprovalConfig(NodeConfig):
    """What people are shown, what they may edit, who decides, and how long it may take."""

    approval_type: Literal["human_review"] = field(
        "human_review", description="A person reviews and decides."
    )
    prompt_message: str = field(
        DEFAULT_MESSAGE, widget="prompt", description="What the reviewer is told."
    )
    review_keys: tuple[Key, ...] = field(
        ("*",),
        widget="keys",
        hints={"grants": "read", "start": True},
        title="What the reviewer sees",
        description="Memory keys, and Start fields such as input.cv, which nobody can edit.",
    )
    editable_keys: tuple[Key, ...] = field(
        (),
        widget="keys",
        hints={"grants": "write"},
        title="What may be edited",
        description="The memory keys that the reviewer may change; * is all that is shown.",
    )
    editable_by: dict[Key, NamedPeople] = field(
        {},
        max_length=100,
        widget="editors",
        hints={"of": "editable_keys"},
        title="Who may edit",
        description="Of editable keys, who alone may change each: user:x, group:y or role:z. A key"
        " that is not named is for everybody who decides.",
    )
    timeout_ms: int = field(
        DAY_MS,
        ge=1,
        le=366 * DAY_MS,
        widget="duration",
        description="Then it counts as rejected; it never approves.",
    )
    rejection_node_id: Id | None = field(
        None, widget="node", description="Where a rejection leads; absent: the run fails."
    )
    policy: ApprovalPolicy = field(
        ApprovalPolicy(),
        title="Who decides",
        widget="policy",
        group="Policy",
        hints={"beside": ("timeout_ms",)},
        description="Who may decide, and what counts.",
    )
    alike_by: tuple[Key, ...] = field(
        (),
        max_length=5,
        widget="keys",
        hints={"start": True},
        group="Inbox",
        title="What is alike",
        description="The keys by which the inbox finds other items about the same, such as a customer.",
    )
    risk: str | None = field(
        None,
        widget="expression",
        hints={"points": True},
        min_length=1,
        group="Inbox",
        description="How risky it is, from 0 to 100, over what the reviewer sees; the inbox sorts by"
        " it. What cannot be told counts as 100.",
    )
    reasons: tuple[Reason, ...] = field(
        (),
        max_length=9,
        group="Inbox",
        examples=list(USUAL_REASONS),
        title="Reasons to pick from",
        description="What a reviewer can pick as the reason of a rejection.",
    )


class ApprovalNode(NodeType):
    """Stop until a person approves exactly what would run next.

    The decision is the node's output and is kept in memory as `<id>_result`, for the way that a
    rejection takes too. Nothing that the reviewer saw may change before an effect below it is sent; else it is asked again.
    """

    type = "approval"
    label = "Approval"
    icon = "user-check"
    category = "People"
    words = (
        "human",
        "review",
        "sign",
        "off",
        "decision",
        "gate",
        "check",
        "person",
        "user",
        "confirm",
        "wait",
    )
    rank = 3
    effect_class = EffectClass.READ
    foretold = True
    chooses = False
    asks_people = True
    handles = (
        Handle("completed", "approved"),
        Handle("rejected", "rejected", on="rejected"),
        Handle("timed_out", "timed out", on="timed_out"),
        FAILED,
    )
    defaults = NodeDefaults(read_keys=())
    result_keys = ("{id}_result",)
    writes_data: ClassVar[bool] = False
    reads_named = True

    Config = ApprovalConfig

    def own_keys(self, node_id: str, config: ApprovalConfig) -> tuple[str, ...]:
        """Return the result key and the keys that a reviewer may edit."""
        return (f"{node_id}_result",)

    def message_of(self, config: ApprovalConfig, names: Mapping[str, Any]) -> str:
        """Return the message over the view and the reviewed memory. Raises `MissingReference`."""
        return compile_template(config.prompt_message).render(names)

    def risk_of(self, config: ApprovalConfig, names: Mapping[str, Any]) -> float | None:
        """Return the risk over the view and the reviewed memory, 0 to 100."""
        return None if config.risk is None else _risk(config.risk, names)

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: ApprovalConfig) -> NodeResult:
        """Return the decision; edits become writes. Raises `ApprovalRejected` by its group."""
        prompt = self.message_of(config, ctx.reviewed_view(config.review_keys))
        request = approval_request(config, prompt, ctx.edit_schema(config.editable_keys))
        resolution = await ctx.review(request, config.review_keys)
        output = _recorded(resolution)
        kept = {f"{ctx.node.id}_result": output}
        if output["decision"] == "timed_out":
            raise InterruptEnded("ApprovalRejected", UNDECIDED, "timed_out", freeze(kept))
        if output["decision"] != "approved":
            reason = f"rejected: {output['comment'] or 'no reason given'}"
            raise InterruptEnded("ApprovalRejected", reason, "rejected", freeze(kept))
        ctx.finish.results = {**output["edits"], **kept}
        return NodeResult(output=output)


def _risk(expression: str, names: Mapping[str, Any]) -> float:
    """Return how risky it is; what cannot be told is looked at first."""
    try:
        found = compile_expression(expression).evaluate(names)
    except (NodeError, ExpressionInvalid):
        return HIGHEST_RISK
    if isinstance(found, bool) or not isinstance(found, int | float):
        return HIGHEST_RISK
    return min(max(float(found), 0.0), HIGHEST_RISK)


def _recorded(resolution: Mapping[str, Any]) -> dict[str, Any]:
    """Return the decision as the node keeps it."""
    late = resolution["outcome"] == "expired"
    output: dict[str, Any] = {
        "decision": "timed_out" if late else resolution["decision"],
        "comment": resolution.get("comment"),
        "edits": resolution.get("edits") or {},
        "decided_by": None if late else resolution.get("by"),
        "decided_at": iso(resolution["at"]),
    }
    if "stands_for" in resolution:
        output["decided_for"] = resolution["stands_for"]
    if "decisions" in resolution:
        output["decisions"] = _decisions(resolution["decisions"])
    return output


def _decisions(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return who said what, in the order in which they did."""
    return [
        {
            "by": person,
            "decision": one["decision"],
            "comment": one.get("comment"),
            "at": iso(one["at"]),
            **({"stands_for": one["stands_for"]} if "stands_for" in one else {}),
        }
        for person, one in said.items()
    ]
