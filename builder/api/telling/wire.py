"""Channels, rules and notices on the wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from builder.api.http.wire import Body, Named, Text, Wire, time, time_or_none
from builder.doors.telling.carrying.proving import Tried
from builder.doors.telling.channels import verbs as channels
from builder.doors.telling.rules import verbs as rules
from builder.models import Channel, ChannelNotice, NoticeRule
from builder.reads.operations.told_lines import told_of

Of = Literal["me", "workspace"]
Kind = Literal["mail", "slack", "teams", "discord", "telegram", "ntfy", "webhook"]
Name = Annotated[Text, Field(min_length=1, max_length=120)]
Address = Annotated[Text, Field(min_length=1, max_length=2000)]
Key = Annotated[Text, Field(max_length=200)]
Zone = Annotated[Text, Field(max_length=64)]
Secret = Annotated[Text, Field(max_length=200)]
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A time of the day, as `07:30`."""


class Quiet(Body):
    """Quiet hours, in the channel's time zone: notices wait for their end."""

    begin: Clock
    end: Clock


class ChannelBody(Body):
    """A channel as it is to be. `address` and `key` are written and never read."""

    of: Of = "me"
    kind: Kind
    name: Name | None = None
    address: Address
    key: Key | None = None
    zone: Zone | None = None
    quiet: Quiet | None = None
    secret: Secret | None = None

    def wanted(self) -> channels.Wanted:
        """Return it as the service takes it."""
        quiet = _quiet(self.quiet) if self.quiet else None
        return channels.Wanted(self.name, self.address, self.key, self.zone, quiet)


class ChannelChange(Body):
    """What is to change; what is not given stays, and `quiet: null` is none."""

    name: Name | None = None
    address: Address | None = None
    key: Key | None = None
    zone: Zone | None = None
    quiet: Quiet | None = None
    on: bool | None = None

    def wanted(self) -> channels.Wanted:
        """Return it as the service takes it."""
        given = "quiet" in self.model_fields_set
        quiet = _quiet(self.quiet) if self.quiet else (False if given else None)
        return channels.Wanted(self.name, self.address, self.key, self.zone, quiet, self.on)


class CodeBody(Body):
    """The code that was sent to a channel."""

    code: Annotated[Text, Field(min_length=1, max_length=20)]


class WebhookSecretBody(Body):
    """Another secret; without one we make it."""

    secret: Secret | None = None


class RuleBody(Body):
    """A rule as it is to be; `at` counts where it is daily."""

    channel: Annotated[Text, Field(max_length=36)]
    kinds: Annotated[list[Annotated[Text, Field(max_length=32)]], Field(max_length=40)]
    graph: Annotated[Text, Field(max_length=36)] | None = None
    folder: Annotated[Text, Field(max_length=130)] = ""
    tag: Annotated[Text, Field(max_length=64)] = ""
    minutes: int | None = None
    mine: bool = False
    when: Literal["at_once", "hourly", "daily"] = "at_once"
    at: Clock = "08:00"

    def wanted(self) -> rules.Wanted:
        """Return it as the service takes it."""
        return _wanted(self)


class RuleChange(Body):
    """A rule as it is to be from now on, in its channel."""

    kinds: Annotated[list[Annotated[Text, Field(max_length=32)]], Field(max_length=40)]
    graph: Annotated[Text, Field(max_length=36)] | None = None
    folder: Annotated[Text, Field(max_length=130)] = ""
    tag: Annotated[Text, Field(max_length=64)] = ""
    minutes: int | None = None
    mine: bool = False
    when: Literal["at_once", "hourly", "daily"] = "at_once"
    at: Clock = "08:00"

    def wanted(self) -> rules.Wanted:
        """Return it as the service takes it."""
        return _wanted(self)


class QuietOut(Wire):
    """Quiet hours."""

    begin: str
    end: str


class ChannelOut(Wire):
    """A channel; of its address a hint. `off_why` is why it went off by itself."""

    id: str
    of: Of
    kind: Kind
    name: str
    hint: str
    verified_at: str | None
    code_until: str | None
    on: bool
    off_why: str
    zone: str
    quiet: QuietOut | None
    former_secret_until: str | None


class NewChannelOut(ChannelOut):
    """A channel that was made; the secret of a webhook is shown here only."""

    secret: str | None


class WebhookSecretOut(Wire):
    """The secret, if we made it, and until when the former one is signed with, too."""

    secret: str | None
    former_until: str | None


