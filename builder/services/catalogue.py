"""Agents, credentials and accepted providers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from builder.base import vault
from builder.base.errors import Conflict, InvalidInput
from builder.models import (
    AcceptedProvider,
    Agent,
    Credential,
    GraphVersion,
    Membership,
    ProviderPause,
    VersionReference,
)
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from engine.integrations.models.discovery import FoundProvider

KINDS: Final = ("bearer", "basic", "header", "api_key")
HOST: Final = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?\Z")


def create_agent(member: Membership, *, slug: str, fields: Mapping[str, Any]) -> Agent:
    """Create an agent. Raises `Conflict` if its id is taken."""
    require(member, Right.EDIT)
    try:
        with transaction.atomic():
            agent = Agent.objects.create(workspace=member.workspace, slug=slug, **fields)
            audit.record(member.workspace_id, member.user_id, "agent.created", slug)
    except IntegrityError:
        raise Conflict("an agent with this id exists already", code="AgentExists") from None
    return agent


def change_agent(member: Membership, agent: Agent, fields: Mapping[str, Any]) -> Agent:
    """Change an agent; runs under way keep the definition they pinned."""
    require(member, Right.EDIT)
    for name, value in fields.items():
        setattr(agent, name, value)
    with transaction.atomic():
        agent.save(update_fields=[*fields, "updated_at"])
        audit.record(
            agent.workspace_id, member.user_id, "agent.changed", agent.slug, fields=sorted(fields)
        )
    return agent


def delete_agent(member: Membership, agent: Agent) -> None:
    """Delete an agent that no live version uses. Raises `Conflict` `AgentInUse`."""
    require(member, Right.EDIT)
    users = agent_users(agent.workspace_id).get(agent.slug, [])
    if users:
        raise Conflict(
            "published graphs use this agent", code="AgentInUse", extra={"used_by": users}
        )
    with transaction.atomic():
        audit.record(agent.workspace_id, member.user_id, "agent.deleted", agent.slug)
        agent.delete()


def agent_users(workspace_id: str) -> dict[str, list[str]]:
    """Return agent id → ids of the graphs whose live version names it, in one query."""
    newest = (
        GraphVersion.objects.published().filter(graph=OuterRef("version__graph")).values("number")
    )
    named = VersionReference.objects.filter(
        kind="agent",
        version__graph__workspace=workspace_id,
        version__graph__archived_at__isnull=True,
        version__number=Subquery(newest[:1]),
    )
    users: dict[str, list[str]] = {}
    for name, graph_id in named.order_by("id").values_list("name", "version__graph_id"):
        users.setdefault(name, []).append(graph_id)
    return users


def create_credential(
    member: Membership, *, name: str, kind: str, hosts: list[str], value: str
) -> Credential:
    """Keep a secret, sealed, for requests to `hosts` only."""
    require(member, Right.ADMIN)
    _check_hosts(hosts)
    try:
        with transaction.atomic():
            credential = Credential(
                workspace=member.workspace, name=name, kind=kind, hosts=hosts, ciphertext=b""
            )
            credential.ciphertext = vault.seal(value, credential.pk)
            credential.save(force_insert=True)
            ProviderPause.objects.lift(member.workspace_id, name)
            audit.record(
                member.workspace_id, member.user_id, "credential.created", name, hosts=hosts
            )
    except IntegrityError:
        raise Conflict(
            "a credential with this name exists already", code="CredentialExists"
        ) from None
    return credential


def change_credential(
    member: Membership,
    credential: Credential,
    *,
    name: str | None = None,
    hosts: list[str] | None = None,
    value: str | None = None,
) -> Credential:
    """Rename, replace or rebind a secret. New hosts need the value again."""
    require(member, Right.ADMIN)
    if hosts is not None and set(hosts) - set(credential.hosts) and value is None:
        raise InvalidInput("new hosts need the value again", path="value")
    if hosts is not None:
        _check_hosts(hosts)
    credential.name = credential.name if name is None else name
    credential.hosts = credential.hosts if hosts is None else hosts
    if value is not None:
        credential.ciphertext = vault.seal(value, credential.pk)
    try:
        with transaction.atomic():
            credential.save(update_fields=["name", "hosts", "ciphertext"])
            if value is not None or name is not None:
                ProviderPause.objects.lift(credential.workspace_id, credential.name)
            audit.record(
                credential.workspace_id,
                member.user_id,
                "credential.changed",
                credential.name,
                hosts=credential.hosts,
                value_replaced=value is not None,
            )
    except IntegrityError:
        raise Conflict(
            "a credential with this name exists already", code="CredentialExists"
        ) from None
    return credential


def delete_credential(member: Membership, credential: Credential) -> None:
    """Forget a secret; calls that need it fail from now on."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        audit.record(credential.workspace_id, member.user_id, "credential.deleted", credential.name)
        ProviderPause.objects.lift(credential.workspace_id, credential.name)
        credential.delete()


def accept_provider(member: Membership, found: FoundProvider) -> AcceptedProvider:
    """Agree to use a found provider; its exact address may then be called."""
    require(member, Right.ADMIN)
    with transaction.atomic():
        accepted, _ = AcceptedProvider.objects.update_or_create(
            workspace=member.workspace,
            provider_id=found.id,
            defaults={
                "provider": found.provider,
                "label": found.label,
                "source": found.source,
                "base_url": found.base_url,
                "model_names": list(found.models),
                "accepted_by": member.user,
                "accepted_at": timezone.now(),
            },
        )
        audit.record(
            member.workspace_id,
            member.user_id,
            "provider.accepted",
            found.id,
            base_url=found.base_url,
        )
    return accepted


def _check_hosts(hosts: list[str]) -> None:
    if not hosts:
        raise InvalidInput("name the hosts that may receive this credential", path="hosts")
    for index, host in enumerate(hosts):
        if not HOST.match(host):
            raise InvalidInput(
                f"{host[:80]!r} is no host: like api.example.com or *.example.com",
                path=f"hosts[{index}]",
            )
