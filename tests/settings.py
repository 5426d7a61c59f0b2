"""The project's settings with a throw-away folder and a fast password hasher."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ["GRAPHWRIGHT_VAR"] = tempfile.mkdtemp(prefix="graphwright-test-")

from builder.project.settings import *  # noqa: F403
from builder.project.settings import DATABASES, VAR_DIR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(Path(VAR_DIR) / "test.sqlite3")}
AUDIT_GUARD = False
WHITENOISE_AUTOREFRESH = True
"""Static files are found when they are asked for: each test client would read all of them first."""
LOGGING = {"version": 1, "disable_existing_loggers": False}
