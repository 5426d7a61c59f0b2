"""Rows K1 and C190, C191: one check tells everything that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import check, codes, doc, fn, node, output, run

END: dict[str, Any] = {"functions": {"w": {"returns": {}}}}


def test_faults_of_form_do_not_hide_faults_of_configs_and_names() -> None:
    """K1, C190: Fields, configs and names are reported in one answer, each with its path."""
    graph = doc(
        [
            {"id": "a", "type": "output", "foo": 1, "config": {"bar": 1}},
            {"id": "b", "type": "map", "label": 5},
            {"id": "c", "type": "nope"},
        ],
        ["__start__ -> a -> gone"],
        colour="red",
    )
    found = {(problem["code"], problem["path"]) for problem in check(graph).problems}

    assert found == {
        ("UnknownField", "colour"),
        ("UnknownField", "nodes[0].foo"),
        ("UnknownField", "nodes[0].config.bar"),
        ("InvalidValue", "nodes[1].label"),
        ("MissingField", "nodes[1].config.worker_node_id"),
        ("UnknownNodeType", "nodes[2].type"),
        ("UnknownNode", "edges[1].target"),
    }
    refused = run(graph)
    assert (refused.exit, {(p["code"], p["path"]) for p in refused.problems}) == (2, found)


@pytest.mark.parametrize("field", ["nodes", "edges", "agents", "defaults", "state_schema"])
def test_what_gives_a_graph_its_meaning_is_not_guessed(field: str) -> None:
    """C190: Where a list of the document itself is wrong, nothing is concluded from the rest."""
    found = check({**doc([output("o")]), field: "wrong"})

    assert [p["path"] for p in found.problems] == [field]


@pytest.mark.parametrize(
    "config",
    [
        {"worker_node_id": "w", "static_items": [1], "max_concurrency": 0},
        {"worker_node_id": "w"},
        {"worker_node_id": "m", "static_items": [1]},
    ],
)
def test_a_wrong_config_does_not_hide_the_entry(config: dict[str, Any]) -> None:
    """C191: The entry is found although the composite that names the worker is not right yet."""
    nodes = [node("m", "map", config=config)]
    nodes += [fn("w")] if config["worker_node_id"] == "w" else []
    found = check(doc(nodes, []), END)

    assert found.exit == 1
    assert codes(found, "EntryMissing", "UnreachableNode") == []
