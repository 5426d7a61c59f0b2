"""`python -m tests.golden` records every log anew."""

from __future__ import annotations

from tests.golden.recording import FOLDER, written
from tests.golden.scenarios import SCENARIOS, record

FOLDER.mkdir(exist_ok=True)
for name in SCENARIOS:
    (FOLDER / f"{name}.json").write_text(written(record(name)), encoding="utf-8")
