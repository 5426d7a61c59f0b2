"""The ways of signing by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from builder.doors.signatures.call import Scheme
from builder.doors.signatures.custom import CUSTOM
from builder.doors.signatures.github import GITHUB
from builder.doors.signatures.slack import SLACK
from builder.doors.signatures.standard import STANDARD
from builder.doors.signatures.stripe import STRIPE

SCHEMES: Final[Mapping[str, Scheme]] = {
    "standard": STANDARD,
    "github": GITHUB,
    "stripe": STRIPE,
    "slack": SLACK,
    "custom": CUSTOM,
}
