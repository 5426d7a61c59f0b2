"""Publishing that needs another person's approval."""

from __future__ import annotations

import json
from typing import Any

import pytest

from builder.base.errors import Conflict, NotAllowed
from builder.models import (
    AuditEntry,
    Graph,
    GraphVersion,
    Interrupt,
    Membership,
    Publication,
    Run,
)
from builder.services.graphs import graphs
from builder.services.graphs.drafts import document_of
from builder.services.graphs.publishing import asking, gate, settling
from builder.services.graphs.publishing.settling import settle_due
from builder.services.runs.runs import Start, start_run
from engine.core.graph.document import parse_document
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, open_interrupt

pytestmark = pytest.mark.django_db


@pytest.fixture
def gated(people: People, graph: Graph) -> Graph:
    return gate.set_gate(people.olga, graph, ["role:reviewer"])


def asked(people: People, graph: Graph, **more: Any) -> Publication:
    graph.refresh_from_db()
    return asking.ask(people.alice, graph, revision=graph.revision, note="Kinder words.", **more)


def decide(row: Publication, outcome: str, by: Membership, comment: str = "") -> None:
    """Let somebody decide in the run that asks, as the engine would record it."""
    run = Run.objects.get(pk=row.run)
    item = open_interrupt(run)
    event = append(run, "InterruptResolved", key="publish#1", comment=comment)
    done = {"status": "answered", "outcome": outcome, "decided_by": by.user_id, "decided_at": 5}
    Interrupt.objects.filter(pk=item.pk).update(**done, resolved_seq=event.seq)


def live(graph: Graph) -> GraphVersion | None:
    return GraphVersion.objects.filter(graph=graph).published().first()


def change(graph: Graph) -> None:
    Graph.objects.filter(pk=graph.pk).update(name="Other", revision=graph.revision + 1)


def test_with_a_gate_nobody_publishes_alone(people: People, gated: Graph) -> None:
    for member in (people.alice, people.olga):
        with pytest.raises(Conflict) as refused:
            graphs.publish(member, gated, revision=gated.revision)
        assert refused.value.code == "PublicationNeedsApproval"
    assert live(gated) is None


