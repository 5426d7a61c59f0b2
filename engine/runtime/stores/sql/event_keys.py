"""Where events stand: a run's number times `EVENTS_PER_RUN`, plus `seq`, in one 64-bit key.

A log lies together and in order under its primary key, and no row repeats the run's id.
"""

from __future__ import annotations

from typing import Final

EVENTS_PER_RUN: Final = 2**24
"""Places of one run: more events than any run has."""

NUMBER: Final = "(SELECT number FROM builder_run WHERE id = ?)"
"""The number of a run, in SQL."""

IN_LOG: Final = (
    f"place > {NUMBER} * {EVENTS_PER_RUN} + ? AND place < ({NUMBER} + 1) * {EVENTS_PER_RUN}"
)
"""Events of a run above a seq, in SQL; takes the run's id, the seq, and the id again."""
