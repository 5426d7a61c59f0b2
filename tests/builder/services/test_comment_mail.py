"""Who is named in a comment is told by mail, as often as they chose, with a link to the thread."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail as outgoing

from builder.base.clock import now_ms
from builder.models import CommentThread, Graph, MailChoice, Outbox, Workspace
from builder.services.mail import comment_mail
from builder.services.people.commenting import own_words, telling, threads
from tests.builder.conftest import Api, People

pytestmark = pytest.mark.django_db
DAYS = 2 * 86_400_000


def deliver() -> list[str]:
    comment_mail.deliver_due(now_ms() + DAYS)
    return sorted(one for message in outgoing.outbox for one in message.to)


def say(people: People, graph: Graph, text: str, *named: Any) -> CommentThread:
    return threads.begin(people.alice, graph, "draft", text, [one.user_id for one in named])


def test_whom_a_comment_names_gets_a_link_to_the_thread(
    people: People, graph: Graph, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://graphs.example.com"
    thread = say(people, graph, "@Bob, @Olga: secret?", people.bob, people.olga)

    assert deliver() == ["bob@example.com", "olga@example.com"]
    message = outgoing.outbox[0]
    assert message.subject == "Alice mentions you on Draft · Support"
    assert f"https://graphs.example.com/workflows/{graph.pk}?thread={thread.pk}\n" in message.body
    assert "secret" not in message.body
    assert not Outbox.objects.exists()


def test_what_was_said_is_in_the_mail_where_the_workspace_lets_it(
    people: People, graph: Graph
) -> None:
    Workspace.objects.filter(pk=graph.workspace_id).update(settings={"mail_titles": True})
    say(people, graph, "@Bob\nis it right?", people.bob)

    deliver()
    assert "  @Bob is it right?\n" in outgoing.outbox[0].body


def test_several_comments_make_one_letter(people: People, graph: Graph) -> None:
    for _ in range(3):
        say(people, graph, "@Bob?", people.bob)

    assert deliver() == ["bob@example.com"]
    assert outgoing.outbox[0].subject.startswith("Alice mentions you on Draft, and 2 more")


def test_nobody_is_told_of_their_own_words_of_words_taken_back_or_against_their_will(
    people: People, graph: Graph
) -> None:
    MailChoice.objects.create(user=people.olga.user, when="never")
    say(people, graph, "@Alice @Olga", people.alice, people.olga)
    taken = say(people, graph, "@Bob", people.bob).comments.get()
    own_words.take_back(people.alice, taken)

    assert deliver() == []


def test_nobody_is_told_of_what_they_have_read_on_screen(people: People, graph: Graph) -> None:
    thread = say(people, graph, "@Bob @Olga", people.bob, people.olga)
    telling.read(people.bob, thread.pk)

    assert deliver() == ["olga@example.com"]
    assert not Outbox.objects.exists()


def test_who_is_told_once_a_day_is_told_later(people: People, graph: Graph) -> None:
    MailChoice.objects.create(user=people.bob.user, when="daily")
    say(people, graph, "@Bob", people.bob)

    comment_mail.deliver_due(now_ms() + 1_000)
    assert outgoing.outbox == []
    assert deliver() == ["bob@example.com"]


def test_a_change_tells_only_whom_it_names_anew(people: People, graph: Graph) -> None:
    comment = say(people, graph, "@Bob", people.bob).comments.get()
    assert deliver() == ["bob@example.com"]

    named = [people.bob.user_id, people.olga.user_id]
    own_words.change(people.alice, comment, "@Bob and @Olga", named)

    assert deliver() == ["bob@example.com", "olga@example.com"]


@pytest.mark.parametrize("who", ["carol", "bob"])
def test_strangers_and_people_whom_the_text_does_not_name_are_refused(
    people: People, graph: Graph, alice: Api, who: str
) -> None:
    person = getattr(people, who).user_id
    body = {"node": "draft", "text": "Hello @Carol", "mentions": [person]}

    refused = alice.post(f"graphs/{graph.pk}/threads/", body)

    assert refused.status_code == 400
    assert refused.json()["problems"][0]["path"] == "mentions.0"
    assert not Outbox.objects.exists()


def test_a_mail_server_that_is_away_is_asked_again(
    people: People, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(people, graph, "@Bob", people.bob)

    def away(*_args: Any) -> int:
        raise ConnectionRefusedError("no mail server")

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMessage.send", away)
        assert comment_mail.deliver_due(now_ms() + DAYS) == 0
    assert Outbox.objects.get().tries == 1

    assert comment_mail.deliver_due(now_ms() + 2 * DAYS) == 1
    assert [message.to for message in outgoing.outbox] == [["bob@example.com"]]
