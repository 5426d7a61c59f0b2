"""Items of somebody who is away, with the real engine: lists, words, mail, answer, audit, CSV."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core import mail as outgoing
from django.utils import timezone

from builder.base.clock import now_ms
from builder.models import AuditEntry, Claim, HeldDecision, Interrupt, Outbox, StandIn
from builder.process.engine_thread import EmbeddedEngine
from builder.services.audit.run_actions import enter_all
from builder.services.mail import inbox_mail
from builder.services.runs.deciding import holds
from builder.services.runs.runs import Start, start_run
from tests.builder.api.inbox.test_asking_back import listed, until
from tests.builder.conftest import Api, People
from tests.builder.talk import engine, publish, seen

__all__ = ["engine", "seen"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
BOB, OLGA = "user:bob@example.com", "user:olga@example.com"


def asked(people: People, policy: dict[str, Any], starter: Any = None) -> Interrupt:
    """Open an approval of a sum that only Bob may edit."""
    review = {
        "id": "review",
        "type": "approval",
        "human_description": "Looks at it.",
        "write_keys": ["sum"],
        "config": {
            "prompt_message": "Pay?",
            "review_keys": ["sum"],
            "editable_keys": ["sum"],
            "editable_by": {"sum": [BOB]},
            "policy": policy,
        },
    }
    graph = publish(people.alice, "pay", [review], initial_memory={"sum": 5})
    start_run(starter or people.alice, graph, Start())
    until(lambda: Interrupt.objects.filter(status="open").count() == 1)
    return Interrupt.objects.get(status="open")


def away(people: People, *, days: int = 2) -> StandIn:
    """Let Bob be away, and Oscar stand in."""
    today = timezone.now().date()
    return StandIn.objects.create(
        workspace=people.bob.workspace,
        absent=people.bob.user,
        to=people.oscar.user,
        first_day=today - timedelta(days=1),
        last_day=today + timedelta(days=days),
    )


def shown(api: Api, row: Interrupt) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"interrupts/{row.pk}/").json()
    return found


def decide(api: Api, row: Interrupt, **more: Any) -> Any:
    item = shown(api, row)
    body = {
        "token": item.get("resume_token", "none"),
        "content_hash": item["content_hash"],
        "decision": "approved",
        **more,
    }
    return api.post(f"interrupts/{row.pk}/answer/", body)


async def test_the_stand_in_finds_decides_and_is_on_record(
    people: People, engine: EmbeddedEngine
) -> None:
    """C96: It is for the stand-in while Bob is away; every record says for whom it was decided."""

    @sync_to_async
    def act() -> None:
        row = asked(people, {"eligible": [BOB]})
        oscar, bob = Api(people.oscar), Api(people.bob)
        assert listed(oscar, "decide") == []
        assert shown(oscar, row)["why_not"] == "the approval names other people"
        absence = away(people)

        assert (listed(oscar, "decide"), listed(oscar, "mine")) == ([row.pk], [row.pk])
        item = shown(oscar, row)
        assert item["why_me"] == "You decide for Bob, who is away."
        assert [one["name"] for one in item["places"]] == ["Bob"]
        assert item["not_mine_to_edit"] == {}, "what Bob may edit, his stand-in may"
        [gone] = item["away"]
        assert (gone["absent"]["name"], gone["to"]["name"], gone["why_not"]) == (
            "Bob",
            "Oscar",
            None,
        )
        assert gone["until"] == absence.last_day.isoformat()
        assert shown(bob, row)["can_decide"], "who is away may decide all the same"

        done = decide(oscar, row, edits={"sum": 7}).json()
        assert done["decided"]["by"]["name"] == "Oscar"
        assert done["decided"]["stands_for"]["name"] == "Bob"
        enter_all()
        entries = [json.loads(one.entry) for one in AuditEntry.objects.order_by("n")]
        [told] = [one for one in entries if one["action"] == "interrupt.decided"]
        assert told["detail"]["stands_for"] == people.bob.user_id
        csv = oscar.get("approvals/?format=csv").content.decode().splitlines()
        assert ",decided_for,decided_for_id," in csv[0]
        assert f",Bob,{people.bob.user_id}," in csv[1]

    await act()


async def test_mail_goes_to_the_stand_in_and_leaves_who_is_away_in_peace(
    people: People, engine: EmbeddedEngine
) -> None:
    @sync_to_async
    def act() -> None:
        away(people)
        row = asked(people, {"eligible": [BOB]})
        Outbox.objects.all().delete()
        Outbox.objects.create(topic="mail", ref=row.pk, payload='{"why": "opened"}', available_at=1)
        now = row.opened_at + 60_000
        inbox_mail.deliver_due(now)
        inbox_mail.deliver_due(now + 60_000)

        assert [one.to for one in outgoing.outbox] == [["oscar@example.com"]]

    await act()


async def test_claims_and_turns_of_the_absent_are_found_and_four_eyes_hold(
    people: People, engine: EmbeddedEngine
) -> None:
    """C97: What Oscar started he does not decide for Bob either; he reads why."""

    @sync_to_async
    def act() -> None:
        row = asked(people, {"four_eyes": ["starter"], "eligible": [BOB]}, starter=people.oscar)
        oscar = Api(people.oscar)
        away(people)
        Claim.objects.create(interrupt=row, user=people.bob.user)

        assert listed(oscar, "decide") == []
        item = shown(oscar, row)
        assert item["why_not"] == "you started this run, so somebody else has to decide"
        away_why = "they started this run, so somebody else has to decide"
        assert item["away"][0]["why_not"] == away_why
        refused = decide(oscar, row, token=engine.resume_token(row.pk))
        assert (refused.status_code, refused.json()["code"]) == (403, "NotEligible")
        assert refused.json()["detail"] == item["why_not"]

    await act()


async def test_one_says_in_whose_place_and_a_hold_keeps_it(
    people: People, engine: EmbeddedEngine
) -> None:
    """I7: Of two people one speaks for another; the seat is counted once, the item says whose."""

    @sync_to_async
    def act() -> None:
        row = asked(people, {"rule": {"at_least": 2}})
        away(people)
        oscar = Api(people.oscar)
        item = shown(oscar, row)
        assert [one["name"] for one in item["places"]] == ["Oscar", "Bob"]
        stranger = decide(oscar, row, hold=True, stands_for=people.olga.user_id)
        assert (stranger.status_code, stranger.json()["code"]) == (403, "NotEligible")

        held = decide(oscar, row, hold=True, stands_for=people.bob.user_id)
        assert held.json()["held"]["stands_for"] == "Bob"
        said = decide(oscar, row, stands_for=people.bob.user_id).json()
        [one] = said["quorum"]["approvals"]
        assert (one["by"]["name"], one["stands_for"]["name"]) == ("Oscar", "Bob")
        assert "stand-in has decided" in shown(Api(people.bob), row)["why_not"]

    await act()


async def test_a_held_decision_of_a_stand_in_says_for_whom_it_was_when_they_are_back(
    people: People, engine: EmbeddedEngine
) -> None:
    """C97: Oscar decides for Bob without a word; Bob comes back before it is sent."""

    @sync_to_async
    def act() -> None:
        row = asked(people, {"eligible": [BOB]})
        absence, oscar = away(people), Api(people.oscar)
        assert decide(oscar, row, hold=True).json()["held"]["stands_for"] == "Bob"
        absence.delete()
        holds.commit_due(now_ms() + 60_000)
        HeldDecision.objects.update(commit_at=now_ms() - 3_600_000)

        [told] = oscar.get("interrupts/?view=held").json()["results"]
        held = told["held"]
        assert (held["state"], held["code"], held["stands_for"]) == (
            "refused",
            "NotEligible",
            "Bob",
        )
        assert (told["can_decide"], told["status"], told["away"]) == (False, "open", [])

    await act()


async def test_what_only_others_may_edit_is_said_and_refused_before_it_is_held(
    people: People, engine: EmbeddedEngine
) -> None:
    """C95: Olga may decide; the sum is Bob's."""

    @sync_to_async
    def act() -> None:
        row = asked(people, {"eligible": [BOB, OLGA]})
        olga = Api(people.olga)
        assert shown(olga, row)["not_mine_to_edit"] == {"sum": ["Bob"]}
        for hold in (True, False):
            refused = decide(olga, row, edits={"sum": 7}, hold=hold)
            assert (refused.status_code, refused.json()["code"]) == (403, "NotYoursToEdit")
            assert refused.json()["key"] == "sum"
        assert decide(olga, row).json()["decided"]["decision"] == "approved"

    await act()
