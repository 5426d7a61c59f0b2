"""Asks the model, checks what it answers, and tells it what is wrong, a few times at most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from builder.adapters.threads import in_thread
from builder.models import DraftProposal
from builder.services.graphs.drafting.judging import Verdict, judge
from builder.services.graphs.drafting.prompts import first_prompt, repair_prompt, system_prompt
from builder.services.graphs.drafting.surroundings import what_is_there
from engine.core.errors import NodeError
from engine.core.node_types.conversation import Conversation, Message

if TYPE_CHECKING:
    from engine.core.node_types.context import NodeContext

AGENT: Final = "workflow_writer"
ROUNDS: Final = 3
"""Answers that a model may give: one, and two more where it is told what is wrong."""
CUT: Final = Verdict(wrong=("the answer was cut off, as it is too long: answer with less",))


async def describe(ctx: NodeContext, _params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on the last answer of the model.

    Raises what `ctx.reason` raises, and `NodeError` `ProposalGone`.
    """
    told: Any = ctx.view.input
    workspace = str(ctx.context.get("tenant_id"))
    asked = await in_thread(_asked, str(told.get("proposal")), workspace)
    there = await in_thread(what_is_there, workspace)
    prompt = await ctx.recorded(
        "prompt", asked.pk, lambda: first_prompt(asked.words, asked.base, there)
    )
    said: list[Message] = []
    verdict = Verdict()
    for number in range(ROUNDS):
        talk = await ctx.reason(
            AGENT,
            prompt,
            model=asked.model,
            system=system_prompt(),
            history=tuple(said),
            tools=(),
            recall=False,
        )
        found = CUT if talk.cut else await in_thread(judge, talk.text, asked.base, workspace)
        recorded = await ctx.recorded("check", number, found.to_json)
        verdict = _verdict(recorded)
        if not verdict.wrong:
            break
        said += _exchange(prompt, talk)
        prompt = repair_prompt(verdict.wrong)
    return {"output": {**verdict.to_json(), "rounds": number + 1}}


def _asked(proposal_id: str, workspace_id: str) -> DraftProposal:
    rows = DraftProposal.objects.in_workspace(workspace_id)
    found = rows.filter(pk=proposal_id).first()
    if found is None:
        raise NodeError("ProposalGone", "what was asked for is not there any more")
    return found


def _exchange(prompt: str, talk: Conversation) -> list[Message]:
    return [Message("user", prompt), Message("assistant", talk.text)]


def _verdict(recorded: Mapping[str, Any]) -> Verdict:
    return Verdict(
        recorded["summary"],
        recorded["document"],
        tuple(recorded["wrong"]),
        tuple(recorded["problems"]),
        recorded["cannot"],
    )
