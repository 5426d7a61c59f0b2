"""What each kind of channel takes and posts: fixed hosts, escaped names, limits of each service."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from engine.integrations.channels.kind import AddressInvalid, Place
from engine.integrations.channels.kinds import KINDS
from engine.integrations.channels.message import Line, Message
from engine.integrations.channels.verdict import (
    LONGEST_WAIT_MS,
    TRIES,
    WAITS_MS,
    Outcome,
    judged,
    unanswered,
    unreached,
)
from engine.integrations.egress import EgressRefused, HttpUnavailable, parse_target

TOKEN = "123456789:" + "a" * 35
NASTY = "<!channel> @everyone [x](http://evil.example) *b* `c` & <b>"
GOOD = {
    "mail": Place("ops@example.com"),
    "slack": Place("https://hooks.slack.com/services/T/B/s3cret"),
    "teams": Place("https://prod-1.westeurope.logic.azure.com:443/workflows/s3cret"),
    "discord": Place("https://discord.com/api/webhooks/1/s3cret"),
    "telegram": Place("-1001234567890", TOKEN),
    "ntfy": Place("https://ntfy.sh/s3cret", "tk_abc"),
    "webhook": Place("https://example.com/hooks/s3cret"),
}
BAD = [
    ("mail", "nobody"),
    ("mail", "a@b.example\nBcc: c@d.example"),
    ("slack", "https://hooks.slack.com.evil.example/services/x"),
    ("slack", "https://hooks.slack.com@evil.example/services/x"),
    ("slack", "https://hooks.slack.com:444/services/x"),
    ("slack", "http://hooks.slack.com/services/x"),
    ("slack", "https://hooks.slack.com/other"),
    ("teams", "https://evillogic.azure.com/x"),
    ("teams", "https://outlook.office.com/webhook/x"),
    ("discord", "https://discord.com/api/users/@me"),
    ("ntfy", "https://ntfy.sh/a/b"),
    ("ntfy", "https://ntfy.sh/"),
    ("webhook", "http://example.com/x"),
    ("webhook", "file:///etc/passwd"),
    ("telegram", "../../getUpdates"),
]


def posted(kind: str, *texts: str, left: int = 0) -> Any:
    write = KINDS[kind].write
    assert write is not None
    lines = tuple(Line(text, f"https://gw.example/inbox/{n}") for n, text in enumerate(texts))
    return orjson.loads(write(GOOD[kind], Message("Acme", lines, left)).body)


@pytest.mark.parametrize("kind", list(GOOD))
def test_a_hint_shows_nothing_that_is_secret(kind: str) -> None:
    hint = KINDS[kind].check(GOOD[kind], ())

    assert "s3cret" not in hint
    assert TOKEN not in hint


@pytest.mark.parametrize(("kind", "address"), BAD)
def test_another_address_is_refused(kind: str, address: str) -> None:
    with pytest.raises(AddressInvalid):
        KINDS[kind].check(Place(address, TOKEN if kind == "telegram" else ""), ())


def test_an_operator_may_allow_a_server_that_speaks_as_slack_does() -> None:
    address = "http://chat.internal:8065/hooks/x"

    with pytest.raises(AddressInvalid):
        KINDS["slack"].check(Place(address), ())
    assert KINDS["slack"].check(Place(address), {parse_target(address).origin})


def test_names_are_no_markup() -> None:
    slack, discord = posted("slack", NASTY), posted("discord", NASTY)

    assert slack["text"].startswith("&lt;!channel&gt; @\u200beveryone [x](http://evil.example)")
    assert "&amp; &lt;b&gt; <https://gw.example/inbox/0|Open>" in slack["text"]
    assert discord["allowed_mentions"] == {"parse": []}
    assert r"\[x\]\(http" in discord["content"]
    body = posted("teams", NASTY)["attachments"][0]["content"]["body"]
    assert body[0] == {
        "type": "RichTextBlock",
        "inlines": [{"type": "TextRun", "text": NASTY}],
    }
    assert posted("telegram", NASTY)["text"] == f"{NASTY}\nhttps://gw.example/inbox/0"
    assert "parse_mode" not in posted("telegram", NASTY)


@pytest.mark.parametrize("kind", ["slack", "teams", "discord", "telegram", "ntfy"])
def test_many_lines_say_how_many_more_there_are(kind: str) -> None:
    text = str(posted(kind, *(f"{'n' * 150} {n}" for n in range(40)), left=60))

    told = sum(f"{'n' * 150} {n}" in text for n in range(40))
    assert 5 <= told < 40
    assert f"and {100 - told} more" in text or kind == "discord"
    assert "more" in text


def test_a_message_of_discord_fits() -> None:
    said = posted("discord", *("*" * 150 for _ in range(40)), left=10)

    assert len(said["content"]) <= 2000
    assert "more" in said["content"].splitlines()[-1]


def test_ntfy_gets_its_token_as_a_header_of_its_own() -> None:
    write = KINDS["ntfy"].write
    assert write is not None
    post = write(GOOD["ntfy"], Message("Acme", (Line("x", "https://gw.example/1"),)))

    assert post.url == "https://ntfy.sh/"
    assert post.secret == {"Authorization": "Bearer tk_abc"}
    assert orjson.loads(post.body)["topic"] == "s3cret"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *((code, Outcome.DONE) for code in (200, 201, 202, 204)),
        *((code, Outcome.FAILED) for code in (301, 307, 400, 401, 403, 404, 413, 422)),
        *((code, Outcome.AGAIN) for code in (408, 425, 429, 500, 502, 503, 599)),
        (410, Outcome.GONE),
    ],
)
def test_a_status_is_judged(status: int, outcome: Outcome) -> None:
    assert judged(status, {}).outcome == outcome


def test_no_answer_is_tried_again_and_a_refused_target_is_not() -> None:
    assert unreached().outcome == Outcome.AGAIN
    assert unanswered(HttpUnavailable("no name", sent=False)).outcome == Outcome.AGAIN
    assert unanswered(EgressRefused("not public")).outcome == Outcome.FAILED


def test_a_receiver_may_ask_to_wait_but_not_for_ever() -> None:
    telegrams = b'{"ok": false, "parameters": {"retry_after": 14}}'

    assert judged(429, {"retry-after": "7"}).wait_ms == 7000
    assert judged(503, {"retry-after": "999999"}).wait_ms == LONGEST_WAIT_MS
    assert judged(429, {}, telegrams).wait_ms == 14_000
    for nonsense in (b"", b"[]", b"{", b'{"parameters": {"retry_after": true}}'):
        assert judged(429, {}, nonsense).wait_ms is None


def test_eight_tries_grow_and_fit_into_a_day() -> None:
    assert TRIES == 8
    assert list(WAITS_MS) == sorted(WAITS_MS)
    assert sum(WAITS_MS) < 24 * 3600 * 1000
