"""`make chaos`: plays a plan and prints what came of it, as JSON in the last line."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.chaos.campaign import MODES, Outcome, Plan, campaign


def main() -> int:
    """Play what the arguments say; 1 where a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--mode", choices=sorted(MODES), default="embedded")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=30, help="begin no phase after that")
    parser.add_argument("--phase", type=int, default=10, help="kills between two rests")
    parser.add_argument("--keep", action="store_true", help="keep logs and records of a good run")
    options = parser.parse_args()
    plan = Plan(options.mode, options.kills, options.seed, options.minutes, options.phase)
    folder = Path(tempfile.mkdtemp(prefix="gw-chaos-"))
    outcome = campaign(plan, folder)
    tell(outcome, plan, folder)
    if outcome.verdict.is_clean and not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if outcome.verdict.is_clean else 1


def tell(outcome: Outcome, plan: Plan, folder: Path) -> None:
    """Print what was broken, how quickly the product was back, where to look, and the line."""
    said = [f"{times} x {what}" for what, times in sorted(outcome.struck.items())]
    if outcome.starts_s:
        middle = sorted(outcome.starts_s)[len(outcome.starts_s) // 2]
        said.append(f"answered again after {middle:.1f} s, at most {max(outcome.starts_s):.1f} s")
    said += outcome.verdict.where[:50]
    if not outcome.verdict.is_clean:
        said.append(f"logs and records are kept in {folder}")
    said.append(outcome.verdict.line(kills=outcome.kills, seed=plan.seed))
    sys.stdout.write("\n".join(said) + "\n")


if __name__ == "__main__":
    sys.exit(main())
