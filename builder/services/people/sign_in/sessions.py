"""The session store: Django's own, whose one read at each request is a query that is made once."""

from __future__ import annotations

from typing import Final

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from builder.models.prepared import Prepared

BY_KEY: Final = Prepared(lambda key: Session.objects.filter(session_key=key))


class SessionStore(db.SessionStore):
    """Sessions in the database."""

    def _get_session_from_db(self) -> Session | None:
        found = BY_KEY.first(self.session_key or "")
        if found is not None and found.expire_date > timezone.now():
            return found
        self._session_key = None
        return None