def test_an_approval_publishes_exactly_what_was_asked(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    wanted = document_of(gated)
    change(gated)
    decide(row, "approved", people.bob)

    assert settle_due() == 1

    version, row = live(gated), Publication.objects.get(pk=row.pk)
    assert version is not None
    assert (version.document, version.note) == (wanted, "Kinder words.")
    assert version.published_by_id == people.alice.user_id
    assert (row.state, row.published_id, row.decided_by) == (
        "published",
        version.pk,
        people.bob.user_id,
    )
    assert settle_due() == 0
    assert gated.versions.published().count() == 1


def test_the_list_says_of_whom_a_version_waits_for_approval(
    people: People, gated: Graph, alice: Api
) -> None:
    def waits() -> Any:
        return alice.get("graphs/").json()["results"][0]["waits_for"]

    assert waits() == []
    row = asked(people, gated)
    assert waits() == ["role:reviewer"]
    decide(row, "approved", people.bob)
    settle_due()
    assert waits() == []


def test_who_asked_is_not_named_among_those_who_may_approve(
    people: People, graph: Graph, alice: Api
) -> None:
    mine = f"user:{people.olga.user_id}"
    gated = gate.set_gate(people.olga, graph, [mine, "role:reviewer"])
    asking.ask(people.olga, gated, revision=gated.revision, note="")

    assert alice.get("graphs/").json()["results"][0]["waits_for"] == ["role:reviewer"]


def test_two_who_settle_at_once_publish_once(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    decide(row, "approved", people.bob)
    stale = Publication.objects.select_related("graph", "version", "base").get(pk=row.pk)

    assert settle_due() == 1
    assert settling._publish(stale, people.alice, people.bob.user_id) is False
    assert gated.versions.published().count() == 1


def test_a_process_that_dies_while_it_publishes_leaves_nothing_half_done(
    people: People, gated: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = asked(people, gated)
    decide(row, "approved", people.bob)
    with monkeypatch.context() as patched:
        patched.setattr(settling, "record", _dies)
        with pytest.raises(SystemError):
            settle_due()
    assert live(gated) is None
    assert Publication.objects.get(pk=row.pk).state == "open"

    assert settle_due() == 1
    assert live(gated) is not None


def _dies(*_args: object, **_more: object) -> None:
    raise SystemError


def test_a_request_whose_process_died_is_asked_again_once(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    Publication.objects.filter(pk=row.pk).update(run="", asked_at=1)

    settle_due()

    assert Publication.objects.get(pk=row.pk).run == row.run
    assert Run.objects.filter(graph_slug=asking.SLUG).count() == 1


def test_a_rejection_says_why_and_publishes_nothing(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    decide(row, "rejected", people.bob, "Not before Monday.")

    assert settle_due() == 1

    found = Api(people.alice).get(f"graphs/{gated.pk}/publication/").json()["request"]
    assert (found["state"], found["detail"]) == ("rejected", "Not before Monday.")
    assert found["decided_by"]["name"] == "Bob"
    assert Api(people.alice).get(f"graphs/{gated.pk}/").json()["publication"] == "rejected"
    assert live(gated) is None


def test_a_rejection_is_no_news_of_what_went_live_since(people: People, gated: Graph) -> None:
    decide(asked(people, gated), "rejected", people.bob, "Not before Monday.")
    settle_due()
    olga, at = Api(people.olga), f"graphs/{gated.pk}"
    asks = olga.get(f"{at}/publication/").json()["asks"]
    olga.patch(f"{at}/publication/gate/", {"asks": None})
    revision = olga.get(f"{at}/").json()["revision"]
    assert olga.post(f"{at}/publish/", {"revision": revision}).status_code < 300

    olga.patch(f"{at}/publication/gate/", {"asks": asks})

    assert olga.get(f"{at}/").json()["publication"] is None


def test_who_asks_withdraws_and_nothing_is_published_then(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    with pytest.raises(NotAllowed):
        asking.withdraw(people.bob, gated)

    asking.withdraw(people.alice, gated)

    assert Run.objects.get(pk=row.run).status == "cancelled"
    assert settle_due() == 0
    assert live(gated) is None
    late = asked(people, gated)
    decide(late, "approved", people.bob)
    with pytest.raises(Conflict, match="decided"):
        asking.withdraw(people.alice, gated)


def test_only_one_request_waits_and_the_gate_stands_while_it_does(
    people: People, gated: Graph
) -> None:
    asked(people, gated)

    for again in (lambda: asked(people, gated), lambda: gate.set_gate(people.olga, gated, None)):
        with pytest.raises(Conflict) as refused:
            again()
        assert refused.value.code == "PublicationWaits"


def test_only_admins_change_the_gate_and_it_is_recorded(people: People, gated: Graph) -> None:
    for member in (people.alice, people.bob, people.oscar):
        with pytest.raises(NotAllowed):
            gate.set_gate(member, gated, None)
    with pytest.raises(NotAllowed):
        graphs.delete_graph(people.alice, gated)

    gate.set_gate(people.olga, gated, None)

    actions = [json.loads(row.entry)["action"] for row in AuditEntry.objects.order_by("n")]
    assert actions.count("graph.publish_gate") == 2
    assert graphs.publish(people.alice, gated, revision=gated.revision).number == 1


def test_an_older_version_needs_the_approval_too(people: People, graph: Graph) -> None:
    first = graphs.publish(people.alice, graph, revision=graph.revision)
    change(graph)
    graph.refresh_from_db()
    graphs.publish(people.alice, graph, revision=graph.revision)
    gate.set_gate(people.olga, graph, [f"user:{people.bob.user_id}"])
    with pytest.raises(Conflict) as refused:
        graphs.promote(people.alice, graph, first)
    assert refused.value.code == "PublicationNeedsApproval"

    row = asked(people, graph, number=1)
    decide(row, "approved", people.bob)
    settle_due()

    version = live(graph)
    assert version is not None
    assert (version.number, version.hash) == (3, first.hash)


def test_who_may_not_publish_any_more_publishes_nothing(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    decide(row, "approved", people.bob)
    Membership.objects.filter(pk=people.alice.pk).update(role="viewer")

    settle_due()

    assert Publication.objects.get(pk=row.pk).state == "refused"
    assert live(gated) is None


def test_what_else_was_published_meanwhile_is_not_overwritten(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    decide(row, "approved", people.bob)
    spec, _ = parse_document(document_of(gated))
    assert spec is not None
    graphs.make_live(people.olga, gated, row.version, spec)

    settle_due()

    assert Publication.objects.get(pk=row.pk).state == "overtaken"
    assert gated.versions.published().count() == 1


def test_the_one_who_asks_is_kept_out_by_the_engine(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    run = Run.objects.get(pk=row.run)
    spec, problems = parse_document(asking.DOCUMENT)

    assert (spec is not None, problems) == (True, [])
    assert run.started_by == people.alice.user_id
    policy = asking.DOCUMENT["nodes"][0]["config"]["policy"]
    assert policy["four_eyes"] == ["starter"]
    assert policy["eligible"] == ["=memory.asks"]
    assert (
        asking.DOCUMENT["nodes"][0]["config"]["prompt_message"] == "Publish {{ memory.workflow }}?"
    )


def test_the_item_shows_both_documents_to_its_workspace_only(people: People, gated: Graph) -> None:
    row = asked(people, gated)
    change(gated)
    shown = Api(people.bob).get(f"runs/{row.run}/publication/").json()

    assert shown["graph"]["name"] == "Other"
    assert (shown["before"], shown["after"]) == (None, row.version.document)
    assert shown["draft_moved"] is True
    assert Api(people.carol).get(f"runs/{row.run}/publication/").status_code == 404


def test_who_says_nothing_of_the_change_leaves_no_empty_line(
    people: People, gated: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Start] = []

    def start(member: Membership, graph: Graph, wanted: Start) -> str:
        started.append(wanted)
        return start_run(member, graph, wanted)

    monkeypatch.setattr(asking, "start_run", start)
    gated.refresh_from_db()
    asking.ask(people.alice, gated, revision=gated.revision)

    assert started[0].memory is not None
    assert started[0].memory["note"] == "Nothing was said of it."


def test_bad_words_of_who_approves_are_refused(people: People, graph: Graph) -> None:
    olga = Api(people.olga)
    for asks in (
        [],
        ["user:nobody"],
        ["role:author"],
        ["group:none"],
        [f"user:{people.alice.user_id}"],
    ):
        answer = olga("PATCH", f"graphs/{graph.pk}/publication/gate/", {"asks": asks})
        assert answer.status_code == 400, asks
    answer = olga("PATCH", f"graphs/{graph.pk}/publication/gate/", {"asks": ["role:reviewer"]})
    assert answer.json() == {"asks": ["role:reviewer"], "request": None}
    told = Api(people.alice).post(f"graphs/{graph.pk}/publish/", {"revision": 1})
    assert (told.status_code, told.json()["code"]) == (409, "PublicationNeedsApproval")
