"""Asking back: who decides asks whom the work is from; meanwhile the approval's clock stands still.

The engine judges and records; here people become its actors. None of it decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction

from builder.adapters.directory import actor_of
from builder.base.bells import hub, inbox_topic
from builder.base.errors import NotFound
from builder.models import AskedBack, Interrupt, Membership, Snooze
from builder.reads.inbox_items import items_of
from builder.services.people.commenting import at_items, promised
from builder.services.people.commenting.at_items import Kind
from builder.services.people.commenting.promised import Said
from builder.services.runs import mailbox
from engine.core.errors import RequestRefused
from engine.core.people.eligibility import DRAWING_ROLES
from engine.core.state.requests import Actor, Asks
from engine.runtime.mailbox import wishes
from engine.runtime.stores.requests import Wish

VIA: Final = "page"


@dataclass(frozen=True, slots=True)
class Askable:
    """Somebody who can be asked back; `started` is whether the run is theirs."""

    id: str
    name: str
    started: bool


def askable(member: Membership, interrupt: Interrupt) -> list[Askable]:
    """Return whom the member can ask: who started the run, then who draws workflows."""
    [item] = items_of([interrupt], member)
    starter = item.run.started_by if item.run else None
    others = [one for one in item.people if one.id != member.user_id]
    found = [
        Askable(one.id, one.name, one.id == starter)
        for one in others
        if one.id == starter or one.roles & DRAWING_ROLES
    ]
    return sorted(found, key=lambda one: not one.started)


def ask_back(
    member: Membership, interrupt: Interrupt, to: str, question: str, people: Sequence[str] = ()
) -> None:
    """Ask, stop the clock, and tell whom the question names. Raises `NotFound` for nobody of the
    workspace, `InvalidInput` for names that are none, else `RequestRefused` as the engine does.
    """
    [item] = items_of([interrupt], member)
    target = next((person for person in item.people if person.id == to), None)
    if target is None:
        raise NotFound("no such member")
    named = at_items.named_in(member, question, people)
    said = Said(Kind.QUESTION, question, named, told=[to])
    wish = wishes.ask_back(interrupt.pk, Asks(target, question), _by(member))
    _ask(member, interrupt, wish, said)
    Snooze.objects.filter(interrupt=interrupt, user=to).delete()
    _ring(interrupt)


def answer_back(
    member: Membership, interrupt: Interrupt, reply: str, people: Sequence[str] = ()
) -> None:
    """Answer what the member was asked, and tell whom the answer names; the clock goes on.

    Raises `RequestRefused`, and `InvalidInput` for names that are none.
    """
    named = at_items.named_in(member, reply, people)
    waits = AskedBack.objects.filter(interrupt=interrupt, outcome="")
    asker = list(waits.values_list("asked_by", flat=True))
    said = Said(Kind.ANSWER, reply, named, told=asker)
    _ask(member, interrupt, wishes.answer_back(interrupt.pk, reply, _by(member)), said)
    _ring(interrupt)


def take_back(member: Membership, interrupt: Interrupt) -> None:
    """Wait for no reply any more; the clock goes on. Raises `RequestRefused`."""
    _ask(member, interrupt, wishes.take_back(interrupt.pk, _by(member)))
    _ring(interrupt)


def _ask(member: Membership, interrupt: Interrupt, wish: Wish, said: Said | None = None) -> None:
    """Have a wish carried out, and tell whom its words name: not of one that is refused."""
    with transaction.atomic():
        asked = mailbox.ask(interrupt.run, wish)
        to_tell = promised.promise(asked, member, interrupt, said)
    try:
        mailbox.outcome(interrupt.run, asked.pk)
    except RequestRefused:
        promised.forget(to_tell)
        raise
    promised.keep(to_tell)


def _by(member: Membership) -> Actor:
    return replace(actor_of(member), via=VIA)


def _ring(interrupt: Interrupt) -> None:
    hub.ring(inbox_topic(interrupt.workspace_id))
