"""The node type `voting`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from engine.agents.activation import gets_activation
from engine.agents.node_answer import FRAME
from engine.agents.pinning import resolve_agent
from engine.agents.prompts import framed, purpose, render_prompt
from engine.core.effects import EffectClass
from engine.core.errors import OWN_FAULTS, NodeError
from engine.core.graph.fields import Id, Key
from engine.core.graph.problems import one_of, refusal
from engine.core.node_types.conversation import Conversation
from engine.core.node_types.form import field
from engine.core.node_types.node_type import NodeConfig, NodeDefaults, NodeResult, NodeType
from engine.core.node_types.run_views import VOTES
from engine.core.node_types.view import View
from engine.core.state.events import error_data
from engine.core.values.json import freeze
from engine.nodes.voting.ballots import vote_in
from engine.nodes.voting.choices import ballot_schema, read_choice
from engine.nodes.voting.counting import tally, tied
from engine.nodes.voting.tasks import VERDICT, judge_task, voter_task

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls

Weight = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Choice = Annotated[str, Field(min_length=1, max_length=200)]


class VotingConfig(NodeConfig):
    """Who votes, on which options, and how votes become a result."""

    voter_agent_ids: tuple[Id, ...] = field(
        widget="agents",
        title="Voters",
        min_length=1,
        max_length=100,
        description="The agents that vote, in the order that decides ties.",
    )
    prompt: str | None = field(
        None,
        widget="prompt",
        min_length=1,
        description="What is put to the vote; absent: goal, constraints and the readable state.",
    )
    options: tuple[Choice, ...] | None = field(
        None,
        min_length=2,
        max_length=100,
        description="What can be voted for; absent: anything. Voters are held to it.",
    )
    strategy: Literal["majority_vote", "weighted_vote", "llm_judge"] = field(
        "majority_vote", group="Counting", description="How votes become the consensus."
    )
    vote_key: Key = field(
        "vote",
        group="Counting",
        description="The field of an answer that is the vote; without it the whole answer is.",
    )
    quorum: int | None = field(
        None, ge=1, group="Counting", description="With fewer votes the node fails."
    )
    judge_agent_id: Id | None = field(
        None,
        widget="agent",
        group="Counting",
        title="Judge",
        hints={"when": ("strategy", "llm_judge"), "needed": True},
        description="The agent that decides, for the strategy `llm_judge`.",
    )
    weights: Annotated[dict[str, Weight], AfterValidator(freeze)] | None = field(
        None,
        widget="json",
        group="Counting",
        hints={"when": ("strategy", "weighted_vote")},
        description="Weight by agent, absent: 1; for the strategy `weighted_vote`.",
    )

    @model_validator(mode="after")
    def _can_decide(self) -> VotingConfig:
        voters = len(self.voter_agent_ids)
        if self.quorum is not None and self.quorum > voters:
            message = f"There are only {voters} voters: a quorum of {self.quorum} is never reached."
            raise refusal("InvalidValue", message, field="quorum")
        if self.strategy == "llm_judge" and self.judge_agent_id is None:
            message = 'The strategy "llm_judge" needs "judge_agent_id".'
            raise refusal("MissingField", message, field="judge_agent_id")
        if self.options is not None and len(set(self.options)) < len(self.options):
            raise refusal("InvalidValue", "Two options are the same.", field="options")
        others = [name for name in self.weights or () if name not in self.voter_agent_ids]
        if others:
            message = f"{one_of(others)}: no voter of that name. Weights are of voter_agent_ids."
            raise refusal("InvalidValue", message, field="weights")
        return self


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent with what it may see and the question as it reads it."""

    agent_id: str
    view: View
    task: str


