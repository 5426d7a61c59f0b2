"""The tables. Models state facts; services write, querysets read."""

from __future__ import annotations

from builder.models.audit import AuditEntry, PendingDeed, RefusedSignIns
from builder.models.budgets import BudgetLimit, RunSpending, Spending, TriggerSpending
from builder.models.catalogue import AcceptedProvider, AcceptedTool, Agent, ApiToken, Credential
from builder.models.catalogue.model_prices import ModelPrice, ProviderTrial
from builder.models.catalogue.tool_grants import ToolGrant
from builder.models.catalogue.tool_sources import ToolSetting, ToolSource
from builder.models.doors import Attempt, SignIn, SocketTicket
from builder.models.doors.channels import Channel, ChannelNotice, ChannelSecret, NoticeRule
from builder.models.doors.deliveries import Delivery
from builder.models.doors.house_events import HouseEvent, HouseTask
from builder.models.doors.identities import Identity, IdentityProvider
from builder.models.doors.offers import Offer
from builder.models.doors.triggers import Trigger, TriggerSecret
from builder.models.graphs import (
    DeletedPart,
    Edge,
    Graph,
    GraphVersion,
    Node,
    Pin,
    Sample,
    VersionReference,
)
from builder.models.graphs.comments import CardComment, CommentThread
from builder.models.graphs.notices import CommentNotice
from builder.models.graphs.proposals import DraftProposal
from builder.models.graphs.publications import Publication
from builder.models.inbox import (
    Asked,
    AskedBack,
    Claim,
    Comment,
    Decision,
    Delegation,
    HeldDecision,
    HoldChoice,
    InterruptCard,
    InterruptField,
    ItemMention,
    Lapse,
    SavedView,
    Snooze,
)
from builder.models.ledger.breakers import Breaker
from builder.models.ledger.budgets import Budget, BudgetHold
from builder.models.ledger.outbox import Outbox
from builder.models.ledger.turns import CallTurn, ProviderPause
from builder.models.ledger.waits import Interrupt, Timer
from builder.models.ledger.workers import Worker
from builder.models.letters import Letter, MailChoice, Notice
from builder.models.memory.entities import Entity, FactEntity
from builder.models.memory.facts import Fact, FactRevision, FactTag
from builder.models.memory.vectors import FactVector
from builder.models.runs import Activation, Blob, Run, RunBlob, RunEvent, RunSnapshot, RunText
from builder.models.runs.alerts import Alert, AlertRule
from builder.models.runs.archives import KeptRun, OldRuns, RetentionRule, RunArchive
from builder.models.runs.bulk import BulkItem, BulkJob
from builder.models.runs.failures import FailureCause, RunFailure
from builder.models.runs.looks import Look
from builder.models.runs.requests import RunRequest
from builder.models.runs.tags import RunTag
from builder.models.workspaces import (
    Group,
    Invitation,
    Membership,
    Role,
    SignInRule,
    StandIn,
    User,
    Workspace,
)

__all__ = [
    "AcceptedProvider",
    "AcceptedTool",
    "Activation",
    "Agent",
    "Alert",
    "AlertRule",
    "ApiToken",
    "Asked",
    "AskedBack",
    "Attempt",
    "AuditEntry",
    "Blob",
    "Breaker",
    "Budget",
    "BudgetHold",
    "BudgetLimit",
    "BulkItem",
    "BulkJob",
    "CallTurn",
    "CardComment",
    "Channel",
    "ChannelNotice",
    "ChannelSecret",
    "Claim",
    "Comment",
    "CommentNotice",
    "CommentThread",
    "Credential",
    "Decision",
    "Delegation",
    "DeletedPart",
    "Delivery",
    "DraftProposal",
    "Edge",
    "Entity",
    "Fact",
    "FactEntity",
    "FactRevision",
    "FactTag",
    "FactVector",
    "FailureCause",
    "Graph",
    "GraphVersion",
    "Group",
    "HeldDecision",
    "HoldChoice",
    "HouseEvent",
    "HouseTask",
    "Identity",
    "IdentityProvider",
    "Interrupt",
    "InterruptCard",
    "InterruptField",
    "Invitation",
    "ItemMention",
    "KeptRun",
    "Lapse",
    "Letter",
    "Look",
    "MailChoice",
    "Membership",
    "ModelPrice",
    "Node",
    "Notice",
    "NoticeRule",
    "Offer",
    "OldRuns",
    "Outbox",
    "PendingDeed",
    "Pin",
    "ProviderPause",
    "ProviderTrial",
    "Publication",
    "RefusedSignIns",
    "RetentionRule",
    "Role",
    "Run",
    "RunArchive",
    "RunBlob",
    "RunEvent",
    "RunFailure",
    "RunRequest",
    "RunSnapshot",
    "RunSpending",
    "RunTag",
    "RunText",
    "Sample",
    "SavedView",
    "SignIn",
    "SignInRule",
    "Snooze",
    "SocketTicket",
    "Spending",
    "StandIn",
    "Timer",
    "ToolGrant",
    "ToolSetting",
    "ToolSource",
    "Trigger",
    "TriggerSecret",
    "TriggerSpending",
    "User",
    "VersionReference",
    "Worker",
    "Workspace",
]