class TestOut(Wire):
    """What became of a test: whether it arrived, and what was answered."""

    arrived: bool
    status: int | None
    reason: str
    channel: ChannelOut


class RuleOut(Wire):
    """A rule. `graph` is the one workflow that it is about, else those of `folder` and with `tag`.

    `minutes` is for how long an item waits before it is told that it does.
    """

    id: str
    channel: Named
    kinds: list[str]
    graph: str | None
    folder: str
    tag: str
    minutes: int | None
    mine: bool
    when: Literal["at_once", "hourly", "daily"]
    at: str


class NoticeOut(Wire):
    """A notice and what became of it; `status` is what the receiver answered the last time."""

    id: str
    channel: Named
    kind: str
    state: Literal["waiting", "sent", "failed", "dropped"]
    status: int | None
    reason: str
    tries: int
    at: str
    next_at: str | None
    done_at: str | None
    run: str | None
    item: str | None
    rejected: Annotated[bool, Field(description="of a run that ended: as a person said no")]
    workflow: Annotated[str, Field(description="the name of the workflow that it is about")]
    run_title: str


def channel_out(row: Channel) -> ChannelOut:
    """Return a channel as it is shown."""
    return ChannelOut.model_validate(_channel(row))


def new_channel_out(row: Channel, secret: str | None) -> NewChannelOut:
    """Return a channel that was made, with its secret."""
    return NewChannelOut.model_validate({**_channel(row), "secret": secret})


def former_secret_until(row: Channel) -> str | None:
    """Return until when a webhook is signed with two secrets."""
    found = [one.until for one in row.secrets.all() if one.until is not None]
    return time_or_none(found[0] if found else None)


def test_out(tried: Tried) -> TestOut:
    """Return what became of a test."""
    said = tried.verdict
    channel = channel_out(tried.channel)
    return TestOut(arrived=tried.arrived, status=said.status, reason=said.reason, channel=channel)


def _wanted(body: RuleBody | RuleChange) -> rules.Wanted:
    return rules.Wanted(
        kinds=body.kinds,
        graph=body.graph,
        mine=body.mine,
        when=body.when,
        at=_minute(body.at),
        folder=body.folder,
        tag=body.tag,
        minutes=body.minutes,
    )


def rule_out(row: NoticeRule) -> RuleOut:
    """Return a rule as it is shown."""
    return RuleOut.model_validate(
        {
            "id": row.pk,
            "channel": _named(row.channel),
            "kinds": row.kinds,
            "graph": row.graph,
            "folder": row.folder,
            "tag": row.tag,
            "minutes": row.minutes,
            "mine": row.mine,
            "when": row.when,
            "at": _clock(row.at),
        }
    )


def notices_out(rows: Sequence[ChannelNotice]) -> list[NoticeOut]:
    """Return notices as they are shown."""
    told = told_of(rows)
    return [_notice(row, *told[row.pk]) for row in rows]


def _notice(row: ChannelNotice, workflow: str, title: str) -> NoticeOut:
    is_item = not row.kind.startswith(("run.", "budget.mark"))
    return NoticeOut.model_validate(
        {
            "id": row.pk,
            "channel": _named(row.channel),
            "kind": row.kind,
            "state": row.state,
            "status": row.status,
            "reason": row.reason,
            "tries": row.tries,
            "at": time(row.at),
            "next_at": None if row.done_at else time(row.available_at),
            "done_at": time_or_none(row.done_at),
            "run": row.run,
            "item": row.ref if is_item else None,
            "rejected": bool(json.loads(row.data).get("rejected")),
            "workflow": workflow,
            "run_title": title,
        }
    )


def _channel(row: Channel) -> dict[str, object]:
    begin, end = row.quiet_from, row.quiet_to
    quiet = None if begin is None or end is None else {"begin": _clock(begin), "end": _clock(end)}
    return {
        "id": row.pk,
        "of": "workspace" if row.user_id is None else "me",
        "kind": row.kind,
        "name": row.name,
        "hint": row.hint,
        "verified_at": time_or_none(row.verified_at),
        "code_until": time_or_none(row.code_until),
        "on": row.on,
        "off_why": row.off_why,
        "zone": row.zone,
        "quiet": quiet,
        "former_secret_until": former_secret_until(row),
    }


def _named(row: Channel) -> Named:
    return Named(id=row.pk, name=row.name)


def _quiet(quiet: Quiet) -> channels.Quiet:
    return (_minute(quiet.begin), _minute(quiet.end))


def _minute(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
