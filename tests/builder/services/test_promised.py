"""Whom a question back names is told though the process that asked ended; never of what was refused."""

from __future__ import annotations

import json

import pytest

from builder.base.clock import now_ms
from builder.models import CommentNotice, ItemMention, Outbox, Run, RunRequest
from builder.services.people.commenting import promised
from builder.services.people.commenting.mentions import Mention
from builder.services.people.commenting.promised import PATIENCE_MS, Said, keep_due
from tests.builder.conftest import People
from tests.builder.fakes import open_interrupt

QUESTION = "@Vera: is it what you wanted?"


@pytest.fixture
def asked(people: People, run: Run) -> RunRequest:
    """What a process left that ended after it wrote the question: a request, whom to tell of it."""
    request = RunRequest.objects.create(run=run, kind="ask_back", payload="{}", by="b", created=1)
    vera = Mention(id=people.vera.user_id, name="Vera")
    said = Said(ItemMention.Kind.QUESTION, QUESTION, [vera], told=[])
    assert promised.promise(request, people.bob, open_interrupt(run), said) is not None
    return request


def answered(request: RunRequest, answer: str) -> None:
    RunRequest.objects.filter(pk=request.pk).update(answer=answer, answered=2)


def test_who_is_named_is_told_once_when_the_engine_has_taken_it(
    people: People, asked: RunRequest
) -> None:
    answered(asked, '{"granted":{}}')
    later = now_ms() + PATIENCE_MS

    assert keep_due() == 0, "whoever asked may still be there"
    assert keep_due(later) == 1
    assert keep_due(later) == 0
    [notice] = CommentNotice.objects.all()
    assert notice.user_id == people.vera.user_id
    assert notice.mention is not None
    assert (notice.mention.text, notice.mention.author_id) == (QUESTION, people.bob.user_id)
    assert not Outbox.objects.filter(topic=promised.TOPIC).exists()


@pytest.mark.parametrize("answer", ['{"refused":{"code":"AlreadyAsked"}}', '{"failed":"x"}'])
def test_what_was_refused_tells_nobody(asked: RunRequest, answer: str) -> None:
    answered(asked, answer)

    assert keep_due(now_ms() + PATIENCE_MS) == 0
    assert not CommentNotice.objects.exists()
    assert not Outbox.objects.filter(topic=promised.TOPIC).exists()


def test_what_the_engine_has_not_got_to_waits_for_it(asked: RunRequest) -> None:
    later = now_ms() + PATIENCE_MS

    assert keep_due(later) == 0
    answered(asked, '{"granted":{}}')
    assert keep_due(later) == 0
    assert keep_due(later + PATIENCE_MS) == 1


def test_who_has_left_the_workspace_tells_nobody(people: People, asked: RunRequest) -> None:
    answered(asked, '{"granted":{}}')
    people.bob.delete()

    keep_due(now_ms() + PATIENCE_MS)
    assert not CommentNotice.objects.exists()


def test_one_that_cannot_be_told_holds_back_no_other(
    people: People, run: Run, asked: RunRequest
) -> None:
    answered(asked, '{"granted":{}}')
    [first] = Outbox.objects.filter(topic=promised.TOPIC)
    broken = json.dumps({"request": asked.pk, "by": people.bob.pk})
    Outbox.objects.filter(pk=first.pk).update(payload=broken)
    vera = Mention(id=people.vera.user_id, name="Vera")
    said = Said(ItemMention.Kind.QUESTION, QUESTION, [vera], told=[])
    promised.promise(asked, people.bob, open_interrupt(run), said)
    later = now_ms() + PATIENCE_MS

    assert keep_due(later) == 1
    first.refresh_from_db()
    assert (first.tries, first.available_at) == (1, later + PATIENCE_MS)
    again = first.available_at
    assert keep_due(again) == 0
    first.refresh_from_db()
    assert (first.tries, first.available_at) == (2, again + 2 * PATIENCE_MS)
