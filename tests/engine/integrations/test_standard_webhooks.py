"""One way of signing, in and out, as the specification's own library does it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from engine.integrations import standard_webhooks as standard

BODY = b'{"type": "run.failed"}'


def test_their_library_signs_what_we_read_and_reads_what_we_sign() -> None:
    secret = standard.new_secret()
    now = datetime.now(UTC)

    theirs = Webhook(secret).sign("msg_1", now, BODY.decode())
    ours = standard.headers([standard.new_secret(), secret], "msg_1", int(now.timestamp()), BODY)

    assert theirs == ours[standard.SIGNATURE].split(" ")[1]
    assert standard.signatures(ours[standard.SIGNATURE])[1:] == standard.signatures(theirs)
    assert Webhook(secret).verify(BODY.decode(), ours) == {"type": "run.failed"}


@pytest.mark.parametrize("text", ["", "v2,AAAA", "v1", "AAAA", "v1a,AAAA"])
def test_what_is_no_signature_of_this_version_is_none(text: str) -> None:
    assert not any(standard.signatures(text))


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_of the sender", "ä"])
def test_a_secret_that_is_no_base64_has_no_key(secret: str) -> None:
    assert standard.key_of(secret) == b""
