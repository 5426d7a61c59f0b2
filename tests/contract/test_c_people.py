"""Rows C.9: approvals."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.errors import RequestRefused
from engine.core.state.requests import CLI, Actor, Answer
from tests.contract.harness import (
    Outcome,
    agent,
    approval,
    check,
    doc,
    fn,
    node,
    question,
    run,
    started,
)
from tests.contract.questions import opened

END: dict[str, Any] = {
    "functions": {"end": {"returns": {}}, "w": {"returns": {"data": {"draft": "new"}}}}
}
YES: dict[str, Any] = {"decision": "approved"}
NO: dict[str, Any] = {"decision": "rejected"}
LATE: dict[str, Any] = {"expire": True}
MEMORY = {"draft": "d", "secret": "s"}


def reviewed(decision: dict[str, Any] | None = None, edges: Any = None, **config: Any) -> Outcome:
    nodes = [approval("review", **config), fn("ok", "end"), fn("no", "end")]
    edges = ["__start__ -> review -> ok", *(edges or [])]
    decide = None if decision is None else {"review": [decision]}
    return run(doc(nodes, edges, initial_memory=MEMORY), END, decide)


def request(outcome: Outcome) -> dict[str, Any]:
    return dict(outcome.report["interrupts"][0]["request"])


def test_only_human_review_exists() -> None:
    """C90."""
    assert "InvalidValue" in check(doc([approval("p", approval_type="robot")])).codes
    assert request(reviewed())["approval_type"] == "human_review"


def test_the_default_message_and_a_template() -> None:
    """C91."""
    assert request(reviewed())["prompt"] == "Please review and approve this workflow step."
    written = reviewed(prompt_message="Send {{ memory.draft }}?", review_keys=["draft"])
    assert request(written)["prompt"] == "Send d?"
    unseen = reviewed(prompt_message="{{ memory.secret }}", review_keys=["draft"])
    assert unseen.code == "MissingReference"


def test_the_reviewer_sees_the_review_keys() -> None:
    """C92."""
    assert request(reviewed(review_keys=["draft"]))["data"] == {"draft": "d"}
    assert request(reviewed())["data"] == MEMORY


def test_a_deadline_counts_as_rejection() -> None:
    """C93."""
    bare = reviewed(LATE)
    drawn = reviewed(LATE, [("review", "no", {"on": "timed_out"})])

    assert (bare.status, bare.code, bare.exit) == ("failed", "ApprovalRejected", 1)
    assert [e["decision"] for e in bare.of("InterruptResolved")] == ["timed_out"]
    assert (drawn.exit, drawn.path) == (0, ["review", "no"])
    expires = bare.of("InterruptOpened")[0]["expires_at"]
    from datetime import datetime

    at = datetime.fromisoformat(bare.of("InterruptOpened")[0]["at"])
    assert expires - round(at.timestamp() * 1000) == 86_400_000


def test_a_deadline_takes_the_rejection_node_too() -> None:
    """C93."""
    assert reviewed(LATE, rejection_node_id="no").path == ["review", "no"]


async def test_a_late_decision_is_told_of_the_expiry() -> None:
    """C93."""
    local, _run = await started(doc([approval("review", timeout_ms=1000)]))
    item = opened(local)
    local.clock.offset_ms += 2000
    with pytest.raises(RequestRefused) as late:
        await local.runner.answer(
            item.request_id, Answer(local.runner.token(item.request_id), decision="approved"), CLI
        )
    state = await local.runner.settled("r")

    assert late.value.code == "AlreadyDecided"
    assert late.value.detail["decided"]["outcome"] == "expired"
    assert (state.status, (state.error or {})["code"]) == ("failed", "ApprovalRejected")
    await local.runner.close()


def test_a_rejection_has_its_way_or_fails_the_run() -> None:
    """C94."""
    node = reviewed(NO, rejection_node_id="no")
    edge = reviewed(NO, [("review", "no", {"on": "rejected"})])
    bare = reviewed({**NO, "comment": "too long"})

    assert node.path == edge.path == ["review", "no"]
    assert node.exit == edge.exit == 0
    assert (bare.code, bare.exit) == ("ApprovalRejected", 1)
    assert bare.of("RunFailed")[0]["reason"] == "rejected"
    assert "too long" in bare.report["error"]["message"]
    both = doc(
        [approval("review", rejection_node_id="no"), fn("ok", "end"), fn("no", "end")],
        ["__start__ -> review", ("review", "ok", {"on": "rejected"})],
    )
    assert "InvalidValue" in check(both, END).codes


def test_an_approval_applies_edits_and_goes_on() -> None:
    """C95."""
    decision = {**YES, "comment": "ok", "edits": {"draft": "x"}}
    done = reviewed(decision, editable_keys=["draft"])
    ends = run(doc([approval("review")]), decide={"review": [YES]})
    stray = reviewed({**YES, "edits": {"secret": "x"}}, editable_keys=["draft"])

    assert (done.exit, done.path, done.memory["draft"]) == (0, ["review", "ok"], "x")
    kept = done.outputs["review"]
    assert kept == done.memory["review_result"]
    assert (kept["decision"], kept["comment"], kept["edits"]) == ("approved", "ok", {"draft": "x"})
    assert kept["decided_by"] == "cli"
    assert kept["decided_at"].endswith("Z")
    assert (ends.exit, ends.path) == (0, ["review"])
    assert (stray.exit, stray.codes) == (3, ["AnswerInvalid"])


def test_edits_are_validated() -> None:
    """C95."""
    schema = {"type": "object", "properties": {"draft": {"type": "string"}}}
    graph = doc(
        [approval("review", editable_keys=["draft"])], state_schema=schema, initial_memory=MEMORY
    )
    refused = run(graph, decide={"review": [{**YES, "edits": {"draft": 5}}]})

    assert (refused.exit, refused.codes, refused.memory) == (3, ["AnswerInvalid"], MEMORY)


async def decide(local: Any, item: Any, actor: Actor = CLI, **given: Any) -> Any:
    token = local.runner.token(item.request_id)
    return await local.runner.answer(item.request_id, Answer(token, **given), actor)


async def test_a_decision_counts_once() -> None:
    """C96."""
    graph = doc([fn("before", "end"), approval("review")])
    local, _run = await started(graph, END)
    item = opened(local)
    both = await asyncio.gather(
        decide(local, item, **YES),
        decide(local, item, Actor("ann", kind="cli"), **NO),
        return_exceptions=True,
    )
    state = await local.runner.settled("r")

    assert isinstance(both[0], dict)
    assert isinstance(both[1], RequestRefused)
    assert both[1].code == "AlreadyDecided"
    assert both[1].detail["decided"]["decision"] == "approved"
    assert state.status == "completed"
    log = await local.store.events("r")
    assert len([e for e in log if e.type == "NodeStarted" and e.node == "before"]) == 1
    await local.runner.close()


async def test_someone_not_entitled_may_not_decide() -> None:
    """C96."""
    graph = doc([approval("review", policy={"eligible": ["user:ann"]})])
    local, _run = await started(graph)
    item = opened(local)
    with pytest.raises(RequestRefused) as refused:
        await decide(local, item, Actor("bob", roles=frozenset({"admin"})), **YES)
    await decide(local, item, Actor("ann"), **YES)

    assert refused.value.code == "NotEligible"
    assert (await local.runner.settled("r")).status == "completed"
    await local.runner.close()


async def test_changed_content_is_not_approved_unseen() -> None:
    """C96."""
    nodes = [approval("review", review_keys=["draft"]), question("q"), fn("w", writes=["draft"])]
    graph = doc(nodes, ["__start__ -> review", "__start__ -> q -> w"], initial_memory=MEMORY)
    local, _run = await started(graph, END)
    item, ask = opened(local, 0), opened(local, 1)
    await decide(local, ask, selected="go")
    await local.runner.settled("r")
    with pytest.raises(RequestRefused) as closed:
        await decide(local, item, **YES)
    anew = opened(local)
    with pytest.raises(RequestRefused) as changed:
        await decide(local, anew, content_hash="of something else", **YES)
    await decide(local, anew, content_hash=anew.content_hash, **YES)

    assert closed.value.code == "AlreadyDecided"
    assert changed.value.code == "ContentChanged"
    assert anew.request["data"] == {"draft": "new"}
    assert (await local.runner.settled("r")).status == "completed"
    await local.runner.close()


def test_a_message_sees_what_the_node_reads_and_what_is_reviewed() -> None:
    """C91, C15."""
    message = "{{ previous }}: {{ memory.draft }} {{ memory.secret }}"
    node = approval("review", prompt_message=message, review_keys=["draft"])
    graph = doc([node | {"read_keys": ["previous", "secret"]}], initial_memory=MEMORY)
    asked = request(run(graph, END, input="in"))

    assert asked["prompt"] == "in: d s"
    assert asked["data"] == {"draft": "d"}


def test_a_map_shows_each_reviewer_the_item() -> None:
    """C92, C106."""
    worker = approval("w", review_keys=["map_item"], prompt_message="{{ memory.map_index }}?")
    over = {"worker_node_id": "w", "static_items": ["a", "b"]}
    graph = doc([node("m", "map", config=over), worker], ["__start__ -> m"])
    asked = [entry["request"] for entry in run(graph, END).report["interrupts"]]
    done = run(graph, END, {"w": [YES, NO]})

    assert [each["data"] for each in asked] == [{"map_item": "a"}, {"map_item": "b"}]
    assert [each["prompt"] for each in asked] == ["0?", "1?"]
    assert (done.memory["m_count"], done.memory["m_error_count"]) == (1, 1)


def test_a_star_lets_everything_shown_be_edited() -> None:
    """C95: A star lets everything that is shown be edited, and nothing else."""
    every = {"editable_keys": ["*"], "review_keys": ["draft"]}
    edited = reviewed({**YES, "edits": {"draft": "x"}}, **every)
    hidden = reviewed({**YES, "edits": {"secret": "x"}}, **every)

    assert edited.memory["draft"] == "x"
    assert (hidden.exit, hidden.codes) == (3, ["AnswerInvalid"])
    assert request(hidden)["edit_schema"]["additionalProperties"] is True


def test_what_is_edited_is_a_whole_key() -> None:
    """C95."""
    found = check(doc([approval("p", editable_keys=["draft.title"])]))

    (problem,) = [p for p in found.problems if p["severity"] == "error"]
    assert (problem["code"], problem["path"]) == (
        "InvalidValue",
        "nodes[0].config.editable_keys[0]",
    )


@pytest.mark.parametrize(
    ("answer", "group", "decision"),
    [({**NO, "comment": "shorter"}, "rejected", "rejected"), (LATE, "timed_out", "timed_out")],
)
def test_the_way_of_a_rejection_knows_the_decision(
    answer: dict[str, Any], group: str, decision: str
) -> None:
    """C8, C94: The way that a rejection takes finds the decision in memory; none other does."""
    drawn = reviewed(answer, [("review", "no", {"on": group})])
    bare = reviewed(answer)

    kept = drawn.memory["review_result"]
    assert (kept["decision"], kept["comment"]) == (decision, answer.get("comment"))
    assert "review" not in drawn.outputs
    assert bare.memory == MEMORY


def test_a_rejected_draft_is_written_again_with_the_comment() -> None:
    """C94: A rejected draft is written again with the reviewer's comment."""
    told = "{{ has(memory.review_result) ? memory.review_result.comment : 'first' }}"
    writer = agent("writer", told, reads=["review_result"], writes=["draft"])
    nodes = [writer, approval("review", rejection_node_id="writer"), fn("ok", "end")]
    graph = doc(nodes, ["__start__ -> writer -> review -> ok"])
    script = {"default": [{"text": "v1"}, {"text": "v2"}], **END}
    done = run(graph, script, {"review": [{**NO, "comment": "shorter"}, YES]})

    assert done.path == ["writer", "review", "writer", "review", "ok"]
    assert "first" in done.prompt(0)
    assert "shorter" in done.prompt(1)
    assert (done.memory["draft"], done.memory["review_result"]["decision"]) == ("v2", "approved")
