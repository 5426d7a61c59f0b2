"""Providers as they are shown: servers that were accepted or named, then the known ones."""

from __future__ import annotations

import asyncio
from typing import Any

from builder.adapters.models import access as model_access
from builder.api.models.wire import ProviderDetail, ProviderOut, TestedOut
from builder.models import AcceptedProvider, Membership, ProviderTrial
from builder.services.models import providers
from builder.services.models.model_users import users_of
from engine.integrations.models.discovery import environment_key, hosted_providers

KNOWN_PROTOCOLS = {"openai": "openai_chat", "anthropic": "anthropic", "google": "google"}


def detail(member: Membership, provider: str) -> ProviderDetail:
    """Return one provider and what uses it. Raises `NotFound` `ProviderNotFound`."""
    providers.own_provider(member.workspace_id, provider)
    _entries, listed = asyncio.run(model_access.all_models(member.workspace_id))
    shown = next(p for p in all_providers(member.workspace_id, listed) if p.id == provider)
    return ProviderDetail(**shown.model_dump(), used_by=users_of(member, provider))


def all_providers(workspace_id: str, listed: model_access.Listings) -> list[ProviderOut]:
    """Return the servers that were accepted or named, then the known providers."""
    rows = list(AcceptedProvider.objects.filter(workspace=workspace_id).order_by("provider", "pk"))
    trials = {
        row.provider: TestedOut.of(row) for row in ProviderTrial.objects.in_workspace(workspace_id)
    }
    servers = [
        _server(row, listed.get(row.provider), trials.get(row.provider))
        for row in rows
        if row.source != "environment"
    ]
    kept = {row.provider for row in rows if row.source == "environment"}
    return servers + [
        _hosted(workspace_id, name, trials.get(name), accepted=name in kept)
        for name in hosted_providers()
    ]


def _server(
    row: AcceptedProvider, listed: model_access.Said | None, tested: TestedOut | None
) -> ProviderOut:
    names, reachable, problem = listed or (tuple(row.model_names), None, "")
    source: Any = row.source
    return ProviderOut(
        id=row.provider,
        label=row.label,
        base_url=row.base_url,
        protocol=row.protocol,
        source=source,
        has_key=providers.has_key(row.workspace_id, row.provider),
        from_environment=False,
        headers=sorted(model_access.headers_of(row)),
        extra_body=row.extra_body,
        models=list(names),
        named=list(row.model_names) if row.source in model_access.OWN else [],
        capabilities=row.capabilities,
        reachable=reachable,
        problem=problem,
        tested=tested,
    )


def _hosted(
    workspace_id: str, provider: str, tested: TestedOut | None, *, accepted: bool
) -> ProviderOut:
    known = hosted_providers()[provider]
    from_environment = (
        accepted and environment_key(provider, model_access.environment()) is not None
    )
    return ProviderOut(
        id=provider,
        label=known.label,
        base_url=known.base_url,
        protocol=KNOWN_PROTOCOLS.get(provider, "openai_chat"),
        source="hosted",
        has_key=providers.has_key(workspace_id, provider),
        from_environment=from_environment,
        headers=[],
        extra_body={},
        models=[],
        named=[],
        capabilities={},
        reachable=None,
        problem="",
        tested=tested,
    )
