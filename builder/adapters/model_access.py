"""Which models a workspace may use: its accepted providers, its keys, its default."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from urllib.parse import urlsplit

from builder.adapters.egress import workspace_egress
from builder.adapters.threads import in_thread
from builder.models import AcceptedProvider, Credential, Workspace
from builder.services import vault
from builder.services.accounts import settings_of
from engine.chat import FREE
from engine.discovery import HOSTED, FoundProvider, environment_key, find_providers, http_probe
from engine.models import Endpoint, ModelCatalog
from engine.providers import extractive


def model_catalog() -> ModelCatalog:
    """Return the catalogue of models; reads rows in threads, at each resolve."""
    return ModelCatalog(
        default_model=default_model, secret=secret, endpoints=endpoints, egress=workspace_egress
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
    """Return the accepted servers on this machine."""
    return await in_thread(_endpoints, workspace_id)


def found_providers() -> list[FoundProvider]:
    """Return what could answer without configuration. Blocks for a third of a second at most."""
    return asyncio.run(find_providers(os.environ, http_probe))


def _default_model(workspace_id: str | None) -> str:
    workspace = Workspace.objects.filter(pk=workspace_id).first()
    return extractive.NAME if workspace is None else str(settings_of(workspace)["default_model"])


def _secret(provider: str, workspace_id: str | None) -> str | None:
    kept = Credential.objects.filter(workspace=workspace_id, name=provider, kind="api_key").first()
    if kept is not None and _host_of(provider) in kept.hosts:
        return vault.unseal(bytes(kept.ciphertext), kept.pk)
    accepted = AcceptedProvider.objects.filter(
        workspace=workspace_id, provider=provider, source="environment"
    )
    return environment_key(provider, os.environ) if accepted.exists() else None


def _host_of(provider: str) -> str:
    known = {entry.provider: entry.base_url for entry in HOSTED}
    return urlsplit(known.get(provider, "")).hostname or ""


def _endpoints(workspace_id: str | None) -> list[Endpoint]:
    rows = AcceptedProvider.objects.filter(workspace=workspace_id, source="loopback")
    return [
        Endpoint(
            id=row.provider,
            base_url=row.base_url,
            label=row.label,
            models=tuple(row.model_names),
            price=FREE,
            accepted="machine",
        )
        for row in rows
    ]
