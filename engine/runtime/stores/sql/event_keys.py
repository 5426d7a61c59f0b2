"""Where events stand: a run's number times `SPAN`, plus `seq`, in one 64-bit key.

A log lies together and in order under its primary key, and no row repeats the run's id.
"""

from __future__ import annotations

from typing import Final

SPAN: Final = 2**24
"""Places of one run: more events than any run has."""

NUMBER: Final = "(SELECT number FROM builder_run WHERE id = ?)"
"""The number of a run, in SQL."""

IN_LOG: Final = f"place > {NUMBER} * {SPAN} + ? AND place < ({NUMBER} + 1) * {SPAN}"
"""Events of a run above a seq, in SQL; takes the run's id, the seq, and the id again."""
