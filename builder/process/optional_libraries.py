"""What libraries look for by themselves and nobody here uses: it would cost each start time and memory.

REST framework loads `requests` and `pygments` for a console and pages that are switched off, the
admin's theme psycopg for fields that no model has, Twisted OpenSSL for sockets that are encrypted
by whoever stands in front. All of them do without where they find none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def left_out(*names: str) -> Iterator[None]:
    """Let modules not be found that are not loaded yet, while the block lasts."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)
