"""Money and approvals off the happy path, judged by what the outside recorded."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from engine.core.node_types.conversation import Usage
from engine.integrations.models.chat import CallOrigin, ChatRequest
from engine.sdk import Answer, NodeConfig, NodeType, RequestRefused
from tests.engine.lab import ANN, BOB, Lab, document, single
from tests.engine.node_types import node_types
from tests.engine.runtime.test_primitives import virtually
from tests.simulation.world import PRICE, SimModel

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Spender(NodeType):
    """Make many model calls at once."""

    type = "t_spend"
    label = "Spend"

    class Config(NodeConfig):
        calls: int = 50

    async def run(self, ctx: Any, config: Any) -> Any:
        def call(i: int) -> Any:
            return lambda: ctx.reason("ann", f"call {i:02}", tools=[])

        done = await ctx.gather([call(i) for i in range(config.calls)], max_concurrency=50)
        return {"output": len(done)}


def spenders() -> Any:
    types = node_types()
    types.register(Spender)
    return types


@virtually
async def test_fifty_calls_at_once_stay_within_one_budget() -> None:
    """C43: Each of them fits alone; together they do not."""
    spec = single("t_spend")
    spec = spec.model_copy(
        update={"limits": spec.limits.model_copy(update={"budget_usd": Decimal("0.02")})}
    )
    lab = Lab(spec, types=spenders())
    state = await lab.start()

    row = lab.store.ledger.rows["run:r"]
    assert state.status == "failed"
    assert state.error["code"] == "RunBudgetExceeded"  # type: ignore[index]
    assert 0 < lab.world.charges["r"] <= Decimal("0.02")
    assert (row.spent_usd, row.held_usd) == (lab.world.charges["r"], Decimal(0))
    assert len(lab.events("StepIntended")) == len(lab.events("StepCompleted")) < 50


class Liar(SimModel):
    """A provider that uses more than its worst case."""

    def worst_case(self, request: ChatRequest, origin: CallOrigin) -> Usage:
        return Usage(1, 1)


@virtually
async def test_usage_above_a_cap_is_recorded_in_full_and_stops_the_run() -> None:
    """C41."""
    lab = Lab(single("t_spend", config={"calls": 1}, budget={"max_tokens": 5}), types=spenders())
    lab.runner.models._model = Liar(lab.world, lab)  # type: ignore[attr-defined]
    state = await lab.start()

    assert state.error["code"] == "NodeBudgetExceeded"  # type: ignore[index]
    assert state.spent_usd == lab.world.charges["r"] > PRICE.cost(Usage(1, 1))
    assert state.spent_tokens == lab.world.tokens["r"]
    assert len(lab.events("NodeStarted")) == 1


@virtually
async def test_a_call_that_does_not_fit_is_not_made() -> None:
    """C41."""
    lab = Lab(single("t_spend", config={"calls": 1}, budget={"max_tokens": 5}), types=spenders())
    state = await lab.start()

    assert state.error["code"] == "NodeBudgetExceeded"  # type: ignore[index]
    assert lab.world.charges == {}
    assert state.error["detail"]["limit_tokens"] == 5  # type: ignore[index]


@virtually
async def test_a_raised_limit_resumes_the_same_step_after_a_crash() -> None:
    """C45."""
    budget = {"max_tokens": 65, "on_breach": "ask"}
    lab = Lab(single("t_reason", budget=budget))
    await lab.start()
    state = await lab.answer()
    assert [opened.kind for opened in state.interrupts.values()] == ["budget"]
    await lab.crash()
    state = await lab.answer(decision="raise")

    assert state.outputs["it"] == ["did first", "did second"]
    assert len(lab.events("StepIntended")) == 2
    assert lab.world.charges["r"] == state.spent_usd


@virtually
async def test_a_model_call_in_flight_at_a_crash_counts_as_spent() -> None:
    """I6."""
    lab = Lab(single("t_reason"))
    lab.stop_at = "model:charged"
    await lab.begin()
    await lab.stopped.wait()
    charged = lab.world.charges["r"]
    await lab.crash()
    state = await lab.runner.settled("r")

    [presumed] = lab.events("StepFailed")
    assert presumed.data["presumed"] is True
    assert Decimal(presumed.data["cost_usd"]) >= charged
    assert state.spent_usd >= lab.world.charges["r"] > charged


@virtually
async def test_a_keyed_call_in_flight_at_a_crash_is_carried_out_once() -> None:
    """I5."""
    lab = Lab(single("t_tool"))
    lab.stop_at = "tool:charge:done"
    await lab.begin()
    await lab.stopped.wait()
    await lab.crash()
    await lab.runner.settled("r")
    state = await lab.answer()

    assert state.outputs["it"] == {"done": "it"}
    assert lab.world.executed == {"it": 1}
    assert len(lab.events("StepIntended")) == 2


@virtually
async def test_a_keyed_call_that_a_new_attempt_sends_again_has_its_first_key() -> None:
    """I5: The attempt timed out while the answer was on its way; the next one gets that answer."""
    policy = {"max_retries": 1, "timeout_ms": 1_000, "initial_backoff_ms": 10}
    lab = Lab(single("t_tool", failure_policy=policy))
    point, slow = lab.point, [30.0]

    async def delayed(name: str) -> None:
        if name == "tool:charge:done" and slow:
            await asyncio.sleep(slow.pop())
        await point(name)

    lab.point = delayed  # type: ignore[method-assign]
    await lab.start()
    state = await lab.answer()

    assert state.outputs["it"] == {"done": "it"}
    assert lab.world.executed == {"it": 1}
    assert [e.data["attempt"] for e in lab.events("StepIntended")] == [1, 2]


@pytest.mark.parametrize(("stop_at", "happened"), [("send", 0), ("done", 1)])
@pytest.mark.parametrize("tool", ["mail", "wire"], ids=["unsafe", "probe"])
def test_an_unsafe_call_in_flight_at_a_crash_is_for_a_person(
    tool: str, stop_at: str, happened: int
) -> None:
    """I5: Nobody can know whether it happened; here one person looks, and says what is true."""

    @virtually
    async def play() -> None:
        lab = Lab(single("t_tool", config={"tool": tool}))
        lab.stop_at = f"tool:{tool}:{stop_at}"
        await lab.begin()
        await lab.stopped.wait()
        await lab.crash()
        state = await lab.runner.settled("r")
        assert state.activations["it#1"].status == "in_doubt"
        assert lab.world.executed["it"] == happened

        if happened:
            state = await lab.answer(decision="happened", result={"done": "it"})
        else:
            state = await lab.answer(decision="retry")
        state = await lab.answer()
        assert state.outputs["it"] == {"done": "it"}
        assert lab.world.executed == {"it": 1}

    play()


APPROVED = [
    {"id": "ok", "type": "approval", "config": {"review_keys": ["note"]}},
    {"id": "wait", "type": "t_write", "write_keys": ["x"], "config": {"key": "x", "after_ms": 100}},
    {"id": "mail", "type": "tool", "config": {"tool_id": "mail", "arguments": {"order": "m"}}},
]


def approved(other_after_ms: int, tool: str = "mail") -> Lab:
    """A call below an approval of `note`, which a branch beside it changes."""
    other = {"key": "note", "value": 2, "after_ms": other_after_ms}
    call = {**APPROVED[2], "config": {"tool_id": tool, "arguments": {"order": "m"}}}
    change = {"id": "other", "type": "t_write", "write_keys": ["note"], "config": other}
    nodes = [*APPROVED[:2], call, change]
    edges = ("__start__ > ok", "ok > wait", "wait > mail", "__start__ > other")
    return Lab(document(nodes, *edges, initial_memory={"note": 1}))


async def decide(lab: Lab, actor: Any, decision: str, request_id: str) -> Any:
    answer = Answer(lab.runner.token(request_id), decision=decision)
    return await lab.runner.answer(request_id, answer, actor)


@virtually
async def test_of_two_people_who_decide_at_once_one_counts() -> None:
    """I7."""
    nodes = [APPROVED[0], APPROVED[2]]
    lab = Lab(document(nodes, "__start__ > ok", "ok > mail", initial_memory={"note": 1}))
    await lab.start()
    request_id = lab.open_request()
    said = await asyncio.gather(
        decide(lab, ANN, "approved", request_id),
        decide(lab, BOB, "rejected", request_id),
        decide(lab, ANN, "approved", request_id),
        return_exceptions=True,
    )
    state = await lab.runner.settled("r")

    counted = lab.events("InterruptResolved")
    assert len(counted) == 1
    record = [s for s in said if isinstance(s, dict)]
    refused = [s for s in said if isinstance(s, RequestRefused)]
    assert {r["by"] for r in record} == {counted[0].data["by"]}
    assert {r.code for r in refused} == {"AlreadyDecided"}
    assert lab.world.executed["m"] == (1 if state.status == "completed" else 0)


@virtually
async def test_content_that_changes_while_it_is_shown_is_shown_again() -> None:
    lab = approved(other_after_ms=50)
    await lab.begin()
    first = await _open(lab)
    await asyncio.sleep(0.2)
    await lab.runner.settled("r")
    again = lab.open_request()

    assert again != first
    assert [e.data["outcome"] for e in lab.events("InterruptResolved")] == ["superseded"]
    with pytest.raises(RequestRefused, match="superseded"):
        await decide(lab, ANN, "approved", first)
    await decide(lab, ANN, "approved", again)
    await lab.runner.settled("r")
    assert lab.world.executed == {"m": 1}


@pytest.mark.parametrize(("decision", "sent"), [("approved", 1), ("rejected", 0)])
@pytest.mark.parametrize("tool", ["mail", "charge", "wire"], ids=["unsafe", "keyed", "probe"])
def test_content_that_changes_after_the_approval_is_asked_again_before_the_effect(
    tool: str, decision: str, sent: int
) -> None:
    @virtually
    async def play() -> None:
        lab = approved(other_after_ms=50, tool=tool)
        await lab.begin()
        await decide(lab, ANN, "approved", await _open(lab))
        state = await lab.runner.settled("r")

        assert lab.world.executed == {}
        [opened] = state.interrupts.values()
        assert (opened.kind, opened.key) == ("approval", "mail#1")
        assert opened.request["data"] == {"note": 2}
        await decide(lab, BOB, decision, opened.request_id)
        state = await lab.runner.settled("r")
        assert lab.world.executed["m"] == sent
        assert (state.status, len(state.interrupts)) == ("completed" if sent else "failed", 0)

    play()


@virtually
async def test_content_that_changes_again_is_asked_again_and_an_approval_of_it_is_final() -> None:
    """Each content is asked about by itself, and the effect is sent with the one approved last."""
    later = {"key": "note", "value": 3, "after_ms": 1_000}
    nodes = [
        *APPROVED,
        {"id": "two", "type": "t_write", "write_keys": ["note"], "config": {"after_ms": 50}},
        {"id": "three", "type": "t_write", "write_keys": ["note"], "config": later},
    ]
    edges = ("__start__ > ok", "ok > wait", "wait > mail", "__start__ > two", "__start__ > three")
    lab = Lab(document(nodes, *edges, initial_memory={"note": 1}))
    await lab.begin()
    await decide(lab, ANN, "approved", await _open(lab))
    await asyncio.sleep(0.5)
    first = lab.open_request()
    await asyncio.sleep(1)
    state = await lab.runner.settled("r")
    [opened] = state.interrupts.values()

    assert opened.request_id != first
    assert opened.request["data"] == {"note": 3}
    assert lab.world.executed == {}
    await decide(lab, BOB, "approved", opened.request_id)
    assert (await lab.runner.settled("r")).status == "completed"
    assert lab.world.executed == {"m": 1}


@virtually
async def test_looking_something_up_needs_no_second_approval() -> None:
    """What only reads has no effect that the approval was about."""
    lab = approved(other_after_ms=50, tool="look")
    await lab.begin()
    await decide(lab, ANN, "approved", await _open(lab))

    assert (await lab.runner.settled("r")).status == "completed"


async def _open(lab: Lab) -> str:
    while True:
        await asyncio.sleep(0.005)
        state = lab.store.peek("r")
        if state is not None and state.interrupts:
            return lab.open_request()
