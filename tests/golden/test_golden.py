"""The recorded logs are what the engine writes, fold to what they say, and have every event."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.cli.event_forms.classes import Form, Forms
from tests.golden.recording import FOLDER, HEAD, event_of, states, written
from tests.golden.scenarios import SCENARIOS, record

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
LOGS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")
}
FORMS = Forms()
EVENTS = [(name, event) for name, log in sorted(LOGS.items()) for event in log["events"]]
NEVER_SEEN = {"JoinForced": "no drawn graph is known in which joins hold each other"}


def form_of(kind: str) -> Form:
    return FORMS.by_name[kind]


def test_every_scenario_has_its_log() -> None:
    assert set(LOGS) == set(SCENARIOS)


def test_every_event_there_is_was_recorded() -> None:
    types = {each.name for each in FORMS.all_events()}

    assert types - {event["type"] for _, event in EVENTS} == set(NEVER_SEEN)


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_recording_again_gives_the_same_log(name: str) -> None:
    """What changes here is seen by every reader of logs: look at it, then `python -m tests.golden`."""
    stored = (FOLDER / f"{name}.json").read_text(encoding="utf-8")

    assert written(record(name)) == stored


@pytest.mark.parametrize("name", sorted(LOGS))
def test_the_engine_folds_a_recorded_log_to_what_it_says(name: str) -> None:
    log = LOGS[name]

    assert states(log["document"], [event_of(each) for each in log["events"]]) == log["states"]


@pytest.mark.parametrize("kind", sorted({event["type"] for _, event in EVENTS}))
def test_an_event_carries_what_its_class_says(kind: str) -> None:
    """No field is missing, none is unknown; whom it is about is said as the class says."""
    fields = {field.name: field for field in FORMS.fields(form_of(kind))}
    subject = FORMS.subject(form_of(kind))
    needed = {name for name, field in fields.items() if not field.optional}
    for name, event in EVENTS:
        if event["type"] != kind:
            continue
        carried = event.keys() - {*HEAD, "cause"} | (event.keys() & fields.keys())
        assert needed - event.keys() == set(), name
        assert carried - fields.keys() == set(), name
        assert ("key" in event) is (subject == "OfActivation") or subject == "OfEither", name
