"""Money on the wire is plain decimal text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.core.budgets.money import usd_text, usd_text_or_none
from tests.engine.lab import Lab, single
from tests.engine.runtime.test_primitives import virtually


@pytest.mark.parametrize(
    ("amount", "text"),
    [("1E-7", "0.0000001"), ("0E-12", "0"), ("100", "100"), ("1E+2", "100"), ("0.50", "0.5")],
)
def test_usd_is_text_without_exponent_and_idle_zeros(amount: str, text: str) -> None:
    assert usd_text(Decimal(amount)) == text
    assert usd_text_or_none(None) is None


@virtually
async def test_a_small_limit_stands_in_the_log_as_it_does_in_answers() -> None:
    spec = single("t_view")
    limits = spec.limits.model_copy(update={"budget_usd": Decimal("1E-7")})
    lab = Lab(spec.model_copy(update={"limits": limits}))
    await lab.start()

    [began] = lab.events("RunStarted")
    assert began.data["limits"]["budget_usd"] == "0.0000001"
