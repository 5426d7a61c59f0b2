"""What is installed is seen whole, whoever asks first."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from threading import Event
from types import SimpleNamespace

import pytest

from engine.core.node_types.registry import NodeTypes

SLOW = dedent(
    """
    import slow_gate
    from engine.core.node_types.node_type import NodeType

    slow_gate.entered.set()
    slow_gate.go.wait(10)

    class Late(NodeType):
        \"\"\"Comes late.\"\"\"

        type = "late"
        label = "Late"

        async def run(self, ctx, config):
            return None
    """
)


def test_a_second_thread_waits_for_the_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S22: A look-up during the first scan waits for it and finds what is installed."""
    name = "slow_package"
    gate = SimpleNamespace(entered=Event(), go=Event())
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "late.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "slow_gate", gate)
    types = NodeTypes(package=name)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(types.find, "late")
        assert gate.entered.wait(10)
        second = pool.submit(types.find, "late")
        gate.go.set()
        found = [first.result(10), second.result(10)]

    assert [each.type for each in found if each] == ["late", "late"]
