"""Which definitions of tools a workspace agreed to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from builder.adapters.tools.acceptance import WITHDRAWN
from builder.base.errors import Conflict, NotFound
from builder.models import AcceptedTool, Membership
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.tools.outside import listed_tools
from engine.core.values.json import thaw
from engine.integrations.tools.protocol import ToolSpec


def accept_tools(member: Membership, hashes: Mapping[str, str]) -> list[AcceptedTool]:
    """Agree to definitions, `source/name` → hash, all or none of them.

    Raises `Conflict` `ContentChanged` if one is not what was looked at, `NotFound` `ToolNotFound`.
    """
    require(member, Right.ADMIN)
    found = listed_tools(member.workspace_id)
    specs = {s.full_name: s for source in found.sources for s in source.tools if not source.vetted}
    for name, hash_ in hashes.items():
        if name not in specs:
            raise NotFound(_unknown(name, [s.problem for s in found.sources]), code="ToolNotFound")
        if specs[name].hash != hash_:
            raise Conflict(
                f"the definition of {name} changed meanwhile: look again", code="ContentChanged"
            )
    with transaction.atomic():
        return accept_specs(member, [specs[name] for name in hashes])


def accept_specs(member: Membership, specs: Sequence[ToolSpec]) -> list[AcceptedTool]:
    """Agree to these definitions, in the caller's transaction: whoever calls has looked at them."""
    return [_accept(member, spec) for spec in specs]


def _accept(member: Membership, spec: ToolSpec) -> AcceptedTool:
    accepted, _ = AcceptedTool.objects.update_or_create(
        workspace=member.workspace,
        name=spec.full_name,
        defaults={
            "hash": spec.hash,
            "definition": thaw(spec.definition),
            "accepted_by": member.user,
            "accepted_at": timezone.now(),
        },
    )
    audit.record(
        member.workspace_id, member.user_id, "tool.accepted", spec.full_name, hash=spec.hash
    )
    return accepted


def _unknown(name: str, problems: Iterable[str | None]) -> str:
    away = [text for text in problems if text]
    hint = f"; {away[0]}" if away else ": write it as source/name"
    return f"no tool {name[:200]!r}{hint}"


def withdraw_tool(member: Membership, name: str) -> None:
    """Take back an agreement: calls of the tool fail from now on. The name may be unknown today."""
    require(member, Right.ADMIN)
    known = AcceptedTool.objects.filter(workspace=member.workspace, name=name).first()
    if known is None:
        found = listed_tools(member.workspace_id)
        names = {s.full_name for source in found.sources for s in source.tools if not source.vetted}
        if name not in names:
            raise NotFound(_unknown(name, ()), code="ToolNotFound")
        known = AcceptedTool(workspace=member.workspace, name=name)
    known.hash, known.accepted_by, known.accepted_at = WITHDRAWN, member.user, timezone.now()
    with transaction.atomic():
        known.save()
        audit.record(member.workspace_id, member.user_id, "tool.withdrawn", name)
