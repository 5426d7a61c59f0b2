"""Each kind of channel through the outbox to a receiver, in the form that its service takes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from builder.doors.telling.carrying import carrier, sending
from builder.models import Graph, Interrupt, Run
from builder.services.graphs import graphs
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import People
from tests.builder.doors.telling.conftest import Happen, MakeChannel, MakeRule, states
from tests.builder.doors.telling.receiver import Receiver
from tests.builder.fakes import open_interrupt

TOKEN = "123456789:" + "a" * 35
SAYS = "“Review” of “Support” waits for a decision"
KINDS = {
    "teams": "https://prod-1.westeurope.logic.azure.com:443/workflows/s3cret",
    "discord": "https://discord.com/api/webhooks/1/s3cret",
    "telegram": "-1001234567890",
    "ntfy": "https://ntfy.sh/s3cret",
}


@pytest.fixture
def led(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let what goes to the services of others come to the receiver; return where it was to go."""
    wanted: list[str] = []

    def lead(url: str) -> str:
        wanted.append(url)
        return f"{receiver.address}{urlsplit(url).path}"

    monkeypatch.setattr(sending, "parse_target", lead)
    return wanted


@pytest.fixture
def item(people: People, graph: Graph) -> Interrupt:
    """An approval that waits."""
    graphs.publish(people.alice, graph, revision=1)
    run = Run.objects.get(pk=runs.start_run(people.alice, graph, Start(input="hi")))
    return open_interrupt(run, prompt="Pay @everyone 4111 now?")


def text_of(kind: str, said: Any) -> str:
    """Return what people read, and where the link leads."""
    if kind == "teams":
        [attachment] = said["attachments"]
        text, link = attachment["content"]["body"]
        return f"{text['inlines'][0]['text']} {link['actions'][0]['url']}"
    if kind == "ntfy":
        return f"{said['message']} {said['click']}"
    return str(said["content" if kind == "discord" else "text"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_decision_that_waits_comes_in_the_form_of_its_service(
    kind: str,
    led: list[str],
    receiver: Receiver,
    channel: MakeChannel,
    rule: MakeRule,
    happen: Happen,
    item: Interrupt,
) -> None:
    key = {"telegram": TOKEN, "ntfy": "tk_abc"}.get(kind, "")
    rule(channel(kind, address=KINDS[kind], key=key), "approval.opened")
    run = Run.objects.get(pk=item.run)
    happen("approval.opened", run, item.pk, kind="approval")

    assert carrier.carry() == 1

    [came], [url] = receiver.came, led
    said = text_of(kind, came.json)
    assert SAYS in said
    assert f"/inbox/{item.pk}" in said
    assert "4111" not in said
    assert states() == ["sent"]
    if kind == "telegram":
        assert url == f"https://api.telegram.org/bot{TOKEN}/sendMessage"
        assert came.json["chat_id"] == KINDS[kind]
    elif kind == "ntfy":
        assert (url, came.json["topic"]) == ("https://ntfy.sh/", "s3cret")
        assert came.headers["authorization"] == "Bearer tk_abc"
    else:
        assert url == KINDS[kind]
