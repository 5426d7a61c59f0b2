"""One message on its way: by mail, or as a POST that goes through the egress; told by its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import httpx2
from django.conf import settings
from django.core.mail import EmailMessage

from builder.doors.telling.channels.places import place_of
from builder.models import Channel
from builder.services.mail.inbox_mail import FAILURES
from engine.core.errors import NodeError
from engine.integrations.channels.kind import Post
from engine.integrations.channels.kinds import KINDS
from engine.integrations.channels.message import Line, Message, more
from engine.integrations.channels.verdict import (
    MOST_READ,
    Outcome,
    Verdict,
    judged,
    unanswered,
    unreached,
)
from engine.integrations.egress import Egress, parse_target

TIMEOUT_S: Final = 10.0
"""Seconds of one POST, answer included."""
Sendable = Post | EmailMessage


@dataclass(frozen=True, slots=True)
class Sending:
    """What goes out, and by what; mail needs no egress."""

    what: Sendable
    egress: Egress


def written(channel: Channel, message: Message) -> Sendable:
    """Return a message as the channel takes it. Raises `VaultLocked`."""
    place, write = place_of(channel), KINDS[channel.kind].write
    return _mail(place.address, message) if write is None else write(place, message)


def send(sendings: Sequence[Sending]) -> list[Verdict]:
    """Send all at once and return what became of each, in their order."""
    return asyncio.run(_all(sendings))


async def _all(sendings: Sequence[Sending]) -> list[Verdict]:
    return list(await asyncio.gather(*(_one(each) for each in sendings)))


async def _one(sending: Sending) -> Verdict:
    if isinstance(sending.what, Post):
        return await _post(sending.egress, sending.what)
    return await asyncio.to_thread(_hand_over, sending.what)


async def _post(egress: Egress, post: Post) -> Verdict:
    """Post once, follow nothing, and read no more of the answer than its beginning.

    By the transport and no client: clients log what they call, and addresses are secrets here.
    """
    headers = {**post.headers, **post.secret}
    transport = egress.transport()
    try:
        # As it was judged: the libraries do not agree on how a host is spelled.
        url = str(parse_target(post.url))
        request = httpx2.Request("POST", url, headers=headers, content=post.body)
        async with asyncio.timeout(TIMEOUT_S):
            answer = await transport.handle_async_request(request)
            try:
                return judged(answer.status_code, answer.headers, await _beginning(answer))
            finally:
                await answer.aclose()
    except NodeError as refused:
        return unanswered(refused)
    except (httpx2.TransportError, TimeoutError):
        return unreached()
    finally:
        await transport.aclose()


async def _beginning(answer: httpx2.Response) -> bytes:
    if answer.status_code != 429:
        return b""
    read = b""
    async for chunk in answer.aiter_raw():
        read += chunk
        if len(read) >= MOST_READ:
            break
    return read[:MOST_READ]


def _hand_over(mail: EmailMessage) -> Verdict:
    if not settings.MAIL:
        return Verdict(Outcome.FAILED, None, "this server sends no mail")
    try:
        mail.send()
    except FAILURES as error:
        return Verdict(Outcome.AGAIN, None, f"the mail server: {type(error).__name__}")
    return Verdict(Outcome.DONE)


def _mail(to: str, message: Message) -> EmailMessage:
    lines = [part for line in message.lines for part in _entry(line)]
    lines += [more(message.left), ""] if message.left else []
    subject = message.lines[0].text if message.is_alone else message.title
    foot = ["-- ", "Opening a link decides nothing."]
    automatic = {"Auto-Submitted": "auto-generated"}
    return EmailMessage(subject[:150], "\n".join([*lines, *foot]), to=[to], headers=automatic)


def _entry(line: Line) -> tuple[str, str, str]:
    return (line.text, line.link, "")
