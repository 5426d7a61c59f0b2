"""Tests of models: one short question, and what came of it kept with the provider."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.utils import timezone

from builder.adapters.models.access import all_models
from builder.adapters.models.trial import Trial, try_model
from builder.base.errors import Unprocessable
from builder.models import Membership, ProviderTrial
from builder.services.audit import chain as audit
from builder.services.models.providers import is_known, key_mark, own_provider
from builder.services.permissions import Right, require
from builder.services.tools.outside import asked, waiting
from engine.integrations.models.catalog import ModelEntry

MAX_MODEL = 300
DEFAULT = "local/default"
NO_MODEL: Final = (
    "no model of this provider is known: set its key if it needs one, or name its models"
)
GENERATION: Final = re.compile(r"(?<![0-9])[0-9]{1,2}(?![0-9])")
"""The first number of a model's name that is no date: 4 of `gpt-4o`, 4 of `claude-haiku-4-5`."""


def try_one(member: Membership, model: str) -> Trial:
    """Ask a model a question, which may cost money; its provider keeps how that went."""
    require(member, Right.ADMIN)
    named = str(member.workspace.all_settings["default_model"]) if model == DEFAULT else model
    mark = key_mark(member.workspace_id, named.partition("/")[0])
    with waiting():  # before the audit says that it was tried
        with transaction.atomic():
            audit.record(member.workspace_id, member.user_id, "model.tried", model)
        found = asyncio.run(try_model(member.workspace_id, model))
    _keep(member, named, found, mark)
    return found


def try_provider(member: Membership, provider: str) -> Trial:
    """Try the model of a provider that answered last, else the likeliest one: see `likeliest`.

    Raises `NotFound` `ProviderNotFound`, `Unprocessable` `NoModelToTry`.
    """
    require(member, Right.ADMIN)
    own_provider(member.workspace_id, provider)
    entries, listed = asked(all_models(member.workspace_id))
    own = [entry for entry in entries if entry.provider == provider]
    names = [entry.id for entry in own]
    last = ProviderTrial.objects.in_workspace(member.workspace_id).filter(provider=provider).first()
    if last is not None and last.model in names and not last.error:
        return try_one(member, last.model)
    if not names:
        problem = listed[provider][2] if provider in listed else None
        raise Unprocessable(problem or NO_MODEL, code="NoModelToTry")
    default = str(member.workspace.all_settings["default_model"])
    return try_one(member, default if default in names else likeliest(own).id)


def likeliest(entries: Sequence[ModelEntry]) -> ModelEntry:
    """Return the model that a key most likely opens: the cheapest of the newest, else the first.

    A price list names models that their provider took back years ago; asked for one of those, it
    refuses a key that is right.
    """
    return min(entries, key=lambda entry: (-_generation(entry.id), _cost(entry)))


def _generation(model: str) -> int:
    found = GENERATION.search(model.partition("/")[2])
    return int(found[0]) if found else 0


def _cost(entry: ModelEntry) -> Decimal:
    return Decimal("Infinity") if entry.price is None else Decimal(entry.price.output_per_million)


def _keep(member: Membership, model: str, found: Trial, mark: bytes | None) -> None:
    provider = model.partition("/")[0]
    with transaction.atomic():
        if not is_known(member.workspace_id, provider):
            return  # removed meanwhile, or built in
        if key_mark(member.workspace_id, provider) != mark:
            return  # another key was set meanwhile: this says nothing of it
        ProviderTrial.objects.update_or_create(
            workspace=member.workspace,
            provider=provider,
            defaults={
                "model": model[:MAX_MODEL],
                "at": timezone.now(),
                "first_token_ms": found.first_token_ms,
                "total_ms": found.total_ms,
                "error": "" if found.ok else found.message,
            },
        )
