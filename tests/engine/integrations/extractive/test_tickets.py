"""How well tickets are read: measured on texts in three languages."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

import pytest

from engine.integrations.models.embeddings import local as embedding
from engine.integrations.models.extractive.response import answer
from tests.engine.integrations.extractive.tickets import TICKETS, Ticket
from tests.engine.integrations.providers.calls import ask

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "topic": {"type": "string", "enum": ["billing", "technical", "shipping", "account"]},
        "refund_requested": {"type": "boolean", "description": "is a refund requested"},
        "amount": {"type": ["number", "null"], "description": "amount of money in dispute"},
    },
    "required": ["topic", "refund_requested", "amount"],
    "additionalProperties": False,
}
FRAME = """You are one step of the workflow "Support": answers customers.

## Your task
Which topic is this, and does the customer ask for money? {prompt}

## What you may write
topic, refund_requested, amount

## What you know
```json
{state}
```

## Answer
One JSON object with topic (one of billing, technical, shipping, account),
refund_requested (true or false) and amount (number or null).
"""


def framed(ticket: Ticket) -> str:
    state = json.dumps({"goal": "Answer the customer", "input": ticket.text})
    return FRAME.format(prompt="", state=state)


def rendered(ticket: Ticket) -> str:
    state = json.dumps({"goal": "Answer the customer", "input": ticket.text}, ensure_ascii=False)
    return FRAME.format(prompt=ticket.text, state=state)


def bare(ticket: Ticket) -> str:
    return f"Which topic is this? {ticket.text}"


@pytest.mark.parametrize("form", [framed, rendered, bare])
@pytest.mark.parametrize(("embedded", "least"), [(True, 0.85), (False, 0.60)])
def test_topics_refunds_and_amounts_of_tickets(form: Any, embedded: bool, least: float) -> None:
    if embedded and not embedding.available():
        pytest.skip("the embedding package does not run on this machine")
    right = {"topic": 0, "refund_requested": 0, "amount": 0}
    with nullcontext() if embedded else embedding.switched_off():
        for ticket in TICKETS:
            said = answer(ask(form(ticket), system="You sort tickets.", schema=SCHEMA)).structured
            right["topic"] += said["topic"] == ticket.topic
            right["refund_requested"] += said["refund_requested"] == ticket.refund
            right["amount"] += said["amount"] == ticket.amount

    assert len(TICKETS) >= 40
    shares = {key: count / len(TICKETS) for key, count in right.items()}
    assert shares["topic"] >= least, shares
    assert shares["refund_requested"] >= 0.9, shares
    assert shares["amount"] >= 0.9, shares


UNSEEN = [
    ("Your system billed us for 12 users but we only have 9.", "finance"),
    ("We were debited after the contract had ended.", "finance"),
    ("Please add our tax number to future invoices.", "finance"),
    ("Uploading a picture makes the whole program freeze.", "engineering"),
    ("I get 'internal server error' on every click.", "engineering"),
    ("Sorting the table by date gives the wrong order.", "engineering"),
    ("The driver left my package at the wrong house.", "logistics"),
    ("When will my order finally get here?", "logistics"),
    ("Half of the boxes never reached our office.", "logistics"),
    ("It does not accept my password any more.", "identity"),
    ("Someone else seems to be using my user name.", "identity"),
    ("I cannot get in since I changed my phone.", "identity"),
]
OTHER_SUBJECTS = [
    ("The striker scored twice in the second half.", "sports"),
    ("Add the onions and let them simmer in butter.", "cooking"),
    ("Parliament voted on the new tax law yesterday.", "politics"),
    ("The orchestra played Mahler's fifth symphony.", "music"),
    ("Her serve gave her the match in three sets.", "sports"),
    ("Bake the dough for forty minutes at 180 degrees.", "cooking"),
    ("The minister resigned after the debate.", "politics"),
    ("His new album is full of quiet guitar songs.", "music"),
]


@pytest.mark.parametrize("cases", [UNSEEN, OTHER_SUBJECTS])
def test_labels_that_nobody_prepared_are_understood(cases: list[tuple[str, str]]) -> None:
    if not embedding.available():
        pytest.skip("the embedding package does not run on this machine")
    labels = sorted({label for _, label in cases})
    schema = {"type": "object", "properties": {"area": {"type": "string", "enum": labels}}}

    said = [
        answer(ask(f"Sort this text: {text}", schema=schema)).structured["area"]
        for text, _ in cases
    ]

    right = sum(given == label for given, (_, label) in zip(said, cases, strict=True))
    assert right / len(cases) >= 0.75, list(zip(said, cases, strict=True))
