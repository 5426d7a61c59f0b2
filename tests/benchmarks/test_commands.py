"""Every benchmark can be started: those that no gate runs would break unseen."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.repository import ROOT


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["", ".web", ".runaway", ".reviewers", ".growing", ".answering", ".bells"]
)
def test_a_benchmark_says_what_it_measures(name: str) -> None:
    said = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks{name}", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("usage:")
