"""Every place from which an address that data names is called: a new one needs its row here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from builder.adapters.egress import egress_allowing
from builder.doors.telling.carrying.sending import Sending, send
from builder.services.people.sign_in.oidc.calls import Outside
from builder.services.people.sign_in.oidc.discovery import discover
from builder.services.tools.documents import fetched
from engine.core.values.json import freeze
from engine.integrations.channels.kind import Place
from engine.integrations.channels.kinds import KINDS
from engine.integrations.channels.message import Line, Message
from engine.integrations.channels.webhook import signed
from engine.integrations.egress import Egress
from engine.integrations.egress.http_call import HttpCall
from engine.integrations.egress.http_call import send as send_call
from engine.integrations.models.model_lists import Server, ask
from engine.integrations.models.pydantic_ai import model_transport
from engine.integrations.tools.mcp import HttpServer, McpSource
from engine.integrations.tools.oauth import asking
from engine.integrations.tools.openapi import OpenApiSource, read_catalog
from engine.integrations.tools.openapi.source import Api
from tests.engine.integrations.tools.openapi.shop import text_of
from tests.engine.integrations.tools.origins import origin

Reach = Callable[[Egress, str], Awaitable[object]]
SECRET: Final = "whsec_" + "A" * 32


@dataclass(frozen=True, slots=True)
class Door:
    """What data names, for which purpose, how it is called, and the module that does it."""

    names: str
    purpose: Any
    module: str
    reach: Reach


async def _node(egress: Egress, url: str) -> object:
    return await send_call(egress, HttpCall(url), "key")


async def _posted(egress: Egress, url: str) -> object:
    return await send_call(egress, HttpCall(url, "POST", body={"a": 1}), "key")


async def _listed(egress: Egress, url: str) -> object:
    return await ask(Server("openai_chat", url.rstrip("/")), egress)


async def _asked(egress: Egress, url: str) -> object:
    async with httpx2.AsyncClient(transport=model_transport(egress), trust_env=False) as client:
        return await client.post(url, json={"model": "m"})


async def _mcp(egress: Egress, url: str) -> object:
    source = McpSource("web", HttpServer(url), egress=egress)
    try:
        return await source.tools()
    finally:
        await source.aclose()


async def _consent(egress: Egress, url: str) -> object:
    return await asking.ask(egress, "GET", url)


async def _document(egress: Egress, url: str) -> object:
    return await fetched(egress, url)


async def _nobody(_name: str, _url: str) -> Mapping[str, str]:
    return {}


async def _operation(egress: Egress, url: str) -> object:
    operations = read_catalog(text_of()).operations
    source = OpenApiSource("shop", operations, Api(url.rstrip("/"), egress, _nobody))
    tool = await source.find("getOrder")
    assert tool is not None
    return await tool.call(freeze({"id": "1"}), origin())


def _told(kind: str) -> Reach:
    async def reach(egress: Egress, url: str) -> object:
        place = Place(f"{url.rstrip('/')}/topic", "")
        if kind == "webhook":
            post = signed(place, [SECRET], "id", 1, b"{}")
        else:
            write = KINDS[kind].write
            assert write is not None
            post = write(place, Message("Title", (Line("line", "https://example.com"),)))
        return await asyncio.to_thread(send, [Sending(post, egress)])

    return reach


async def _issuer(egress: Egress, url: str) -> object:
    return await asyncio.to_thread(discover, Outside(egress), url.rstrip("/"))


async def _endpoint(egress: Egress, url: str) -> object:
    return await asyncio.to_thread(Outside(egress).get, url, "bearer")


async def _token(egress: Egress, url: str) -> object:
    return await asyncio.to_thread(Outside(egress).post, url, {"code": "c"}, {})


SEND: Final = "builder/doors/telling/carrying/sending.py"
CALL: Final = "engine/integrations/egress/http_call.py"
OIDC: Final = "builder/services/people/sign_in/oidc/calls.py"
DOORS: Final[tuple[Door, ...]] = (
    Door("the address of a request node", "node", CALL, _node),
    Door("the address of a request that writes", "node", CALL, _posted),
    Door("a provider, when its models are found", "model",
         "engine/integrations/models/model_lists.py", _listed),
    Door("a provider, when it is asked", "model",
         "engine/integrations/models/pydantic_ai.py", _asked),
    Door("an MCP server", "tool", "engine/integrations/tools/mcp/client_opener.py", _mcp),
    Door("whom an MCP server names to sign in at", "tool",
         "engine/integrations/tools/oauth/asking.py", _consent),
    Door("the document of an OpenAPI source", "tool",
         "builder/services/tools/documents.py", _document),
    Door("the server of an OpenAPI source", "tool", CALL, _operation),
    Door("a webhook out", "notice", SEND, _told("webhook")),
    Door("an ntfy server", "notice", SEND, _told("ntfy")),
    Door("a server that takes what Slack takes", "notice", SEND, _told("slack")),
    Door("the issuer of a provider of identities", "identity", OIDC, _issuer),
    Door("its keys and its userinfo", "identity", OIDC, _endpoint),
    Door("its token endpoint", "identity", OIDC, _token),
)  # fmt: skip


def egress_of(door: Door) -> Egress:
    """Return what a workspace's calls of a door leave by, where nothing is allowed beyond the public web."""
    return egress_allowing((), door.purpose)
