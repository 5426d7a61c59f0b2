"""What the value behind an option is, browsers are not told."""

from __future__ import annotations

import json

from builder.live import pages
from builder.models import Interrupt, Run
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, open_interrupt

OPTIONS = [
    {"id": "a", "label": "Ask", "description": "first", "value": {"secret": 7}},
    {"id": "b", "label": "Bill"},
]
SHOWN = [{"id": "a", "label": "Ask", "description": "first"}, OPTIONS[1]]


def choosing(run: Run, options: object = OPTIONS) -> Interrupt:
    row = open_interrupt(run, kind="choice")
    request = {"kind": "choice", "question": "Which?", "options": options}
    event = append(run, "InterruptOpened", key=row.key, request_id=row.pk, request=request)
    Interrupt.objects.filter(pk=row.pk).update(opened_seq=event.seq)
    return row


def test_the_inbox_shows_options_without_their_values(people: People, run: Run) -> None:
    """I4: Options have id, label and description; a value stays on the server."""
    row = choosing(run)
    shown = Api(people.bob).get(f"interrupts/{row.pk}/").json()["request"]
    listed = Api(people.bob).get("interrupts/?kind=choice").json()["results"][0]["request"]
    opened = Api(people.bob).get(f"runs/{run.pk}/").json()["interrupts"]

    assert shown["options"] == listed["options"] == SHOWN
    assert [one["request"]["options"] for one in opened if one["request_id"] == row.pk] == [SHOWN]


def test_events_carry_options_without_their_values(people: People, run: Run) -> None:
    """I4: The log that browsers get says nothing of it either, over HTTP and socket."""
    row = choosing(run)
    events = Api(people.bob).get(f"runs/{run.pk}/events/").json()["events"]
    frame = pages.read_page(run.pk, 0).frame
    [opened] = [e for e in events if e.get("request", {}).get("kind") == "choice"]

    assert opened["request"]["options"] == SHOWN
    assert (opened["request_id"], opened["request"]["question"]) == (row.pk, "Which?")
    assert json.loads(frame)["events"] == events
    assert "secret" not in frame


def test_options_that_are_stored_apart_do_no_harm(people: People, run: Run) -> None:
    """I4: A list of options above 64 KiB is shown as the reference that it is."""
    row = choosing(run, {"$blob": "0" * 64, "bytes": 70_000})
    answer = Api(people.bob).get(f"interrupts/{row.pk}/")

    assert answer.status_code == 200
    assert answer.json()["request"]["options"] == {"$blob": "0" * 64, "bytes": 70_000}
