"""What a workspace's rows say of its own sources and of single tools, read for the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from builder.adapters.egress import allowed_entries
from builder.models import ToolSetting, ToolSource
from engine.core.effects import EffectClass
from engine.integrations.tools.settled import ToolSettings

NO_SERVER = "choose the server that it is called at"


@dataclass(frozen=True, slots=True)
class OwnHead:
    """One own source without what may be large; `stamp` is another one whenever it changed."""

    key: str
    slug: str
    kind: str
    url: str
    revision: int

    @property
    def where(self) -> str:
        """Return the address without query: nothing that may be secret."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if self.url else ""


@dataclass(frozen=True, slots=True)
class OwnRows:
    """All that a workspace says: its sources by name, what is set of tools, what it may reach."""

    heads: tuple[OwnHead, ...] = ()
    settings: Mapping[str, Mapping[str, ToolSettings]] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()


def read_rows(workspace_id: str) -> OwnRows:
    """Return what a workspace's rows say now: little, as each look-up of a tool asks."""
    rows = ToolSource.objects.filter(workspace=workspace_id).order_by("made_at", "slug")
    heads = [OwnHead(*row) for row in rows.values_list("pk", "slug", "kind", "url", "revision")]
    settings: dict[str, dict[str, ToolSettings]] = {}
    for row in ToolSetting.objects.filter(workspace=workspace_id):
        source, _, tool = row.tool.partition("/")
        effect = EffectClass(row.effect) if row.effect else None
        settings.setdefault(source, {})[tool] = ToolSettings(row.on, effect, row.timeout_s)
    return OwnRows(tuple(heads), settings, allowed_entries(workspace_id) if heads else ())


def read_source(key: str) -> ToolSource | None:
    """Return the whole row, without the document; None if it is gone."""
    rows = ToolSource.objects.select_related("grant").defer("document")
    return rows.filter(pk=key).first()


def plain_headers(row: ToolSource) -> dict[str, str]:
    """Return the headers whose text is no secret."""
    headers: dict[str, Any] = row.headers
    return {name: text for name, text in headers.items() if isinstance(text, str)}


def secret_headers(row: ToolSource) -> dict[str, str]:
    """Return the names of credentials by the header that carries them."""
    headers: dict[str, Any] = row.headers
    return {name: each["credential"] for name, each in headers.items() if isinstance(each, dict)}
