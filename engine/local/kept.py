"""The documents of runs, kept beside them: a run goes on with its own though the script has changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import orjson

from engine.core.errors import RunUnreadable
from engine.core.graph.document import GraphSpec, dump_document, parse_document
from engine.runtime.stores.sql.store import SqlRunStore

KEEP: Final = "INSERT INTO local_document (hash, document) VALUES (?, ?) ON CONFLICT DO NOTHING"
FIND: Final = "SELECT document FROM local_document WHERE hash = ?"


class KeptDocuments:
    """Graph documents by their hash, in the file of a store."""

    def __init__(self, store: SqlRunStore) -> None:
        self._store = store

    async def keep(self, specs: Iterable[GraphSpec]) -> None:
        """Write down the documents that are not there yet. Raises `StoreError`."""
        rows = [(spec.hash, orjson.dumps(dump_document(spec)).decode()) for spec in specs]
        await self._store.writer.write([(KEEP, row) for row in rows])

    async def find(self, document_hash: str) -> GraphSpec:
        """Return the document with this hash. Raises `RunUnreadable`, `StoreError`."""
        found = await self._store.reader.rows(FIND, (document_hash,))
        if not found:
            raise RunUnreadable(f"no document {document_hash} is kept, and none is given")
        spec, problems = parse_document(found[0][0])
        if spec is None:
            raise RunUnreadable(f"document {document_hash} cannot be read: {problems[0]}")
        return spec
