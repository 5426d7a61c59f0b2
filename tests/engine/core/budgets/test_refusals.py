"""What a budget says that leaves no room: amounts that can be read, and no more of them than count."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.core.budgets.refusals import breach_message
from engine.core.budgets.rows import BudgetRow


@pytest.mark.parametrize(
    ("row", "asked", "said"),
    [
        (
            {"limit_tokens": 900_000, "spent_tokens": 1_250_440},
            (0, 0),
            "1,250,440 of 900,000 tokens used",
        ),
        (
            {"limit_tokens": 65, "spent_tokens": 14, "held_tokens": 1_000},
            (62, 0),
            "14 of 65 tokens used, 1,000 reserved for calls under way, this call may need up to 62",
        ),
        (
            {"limit_usd": Decimal("1200.50"), "held_usd": Decimal("0.0000001")},
            (0, "0.00142"),
            "$0 of $1,200.50 used, $0.0000001 reserved for calls under way,"
            " this call may need up to $0.00142",
        ),
    ],
)
def test_amounts_are_grouped_and_nothing_is_left_out_but_nothing(
    row: dict[str, Any], asked: tuple[int, Any], said: str
) -> None:
    of = {"limit_tokens": None, "limit_usd": None, **row}
    budget = BudgetRow("workspace:w:total", "workspace", **of)

    message = breach_message(budget, asked[0], Decimal(asked[1]))

    assert message == f"the workspace's budget does not allow it: {said}"
