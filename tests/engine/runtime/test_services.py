"""What a runner is given: how it tells of what went wrong, unless it is told how."""

from __future__ import annotations

import logging
from dataclasses import fields
from typing import Any

import pytest

from engine.core.errors import StorageFull, StoreUnavailable
from engine.runtime.services import Services


def report(error: Exception) -> None:
    """Hand an error to what a runner reports to by itself."""
    usual: dict[str, Any] = {field.name: field.default for field in fields(Services)}
    usual["report"](error)


@pytest.mark.parametrize("error", [StorageFull("full"), StoreUnavailable("locked")])
def test_a_database_in_trouble_is_told_in_one_line(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="graphwright.engine"):
        report(error)

    assert [record.getMessage() for record in caplog.records] == [f"engine task failed: {error}"]
    assert [record.exc_info for record in caplog.records] == [None]


def test_anything_else_is_told_with_where_it_was(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="graphwright.engine"):
        report(ValueError("odd"))

    assert "ValueError: odd" in caplog.text
