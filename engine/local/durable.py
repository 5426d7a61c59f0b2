"""Runs that outlive the process: graphs on a file, gone on with where a former process left them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from engine.integrations.models.chat import Models
from engine.local.documents import Document, checked_form, refuse_errors, several
from engine.local.engine import HOME, LocalEngine
from engine.local.installed import Installed
from engine.local.kept import KeptDocuments
from engine.local.parts import make_local
from engine.runtime.stores.sql.sqlite_file import file_of, held, prepare
from engine.runtime.stores.sql.store import SqlRunStore, sqlite_dialect
from engine.scripted.script import Script


@asynccontextmanager
async def open(  # noqa: A001  as `gzip.open`: called by its module
    path: str | os.PathLike[str],
    graphs: Document | Iterable[Document],
    *,
    installed: Installed | None = None,
    script: Mapping[str, Any] | None = None,
    models: Models | None = None,
) -> AsyncIterator[LocalEngine]:
    """Open the file of runs at `path`, or make it, and run `graphs` on it while the block lasts.

    What a former process left unfinished goes on at once, each run with the document that it was
    started with, also where `graphs` has another by now. What is told to be done is on the disk
    then (`synchronous=FULL`): it outlives `kill -9` and the loss of power.

    `graphs` is one document or several, such as those that subgraph nodes name. `installed` names
    node types, functions, skills and the way to the network, else those of this process. A `script`
    (docs/DOCUMENT.md, section 3) answers instead of `models`, and before tools and functions.

    Raises `GraphHasErrors` with all problems of a document before anything is opened,
    `RequestRefused` where two have one id,
    `StoreUnusable` for a path that keeps no runs (a folder, no database, another's, a newer one's),
    `StoreInUse` while another process has it, `ScriptInvalid`, and `StoreError` from the disk.
    """
    parts = installed or Installed()
    parts.load()
    replies = None if script is None else Script.parse(script)
    specs = [checked_form(each) for each in several(graphs)]
    await refuse_errors(specs, replies, parts)
    file = file_of(path)
    with held(file):
        await asyncio.to_thread(prepare, file)
        local = make_local(
            specs,
            script=replies,
            types=parts.types,
            handlers=parts.handlers,
            models=models,
            functions=parts.functions,
            skills=parts.skills,
            egress=parts.egress,
            services={"memory": parts.memory},
            store=lambda *made: SqlRunStore(sqlite_dialect(file), *made, home=HOME),
        )
        assert isinstance(local.store, SqlRunStore)
        try:
            await local.store.open()
            documents = KeptDocuments(local.store)
            local.graphs.kept = documents.find
            await documents.keep(specs)
            await local.runner.recover()
            watch = asyncio.ensure_future(local.runner.recovery.watch())
            try:
                yield LocalEngine(local, local.store, specs)
            finally:
                watch.cancel()
        finally:
            await local.runner.close()
            await asyncio.to_thread(local.store.close)
