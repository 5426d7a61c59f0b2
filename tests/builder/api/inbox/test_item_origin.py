"""What an item says of where it comes from and of what follows: the trigger, and no way back."""

from __future__ import annotations

from typing import Any

import pytest

from builder.models import GraphVersion, Run, Trigger
from builder.reads.inbox_items import items_of
from builder.services.mail.asking_words import AskingWords
from tests.builder.conftest import Api, People
from tests.builder.fakes import open_interrupt

CALL = {"approval_type": "tool_call", "tool": "bank/pay", "effect": "unsafe"}


@pytest.fixture
def hook(people: People, run: Run) -> Trigger:
    """A webhook that started the run."""
    trigger = Trigger.objects.create(
        workspace_id=run.workspace_id,
        graph_id=run.graph_id or "",
        kind="webhook",
        name="GitHub issues",
        account=people.alice.user,
        made_at=1,
    )
    run.source, run.trigger = "webhook", trigger.pk
    run.save()
    return trigger


def shown(api: Api) -> Any:
    [item] = api.get("interrupts/?state=open").json()["results"]
    return item


def test_the_trigger_is_named(bob: Api, people: People, run: Run, hook: Trigger) -> None:
    row = open_interrupt(run)

    told = shown(bob)["run"]
    assert (told["source"], told["trigger"]) == (
        "webhook",
        {"id": hook.pk, "name": "GitHub issues"},
    )
    [item] = items_of([row], people.bob)
    assert AskingWords([item], with_words=False).started(item) == (
        ", started by the webhook “GitHub issues”"
    )


def test_items_are_found_by_their_trigger(bob: Api, run: Run, hook: Trigger) -> None:
    row = open_interrupt(run)
    query = {"state": "open", "trigger": hook.pk}

    for trigger, found in ((hook.pk, [row.pk]), ("another", [])):
        listed = bob.get(f"interrupts/?state=open&trigger={trigger}").json()["results"]
        assert [one["request_id"] for one in listed] == found
    kept = bob.post("inbox-views/", {"name": "By GitHub", "query": query}).json()
    assert (kept["query"], kept["count"]) == (query, 1)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"data": {"due": 5, "tip": 1, "n": 2, "input.fee": 3}},
         {"due": "JPY", "tip": "USD", "input.fee": "EUR"}),
        ({"data": {"due": 5}, "approval_type": "tool_call"}, {}),
        ({"data": [{"due": 5}]}, {}),
    ],
)  # fmt: skip
def test_the_currency_of_what_nobody_may_edit_is_told(
    bob: Api, run: Run, asked: dict[str, Any], told: dict[str, str]
) -> None:
    """As the version of the run declares it: memory, and what was given at the start."""
    version = run.version
    assert version is not None
    memory = {"due": {"x-unit": "JPY"}, "tip": {"format": "money"}, "n": {"x-unit": "kg"}}
    start = {"properties": {"fee": {"x-unit": "EUR"}}}
    document = {
        **version.document,
        "state_schema": {"properties": memory},
        "interface": {"inputs": start},
    }
    GraphVersion.objects.filter(pk=version.pk).update(document=document)
    open_interrupt(run, request=asked)

    assert shown(bob)["currencies"] == told


def test_one_that_is_gone_is_said_to_be(bob: Api, people: People, run: Run, hook: Trigger) -> None:
    row, gone = open_interrupt(run), hook.pk
    hook.delete()

    assert shown(bob)["run"]["trigger"] == {"id": gone, "name": ""}
    [item] = items_of([row], people.bob)
    assert "the webhook that is gone" in AskingWords([item], with_words=False).started(item)


def test_a_person_s_run_has_no_trigger(bob: Api, run: Run) -> None:
    open_interrupt(run)

    told = shown(bob)["run"]
    assert (told["source"], told["trigger"]) == (run.source, None)


@pytest.mark.parametrize(("effect", "stays"), [("unsafe", True), ("keyed", True), ("read", False)])
def test_a_call_says_whether_it_stays_done(bob: Api, run: Run, effect: str, stays: bool) -> None:
    open_interrupt(run, request={**CALL, "effect": effect})

    assert shown(bob)["stays_done"] is stays


def test_an_approval_says_whether_what_follows_stays_done(bob: Api, run: Run) -> None:
    row = open_interrupt(run)
    assert shown(bob)["stays_done"] is False

    version = GraphVersion.objects.get(pk=run.version_id)
    document = dict(version.document)
    send = {"id": "send", "type": "http_request"}
    send |= {"config": {"url": "https://a.example", "method": "POST"}}  # type: ignore[dict-item]
    document["nodes"] = [*document["nodes"], send]
    document["edges"] = [{"source": "review", "target": "send"}]
    GraphVersion.objects.filter(pk=version.pk).update(document=document)
    assert shown(bob)["stays_done"] is True

    row.status = "answered"
    row.save()
    [done] = bob.get("interrupts/?state=done").json()["results"]
    assert done["stays_done"] is False
