"""Tasks and remarks are told apart by what a sentence does, not by its topic."""

from __future__ import annotations

import pytest

from engine.integrations.models.extractive.labels import choose, make_label
from engine.integrations.models.extractive.mood import Mood, mood_asked_for, mood_of

LABELS = [
    make_label("task", "do something, call, send, fix, pay, write, buy or book it"),
    make_label("remark", "it was nice, we had, they were, an observation about the past"),
]
ASKING = [
    "Renew the passport before June",
    "Ask Tom whether he can drive",
    "Don't forget to water the plants",
    "Somebody should clean the garage one day",
    "The report is due on Friday",
    "Birthday card for Anna needs to be written",
    "On Monday call the bank",
    "Bitte den Müll rausbringen",
    "Hay que pagar la factura",
]
TELLING = [
    "The train was late again",
    "I paid the electricity bill yesterday",
    "We called the plumber on Monday",
    "Sent the parcel to Berlin",
    "The kids are growing so fast",
    "Nothing much happened",
    "Das Essen war sehr gut",
    "La cena fue deliciosa",
]


@pytest.mark.parametrize("sentence", ASKING)
def test_what_asks_for_something_is_a_task(sentence: str) -> None:
    assert mood_of(sentence) is Mood.REQUEST
    assert choose(sentence, LABELS) == "task"


@pytest.mark.parametrize("sentence", TELLING)
def test_what_tells_of_something_is_a_remark(sentence: str) -> None:
    assert mood_of(sentence) is Mood.STATEMENT
    assert choose(sentence, LABELS) == "remark"


def test_words_alone_say_nothing_of_their_mood() -> None:
    assert mood_of("Milk and eggs") is None
    assert mood_asked_for("billing") is None


def test_a_text_without_meaning_gets_the_label_for_the_rest() -> None:
    labels = [
        make_label("account", "password, login, profile"),
        make_label("other", "anything else"),
    ]

    assert choose("hi", labels) == "other"
    assert choose("I forgot my password", labels) == "account"
