"""The table of the seeded mistakes as a page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tests.mutants.mutant import Mutant
from tests.mutants.rules import RULES
from tests.mutants.scratch import ROOT

PAGE = ROOT / "docs" / "mutants.md"
HEAD = """# Seeded mistakes

{count} small mistakes, of the kind that slips in. `make mutants` makes each of them alone, in a copy of
the tree, and runs the tests beside it: one of them must fail. A mistake that survives is a promise
without a test. One of them: `make mutants ARGS=flat_price`.

The table is in `tests/mutants`; this page is written from it (`make mutants ARGS=--page`).
"""
OF_MANY = """## The rules of many processes

Each closes a hole that a simulation of two owners of one database found.
"""


def page(mutants: Sequence[Mutant]) -> str:
    """Return the page."""
    parts = [HEAD.format(count=len(mutants))]
    for promise, group in groupby(mutants, lambda mutant: mutant.promise):
        rows = "\n".join(_row(mutant) for mutant in group)
        parts.append(
            f"## {promise.value}\n\n| Mistake | What it breaks | Change | Noticed by |\n|---|---|---|---|\n{rows}\n"
        )
    rules = "\n".join(f"| {rule.words} | {', '.join(rule.broken_by)} |" for rule in RULES)
    parts.append(f"{OF_MANY}\n| Rule | Mistakes that break it |\n|---|---|\n{rules}\n")
    return "\n".join(parts)


def _row(mutant: Mutant) -> str:
    change = f"`{mutant.file}`: {_code(mutant.old)} → {_code(mutant.new) or 'nothing'}"
    tests = "<br>".join(f"`{test}`" for test in mutant.tests)
    return f"| {mutant.name} | {mutant.breaks} | {change} | {tests} |"


def _code(text: str) -> str:
    """Return the text as code on one line of a table."""
    line = " ".join(text.split()).replace("|", "\\|")
    fence = "``" if "`" in line else "`"
    return f"{fence}{line}{fence}" if line else ""
