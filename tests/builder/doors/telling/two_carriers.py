"""What processes of the test `test_one_outbox` do: `prepare ADDRESS COUNT`, then `carry` until all is sent."""

from __future__ import annotations

import sys
import time

import django

django.setup()

from builder.doors.telling.carrying import carrier  # noqa: E402  (settings come first)
from builder.doors.telling.channels import places  # noqa: E402
from builder.models import Channel, ChannelNotice, Workspace  # noqa: E402
from engine.integrations.channels.kind import Place  # noqa: E402


def prepare(address: str, count: int) -> None:
    """Write down a proven webhook, and notices that are due."""
    workspace = Workspace.objects.create(name="Told", slug="told")
    for number in range(2):
        row = Channel(workspace=workspace, kind="webhook", name="x", made_at=1, verified_at=1)
        places.seal(row, Place(f"{address}/{number}"))
        row.save()
        places.keep_secret(row, places.new_secret(), 1)
        ChannelNotice.objects.bulk_create(
            ChannelNotice(
                channel=row, event=str(each), kind="run.failed", ref="r", at=each, available_at=1
            )
            for each in range(count)
        )


def carry() -> None:
    """Carry until nothing waits."""
    while ChannelNotice.objects.filter(done_at__isnull=True).exists():
        carrier.carry()
        time.sleep(0.01)


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(sys.argv[2], int(sys.argv[3]))
    else:
        carrier.GAP_MS = 1  # type: ignore[misc]  # the two should meet often
        carry()
