"""An open stream ends for whoever may not read any more: a token revoked or expired, a person gone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from builder.doors.called import tokens
from builder.doors.called.looking import Look
from builder.doors.called.openai import stream
from builder.doors.called.openai.answers import Named
from builder.models import ApiToken, User
from builder.services.people.accounts import create_api_token
from tests.builder.conftest import People

LOSES: dict[str, Any] = {
    "it is revoked": lambda: ApiToken.objects.update(revoked_at=timezone.now()),
    "it expires": lambda: ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1)),
    "its person may not call": lambda: User.objects.update(is_active=False),
}


@pytest.mark.parametrize("how", LOSES)
def test_a_token_is_good_until(people: People, how: str) -> None:
    token = create_api_token(people.olga, name="script")[0]
    assert tokens.is_good(token.pk)

    LOSES[how]()

    assert not tokens.is_good(token.pk)


async def test_a_stream_says_no_more_to_who_may_not_hear_it(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked again while the run goes on, and what was said meanwhile stays unsaid."""

    async def going_on(*_given: object) -> Any:
        for text in ("one", "two", "three"):
            yield Look("r1", "running", said=[text])

    allowed = [True, False]
    monkeypatch.setattr(stream, "follow", going_on)
    monkeypatch.setattr(stream, "RECHECK_S", 0.0)
    asked = stream.Answering(Named("r1", "echo", 0), people.olga, lambda: allowed.pop(0))

    said = b"".join([piece async for piece in stream.pieces(asked)])

    assert b"one" in said
    assert b"two" not in said
    assert b"[DONE]" not in said
