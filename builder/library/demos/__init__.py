"""The three ready graphs of a new workspace: documents beside this module."""

from __future__ import annotations

from pathlib import Path

DEMOS = ("support-triage", "contract-review", "spend-guard")
"""Their ids, in the order in which they are shown."""


def demo_document(name: str) -> str:
    """Return the text of a demo's document. Raises KeyError for a name that is none."""
    if name not in DEMOS:
        raise KeyError(name)
    return (Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8")
