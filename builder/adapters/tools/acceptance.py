"""Which definitions of tools a workspace agreed to, as the engine asks for each tool it lists."""

from __future__ import annotations

from typing import Final, Literal

from builder.models import AcceptedTool
from engine.core.values.json import thaw
from engine.integrations.tools.protocol import ToolSpec

WITHDRAWN: Final = ""
"""The hash of an acceptance that was taken back: no definition has it."""

Standing = Literal["installed", "accepted", "new", "changed", "withdrawn"]


def standing_of(known: AcceptedTool | None, spec: ToolSpec, *, trusted: bool) -> Standing:
    """Return where a definition from outside stands; the first of a trusted source is accepted."""
    if known is None:
        return "accepted" if trusted else "new"
    if known.hash == WITHDRAWN:
        return "withdrawn"
    return "accepted" if known.hash == spec.hash else "changed"


def is_accepted(workspace_id: str | None, spec: ToolSpec, trusted: bool) -> bool:
    """Say whether a workspace may use this definition, and keep a trusted source's first one."""
    known = AcceptedTool.objects.filter(workspace=workspace_id, name=spec.full_name).first()
    if known is None and trusted and workspace_id is not None:
        known, _ = AcceptedTool.objects.get_or_create(
            workspace_id=workspace_id,
            name=spec.full_name,
            defaults={"hash": spec.hash, "definition": thaw(spec.definition)},
        )
    return known is not None and standing_of(known, spec, trusted=trusted) == "accepted"
