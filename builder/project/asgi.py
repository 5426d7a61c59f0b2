"""HTTP and the websocket, for Daphne."""

from __future__ import annotations

import os
from collections.abc import Collection

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.project.settings")
django.setup(set_prefix=False)

from builder.process.optional_libraries import left_out  # noqa: E402

with left_out("OpenSSL"):
    import autobahn.util  # noqa: F401  (it looks for what there is when it is loaded)

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from builder.api.called.mcp_door import McpDoor  # noqa: E402
from builder.live.origin import ExactOrigin  # noqa: E402
from builder.live.routing import websocket_urlpatterns  # noqa: E402
from builder.live.sessions import SessionDoor  # noqa: E402
from builder.live.tickets import TicketDoor  # noqa: E402
from builder.process.watch.health import HealthDoor  # noqa: E402
from builder.project.handler import PooledHandler  # noqa: E402
from builder.project.metrics.door import MetricsDoor  # noqa: E402
from builder.project.metrics.traffic import CountedHttp, CountedSockets  # noqa: E402
from builder.project.static_files import keep_build  # noqa: E402


def application_for(origins: Collection[str]) -> ProtocolTypeRouter:
    """Return HTTP, and the websocket for pages of these origins and for whoever has a ticket."""
    socket = URLRouter(websocket_urlpatterns)
    pages = ExactOrigin(SessionDoor(socket), origins)
    return ProtocolTypeRouter(
        {
            "http": CountedHttp(HealthDoor(MetricsDoor(McpDoor(PooledHandler())))),
            "websocket": CountedSockets(TicketDoor(socket, pages)),
        }
    )


keep_build()
application = application_for(settings.ORIGINS)