class VotingNode(NodeType):
    """Let several agents vote, and go on with what they agree on.

    All are asked at the same time and none sees another's vote. The consensus is kept in memory
    as `<id>_consensus`, the votes as `<id>_votes`.
    """

    type = "voting"
    label = "Voting"
    icon = "chart-bar"
    category = "Teams"
    words = ("vote", "poll", "ensemble", "jury", "majority", "consensus")
    effect_class = EffectClass.LLM
    defaults = NodeDefaults(read_keys=("input", "previous"))
    result_keys = ("{id}_consensus", "{id}_votes")
    prompts = True
    views = (VOTES,)
    writes_data: ClassVar[bool] = False

    Config = VotingConfig

    @gets_activation
    async def run(self, ctx: ActivationCalls, config: VotingConfig) -> NodeResult:
        """Return the consensus. Raises `NodeError` `NoVotes`, `QuorumNotReached`."""
        seats = [await _seat(ctx, name, config.prompt) for name in config.voter_agent_ids]
        judge = await _judge_seat(ctx, config)
        answers = await ctx.gather(
            [_ballot_paper(ctx, seat, config) for seat in seats],
            max_concurrency=len(seats),
            return_errors=True,
        )
        votes, errors = _counted(seats, answers, config.vote_key)
        _check_quorum(votes, errors, config.quorum)
        given = config.weights or {} if config.strategy == "weighted_vote" else {}
        counted = tally(votes, given)
        if judge is not None:
            consensus = await _judged(ctx, judge, votes, config)
        else:
            consensus = counted[0]["vote"]
        row: dict[str, Any] = {
            "tally": counted,
            "winner": consensus,
            "strategy": config.strategy,
        }
        if between := tied(counted):
            row["tie"] = {"between": between, "broken_by": "order" if judge is None else "judge"}
        await ctx.show("votes", row)
        name = ctx.node.id
        data = {f"{name}_consensus": consensus, f"{name}_votes": votes}
        return NodeResult(data=data, output={**data, "errors": errors})


async def _seat(ctx: ActivationCalls, agent_id: str, prompt: str | None) -> Seat:
    agent = await resolve_agent(ctx, agent_id)
    view = ctx.view.narrowed(agent.read_ceiling)
    if prompt is not None:
        return Seat(agent_id, view, render_prompt(ctx, view, prompt))
    return Seat(agent_id, view, purpose(view) or "Decide what this workflow should do next.")


async def _judge_seat(ctx: ActivationCalls, config: VotingConfig) -> Seat | None:
    if config.strategy != "llm_judge" or config.judge_agent_id is None:
        return None
    return await _seat(ctx, config.judge_agent_id, config.prompt)


def _ask(
    ctx: ActivationCalls,
    seat: Seat,
    task: str,
    config: VotingConfig,
    *keys: str,
    recall: bool = True,
) -> Awaitable[Conversation]:
    """Ask for an answer whose first of `keys` is one of the options, if there are any."""
    return ctx.reason(
        seat.agent_id,
        framed(ctx, seat.view, task),
        schema=ballot_schema(config.options, keys[0]),
        read=None if config.options is None else read_choice(config.options, *keys),
        stream=False,
        tools=("-memory_write",),
        described=FRAME,
        recall=recall,
    )


def _ballot_paper(
    ctx: ActivationCalls, seat: Seat, config: VotingConfig
) -> Callable[[], Awaitable[Conversation]]:
    vote_key = config.vote_key

    async def cast() -> Conversation:
        try:
            talk = await _ask(ctx, seat, voter_task(seat.task, vote_key), config, vote_key)
        except NodeError as error:
            if error.code not in OWN_FAULTS:
                failed = {"voter": seat.agent_id, "error": _named(error)}
                await ctx.show("votes", failed)
            raise
        await ctx.show("votes", {"voter": seat.agent_id, "vote": vote_in(talk, vote_key)})
        return talk

    return cast


async def _judged(ctx: ActivationCalls, seat: Seat, votes: list[Any], config: VotingConfig) -> Any:
    task, keys = judge_task(ctx.view.goal, seat.task, votes), (VERDICT, config.vote_key)
    return vote_in(await _ask(ctx, seat, task, config, *keys, recall=False), *keys)


def _counted(
    seats: list[Seat], answers: list[Any], vote_key: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return votes and failures in the order of the seats; raise what is no voter's fault."""
    votes, errors = [], []
    for seat, answer in zip(seats, answers, strict=True):
        if isinstance(answer, Conversation):
            votes.append({"agent_id": seat.agent_id, "vote": vote_in(answer, vote_key)})
            continue
        if not isinstance(answer, NodeError) or answer.code in OWN_FAULTS:
            raise answer
        errors.append({"agent_id": seat.agent_id, "error": _named(answer)})
    return votes, errors


def _named(error: NodeError) -> dict[str, Any]:
    data = error_data(error)
    return {"code": data["code"], "message": data["message"]}


def _check_quorum(votes: list[Any], errors: list[dict[str, Any]], quorum: int | None) -> None:
    if votes and len(votes) >= (quorum or 1):
        return
    detail = {"votes": len(votes), "quorum": quorum, "errors": errors}
    if not votes:
        why = errors[0]["error"]
        message = f"no voter answered; the first failed with {why['code']}: {why['message']}"
        raise NodeError("NoVotes", message, retryable=True, detail=detail)
    message = f"{len(votes)} of {len(votes) + len(errors)} voters answered; the quorum is {quorum}"
    raise NodeError("QuorumNotReached", message, retryable=True, detail=detail)
