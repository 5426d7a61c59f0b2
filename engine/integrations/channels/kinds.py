"""The kinds of channels by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.integrations.channels.discord import DISCORD
from engine.integrations.channels.kind import Kind
from engine.integrations.channels.mail import MAIL
from engine.integrations.channels.ntfy import NTFY
from engine.integrations.channels.slack import SLACK
from engine.integrations.channels.teams import TEAMS
from engine.integrations.channels.telegram import TELEGRAM
from engine.integrations.channels.webhook import WEBHOOK

KINDS: Final[Mapping[str, Kind]] = {
    "mail": MAIL,
    "slack": SLACK,
    "teams": TEAMS,
    "discord": DISCORD,
    "telegram": TELEGRAM,
    "ntfy": NTFY,
    "webhook": WEBHOOK,
}
