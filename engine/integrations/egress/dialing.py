"""Connections that are no HTTP: to judged addresses and no others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import Final

from engine.integrations.egress.addresses import parse_address
from engine.integrations.egress.failures import HttpUnavailable
from engine.integrations.egress.targets import Origin
from engine.integrations.egress.transport import CONNECT_TIMEOUT
from engine.integrations.egress.urls import parse_target

TCP: Final = "tcp"
QUIET_S: Final = 60.0
"""Seconds that a call on the socket may take, unless whoever has it says otherwise."""


def tcp_origin(host: str, port: int) -> Origin:
    """Return host and port as allow-lists name them. Raises `EgressRefused` for what is no host."""
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return Origin(TCP, *parse_target(f"http://{shown}:{port}").origin[1:])


async def connected(addresses: Sequence[str], port: int) -> socket.socket:
    """Return a blocking socket to the first address that answers. Raises `HttpUnavailable`."""
    failed: Exception | None = None
    for address in addresses:
        family = socket.AF_INET6 if parse_address(address).version == 6 else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setblocking(False)
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await asyncio.get_running_loop().sock_connect(made, (address, port))
        except (OSError, TimeoutError) as error:
            made.close()
            failed = error
        except BaseException:
            made.close()
            raise
        else:
            made.settimeout(QUIET_S)
            return made
    raise HttpUnavailable(f"no connection to port {port}", sent=False) from failed
