"""Which models a workspace may use: its accepted providers, its keys, its default."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from builder.adapters.egress import model_egress
from builder.adapters.models.prices import own_prices
from builder.adapters.threads import in_thread
from builder.base import vault
from builder.models import AcceptedProvider, Credential, Workspace
from engine.integrations.models.catalog import DEFAULT, ModelCatalog, ModelEntry
from engine.integrations.models.chat import FREE
from engine.integrations.models.discovery import (
    HOSTED,
    FoundProvider,
    environment_key,
    find_providers,
    http_probe,
)
from engine.integrations.models.model_lists import ModelLists
from engine.integrations.models.providers import extractive
from engine.integrations.models.servers.capabilities import Capabilities
from engine.integrations.models.servers.endpoint import Endpoint

if TYPE_CHECKING:
    from engine.integrations.models.servers.protocols import Protocol

OWN: Final = ("own", "machine")
"""Sources of providers that were named by their address."""
LISTS = ModelLists()
Said = tuple[tuple[str, ...], bool, str]
"""What a server says: the models it has, whether it answers, and why not."""
Listings = Mapping[str, Said]
"""That by provider."""


def model_catalog() -> ModelCatalog:
    """Return the catalogue of models; reads rows in threads, at each resolve."""
    return ModelCatalog(
        default_model=default_model,
        secret=secret,
        endpoints=endpoints,
        egress=model_egress,
        lists=LISTS,
        own_prices=own_prices,
    )


async def all_models(workspace_id: str) -> tuple[list[ModelEntry], Listings]:
    """Return the models of a workspace, and by provider what its servers say of theirs."""
    catalog = model_catalog()
    listed = await catalog.listings(workspace_id)
    servers = await endpoints(workspace_id)
    said = {
        endpoint.id: (endpoint.names(each), each.names is not None, each.problem)
        for endpoint, each in zip(servers, listed, strict=True)
    }
    return await catalog.entries(workspace_id), said


def environment() -> Mapping[str, str]:
    """Return where keys of the operator may stand."""
    return os.environ


def model_problem(workspace_id: str, name: str) -> str | None:
    """Return why the workspace cannot use a model, None where it can or its server is away.

    A model without price is none that can be used where the workspace refuses such calls.
    """
    if name in (DEFAULT, extractive.NAME):
        return None
    return asyncio.run(_why_not(workspace_id, name))


def takes_tools(workspace_id: str, name: str) -> bool:
    """Return whether a model may be asked to call tools; True where nobody said otherwise."""
    return asyncio.run(model_catalog().takes_tools(name, workspace_id))


async def _why_not(workspace_id: str, name: str) -> str | None:
    catalog = model_catalog()
    try:
        why = await catalog.why_not(name, workspace_id)
        if why is not None or await catalog.has_price(name, workspace_id):
            return why
    finally:
        await catalog.aclose()
    if await in_thread(_unknown_price, workspace_id) != "refuse":
        return None
    return (
        f"there is no price for {name!r}, and this workspace refuses calls without one: an admin "
        "adds it under Settings, Models"
    )


async def default_model(workspace_id: str | None) -> str:
    """Return what `local/default` means in the workspace."""
    return await in_thread(_default_model, workspace_id)


async def secret(provider: str, workspace_id: str | None) -> str | None:
    """Return the key of a provider: the workspace's credential, else an accepted one of the
    environment.
    """
    return await in_thread(_secret, provider, workspace_id)


async def endpoints(workspace_id: str | None) -> Sequence[Endpoint]:
    """Return the accepted servers: found on this machine, or named by their address."""
    return await in_thread(_endpoints, workspace_id)


def found_providers() -> list[FoundProvider]:
    """Return what could answer without configuration. Blocks for a third of a second at most."""
    return asyncio.run(find_providers(os.environ, http_probe))


def _default_model(workspace_id: str | None) -> str:
    workspace = Workspace.objects.filter(pk=workspace_id).first()
    return extractive.NAME if workspace is None else str(workspace.all_settings["default_model"])


def _unknown_price(workspace_id: str) -> str:
    return str(Workspace.objects.get(pk=workspace_id).all_settings["unknown_price"])


def _secret(provider: str, workspace_id: str | None) -> str | None:
    kept = Credential.objects.filter(workspace=workspace_id, name=provider, kind="api_key").first()
    if kept is not None and _host_of(workspace_id, provider) in kept.hosts:
        return vault.unseal(bytes(kept.ciphertext), kept.pk)
    accepted = AcceptedProvider.objects.filter(
        workspace=workspace_id, provider=provider, source="environment"
    )
    return environment_key(provider, os.environ) if accepted.exists() else None


def _host_of(workspace_id: str | None, provider: str) -> str:
    known = {entry.provider: entry.base_url for entry in HOSTED}
    if provider in known:
        return urlsplit(known[provider]).hostname or ""
    row = AcceptedProvider.objects.filter(
        workspace=workspace_id, provider=provider, source__in=OWN
    ).first()
    return "" if row is None else urlsplit(row.base_url).hostname or ""


def _endpoints(workspace_id: str | None) -> list[Endpoint]:
    rows = AcceptedProvider.objects.filter(
        workspace=workspace_id, source__in=("loopback", *OWN)
    ).order_by("provider", "pk")
    return [_endpoint(row) for row in rows]


def _endpoint(row: AcceptedProvider) -> Endpoint:
    """Return an accepted server; what a person named of it counts beside what it lists."""
    own = row.source in OWN
    names = tuple(row.model_names)
    return Endpoint(
        id=row.provider,
        base_url=row.base_url,
        label=row.label,
        models=() if own else names,
        named=names if own else (),
        price=None if own else FREE,
        headers=tuple(headers_of(row).items()),
        accepted="private" if row.source == "own" else "machine",
        protocol=cast("Protocol", row.protocol),
        extra_body=row.extra_body,
        capabilities={name: Capabilities.of(told) for name, told in row.capabilities.items()},
    )


def headers_of(row: AcceptedProvider) -> dict[str, str]:
    """Return the headers that every call to the provider carries."""
    if not row.sealed_headers:
        return {}
    headers: dict[str, str] = json.loads(vault.unseal(bytes(row.sealed_headers), seal_name(row)))
    return headers


def seal_name(row: AcceptedProvider) -> str:
    """Return what the headers of a provider are sealed for."""
    return f"provider:{row.workspace_id}:{row.provider}"
