"""Drafts from words on the wire: what is asked, which models can, and where a draft stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from builder.api.http.wire import Body, JsonMap, Name, Text, Wire, moment
from builder.api.workspace.budgets import BudgetOut
from builder.models import DraftProposal
from builder.services.graphs.drafting.capable import Capable
from builder.services.graphs.drafting.outcome import outcome_of
from builder.services.graphs.drafting.prompts import MOST_WORDS
from engine.core.budgets.money import usd, usd_text_or_none

Parts = Annotated[int, Field(ge=0, le=100_000)]


class AskBody(Body):
    """What to draft; without `graph` a new workflow."""

    words: Annotated[Text, Field(min_length=1, max_length=MOST_WORDS)]
    model: Name
    graph: Name | None = None


class CloseBody(Body):
    """How many parts were taken; none dismisses the draft."""

    taken: Parts = 0


class CapableOut(Wire):
    """A model that can draft, and what a draft costs: at most, and by what drafts usually are."""

    id: str
    label: str
    provider: str
    at_most_usd: str | None
    likely_usd: str | None


class CapableModels(Wire):
    """The models that can draft, and the budget of the workspace that has least left."""

    models: list[CapableOut]
    may_connect: bool
    budget: BudgetOut | None
    most_words: int


class ProposalOut(Wire):
    """A draft from words. `document` is there once it is `ready`, and passed `check`."""

    id: str
    graph: str | None
    words: str
    model: str
    run: str
    created_at: str
    closed: bool
    status: Literal["writing", "ready", "refused", "failed", "stopped"]
    message: str
    summary: str
    base: JsonMap
    document: JsonMap | None
    problems: list[JsonMap]
    wrong: list[str]
    rounds: int
    spent_usd: str
    spent_tokens: int


def capable_out(each: Capable) -> CapableOut:
    """Return a model that can draft as it is on the wire."""
    return CapableOut(
        id=each.entry.id,
        label=each.entry.label,
        provider=each.entry.description or each.entry.provider,
        at_most_usd=usd_text_or_none(each.at_most_usd),
        likely_usd=usd_text_or_none(each.likely_usd),
    )


def proposal_out(proposal: DraftProposal) -> ProposalOut:
    """Return a draft as it is on the wire."""
    now = outcome_of(proposal)
    told: dict[str, Any] = {
        name: getattr(now, name)
        for name in ("status", "message", "summary", "document", "rounds", "spent_tokens")
    }
    return ProposalOut(
        id=proposal.pk,
        graph=proposal.graph_id,
        words=proposal.words,
        model=proposal.model,
        run=proposal.run,
        created_at=moment(proposal.created_at),
        closed=proposal.closed_at is not None,
        base=proposal.base,
        problems=list(now.problems),
        wrong=list(now.wrong),
        spent_usd=usd(now.spent_pico),
        **told,
    )
