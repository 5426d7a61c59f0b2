"""Rows K18, K21 to K23 and K32: results of the wrong shape fail, nothing is lost silently."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import doc, fn, run
from tests.contract.scripts import returns


@pytest.mark.parametrize(
    ("result", "named"),
    [
        ({"ui": {"mesage": "hi"}}, "mesage"),
        ({"ui": {"message": 5}}, "ui.message"),
        ({"ui": {"message": ["hi"]}}, "ui.message"),
        ({"ui": {"structured": "billing"}}, "ui.structured"),
        ({"ui": {"structured": [1]}}, "ui.structured"),
        ({"infra": {"runtime": 5}}, "infra.runtime"),
    ],
)
def test_a_part_of_the_wrong_shape_fails_the_node(result: dict[str, Any], named: str) -> None:
    """K21, K22, K23, K32: What would be shown or kept nowhere fails with the name of the field."""
    failed = run(doc([fn("a", writes=["x"])]), returns(a={**result, "data": {"x": 1}}))

    assert failed.code == "NodeResultInvalid"
    assert named in failed.report["error"]["message"]
    assert (failed.memory, failed.report["ui"]["messages"]) == ({}, [])


@pytest.mark.parametrize(
    "result", [{"ui": {"message": None, "structured": None}}, {"ui": {}}, {"infra": {"more": 5}}]
)
def test_absent_parts_are_legal(result: dict[str, Any]) -> None:
    """K21, K34: Null is absence, and further slots of `infra` may hold anything."""
    assert run(doc([fn("a")]), returns(a=result)).exit == 0


def test_a_memory_key_never_hides_the_raw_input() -> None:
    """K18: `rawInput` of the view is the start input, whatever nodes call their keys."""
    graph = doc([fn("a", writes=["*"]), fn("b", reads=["*", "input"])])
    script = {"functions": {"a": {"returns": {"data": {"rawInput": 7}}}, "b": {"view": True}}}

    assert run(graph, script, input="hi").outputs["b"]["input"] == {"rawInput": "hi"}


@pytest.mark.parametrize(("key", "why"), [("_x", "reserved"), ("input", "reserved"), ("y", "[")])
def test_a_refused_write_says_why(key: str, why: str) -> None:
    """K16: The gate names the key, and whether it is reserved or not granted."""
    failed = run(doc([fn("a", writes=["x"])]), returns(a={"data": {key: 1}}))

    assert failed.code == "WriteNotAllowed"
    assert (repr(key) in failed.report["error"]["message"], failed.memory) == (True, {})
    assert why in failed.report["error"]["message"]
