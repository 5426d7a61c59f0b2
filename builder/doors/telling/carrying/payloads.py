"""What a program is told: the body of a webhook, the same each time it is sent."""

from __future__ import annotations

import json

import orjson

from builder.models import ChannelNotice
from engine.core.state.events import iso


def body_of(notice: ChannelNotice) -> bytes:
    """Return `{type, timestamp, data}` as Standard Webhooks propose, of the row alone."""
    about = {"workspace": notice.channel.workspace_id, "workflow": notice.graph, "run": notice.run}
    if not notice.kind.startswith(("run.", "budget.mark")):
        about["item"] = notice.ref
    said = {**json.loads(notice.data), **about}
    return orjson.dumps({"type": notice.kind, "timestamp": iso(notice.at), "data": said})
