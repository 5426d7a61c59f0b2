"""Asks a model for a draft: who may, who pays, and the run that does it. A draft changes nothing by itself."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import transaction

from builder.base import engine_door
from builder.base.errors import Conflict
from builder.models import DraftProposal, Graph, Membership
from builder.services.audit import chain as audit
from builder.services.graphs.drafting.capable import Capable, capable
from builder.services.graphs.drafting.outcome import outcome_of
from builder.services.graphs.drafting.paying import refuse_short_budget
from builder.services.graphs.drafting.prompts import first_prompt, system_prompt
from builder.services.graphs.drafting.surroundings import what_is_there
from builder.services.graphs.drafting.workflow import SLUG, drafting_version
from builder.services.graphs.drafts import document_of
from builder.services.permissions import Right, require
from engine.core.budgets.money import usd_text_or_none
from engine.core.state.requests import StartRun
from engine.core.values.json import JsonObject

KEPT: Final = 20
"""Drafts that are kept of one person in a workspace; older ones go."""


def prompt_size(workspace_id: str, words: str, base: JsonObject) -> int:
    """Return the bytes that a model is sent first. Raises `Unprocessable` `TooLargeToDescribe`."""
    prompt = first_prompt(words, base, what_is_there(workspace_id))
    return len(system_prompt().encode()) + len(prompt.encode()) + 64


def ask(member: Membership, graph: Graph | None, *, words: str, model: str) -> DraftProposal:
    """Let a model draft what the words say: of a new workflow, or a change of a graph's draft.

    Raises `Unprocessable` `ModelCannotDraft`, `TooLargeToDescribe`, `BudgetTooSmall`, and
    `Conflict` `StillWriting` while another draft of the person is written for the same.
    """
    require(member, Right.EDIT)
    require(member, Right.RUN)
    base = {} if graph is None else document_of(graph)
    chosen = capable(member, model, prompt_size(member.workspace_id, words, base))
    refuse_short_budget(member, chosen)
    version, spec = drafting_version(member.workspace_id)
    proposal = DraftProposal(
        workspace=member.workspace,
        graph=graph,
        by=member.user,
        words=words,
        model=model,
        base=base,
        run=str(uuid.uuid4()),
    )
    with transaction.atomic():
        _make_room(member, graph)
        proposal.save(force_insert=True)
        audit.record(
            member.workspace_id,
            member.user_id,
            "draft.described",
            proposal.run,
            model=model,
            **({} if graph is None else {"graph": graph.pk}),
            at_most_usd=usd_text_or_none(chosen.at_most_usd),
        )
    engine_door.engine().start_run(_start(member, proposal, chosen, version.pk, version.hash), spec)
    return proposal


def _make_room(member: Membership, graph: Graph | None) -> None:
    """Refuse a second draft at once, and let the oldest of the person go."""
    own = DraftProposal.objects.select_for_update().filter(
        workspace=member.workspace_id, by=member.user_id
    )
    for each in own.open().filter(graph=graph):
        if outcome_of(each).status == "writing":
            raise Conflict(
                "a draft for this is being written: wait for it, or stop it", code="StillWriting"
            )
    old = own.order_by("-created_at").values_list("pk", flat=True)[KEPT - 1 :]
    DraftProposal.objects.filter(pk__in=list(old)).delete()


def _start(
    member: Membership, proposal: DraftProposal, chosen: Capable, version_id: str, hash: str
) -> StartRun:
    return StartRun(
        run_id=proposal.run,
        graph_id=SLUG,
        graph_hash=hash,
        version_id=version_id,
        workspace_id=member.workspace_id,
        input={"words": proposal.words, "model": proposal.model, "proposal": proposal.pk},
        budget_usd=chosen.at_most_usd,
        max_token_budget=chosen.most.total,
        started_by=member.user_id,
        unknown_price=str(member.workspace.all_settings["unknown_price"]),
    )
