"""The inbox over HTTP."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from builder.models import Graph, Run
from builder.services.people import accounts
from builder.services.runs import runs
from builder.services.runs.runs import Start
from tests.builder.conftest import Api, People
from tests.builder.fakes import FakeDoor, open_interrupt


def approve(api: Api, item: Any, **fields: Any) -> Any:
    path = f"interrupts/{item['request_id']}/"
    token = api.get(path).json().get("resume_token", "x")
    return api.post(f"{path}answer/", {"token": token, "decision": "approved", **fields})


def test_the_inbox_shows_what_is_asked(bob: Api, run: Run) -> None:
    open_interrupt(run)

    item = bob.get("interrupts/?state=open").json()["results"][0]

    assert item["request"] == {"prompt": "Send it?", "data": {"draft": "Hello"}}
    assert item["node_label"] == "Review"
    assert (item["run"]["graph"]["name"], item["run"]["title"]) == ("Support", "hi")
    assert item["run"]["started_by"]["name"] == "Alice"
    assert item["can_decide"]
    assert item["resume_token"]
    assert "why_not" not in item


def test_who_may_not_decide_gets_no_token_and_the_reason(alice: Api, run: Run) -> None:
    """I24."""
    open_interrupt(run)

    item = alice.get("interrupts/").json()["results"][0]

    assert not item["can_decide"]
    assert "resume_token" not in item
    assert item["why_not"] == "the role author may not decide"


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        ({}, True),
        ({"eligible": ["user:bob@example.com"]}, True),
        ({"eligible": ["group:finance"]}, True),
        ({"eligible": ["role:reviewer"]}, True),
        ({"eligible": ["user:olga@example.com", "group:legal"]}, False),
        ({"eligible": []}, False),
        ({"four_eyes": ["starter"]}, True),
    ],
)
def test_policies_decide_who_may(
    bob: Api, run: Run, people: People, policy: dict[str, Any], allowed: bool
) -> None:
    accounts.change_member(people.olga, people.bob, role=None, groups=["finance"])
    open_interrupt(run, policy=policy)

    item = bob.get("interrupts/").json()["results"][0]

    assert item["can_decide"] is allowed


def test_four_eyes_keep_the_starter_out(people: People, run: Run) -> None:
    run.started_by = people.bob.user_id
    open_interrupt(run, policy={"four_eyes": ["starter"]})

    assert not Api(people.bob).get("interrupts/").json()["results"][0]["can_decide"]
    assert Api(people.oscar).get("interrupts/").json()["results"][0]["can_decide"]


def test_a_decision_counts_once_and_the_second_hears_the_first(people: People, run: Run) -> None:
    """C96."""
    item = {"request_id": open_interrupt(run).pk}

    first = approve(Api(people.bob), item, comment="fine")
    late = Api(people.oscar).post(
        f"interrupts/{item['request_id']}/answer/",
        {"token": FakeDoor().resume_token(item["request_id"]), "decision": "rejected"},
    )

    assert first.status_code == 200
    assert first.json()["status"] == "answered"
    assert first.json()["decided"]["by"]["name"] == "Bob"
    assert first.json()["decided"]["comment"] == "fine"
    assert late.status_code == 409
    assert late.json()["code"] == "AlreadyDecided"
    assert late.json()["decided"]["decision"] == "approved"
    assert late.json()["decided"] == first.json()["decided"]


def test_the_same_click_twice_gets_the_same_answer(bob: Api, run: Run) -> None:
    item = {"request_id": open_interrupt(run).pk}
    body = {"token": FakeDoor().resume_token(item["request_id"]), "decision": "approved"}
    path = f"interrupts/{item['request_id']}/answer/"

    assert [bob.post(path, body).status_code for _ in range(2)] == [200, 200]


def test_refusals_have_their_codes(alice: Api, bob: Api, run: Run) -> None:
    """I8."""
    item = {"request_id": open_interrupt(run).pk}
    path = f"interrupts/{item['request_id']}/answer/"
    token = FakeDoor().resume_token(item["request_id"])

    def refused(api: Api, **body: Any) -> tuple[int, str]:
        answer = api.post(path, {"token": token, "decision": "approved", **body})
        return answer.status_code, answer.json()["code"]

    assert refused(bob, token="wrong") == (404, "InterruptNotFound")
    assert refused(alice) == (403, "NotEligible")
    assert refused(bob, content_hash="d" * 64) == (409, "ContentChanged")
    assert refused(bob, decision="skip") == (422, "AnswerInvalid")
    assert refused(bob, decision="maybe") == (400, "InputInvalid")
    assert refused(bob, colour=1) == (400, "InputInvalid")
    assert bob.get(f"interrupts/{item['request_id']}/").json()["status"] == "open"


def test_looking_never_decides(bob: Api, run: Run) -> None:
    row = open_interrupt(run)

    bob.get(f"interrupts/{row.pk}/")
    assert bob.get(f"interrupts/{row.pk}/answer/").status_code == 405

    row.refresh_from_db()
    assert row.status == "open"


def test_programs_answer_questions_and_decide_nothing(people: People, run: Run) -> None:
    _, text = accounts.create_api_token(people.bob, name="bot")
    program = Api(None, Authorization=f"Bearer {text}")
    approval, question = open_interrupt(run).pk, open_interrupt(run, "text").pk

    def answer(request_id: str) -> Any:
        body = {"token": FakeDoor().resume_token(request_id), "selected": "blue"}
        return program.post(f"interrupts/{request_id}/answer/", body)

    assert answer(approval).json()["code"] == "NotEligible"
    assert answer(question).status_code == 200
    listed = {i["request_id"]: i for i in program.get("interrupts/").json()["results"]}
    assert "resume_token" not in listed[approval]


def test_an_answer_hands_over_what_was_given_and_nothing_else(
    bob: Api, run: Run, door: FakeDoor
) -> None:
    row = open_interrupt(run, "choice")
    body = {"token": door.resume_token(row.pk), "choice": {"id": "a"}, "max_cost_usd": "1.5"}

    bob.post(f"interrupts/{row.pk}/answer/", body)

    _, answer, actor = door.answers[0]
    assert answer.choice == {"id": "a"}
    assert str(answer.max_cost_usd) == "1.5"
    assert answer.selected is not None
    assert actor.roles == {"reviewer"}


def test_the_inbox_costs_the_same_queries_for_one_and_for_ten(
    people: People, bob: Api, graph: Graph, run: Run
) -> None:
    from django.db import connection

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert bob.get("interrupts/").status_code == 200
        return len(seen)

    open_interrupt(run)
    queries()  # which start fields of a version are sums is asked once
    one = queries()
    for _ in range(9):
        open_interrupt(Run.objects.get(pk=runs.start_run(people.alice, graph, Start(draft=True))))
    queries()  # and what a run is called
    assert queries() == one <= 21  # one asks how a workspace wants people to sign in


def test_lists_are_filtered(bob: Api, run: Run) -> None:
    item = {"request_id": open_interrupt(run).pk}
    open_interrupt(run, "text")
    approve(bob, item)

    def kinds(query: str) -> list[str]:
        return [i["kind"] for i in bob.get(f"interrupts/?{query}").json()["results"]]

    assert kinds("state=open") == ["text"]
    assert kinds("state=done") == ["approval"]
    assert kinds("kind=text") == ["text"]
    assert kinds(f"graph={run.graph_id}&run={run.pk}&kind=approval") == ["approval"]
    assert kinds("graph=x") == []
    assert bob.get("interrupts/?state=x").status_code == 400


@pytest.mark.django_db(transaction=True)
def test_of_two_decisions_at_once_one_counts(people: People, run: Run) -> None:
    """C96."""
    row = open_interrupt(run)
    statuses: list[int] = []
    barrier = threading.Barrier(2, timeout=20)
    token = FakeDoor().resume_token(row.pk)

    def decide(member: Any, decision: str) -> None:
        api = Api(member)
        barrier.wait()
        body = {"token": token, "decision": decision}
        statuses.append(api.post(f"interrupts/{row.pk}/answer/", body).status_code)
        connections.close_all()

    threads = [
        threading.Thread(target=decide, args=args)
        for args in ((people.bob, "approved"), (people.oscar, "rejected"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(statuses) == [200, 409]
