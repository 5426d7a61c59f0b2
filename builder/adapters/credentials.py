"""Stored credentials as HTTP headers: of one workspace, for the hosts each is bound to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fnmatch import fnmatch
from urllib.parse import urlsplit

from django.db import close_old_connections
from django.utils import timezone

from builder.base import vault
from builder.models import Credential
from engine.core.errors import NodeError
from engine.integrations.egress.http_call import CredentialResolver


def credentials_of(workspace_id: str | None) -> CredentialResolver:
    """Return the resolver of a workspace's credentials; None: those that belong to nobody."""

    async def resolve(name: str, url: str) -> Mapping[str, str]:
        return await asyncio.to_thread(_headers, workspace_id, name, url)

    return resolve


def _headers(workspace_id: str | None, name: str, url: str) -> Mapping[str, str]:
    close_old_connections()
    row = Credential.objects.filter(workspace=workspace_id, name=name).first()
    if row is None:
        raise NodeError("NodeConfigInvalid", f"no credential {name!r} in this workspace")
    host = urlsplit(url).hostname or ""
    if not any(fnmatch(host, pattern) for pattern in row.hosts):
        raise NodeError("NodeConfigInvalid", f"credential {name!r} is not bound to {host!r}")
    value = vault.unseal(bytes(row.ciphertext), row.pk)
    Credential.objects.filter(pk=row.pk).update(last_used_at=timezone.now())
    return header_of(row.kind, value)


def header_of(kind: str, value: str) -> Mapping[str, str]:
    """Return the header that carries a secret of this kind."""
    if kind == "api_key":
        return {"X-API-Key": value}
    if kind == "basic":
        return {"Authorization": f"Basic {value}"}
    return {"Authorization": f"Bearer {value}"}
