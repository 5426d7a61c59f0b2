"""Facts that outlive whoever noted them: one JSON object a line, appended and never changed."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

Fact = dict[str, Any]


class Journal:
    """A file of facts that several threads write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("a", buffering=1)
        self._lock = threading.Lock()

    def note(self, what: str, **fact: Any) -> None:
        """Append one fact with the time at which it was noted."""
        line = json.dumps({"what": what, "at": round(time.time(), 3), **fact})
        with self._lock:
            self._file.write(line + "\n")

    def close(self) -> None:
        """Write nothing more."""
        self._file.close()


def facts(path: Path) -> list[Fact]:
    """Return what was noted so far, in that order."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
