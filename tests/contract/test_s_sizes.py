"""Row S39: a run has a size, and so has what a node leaves."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from engine.core.decide.exits import sizes
from engine.core.errors import NodeError
from engine.core.values.json import FrozenDict, FrozenList, freeze
from engine.core.values.weight import weigh
from tests.contract.harness import doc, node, output, run
from tests.contract.test_c_undo import tools_of, undoable

TEXT = "y" * 400_000


def mapped(items: int) -> dict[str, Any]:
    """Return a graph whose map leaves 400 KB for each item."""
    config = {"worker_node_id": "w", "items_path": "$.memory.items", "max_items": 1_000}
    return doc(
        [
            node("m", "map", config=config, read_keys=["items"]),
            output("w", "memory.text", read_keys=["text"]),
        ],
        ["__start__ -> m"],
        initial_memory={"items": list(range(items)), "text": TEXT},
    )


def test_a_node_leaves_no_more_than_a_run_can_carry() -> None:
    """S39."""
    fits, too_much = run(mapped(10)), run(mapped(60))

    assert fits.status == "completed"
    assert (too_much.status, too_much.code) == ("failed", "ResultTooLarge")
    assert "23 MiB" in too_much.report["error"]["message"]


def test_a_run_records_no_more_than_its_worker_can_hold() -> None:
    """S39."""
    two = output("a", "[memory.text, memory.text]", read_keys=["text"])
    endless = doc(
        [two],
        ["__start__ -> a -> a"],
        initial_memory={"text": TEXT},
        limits={"max_iterations": 10_000},
    )

    ended = run(endless)

    assert (ended.status, ended.code) == ("failed", "RunTooLarge")
    assert " 256 MiB are the most" in ended.report["error"]["message"]
    assert 300 < ended.report["iterations"] < 400


def test_a_run_records_no_more_events_than_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """S39."""
    monkeypatch.setattr(sizes, "MAX_RUN_EVENTS", 40)
    endless = doc([output("a", "1")], ["__start__ -> a -> a"])

    ended = run(endless)

    assert (ended.status, ended.code) == ("failed", "RunTooLarge")
    assert "events" in ended.report["error"]["message"]


def test_a_gigabyte_of_one_text_is_refused_without_writing_it() -> None:
    """S39."""
    row = FrozenList([TEXT] * 100)
    large = FrozenDict({"rows": FrozenList([row] * 100)})

    with pytest.raises(NodeError, match=r"3,815 MiB"):
        sizes.check_result_size({"rows": large})


@pytest.mark.parametrize(
    "value", [{}, [], {"a": [1, True, None, "text"], "b": {"c": "x" * 300}}, ["a"] * 50, "abc", 1]
)
def test_the_weight_is_about_that_of_the_json(value: Any) -> None:
    """S39."""
    written = len(orjson.dumps(value))

    assert written <= weigh(freeze(value)) <= written + 8 * 60
    assert weigh(value) == weigh(freeze(value)) == weigh(freeze(value))


def test_a_run_that_has_nothing_left_to_do_is_not_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """S39: its last node passed the size, and nothing is recorded after it."""
    chain = doc([output("a", "1"), output("b", "2")], ["__start__ -> a -> b"])
    recorded = run(chain).events[-1]["seq"]
    monkeypatch.setattr(sizes, "MAX_RUN_EVENTS", recorded - 2)
    assert run(chain).status == "completed"

    monkeypatch.setattr(sizes, "MAX_RUN_EVENTS", 2)
    assert run(chain).code == "RunTooLarge"


def test_a_run_that_is_too_large_undoes_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """S39, C51: the undo is a call of its own, and is made."""
    monkeypatch.setattr(sizes, "MAX_RUN_EVENTS", 12)
    graph = doc([undoable("b"), output("a", "1")], ["__start__ -> b -> a -> a"])

    ended = run(graph, tools_of("b"))

    assert (ended.status, ended.code) == ("failed", "RunTooLarge")
    assert [call.tool for call in ended.tools] == ["do_b", "undo_b"]
