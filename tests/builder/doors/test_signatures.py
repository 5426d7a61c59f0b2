"""Each way of signing, against what the senders' own libraries and published examples make."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64encode
from typing import Any

import pytest
from slack_sdk.signature import SignatureVerifier

from builder.doors.signatures.call import BadSignature, Call
from builder.doors.signatures.schemes import SCHEMES
from tests.builder.doors.conftest import Made

NOW = 1_800_000_000
BODY = json.dumps({"id": "evt_1", "event_id": "Ev1", "text": "Grüße"}).encode()
CUSTOM = {
    "header": "X-Sign",
    "algorithm": "sha512",
    "encoding": "base64",
    "prefix": "s=",
    "timestamp_header": "X-Time",
    "id_header": "X-Id",
}


def verify(scheme: str, headers: dict[str, str], secret: str, now: int = NOW) -> None:
    call = Call(BODY, {name.lower(): text for name, text in headers.items()})
    SCHEMES[scheme].verify(call, secret, now, CUSTOM)


def slack(secret: str, at: int = NOW) -> dict[str, str]:
    text = SignatureVerifier(secret).generate_signature(timestamp=str(at), body=BODY)
    return {"X-Slack-Request-Timestamp": str(at), "X-Slack-Signature": str(text)}


def stripe(secret: str, at: int = NOW) -> dict[str, str]:
    mac = hmac.new(secret.encode(), f"{at}.".encode() + BODY, hashlib.sha256).hexdigest()
    return {"Stripe-Signature": f"t={at},v1={'0' * 64},v1={mac},v0={mac}"}


def custom(secret: str, at: int = NOW) -> dict[str, str]:
    mac = hmac.digest(secret.encode(), f"{at}.".encode() + BODY, "sha512")
    return {"X-Sign": f"s={b64encode(mac).decode()}", "X-Time": str(at)}


SIGNED: dict[str, Any] = {"slack": slack, "stripe": stripe, "custom": custom}


@pytest.mark.parametrize("scheme", SIGNED)
def test_a_signature_holds_under_its_secret_and_no_other(scheme: str) -> None:
    verify(scheme, SIGNED[scheme]("s3cret"), "s3cret")

    with pytest.raises(BadSignature) as wrong:
        verify(scheme, SIGNED[scheme]("s3cret"), "another")
    assert wrong.value.code == "SignatureInvalid"


@pytest.mark.parametrize("scheme", SIGNED)
@pytest.mark.parametrize(("off", "holds"), [(299, True), (301, False), (-299, True), (-301, False)])
def test_a_signed_time_may_be_five_minutes_off(scheme: str, off: int, holds: bool) -> None:
    if holds:
        verify(scheme, SIGNED[scheme]("s3cret", NOW + off), "s3cret")
        return
    with pytest.raises(BadSignature) as stale:
        verify(scheme, SIGNED[scheme]("s3cret", NOW + off), "s3cret")
    assert stale.value.code == "SignatureStale"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "value", ["", "nonsense", "t=,v1=", "v0=zz", "ü", "v1,%%% v1,", "," * 9000]
)
def test_nonsense_proves_nothing(scheme: str, value: str) -> None:
    names = ["X-Hub-Signature-256", "Stripe-Signature", "X-Slack-Signature", "webhook-signature"]
    times = ["X-Slack-Request-Timestamp", "webhook-timestamp", "webhook-id", "X-Time"]

    with pytest.raises(BadSignature):
        verify(scheme, dict.fromkeys([*names, *times, "X-Sign"], value), "s3cret")


def test_the_published_example_of_github_holds() -> None:
    call = Call(
        b"Hello, World!",
        {
            "x-hub-signature-256": (
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
            )
        },
    )

    SCHEMES["github"].verify(call, "It's a Secret to Everybody", NOW, {})


def test_a_body_that_is_changed_by_a_byte_is_refused(hook: Made) -> None:
    sender = hook()
    body, headers = sender.signed({"amount": 1})

    refused = sender.post(body.replace(b"1", b"9"), headers)

    assert (refused.status_code, refused.json()["code"]) == (401, "SignatureInvalid")


def test_standard_webhooks_go_by_the_time_too(hook: Made) -> None:
    sender = hook()

    stale = sender.standard({"amount": 1}, at=time.time() - 301)

    assert (stale.status_code, stale.json()["code"]) == (401, "SignatureStale")
    assert sender.standard({"amount": 1}).status_code == 202
