"""A run says what started it: in its page, its list, the CSV, and to who looks for it."""

from __future__ import annotations

import csv

from django.test import Client

from builder.doors.triggers import verbs as triggers
from builder.models import Graph, Run
from builder.services.people import accounts
from tests.builder.conftest import Api, People
from tests.builder.doors.conftest import Made


def test_a_run_says_what_started_it(alice: Api, people: People, graph: Graph, hook: Made) -> None:
    sender = hook()
    hooked = sender.standard({"n": 1}).json()["run"]
    mine = alice.post(f"graphs/{graph.pk}/runs/", {}).json()
    token = accounts.create_api_token(people.alice, name="ci")[1]
    theirs = Api(None, Authorization=f"Bearer {token}").post(f"graphs/{graph.pk}/runs/", {}).json()

    shown = alice.get(f"runs/{hooked}/").json()

    assert (shown["source"], shown["trigger"]["name"]) == ("webhook", "Orders")
    assert shown["started_by"]["name"] == "Triggers"
    assert (mine["source"], mine["trigger"]) == ("person", None)
    assert theirs["source"] == "api"
    for choice in ("source=webhook", f"trigger={sender.trigger.pk}"):
        assert [row["id"] for row in alice.get(f"runs/?{choice}").json()["results"]] == [hooked]
    lines = csv.DictReader(alice.get("runs/?format=csv").content.decode().splitlines())
    assert {(line["source"], line["trigger"]) for line in lines} == {
        ("webhook", "Orders"),
        ("person", ""),
        ("api", ""),
    }


def test_a_run_outlives_what_started_it(alice: Api, people: People, hook: Made) -> None:
    sender = hook()
    run = sender.standard({"n": 1}).json()["run"]
    gone = sender.trigger.pk
    triggers.remove(people.alice, sender.trigger)

    assert alice.get(f"runs/{run}/").json()["trigger"] == {"id": gone, "name": ""}
    assert Run.objects.get().trigger == gone
    assert Client().post(f"/hooks/{sender.trigger.address}").status_code == 404
