"""How often the serving process looks for garbage."""

from __future__ import annotations

import gc

from builder.management.commands.serve import GARBAGE_AT, collect_seldom


def test_the_process_looks_for_garbage_seldom() -> None:
    before = gc.get_threshold()
    try:
        collect_seldom()

        assert gc.get_threshold()[0] == GARBAGE_AT
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
