"""HTTP and the websocket, for Daphne."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
http = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from builder.live.origin import ExactOrigin  # noqa: E402
from builder.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": ExactOrigin(
            AuthMiddlewareStack(URLRouter(websocket_urlpatterns)), settings.ORIGINS
        ),
    }
)
