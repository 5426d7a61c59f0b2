"""`python -m tests.mutants`: make every mistake of the table, one at a time, and say who noticed.

Leaves with 1 where one survives, has no place any more, or could not be tried.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.mutant import Mutant
from tests.mutants.page import PAGE, page
from tests.mutants.scratch import Scratch
from tests.mutants.table import MUTANTS
from tests.mutants.trial import LOADED, Trial, preload


def main() -> int:
    """Try the mutants that are named, all by default; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names, files or promises (default: all)")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default 2)")
    parser.add_argument("--page", action="store_true", help="only write docs/mutants.md anew")
    options = parser.parse_args()
    if options.page:
        PAGE.write_text(page(MUTANTS))
        return 0
    chosen = [m for m in MUTANTS if not options.names or _is_named(m, options.names)]
    with TemporaryDirectory(prefix="mutants-") as folder:
        return Round(chosen, [Scratch(Path(folder) / str(n)) for n in range(options.jobs)]).play()


def _is_named(mutant: Mutant, parts: Sequence[str]) -> bool:
    text = f"{mutant.name} {mutant.file} {mutant.promise.name.lower()}"
    return any(part in text for part in parts)


class Round:
    """All mutants once, as many at a time as there are scratch trees."""

    def __init__(self, mutants: Sequence[Mutant], scratches: Sequence[Scratch]) -> None:
        self._waiting = deque(mutants)
        self._free = list(scratches)
        self._running: dict[int, tuple[Mutant, Scratch, Trial, float]] = {}
        self._tried = len(mutants)
        self._killed = 0

    def play(self) -> int:
        """Try every mutant; return the exit status."""
        began = time.monotonic()
        if not self._is_green():
            return 1
        while self._waiting or self._running:
            while self._waiting and self._free:
                self._begin(self._waiting.popleft(), self._free.pop())
            if self._running:
                self._end(*os.wait())
        _say("", f"{self._killed} of {self._tried} killed ({time.monotonic() - began:.0f} s)")
        return 0 if self._killed == self._tried else 1

    def _is_green(self) -> bool:
        """Return whether all the tests pass without a mistake, and load what they needed."""
        tests = tuple(dict.fromkeys(test for mutant in self._waiting for test in mutant.tests))
        scratch = self._free[0]
        trial = Trial(scratch, tests)
        try:
            red = trial.noticed(os.waitpid(trial.pid, 0)[1])
        except RuntimeError as error:
            red = str(error)
        if red:
            _say("bad", f"without any mistake: {red}")
            return False
        if (scratch.folder / LOADED).exists():
            preload(scratch.folder / LOADED)
        return True

    def _begin(self, mutant: Mutant, scratch: Scratch) -> None:
        try:
            scratch.mutate(mutant)
        except ValueError as error:
            _say("bad", str(error))
            self._free.append(scratch)
            return
        trial = Trial(scratch, mutant.tests)
        self._running[trial.pid] = mutant, scratch, trial, time.monotonic()

    def _end(self, pid: int, status: int) -> None:
        mutant, scratch, trial, began = self._running.pop(pid)
        try:
            noticed = trial.noticed(status)
        except RuntimeError as error:
            _say("bad", f"{mutant.name}: {error}")
        else:
            took = f"({time.monotonic() - began:.1f} s)"
            self._killed += bool(noticed)
            if noticed:
                _say("killed", f"{mutant.name} {took} {noticed[:200]}")
            else:
                _say("SURVIVED", f"{mutant.name} {took}: {mutant.breaks}")
        scratch.restore()
        self._free.append(scratch)


def _say(word: str, text: str) -> None:
    sys.stderr.write(f"  {word:9}{text}\n")


if __name__ == "__main__":
    sys.exit(main())
