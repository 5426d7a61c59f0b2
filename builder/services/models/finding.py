"""What models a server has that is not added yet: asked once, and nothing of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from builder.adapters.egress import model_egress
from builder.models import Membership
from builder.services.models.provider_rules import check_headers, check_key, judged
from builder.services.permissions import Right, require
from builder.services.tools.outside import asked
from engine.integrations.egress import AllowList, Egress, parse_target
from engine.integrations.models.model_lists import Listed, Server, ask
from engine.integrations.models.servers.protocols import Protocol

PATIENCE_S: Final = 10.0


def find_models(
    member: Membership,
    protocol: str,
    base_url: str,
    *,
    key: str | None,
    headers: Mapping[str, str],
    accept_address: bool,
) -> Listed:
    """Return what the server at an address lists, or why it lists nothing.

    The address is judged as that of a provider which is added. Raises as `add_provider` does.
    """
    require(member, Right.ADMIN)
    check_headers(headers)
    check_key(key or "")
    url, source = judged(member, protocol, base_url, accept_address=accept_address)
    server = Server(cast(Protocol, protocol), url, tuple(headers.items()), key or None)
    return asked(_ask(member.workspace_id, server, on_machine=source == "machine"))


async def _ask(workspace_id: str, server: Server, *, on_machine: bool) -> Listed:
    egress: Egress = await model_egress(workspace_id)
    origin = frozenset({parse_target(server.base_url).origin})
    more = AllowList(origin) if on_machine else AllowList(private=origin)
    return await ask(server, egress.allowing(more), PATIENCE_S)
