"""All seeded mistakes, promise by promise."""

from __future__ import annotations

from typing import Final

from tests.mutants import (
    approvals,
    asked_calls,
    border,
    budgets,
    calls,
    drawing,
    owners,
    places,
    proofs,
    runs,
    sharing,
    stopped,
    stream,
)
from tests.mutants.mutant import Mutant

MUTANTS: Final[tuple[Mutant, ...]] = (
    *runs.MUTANTS,
    *stopped.MUTANTS,
    *places.MUTANTS,
    *owners.MUTANTS,
    *sharing.MUTANTS,
    *calls.MUTANTS,
    *budgets.MUTANTS,
    *stream.MUTANTS,
    *approvals.MUTANTS,
    *asked_calls.MUTANTS,
    *proofs.MUTANTS,
    *border.MUTANTS,
    *drawing.MUTANTS,
)
