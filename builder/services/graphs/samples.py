"""Named inputs for test runs: rows beside a draft, so that no export and no publication holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction

from builder.base.errors import Conflict
from builder.models import Graph, Membership, Sample
from builder.services.permissions import Right, require

MOST: Final = 50
"""Samples of one graph."""


def save_sample(member: Membership, graph: Graph, *, name: str, value: Any) -> Sample:
    """Keep an input under a new name.

    Raises `Conflict` `SampleExists` for a taken name and `TooManySamples` beyond `MOST`.
    """
    require(member, Right.EDIT)
    try:
        with transaction.atomic():
            Graph.objects.select_for_update().get(pk=graph.pk)
            if graph.samples.count() >= MOST:
                raise Conflict(
                    f"a workflow has at most {MOST} samples: delete one first",
                    code="TooManySamples",
                )
            return Sample.objects.create(
                graph=graph, name=name, input=value, changed_by=member.user
            )
    except IntegrityError:
        raise _taken(name) from None


def change_sample(member: Membership, sample: Sample, fields: Mapping[str, Any]) -> Sample:
    """Rename a sample or put another input into it. Raises `Conflict` `SampleExists`."""
    require(member, Right.EDIT)
    for field, value in fields.items():
        setattr(sample, field, value)
    sample.changed_by = member.user
    try:
        with transaction.atomic():
            sample.save(update_fields=[*fields, "changed_by", "changed_at"])
    except IntegrityError:
        raise _taken(sample.name) from None
    return sample


def delete_sample(member: Membership, sample: Sample) -> None:
    """Delete a sample; runs that were started with it stay as they are."""
    require(member, Right.EDIT)
    sample.delete()


def _taken(name: str) -> Conflict:
    return Conflict(f"there is a sample {name!r} already: choose another name", code="SampleExists")
