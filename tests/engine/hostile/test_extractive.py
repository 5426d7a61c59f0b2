"""The built-in model on text that is no text: as dear as it is long, and capped."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.core.node_types.conversation import Message
from engine.integrations.models.chat import ChatRequest
from engine.integrations.models.embeddings import local as embedding
from engine.integrations.models.extractive.response import answer
from engine.integrations.models.extractive.sentences import sentences
from engine.nodes.reflection.extraction import sentences as fact_sentences

SCHEMA = {
    "type": "object",
    "properties": {
        "parties": {"type": "array", "items": {"type": "string"}},
        "people": {"type": "array", "items": {"type": "string"}},
        "amount": {"type": "number"},
        "date": {"type": "string", "format": "date"},
        "category": {"enum": ["billing", "other"]},
    },
}
SIZE = 600_000


@pytest.mark.parametrize("schema", [None, SCHEMA])
@pytest.mark.parametrize(
    "middle",
    [
        "[",
        "<a>",
        "`",
        "```",
        '{"a":',
        '"',
        "mr. ",
        "1. ",
        "regards\n",
        "between Aa ",
        "# a\t",
        "A-",
    ],
)
def test_the_built_in_model_reads_no_more_than_its_cap(
    middle: str, schema: dict[str, Any] | None
) -> None:
    """200 KB of brackets took 15 s, 30 KB of `mr. ` 9 s; embedding is in no thread's way."""
    request = ChatRequest(
        model="builtin/extractive",
        messages=(Message(role="user", content=(middle * SIZE)[:SIZE]),),
        max_output_tokens=500,
        schema=schema,
    )
    with embedding.switched_off():
        began = time.thread_time()
        answer(request)
        assert time.thread_time() - began < 2


@pytest.mark.parametrize("middle", ["mr. ", "1. ", "a. ", '."', "\n"])
def test_sentences_of_a_long_text_are_found_in_one_pass(middle: str) -> None:
    """A sentence that goes on and on is not read again for each of its parts."""
    began = time.thread_time()

    list(sentences(middle * 5_000))
    list(fact_sentences(middle * 20_000))

    assert time.thread_time() - began < 1


def test_sentences_stand_in_the_text_as_they_are() -> None:
    """Abbreviations go on, numbers of clauses too, list marks are left out."""
    text = "- Dear Mr. Smith, hello. 1.2. Scope. It ends!\n* Next co. is small. Co. New"

    assert sentences(text) == [
        "Dear Mr. Smith, hello.",
        "1.2. Scope. It ends!",
        "Next co. is small.",
        "Co.",
        "New",
    ]
