"""Node types that promise an undo."""

from __future__ import annotations

from typing import Any

import pytest

from engine.sdk import NodeType, NodeTypes, RegistrationError


class Promises(NodeType):
    """Say what would undo it."""

    type = "t_promises"
    label = "Promise"

    async def run(self, ctx: Any, config: Any) -> Any:
        return None

    def undo_of(self, config: Any, scope: Any) -> Any:
        return None


class Keeps(Promises):
    """Undo it, too."""

    type = "t_keeps"

    async def undo(self, ctx: Any, request: Any) -> Any:
        return None


def test_a_type_that_cannot_keep_its_promise_is_refused() -> None:
    """C50: An undo that nobody can make is found when the type is registered."""
    types = NodeTypes()
    with pytest.raises(RegistrationError, match="no undo\\(\\) that makes the call"):
        types.register(Promises)
    assert types.register(Keeps) is Keeps
    assert types.find("t_promises") is None
