"""What an admin sets of one tool: on or off, how safe it is to repeat, how long a call may take."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from builder.base.errors import NotFound
from builder.models import Membership, ToolSetting
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from builder.services.tools.outside import listed_tools


@dataclass(frozen=True, slots=True)
class Setting:
    """What is set; an empty effect and no timeout are what the source says."""

    on: bool = True
    effect: str = ""
    timeout_s: int | None = None


def set_tool(member: Membership, name: str, wanted: Setting) -> None:
    """Set a tool, `source/name`; it holds from the next call on.

    Raises `NotFound` `ToolNotFound` for a tool that no source offers, or an installed function.
    """
    require(member, Right.ADMIN)
    rows = ToolSetting.objects.filter(workspace=member.workspace)
    if not rows.filter(tool=name).exists():
        found = listed_tools(member.workspace_id)
        offered = (s.full_name for each in found.sources if not each.vetted for s in each.tools)
        if name not in offered:
            raise NotFound(f"no tool {name[:200]!r} that can be set", code="ToolNotFound")
    fields = {"on": wanted.on, "effect": wanted.effect, "timeout_s": wanted.timeout_s}
    with transaction.atomic():
        if wanted == Setting():
            rows.filter(tool=name).delete()
        else:
            ToolSetting.objects.update_or_create(
                workspace=member.workspace, tool=name, defaults=fields
            )
        audit.record(member.workspace_id, member.user_id, "tool.set", name, **fields)
