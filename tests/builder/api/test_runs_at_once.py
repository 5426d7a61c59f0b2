"""How many runs may be under way at once, as admins set it, and what a queued run says of its turn."""

from __future__ import annotations

from builder.models import Run
from tests.builder.conftest import Api, People


def queued(people: People, name: str, number: int, place_at: int = 0) -> None:
    Run.objects.create(
        id=name,
        workspace=people.alice.workspace,
        graph_slug="g",
        status=Run.Status.QUEUED,
        started_at=number,
        number=number,
        place_at=place_at,
    )


def test_the_setting_is_the_admins_and_null_clears_it(
    people: People,
) -> None:
    olga, alice = Api(people.olga), Api(people.alice)
    body = {"settings": {"runs_at_once": 3}}

    assert olga.get("session/").json()["workspace"]["settings"]["runs_at_once"] is None
    assert alice.patch("workspace/", body).status_code == 403
    for wrong in (0, -1, 100_001, "3", 1.5, True):
        answer = olga.patch("workspace/", {"settings": {"runs_at_once": wrong}})
        assert answer.status_code == 400, wrong
    assert olga.patch("workspace/", body).json()["settings"]["runs_at_once"] == 3
    cleared = olga.patch("workspace/", {"settings": {"runs_at_once": None}}).json()
    assert cleared["settings"]["runs_at_once"] is None


def test_lists_and_runs_say_how_many_come_before(people: People, alice: Api) -> None:
    """One that has its place already, and moves at once, says nothing; nor do others' runs count."""
    queued(people, "moves", 1, place_at=1)
    for number in range(2, 5):
        queued(people, f"q{number}", number)

    rows = alice.get("runs/").json()["results"]

    assert {row["id"]: row["queued_behind"] for row in rows} == {
        "moves": None,
        "q2": 0,
        "q3": 1,
        "q4": 2,
    }
    assert {row["status"] for row in rows} == {"queued"}
