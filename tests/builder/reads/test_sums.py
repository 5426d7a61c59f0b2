"""Sums in messages read as in the page: the table of both is in `tests/fixtures/spelled`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from builder.reads.inbox.sums import with_sums

CASES = json.loads((Path(__file__).parents[2] / "fixtures/spelled/sums.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_sums_are_spelled_as_in_the_page(case: dict[str, Any]) -> None:
    request = {"data": case["data"], "edit_schema": {"properties": case.get("fields", {})}}

    assert with_sums(case["text"], request) == case["read"]


def test_a_message_about_nothing_is_left_alone() -> None:
    assert with_sums("12.5 EUR", {}) == "12.5 EUR"
    fields = {"due": {"format": "money"}, "fee": {"x-unit": "JPY"}}
    asked = {"data": {"due": 7.5, "fee": 9.5, "cost": 4.5}, "edit_schema": {"properties": fields}}
    text = "7.5, $7.5, 9.5 and 4.5"
    assert with_sums(text, asked, with_units=True) == "$7.50, $7.50, 9.5 JPY and 4.50"
    assert with_sums("1 EUR", {"data": [1], "edit_schema": True}) == "1 EUR"
    assert with_sums("9" * 400 + " EUR", {"data": {"fee": True, "sum": 10**400}}).endswith("EUR")
