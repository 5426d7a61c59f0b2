"""What can be the name of a header."""

from __future__ import annotations

import re
from typing import Final

NAME_PATTERN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}"
"""The pattern of a name, as RFC 9110 has it, and no longer than anybody needs."""
_TOKEN: Final = re.compile(NAME_PATTERN)


def is_header_name(text: str) -> bool:
    """Return whether `text` can be sent as the name of a header."""
    return _TOKEN.fullmatch(text) is not None
