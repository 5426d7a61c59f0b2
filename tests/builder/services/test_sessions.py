"""Sessions are Django's own; only the query that reads one is made once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from builder.services.people.sign_in.sessions import SessionStore


@pytest.mark.django_db
def test_a_session_is_read_until_it_runs_out_or_ends() -> None:
    made = SessionStore()
    made["who"] = "ada"
    made.create()
    assert made.session_key is not None

    assert SessionStore(made.session_key).load() == {"who": "ada"}
    assert SessionStore("of-nobody").load() == {}
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    late = SessionStore(made.session_key)
    assert (late.load(), late.session_key) == ({}, None)


@pytest.mark.django_db
def test_an_ended_session_is_gone() -> None:
    made = SessionStore()
    made.create()
    made.flush()

    assert SessionStore(made.session_key).load() == {}
