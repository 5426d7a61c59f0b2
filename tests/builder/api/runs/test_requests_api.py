"""What is asked of a run is kept with what else is written, and its outcome can be read later."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import DraftProposal, Interrupt, Run, RunRequest
from builder.services.graphs.drafting import proposals
from builder.services.runs import mailbox
from engine.runtime.mailbox import wishes
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, open_interrupt


@pytest.fixture
def item(run: Run) -> Interrupt:
    return open_interrupt(run)


def said(door: FakeDoor, row: Interrupt, **more: Any) -> dict[str, Any]:
    token = door.resume_token(row.pk)
    return {"token": token, "content_hash": row.content_hash, "decision": "approved", **more}


def test_an_answer_that_the_engine_has_not_come_to_is_kept(
    bob: Api, item: Interrupt, door: FakeDoor
) -> None:
    door.deaf = True
    answer = bob.post(f"interrupts/{item.pk}/answer/", said(door, item))
    body = answer.json()

    assert (answer.status_code, body["code"]) == (202, "NotYet")
    address = body["address"].removeprefix("/api/")
    assert bob.get(address).json()["state"] == "open"

    door.deaf = False
    mailbox.outcome(item.run, body["request"])

    shown = bob.get(address).json()
    assert (shown["kind"], shown["state"], shown["code"]) == ("answer", "granted", None)
    assert Interrupt.objects.get(pk=item.pk).status == "answered"


def test_the_outcome_tells_why_it_was_refused(bob: Api, item: Interrupt, door: FakeDoor) -> None:
    refused = bob.post(f"interrupts/{item.pk}/answer/", said(door, item, decision="retry"))
    row = RunRequest.objects.get()
    shown = bob.get(f"runs/{item.run}/requests/{row.pk}/").json()

    assert (refused.status_code, shown["state"], shown["code"]) == (422, "refused", "AnswerInvalid")
    assert bob.get(f"runs/{item.run}/requests/{row.pk + 1}/").json()["code"] == "RequestNotFound"


def test_a_wrong_token_is_refused_before_anything_is_kept(
    bob: Api, item: Interrupt, door: FakeDoor
) -> None:
    answer = bob.post(f"interrupts/{item.pk}/answer/", said(door, item, token="x"))

    assert (answer.status_code, answer.json()["code"]) == (404, "InterruptNotFound")
    assert not RunRequest.objects.exists()


def test_no_token_is_kept(bob: Api, item: Interrupt, door: FakeDoor) -> None:
    bob.post(f"interrupts/{item.pk}/answer/", said(door, item))

    assert door.resume_token(item.pk) not in RunRequest.objects.get().payload


def test_a_cancel_is_kept_and_nobody_waits_for_it(alice: Api, run: Run, door: FakeDoor) -> None:
    door.deaf = True

    assert alice.post(f"runs/{run.pk}/cancel/", {"reason": "enough"}).status_code == 202
    assert RunRequest.objects.get().kind == "cancel"


def test_what_is_closed_and_the_end_of_its_run_are_one_commit(
    people: People, run: Run, door: FakeDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies right after the commit leaves the cancel in the run's mailbox."""
    proposal = DraftProposal.objects.create(
        workspace=people.alice.workspace, by=people.alice.user, run=run.pk
    )

    def dies(*_asked: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(door, "answer_to", dies)
    with pytest.raises(SystemExit):
        proposals.close(people.alice, proposal, taken=0)

    assert DraftProposal.objects.get(pk=proposal.pk).closed_at is not None
    assert RunRequest.objects.get(run=run.pk).kind == "cancel"


def test_a_wish_is_read_as_it_was_written(people: People) -> None:
    from builder.adapters.directory import actor_of
    from engine.core.state.requests import Answer, Asks

    actor = actor_of(people.bob)
    full = Answer("secret", "h", "approved", "so", {"a": 1}, ["x"], "c", ["d"], {"v": None}, True)
    wish = wishes.answer("q", full, actor)
    asks = wishes.ask_back("q", Asks(actor, "Why?"), actor)

    assert wishes.answer_of(wish.payload) == Answer("", *list(fields_of(full))[1:])
    assert wishes.actor_of(wish.payload["actor"]) == actor
    assert wishes.asks_of(asks.payload) == Asks(actor, "Why?")


def fields_of(answer: Any) -> list[Any]:
    return [getattr(answer, name) for name in ("token", *wishes.SAID)]
