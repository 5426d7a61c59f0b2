"""What sources of tools listed last: for whoever may not wait for them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Final

from builder.base.tool_sources import ListedSources

MOST: Final = 500
"""Workspaces that are remembered; the one that was longest without a listing is forgotten."""


class KnownTools:
    """The last listing of each workspace. Every method is thread-safe and at once back."""

    def __init__(self) -> None:
        self._listed: OrderedDict[str, ListedSources] = OrderedDict()
        self._asked: set[str] = set()
        self._lock = threading.Lock()

    def of(self, workspace_id: str) -> ListedSources | None:
        """Return what the workspace's sources listed last, None before they were ever asked."""
        return self._listed.get(workspace_id)

    def keep(self, workspace_id: str, listed: ListedSources) -> None:
        """Remember a listing. A source that has not answered yet keeps what it listed before."""
        with self._lock:
            former = self._listed.pop(workspace_id, None)
            before = {each.name: each for each in former.sources} if former else {}
            sources = tuple(
                before.get(each.name, each) if each.pending else each for each in listed.sources
            )
            self._listed[workspace_id] = replace(listed, sources=sources)
            if len(self._listed) > MOST:
                self._listed.popitem(last=False)

    def begin(self, workspace_id: str) -> bool:
        """Return whether nobody asks the workspace's sources now: then the caller does."""
        with self._lock:
            if workspace_id in self._asked:
                return False
            self._asked.add(workspace_id)
            return True

    def end(self, workspace_id: str) -> None:
        """Let the next one ask."""
        with self._lock:
            self._asked.discard(workspace_id)
