"""What a start loads: a library that few installations use waits for its first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

LATE: Final = ("mcp", "mcp_types", "jwt", "pydantic_ai", "openai", "starlette", "opentelemetry")
UNASKED: Final = ("requests", "urllib3", "charset_normalizer", "pygments", "psycopg", "OpenSSL")
"""What libraries load by themselves where they find it."""
LOADED: Final = """
import sys
import builder.project.asgi
from django.urls import get_resolver
get_resolver().url_patterns
import builder.process.server, builder.process.engine_thread
print([name for name in sys.argv[1:] if name in sys.modules])
"""


def test_what_few_use_is_loaded_when_it_is_used(tmp_path: Path) -> None:
    """A server is there again soon, and small: pages, doors and engine begin without these."""
    began = subprocess.run(
        [sys.executable, "-c", LOADED, *LATE, *UNASKED],
        env={"GRAPHWRIGHT_VAR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (began.stdout, began.returncode) == ("[]\n", 0), began.stderr
