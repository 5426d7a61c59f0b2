"""People learn of words about an item that name them: a question back, its answer, the thread."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail as outgoing

from builder.base.clock import now_ms
from builder.models import AuditEntry, ItemMention, MailChoice, Membership, Run, Workspace
from builder.process.engine_thread import EmbeddedEngine
from builder.services.audit.run_actions import enter_all
from builder.services.mail import comment_mail
from builder.services.people.commenting import promised
from builder.services.runs.deciding import asking_back
from tests.builder.api.inbox.test_asking_back import asked
from tests.builder.conftest import Api, People
from tests.builder.fakes import open_interrupt
from tests.builder.talk import engine, seen

__all__ = ["engine", "seen"]

DAYS = 2 * 86_400_000


def said(text: str, *people: Membership) -> dict[str, Any]:
    return {"text": text, "mentions": [one.user_id for one in people]}


def unread(api: Api) -> list[tuple[str, str, str]]:
    rows = api.get("mentions/?state=unread").json()["results"]
    return [(row["by"]["name"], row["kind"], row["excerpt"]) for row in rows]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_question_back_and_its_answer_tell_whom_they_name(
    people: People, engine: EmbeddedEngine
) -> None:
    """Once each, and not who learns of them by being asked or by having asked."""

    @sync_to_async
    def act() -> None:
        [row] = asked(people)
        at = f"interrupts/{row.pk}"
        bob, alice, olga = Api(people.bob), Api(people.alice), Api(people.olga)
        question = "@Alice: is it what @Olga and @Oscar wanted?"
        named = [people.alice.user_id, people.olga.user_id, people.oscar.user_id]
        body = {"to": people.alice.user_id, "question": question, "mentions": named}

        for _ in range(2):
            assert bob.post(f"{at}/ask-back/", body).status_code == 200
        assert unread(olga) == unread(Api(people.oscar)) == [("Bob", "question", question)]
        assert unread(alice) == []
        refused = Api(people.oscar).post(f"{at}/ask-back/", {**body, "question": "@Olga?"})
        assert refused.status_code == 400  # it names nobody of the others
        late = {**body, "question": "@Olga?", "mentions": [people.olga.user_id]}
        assert Api(people.oscar).post(f"{at}/ask-back/", late).status_code == 409
        assert len(unread(olga)) == 1  # what was refused tells nobody

        reply = {"reply": "@Bob, ask @Olga", "mentions": [people.bob.user_id, people.olga.user_id]}
        assert alice.post(f"{at}/answer-back/", reply).status_code == 200
        assert unread(olga)[0] == ("Alice", "answer", "@Bob, ask @Olga")
        assert unread(bob) == []

        [newest, _] = olga.get("mentions/").json()["results"]
        assert (newest["item"], newest["thread"]) == (row.pk, None)
        assert newest["graph"]["name"] == "Pay"
        assert newest["label"]
        enter_all()
        entries = [json.loads(one.entry)["action"] for one in AuditEntry.objects.order_by("n")]
        about = [one for one in entries if one.startswith("interrupt.")]
        assert about == ["interrupt.asked_back", "interrupt.asking_answered"]

    await act()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_process_that_ends_before_it_tells_leaves_that_to_another(
    people: People, engine: EmbeddedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(_row: object) -> None:
        raise KeyboardInterrupt

    @sync_to_async
    def act() -> None:
        [row] = asked(people)
        named = [people.olga.user_id]
        keep = promised.keep
        monkeypatch.setattr(promised, "keep", ends)
        with pytest.raises(KeyboardInterrupt):
            asking_back.ask_back(people.bob, row, people.alice.user_id, "@Olga?", named)
        assert unread(Api(people.olga)) == []

        monkeypatch.setattr(promised, "keep", keep)
        assert promised.keep_due(now_ms() + promised.PATIENCE_MS) == 1
        assert unread(Api(people.olga)) == [("Bob", "question", "@Olga?")]

    await act()


def test_the_thread_tells_whom_it_names_until_they_open_the_item(
    bob: Api, people: People, run: Run
) -> None:
    row, other = open_interrupt(run), open_interrupt(run)
    vera = Api(people.vera)
    for one in (row, row, other):
        at = f"interrupts/{one.pk}/comments/"
        assert bob.post(at, said("@Vera, look", people.vera)).status_code == 201

    assert unread(vera) == [("Bob", "comment", "@Vera, look")] * 3
    assert vera.post("mentions/read/", {"item": row.pk}).status_code == 204
    [left] = vera.get("mentions/?state=unread").json()["results"]
    assert left["item"] == other.pk
    assert left["graph"] == {"id": run.graph_id, "name": "Support"}


def test_nobody_of_another_workspace_is_named_or_told(bob: Api, people: People, run: Run) -> None:
    """Who is a member of both reads it only where the item is."""
    row = open_interrupt(run)
    at = f"interrupts/{row.pk}/comments/"
    answer = bob.post(at, said("@Carol?", people.carol))
    assert (answer.status_code, answer.json()["problems"][0]["path"]) == (400, "mentions.0")
    assert not ItemMention.objects.exists()

    elsewhere = Workspace.objects.get(slug="away")
    Membership.objects.create(user=people.vera.user, workspace=elsewhere, role="viewer")
    bob.post(at, said("@Vera?", people.vera))
    there = Api(people.vera, **{"X-Workspace": elsewhere.pk})
    assert unread(there) == []
    there.post("mentions/read/", {})
    there.post("mentions/read/", {"item": row.pk})
    home = Api(people.vera, **{"X-Workspace": people.vera.workspace_id})
    assert len(unread(home)) == 1


def test_they_are_told_by_mail_as_they_chose(
    bob: Api, people: People, run: Run, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://graphs.example.com"
    MailChoice.objects.create(user=people.olga.user, when="never")
    row = open_interrupt(run)
    text = "@Vera @Olga @Oscar: secret?"
    named = (people.vera, people.olga, people.oscar)
    bob.post(f"interrupts/{row.pk}/comments/", said(text, *named))
    Api(people.oscar).post("mentions/read/", {"item": row.pk})

    assert comment_mail.deliver_due(now_ms() + DAYS) == 1
    [letter] = outgoing.outbox
    assert letter.to == ["vera@example.com"]
    assert letter.subject.startswith("Bob mentions you on ")
    assert f"https://graphs.example.com/inbox/{row.pk}\n" in letter.body
    assert "secret" not in letter.body


def test_nobody_names_people_too_fast(bob: Api, people: People, run: Run) -> None:
    at = f"interrupts/{open_interrupt(run).pk}/comments/"
    answers = [bob.post(at, said("@Vera", people.vera)).status_code for _ in range(21)]

    assert answers == [201] * 20 + [429]
    assert bob.post(at, said("Vera")).status_code == 201
