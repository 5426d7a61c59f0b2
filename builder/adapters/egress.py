"""What a workspace's calls leave by: the operator's list, and the workspace's own entries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from django.conf import settings

from builder.adapters.threads import in_thread
from builder.models import Workspace
from engine.integrations.egress import (
    AllowList,
    Egress,
    EgressRefused,
    Origin,
    Purpose,
    parse_target,
)
from engine.integrations.egress.purposes import parted

_processes_apart = 0


@contextmanager
def scaled() -> Iterator[None]:
    """Be one of several processes while the block lasts: only the operator opens what is private.

    What is a neighbour of one machine may be a stranger, or nothing, to another.
    """
    global _processes_apart  # noqa: PLW0603  (of the process, as the door to the engine is)
    _processes_apart += 1
    try:
        yield
    finally:
        _processes_apart -= 1


def is_scaled() -> bool:
    """Return whether this process serves people, or executes runs, beside others."""
    return _processes_apart > 0


def operators_egress() -> Egress:
    """Return the egress that allows what the operator's settings do.

    Where processes run apart nothing else opens private addresses.
    """
    return Egress(AllowList.of(settings.EGRESS_ALLOW), closed=is_scaled())


async def workspace_egress(workspace_id: str | None) -> Egress:
    """Return the egress of a workspace's nodes: beside the operator's list, its `egress_allow`.

    An entry may be for one purpose alone (`notice=http://10.0.0.5:8080`). What leads to this machine itself or to a metadata service is not allowed by it, whatever it
    says: that is judged by the address, at each call.
    """
    return await egress_for(workspace_id, "node")


async def model_egress(workspace_id: str | None) -> Egress:
    """Return the egress of a workspace's calls of models."""
    return await egress_for(workspace_id, "model")


async def egress_for(workspace_id: str | None, purpose: Purpose) -> Egress:
    """Return a workspace's egress for one purpose: what is allowed for another one stays closed."""
    return await in_thread(egress_of, workspace_id, purpose)


def egress_of(workspace_id: str | None, purpose: Purpose) -> Egress:
    """Return the same, for who may wait for the database."""
    return egress_allowing(allowed_entries(workspace_id), purpose)


def egress_allowing(entries: tuple[str, ...], purpose: Purpose) -> Egress:
    """Return the egress for a purpose that allows these addresses beside what the operator does."""
    return operators_egress().serving(purpose).allowing(_allowed(entries, purpose))


def allowed_origins(workspace_id: str | None, purpose: Purpose) -> frozenset[Origin]:
    """Return the origins beyond the public web that operator or workspace allow for a purpose."""
    allow = egress_of(workspace_id, purpose).allow
    return allow.origins | allow.private


def allowed_entries(workspace_id: str | None) -> tuple[str, ...]:
    """Return the addresses beyond the public web that the workspace allows."""
    workspace = Workspace.objects.filter(pk=workspace_id).first()
    return () if workspace is None else tuple(workspace.all_settings["egress_allow"])


@lru_cache(maxsize=256)
def _allowed(entries: tuple[str, ...], purpose: Purpose) -> AllowList:
    """Return what a workspace's entries allow for a purpose; one that names none is for all."""
    origins = set()
    for entry in entries:
        try:
            only, url = parted(entry)
            if only in (None, purpose):
                origins.add(parse_target(url).origin)
        except EgressRefused:  # kept from before it was checked: it allows nothing
            continue
    return AllowList(private=frozenset(origins))
