"""How long threads waited for a processor that others had: what a busy machine costs, not the code.

Linux tells it in nanoseconds as the second figure of `schedstat`; elsewhere it is not known, and 0.
"""

from __future__ import annotations

from pathlib import Path


def _told(file: Path) -> float:
    try:
        return int(file.read_text().split()[1]) / 1e9
    except OSError:  # the thread has ended, or this system does not tell
        return 0.0


def of_this_thread() -> float:
    """Return the seconds that this thread has waited in line since it began."""
    return _told(Path("/proc/thread-self/schedstat"))


def of_process(pid: int) -> float:
    """Return the seconds that the threads of a process have waited in line, one after the other."""
    return sum(_told(file) for file in Path(f"/proc/{pid}/task").glob("*/schedstat"))
