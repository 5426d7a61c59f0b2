"""Who is there, told between processes: nobody is forgotten, and nobody stays who has gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from builder.base.bells import Frame, Hub, graph_topic
from builder.live.presence import MOST_CARRIED, Presence
from builder.process.apart.wire import MAX_BYTES
from tests.e2e.server import wait_until

PLACE = ("graph", "g1")
AGAIN_S = 0.1


class Process:
    """A process with people of its own."""

    def __init__(self) -> None:
        self.hub = Hub()
        self.presence = Presence(self.hub)
        self.shown: list[dict[str, Any]] = []
        self.hub.subscribe(graph_topic("g1"), self._show)

    def _show(self, frame: Frame | None) -> None:
        assert frame is not None
        self.shown.append(dict(frame))

    def join(self, name: str, socket: str = "1") -> None:
        """Let a person look."""
        self.presence.join(PLACE, socket, f"tab-{name}", {"id": name, "name": name})

    def people(self) -> list[str]:
        """Return whom those who look were last told of."""
        return sorted(one["user"]["name"] for one in self.shown[-1]["people"])


@pytest.fixture
def two() -> Iterator[tuple[Process, Process]]:
    """Two processes that hear each other, as the wire carries it: in JSON."""
    first, second = Process(), Process()

    def carry(to: Process) -> Any:
        def abroad(topic: str, frame: Frame | None) -> None:
            text = json.dumps([topic, frame])
            assert len(text) < MAX_BYTES
            to.hub.hear(*json.loads(text))

        return abroad

    first.hub.abroad, second.hub.abroad = carry(second), carry(first)
    with ExitStack() as open_:
        for one in (first, second):
            open_.enter_context(one.presence.among_others(AGAIN_S))
        yield first, second


def test_people_at_two_processes_see_each_other(two: tuple[Process, Process]) -> None:
    """Also who comes later, under the same number of a socket."""
    first, second = two
    first.join("Ada")
    second.join("Raul")
    assert first.people() == second.people() == ["Ada", "Raul"]

    second.presence.select(PLACE, "1", [f"a-node-with-a-long-name-{n}" for n in range(500)])
    selected = [len(one["selection"]) for one in first.shown[-1]["people"]]
    assert sorted(selected) == [0, MOST_CARRIED]

    first.presence.leave(PLACE, "1")
    assert second.people() == ["Raul"]


def test_whoever_was_at_a_process_that_died_is_gone(two: tuple[Process, Process]) -> None:
    first, second = two
    first.join("Ada")
    second.join("Raul")
    second.hub.abroad = lambda _topic, _frame: None  # nothing is heard of it any more

    wait_until(lambda: first.people() == ["Ada"], "the end of who is not told of")
    assert second.people() == ["Ada", "Raul"]


def test_a_process_that_begins_later_hears_of_everyone_in_time(
    two: tuple[Process, Process],
) -> None:
    """Whatever word was lost, the next one brings it."""
    first, second = two
    carried, first.hub.abroad = first.hub.abroad, lambda _topic, _frame: None
    first.join("Ada")
    assert second.shown == []
    first.hub.abroad = carried

    wait_until(lambda: second.shown and second.people() == ["Ada"], "the next word of who is there")
