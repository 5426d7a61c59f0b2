"""How each person decides: every figure opens exactly what it counts, and only to whom it may be told."""

from __future__ import annotations

from typing import Any

import pytest

from builder.base.clock import now_ms
from builder.models import Decision, HeldDecision, Interrupt, Look, Membership, Run
from builder.reads.reviews import reviewers
from builder.reads.reviews.reviewers import Line
from tests.builder.conftest import Api, People
from tests.builder.fakes import append, open_interrupt

pytestmark = pytest.mark.django_db
FLAGS = ("decided", "approved", "seen", "quick", "unopened", "edited", "back", "overturned")


def decided(
    run: Run,
    by: Membership,
    outcome: str = "approved",
    *,
    ms: int | None = 10_000,
    opened: bool = True,
    took: int = 60_000,
    **row: Any,
) -> Interrupt:
    """Let somebody decide an approval of the run a moment ago."""
    item, now = open_interrupt(run), now_ms() - 5_000
    done: dict[str, Any] = {"status": "answered", "outcome": outcome, "decided_by": by.user_id}
    done |= {"decided_at": now, "opened_at": now - took, **row}
    Interrupt.objects.filter(pk=item.pk).update(**done)
    if ms is not None:
        Look.objects.create(interrupt=item, user=by.user, ms=ms, opened=opened)
    return Interrupt.objects.get(pk=item.pk)


@pytest.fixture
def busy(people: People, run: Run) -> list[Interrupt]:
    """Decisions of two reviewers, of every kind."""
    bob, oscar = people.bob, people.oscar
    found = [decided(run, bob, ms=1_000, opened=False), decided(run, bob, ms=None)]
    found += [decided(run, bob, "rejected"), decided(run, bob, edited_seq=4, took=120_000)]
    back = decided(run, bob, node="pay")
    times: dict[str, Any] = {
        "made_at": 1,
        "commit_at": 2,
        "state": "withdrawn",
        "content_hash": "c" * 64,
    }
    HeldDecision.objects.create(
        interrupt=back, user=bob.user, answer={"decision": "approved"}, **times
    )
    two = decided(run, oscar, "rejected", ms=9_000)
    for who, said in ((bob, "approved"), (oscar, "rejected")):
        about = {
            "decided_by": who.user_id,
            "decision": said,
            "decided_at": two.decided_at,
            "seq": 1,
        }
        Decision.objects.create(interrupt=two, **about)
    return [*found, back, two]


def board(api: Api) -> dict[str, Any]:
    answer = api.get("approvals/reviewers/")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def items(api: Api, **query: str) -> int:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = api.get(f"interrupts/?{text}")
    assert answer.status_code == 200, answer.content
    return int(answer.json()["total"])


def test_a_line_tells_how_somebody_decides(people: People, busy: list[Interrupt]) -> None:
    bob, oscar = board(Api(people.olga))["people"]

    assert (bob["who"], bob["name"]) == (people.bob.user_id, "Bob")
    assert [bob[flag] for flag in FLAGS] == [6, 5, 3, 1, 1, 1, 1, 1]
    assert (bob["median_ms"], bob["median_seen_ms"]) == (60_000, 10_000)
    assert bob["approved_share"] == 0.8333
    assert [oscar[flag] for flag in FLAGS] == [1, 0, 0, 0, 0, 0, 0, 0]


def test_every_figure_opens_exactly_what_it_counts(people: People, busy: list[Interrupt]) -> None:
    olga = Api(people.olga)
    found = board(olga)
    stretch = {"closed_since": found["since"], "closed_until": found["until"]}

    for line in found["people"]:
        for flag in FLAGS:
            asked = {"reviewer": line["who"], "review": flag}
            assert items(olga, **stretch, **asked) == line[flag], (line["name"], flag)
    assert [line["node"] for line in found["steps"]] == ["review", "pay"]
    for line in found["steps"]:
        where = {"graph": line["graph"], "node": line["node"]}
        assert items(olga, **stretch, **where, review="quick") == line["quick"]
        assert items(olga, **stretch, **where, review="overturned") == line["overturned"]


def test_people_see_their_own_and_only_admins_see_others(
    people: People, busy: list[Interrupt]
) -> None:
    bob = Api(people.bob)
    found = board(bob)

    assert found["scope"] == "mine"
    assert [line["who"] for line in found["people"]] == [people.bob.user_id]
    assert sum(line["decided"] for line in found["steps"]) == 6
    assert items(bob, reviewer=people.bob.user_id, review="overturned") == 1
    assert bob.get(f"interrupts/?reviewer={people.oscar.user_id}").status_code == 403
    assert bob.get("interrupts/?review=quick").status_code == 403
    assert Api(people.olga).get("interrupts/?review=odd").status_code == 400
    assert board(Api(people.carol))["people"] == []


