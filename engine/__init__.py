"""Durable graph engine: runs a graph document, survives crashes, waits for people, holds budgets.

Pure Python: no web framework is imported here (a lint contract holds it to that).
"""

from __future__ import annotations

from typing import Final

__version__: Final = "0.1.0"
"""The version of the product: engine, builder and pages go together."""
