"""The product's settings with passwords that are hashed quickly: hundreds of people sign in here."""

from __future__ import annotations

from builder.project.settings import *  # noqa: F403

PASSWORD_HASHERS = ["tests.e2e.hashers.Quick"]
