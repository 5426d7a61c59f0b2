"""Sessions whose table cannot be read: a database that is away."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.db import OperationalError


class SessionStore(db.SessionStore):
    """A session that cannot be loaded."""

    def load(self) -> Any:
        """Raise what the driver raises."""
        raise OperationalError("connection to server at 10.0.0.7 failed")