def test_a_cancelled_or_undone_run_overturns_what_was_approved(people: People, run: Run) -> None:
    decided(run, people.bob)
    decided(run, people.bob, "rejected")
    at = now_ms()
    Run.objects.filter(pk=run.pk).update(status="cancelled", ended_at=at)
    assert board(Api(people.olga))["people"][0]["overturned"] == 1

    Run.objects.filter(pk=run.pk).update(status="failed")
    assert board(Api(people.olga))["people"][0]["overturned"] == 0
    event = append(run, "CompensationStarted", key="draft#1")
    event.at = at
    event.save()
    Run.objects.filter(pk=run.pk).update(status="failed", ended_at=at)
    assert board(Api(people.olga))["people"][0]["overturned"] == 1

    Run.objects.filter(pk=run.pk).update(ended_at=at - 3_600_000)
    assert board(Api(people.olga))["people"][0]["overturned"] == 0


def line(**figures: int) -> Line:
    told = dict.fromkeys(FLAGS, 0) | figures
    return Line("b", "", "", "Bob", **told, median_ms=1, median_seen_ms=1)


def test_warnings_say_in_words_what_is_odd() -> None:
    stamp = line(decided=120, approved=118, seen=110, quick=100)
    reversed_often = line(decided=10, approved=6, overturned=3)

    [quick], [overturned] = stamp.warnings, reversed_often.warnings
    assert quick.about == "quick"
    assert quick.text == (
        "98 % of 120 approved; of the 110 with a known time on screen, 91 % within 3 s: "
        "may be a rubber stamp."
    )
    assert (overturned.about, overturned.text) == ("overturned", "3 of 10 were overturned.")
    for figures in (
        {"decided": 19, "approved": 19, "seen": 19, "quick": 19},
        {"decided": 120, "approved": 110, "seen": 110, "quick": 110},
        {"decided": 120, "approved": 120, "seen": 120, "quick": 50},
        {"decided": 120, "approved": 120, "seen": 19, "quick": 19},
        {"decided": 20, "overturned": 3},
        {"decided": 2, "overturned": 2},
    ):
        assert line(**figures).warnings == []


def test_a_warning_names_the_figure_that_it_is_about(
    people: People, busy: list[Interrupt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page leads from it to the decisions, whatever its words."""
    monkeypatch.setattr(reviewers, "OVERTURNED_LEAST", 0)
    monkeypatch.setattr(reviewers, "OVERTURNED_OFTEN", 0)
    found = Api(people.olga).get("approvals/reviewers/").json()

    told = [one for line in found["people"] for one in line["warnings"]]
    assert {one["about"] for one in told} == {"overturned"}
    assert all(one["text"].endswith("were overturned.") for one in told)


def test_the_file_holds_people_and_steps(people: People, busy: list[Interrupt]) -> None:
    lines = Api(people.olga).get("approvals/reviewers/?format=csv").content.decode().splitlines()

    assert lines[0].startswith("person,person_id,workflow,step,decided")
    assert [one.split(",")[0] for one in lines[1:]] == ["Bob", "Oscar", "", ""]
    assert lines[3].split(",")[2:5] == ["Support", "review", "6"]


def test_an_answer_tells_how_long_it_was_looked_at(bob: Api, people: People, run: Run) -> None:
    item = open_interrupt(run)
    Interrupt.objects.filter(pk=item.pk).update(expires_at=now_ms() + 3_600_000)
    token = f"token-{item.pk}"
    shown = bob.get(f"interrupts/{item.pk}/").json()
    body = {"token": shown.get("resume_token", token), "content_hash": item.content_hash}
    body |= {"decision": "approved", "hold": True}

    refused = bob.post(
        f"interrupts/{item.pk}/answer/", {**body, "seen": {"ms": -1, "opened": True}}
    )
    assert refused.status_code == 400
    sent = {**body, "seen": {"ms": 2_400, "opened": False}}
    assert bob.post(f"interrupts/{item.pk}/answer/", sent).status_code == 200

    look = Look.objects.get()
    assert (look.ms, look.opened, look.edited, look.user_id) == (
        2_400,
        False,
        False,
        people.bob.user_id,
    )
