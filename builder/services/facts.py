"""What people do to facts: write one, correct one, forget one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from builder.adapters.memory.rows import attach, drop_unnamed, fill_vectors
from builder.base.errors import InvalidInput, NotFound
from builder.models import Fact, FactRevision, FactVector, Membership
from builder.services.audit import chain as audit
from builder.services.permissions import Right, require
from engine.core.ports import NewFact
from engine.integrations.memory.facts import MAX_NAME, entity_key, words_of
from engine.integrations.models.embeddings.local import LOCAL


def create_fact(
    member: Membership, *, text: str, tags: Sequence[str] = (), entities: Sequence[str] = ()
) -> Fact:
    """Write down a fact that no run learned. Raises `InvalidInput` for a text of blanks."""
    require(member, Right.EDIT)
    new = _checked(text, tags, entities)
    key = secrets.token_hex(16)
    with transaction.atomic():
        fact = Fact.objects.create(
            workspace_id=member.workspace_id,
            key=key,
            text=new.text,
            words=_words(new.text),
            source=key,
            at=_now(),
            edited_by=member.user,
        )
        attach("default", member.workspace_id, {fact.pk: new})
        audit.record(member.workspace_id, member.user_id, "fact.created", key)
    _remeasure(fact)
    return fact


def change_fact(
    member: Membership,
    fact: Fact,
    *,
    text: str | None = None,
    tags: Sequence[str] | None = None,
    entities: Sequence[str] | None = None,
) -> Fact:
    """Correct a fact and keep what it said before. Raises `NotFound` if it was just forgotten."""
    require(member, Right.EDIT)
    with transaction.atomic():
        row = Fact.objects.select_for_update().filter(pk=fact.pk).first()
        if row is None:
            raise NotFound("no such fact", code="FactNotFound")
        old = _as_new(row)
        new = _checked(
            old.text if text is None else text,
            old.tags if tags is None else tags,
            old.entities if entities is None else entities,
        )
        fields = [n for n in ("text", "tags", "entities") if getattr(new, n) != getattr(old, n)]
        if fields:
            _rewrite(member, row, old, new)
            audit.record(row.workspace_id, member.user_id, "fact.changed", row.key, fields=fields)
    _remeasure(row)
    return row


def forget_fact(member: Membership, fact: Fact) -> None:
    """Remove a fact and what it said before, for good. Logs of runs keep what they showed."""
    require(member, Right.EDIT)
    erase(fact, member.user_id)


def erase(fact: Fact, actor_id: str | None) -> None:
    """Remove a fact in the name of somebody whose right to do so was checked."""
    with transaction.atomic():
        about = list(fact.links.values_list("entity", flat=True))
        audit.record(
            fact.workspace_id,
            actor_id,
            "fact.forgotten",
            fact.key,
            run=fact.run_id,
            graph=fact.graph_slug,
            node=fact.node,
        )
        fact.delete()
        drop_unnamed("default", about)


def _rewrite(member: Membership, row: Fact, old: NewFact, new: NewFact) -> None:
    about = list(row.links.values_list("entity", flat=True))
    now = _now()
    FactRevision.objects.create(
        fact=row,
        text=old.text,
        tags=list(old.tags),
        entities=list(old.entities),
        by=member.user,
        at=now,
    )
    if new.text != old.text:
        FactVector.objects.filter(fact=row).delete()
    row.text, row.words = new.text, _words(new.text)
    row.edited_by, row.edited_at = member.user, now
    row.save(update_fields=["text", "words", "edited_by", "edited_at"])
    row.tag_rows.all().delete()
    row.links.all().delete()
    attach("default", row.workspace_id, {row.pk: new})
    drop_unnamed("default", about)


def _as_new(row: Fact) -> NewFact:
    tags = row.tag_rows.values_list("tag", flat=True)
    return NewFact(row.text, tuple(tags), tuple(row.links.values_list("name", flat=True)))


def _checked(text: str, tags: Sequence[str], entities: Sequence[str]) -> NewFact:
    """Return the fact on one line, each tag and entity once."""
    line = " ".join(text.split())
    if not line:
        raise InvalidInput("a fact says something", path="text")
    named: dict[str, str] = {}
    for index, name in enumerate(entities):
        if not 0 < len(entity_key(name)) <= MAX_NAME:
            raise InvalidInput(f"a name of 1 to {MAX_NAME} characters", path=f"entities[{index}]")
        named.setdefault(entity_key(name), " ".join(name.split()))
    labels = dict.fromkeys(tag.strip() for tag in tags)
    if "" in labels:
        raise InvalidInput("a tag says something", path="tags")
    return NewFact(line, tuple(labels), tuple(named.values()))


def _remeasure(fact: Fact) -> None:
    """Make the vector of a fact, so that it is found by meaning at once."""
    fill_vectors(Fact.objects.filter(pk=fact.pk), LOCAL)


def _words(text: str) -> str:
    return " ".join(words_of(text))


def _now() -> int:
    return int(timezone.now().timestamp() * 1000)
