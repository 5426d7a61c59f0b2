"""The end of what a program writes to its error output."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import TextIO

TAIL = 2000
"""Characters of a server's error output that are kept."""


class StderrTail:
    """A pipe for a program's error output; what comes is read at once and its end kept."""

    def __init__(self, kept: deque[str]) -> None:
        self._kept = kept

    def __enter__(self) -> StderrTail:
        self._reader, written = os.pipe()
        os.set_blocking(self._reader, False)
        self.writer: TextIO = os.fdopen(written, "w")
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reader, self._read)
        return self

    def _read(self) -> bool:
        try:
            data = os.read(self._reader, 65536)
        except BlockingIOError:
            return False
        self._kept.extend(data.decode("utf-8", "replace"))
        if not data:
            self._loop.remove_reader(self._reader)
        return bool(data)

    def __exit__(self, *_: object) -> None:
        self.writer.close()
        while self._read():
            pass
        self._loop.remove_reader(self._reader)
        os.close(self._reader)
