"""A second factor in tests: the code that an app would show, and a browser that sends it."""

from __future__ import annotations

import json
import time
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

from tests.builder.conftest import PASSWORD, Api

ROOT = "/_allauth/browser/v1/"


def code_of(secret: str, ahead: int = 0) -> str:
    """Return the code of now, or of so many half minutes later."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + ahead)))


def ask(client: Client, method: str, path: str, body: Any = None) -> Any:
    """Send JSON to one of allauth's routes."""
    raw = (
        "" if method == "GET" else body if isinstance(body, str | bytes) else json.dumps(body or {})
    )
    return client.generic(method, f"{ROOT}{path}", raw, content_type="application/json")


def set_up_code(api: Api) -> str:
    """Set up codes for who is signed in there; return the secret that the app keeps."""
    assert api.post("password/confirm/", {"password": PASSWORD}).status_code == 204
    secret = str(ask(api.client, "GET", "account/authenticators/totp").json()["meta"]["secret"])
    made = ask(api.client, "POST", "account/authenticators/totp", {"code": code_of(secret)})
    assert made.status_code == 200, made.content
    return secret


def show_password(email: str) -> Api:
    """Return a browser in which a right password was shown."""
    api = Api()
    answer = api.post("session/", {"email": email, "password": PASSWORD})
    assert answer.status_code == 200, answer.content
    return api


def forget_codes() -> None:
    """Let the code of this half minute count again, as if the time had gone on."""
    from builder.models import Attempt

    Attempt.objects.all().delete()
