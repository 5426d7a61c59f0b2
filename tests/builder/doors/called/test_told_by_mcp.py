"""How a run's end is told to a program that called it as a tool."""

from __future__ import annotations

import pytest

from builder.base.failure_words import REJECTED
from builder.doors.called.looking import Look
from builder.doors.called.mcp.calls import told
from engine.core.errors import UNDECIDED


@pytest.mark.parametrize(
    ("code", "message", "status", "said"),
    [
        (
            REJECTED,
            "rejected: Too dear",
            "rejected",
            "was rejected by a person: rejected: Too dear",
        ),
        (REJECTED, UNDECIDED, "failed", f"failed: {UNDECIDED}"),
        ("HttpUnavailable", "503", "failed", "failed: 503"),
    ],
)
def test_what_a_person_rejected_has_not_failed(
    code: str, message: str, status: str, said: str
) -> None:
    answer = told(Look("r1", "failed", error={"code": code, "message": message}))

    assert answer.structured_content is not None
    assert answer.structured_content["status"] == status
    assert answer.content[0].model_dump()["text"] == f"Run r1 {said}"
    assert answer.is_error is (status == "failed")
