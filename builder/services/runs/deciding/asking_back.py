"""Asking back: who decides asks whom the work is from; meanwhile the approval's clock stands still.

The engine judges and records; here people become its actors. None of it decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from builder.adapters.directory import actor_of
from builder.base.bells import hub, inbox_topic
from builder.base.errors import NotFound
from builder.models import Interrupt, Membership, Snooze
from builder.reads.inbox_items import items_of
from builder.services.runs import mailbox
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


def ask_back(member: Membership, interrupt: Interrupt, to: str, question: str) -> None:
    """Ask, and stop the clock. Raises `NotFound` for nobody of the workspace, else
    `RequestRefused` as the engine does.
    """
    [item] = items_of([interrupt], member)
    target = next((person for person in item.people if person.id == to), None)
    if target is None:
        raise NotFound("no such member")
    _ask(interrupt, wishes.ask_back(interrupt.pk, Asks(target, question), _by(member)))
    Snooze.objects.filter(interrupt=interrupt, user=to).delete()
    _ring(interrupt)


def answer_back(member: Membership, interrupt: Interrupt, reply: str) -> None:
    """Answer what the member was asked; the clock goes on. Raises `RequestRefused`."""
    _ask(interrupt, wishes.answer_back(interrupt.pk, reply, _by(member)))
    _ring(interrupt)


def take_back(member: Membership, interrupt: Interrupt) -> None:
    """Wait for no reply any more; the clock goes on. Raises `RequestRefused`."""
    _ask(interrupt, wishes.take_back(interrupt.pk, _by(member)))
    _ring(interrupt)


def _ask(interrupt: Interrupt, wish: Wish) -> None:
    mailbox.outcome(interrupt.run, mailbox.ask(interrupt.run, wish).pk)


def _by(member: Membership) -> Actor:
    return replace(actor_of(member), via=VIA)


def _ring(interrupt: Interrupt) -> None:
    hub.ring(inbox_topic(interrupt.workspace_id))
