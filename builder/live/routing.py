"""The one list of sockets."""

from __future__ import annotations

from django.urls import path

from builder.live.consumer import LiveConsumer

websocket_urlpatterns = [path("ws/", LiveConsumer.as_asgi())]
