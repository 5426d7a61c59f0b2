"""What is told of a tool that raised: its sentence; its class only where that is half of what it says."""

from __future__ import annotations

import pytest

from engine.core.errors import ToolFailed
from tests.engine.integrations.tools.origins import origin
from tests.engine.integrations.tools.test_functions import tool_of


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError("the ledger is down"), "fails failed: the ledger is down"),
        (KeyError("article"), "fails failed: KeyError: 'article'"),
        (RuntimeError(), "fails failed: RuntimeError"),
    ],
)
async def test_a_sentence_stands_for_itself(raised: Exception, told: str) -> None:
    """S18."""

    def fails() -> None:
        raise raised

    with pytest.raises(ToolFailed) as failed:
        await tool_of(fails).call({}, origin())

    assert failed.value.message == told
