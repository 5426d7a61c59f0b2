"""Writes every file that `engine.cli.event_forms` makes."""

from __future__ import annotations

from engine.cli.event_forms import written

for path, text in written().items():
    path.write_text(text, encoding="utf-8")
