"""The built-in model: what it finds, and what it never does."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from engine.core.node_types.conversation import Message
from engine.core.values.json import canonical
from engine.integrations.models.chat import ChatRequest, ToolOffer
from engine.integrations.models.embeddings import local as embedding
from engine.integrations.models.extractive.request import read_request
from engine.integrations.models.extractive.response import NOTHING, answer
from engine.integrations.models.providers.extractive import ExtractiveModel
from tests.engine.integrations.providers.calls import ask, origin

MAIL = """Hello team,

I ordered the oak desk on 12 March 2026 (order #A-20441) and paid $349.90. It arrived with a broken leg yesterday.
Please send a replacement or give me my money back. You can reach me at maria.lopez@example.com or +34 600 123 456.

Best regards,
Maria Lopez"""
CONTRACT = (
    "This Agreement is made on January 5, 2026 between Acme GmbH and Bright Future Inc. The total "
    "value is EUR 125.000,00, payable within 30 days. Either party may terminate with notice of 3 "
    "months. The liability of Acme GmbH is limited."
)


def shape(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def framed(task: str, state: dict[str, Any], more: str = "") -> str:
    return (
        f"## Workflow\nShop desk: answers customers.\n\n## Your task\n{task}\n\n## State\n"
        f"```json\n{json.dumps(state)}\n```\n{more}"
    )


def fill(text: str, schema: dict[str, Any], **more: Any) -> Any:
    return answer(ask(text, schema=schema, **more)).structured


@pytest.mark.parametrize("form", ["framed", "bare"])
def test_fields_of_a_mail_are_found(form: str) -> None:
    schema = shape(
        order_id={"type": "string"},
        customer_name={"type": "string"},
        email={"type": "string", "format": "email"},
        phone={"type": "string"},
        order_date={"type": "string", "format": "date"},
        amount={"type": "number"},
        currency={"type": "string"},
        problem={"type": "string", "description": "what went wrong, as a quote"},
        wants_refund={"type": "boolean"},
        sentiment={"type": "string", "enum": ["positive", "neutral", "negative"]},
    )
    task = "Extract the facts of this mail."
    text = framed(task, {"input": MAIL}) if form == "framed" else f"{task}\n\n{MAIL}"

    assert fill(text, schema) == {
        "order_id": "A-20441",
        "customer_name": "Maria Lopez",
        "email": "maria.lopez@example.com",
        "phone": "+34 600 123 456",
        "order_date": "2026-03-12",
        "amount": 349.9,
        "currency": "USD",
        "problem": "It arrived with a broken leg yesterday.",
        "wants_refund": True,
        "sentiment": "negative",
    }


def test_parties_and_value_of_a_contract() -> None:
    """V25."""
    text = framed("Extract parties and total value.", {"input": CONTRACT})

    one = fill(text, shape(parties={"type": "string"}, total_value={"type": "number"}))
    many = fill(
        text,
        shape(
            parties={"type": "array", "items": {"type": "string"}},
            notice_months={"type": "integer"},
        ),
    )

    assert one == {"parties": "Acme GmbH, Bright Future Inc", "total_value": 125000}
    assert many == {"parties": ["Acme GmbH", "Bright Future Inc"], "notice_months": 3}


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            "Made between Zenith Partners and the City of Lund. Zenith Partners pays.",
            ["Zenith Partners", "City of Lund"],
        ),
        (
            "Contract between Blue Ltd. and Mira Stone. Pixel Studio Berlin is no party.",
            ["Blue Ltd", "Mira Stone"],
        ),
        ("Dana Wu draws. The fee is paid by Pixel Garden Studio.", ["Pixel Garden Studio"]),
    ],
)
def test_the_parties_are_those_between_whom_it_is(text: str, parties: list[str]) -> None:
    schema = shape(parties={"type": "array", "items": {"type": "string"}})

    assert fill(framed("Who are the parties?", {"input": text}), schema)["parties"] == parties


@pytest.mark.parametrize(
    "text",
    [
        "Which topic? Billing or technical.\n<ticket>My invoice is wrong.</ticket>",
        "## Task\nChoose billing or technical.\n\n## Ticket\nMy invoice is wrong.\n\n## Rules\nBe brief.",
        'Choose the topic of "My invoice is wrong. Please look." now.',
        "Choose billing or technical.\n```\nMy invoice is wrong.\n```",
        "Classify this ticket: My invoice is wrong.",
    ],
)
def test_content_is_told_from_the_instruction_in_bare_prompts(text: str) -> None:
    reading = read_request(ask(text))

    assert reading.text.startswith("My invoice is wrong.")
    assert "Be brief" not in reading.text
    assert "invoice" not in reading.instruction


def test_quotes_stand_word_for_word_in_the_text() -> None:
    quotes = {"type": "array", "items": {"type": "string"}, "maxItems": 2}

    said = fill(framed("Quote what the customer wants.", {"input": MAIL}), shape(quotes=quotes))

    assert len(said["quotes"]) == 2
    assert all(quote in MAIL for quote in said["quotes"])
    assert "Please send a replacement or give me my money back." in said["quotes"]


def test_next_node_follows_the_explanations_of_the_edges() -> None:
    """V6."""
    targets = [
        {"target": "human_review", "label": "legal threats, needs a person"},
        {"target": "auto_publish", "label": "harmless praise"},
    ]
    schema = shape(_next_node={"type": "string", "enum": ["human_review", "auto_publish"]})
    more = f"\n## Next\n{json.dumps(targets)}"

    angry = fill(framed("Decide.", {"input": "I will call my lawyer about this."}, more), schema)
    kind = fill(framed("Decide.", {"input": "What a wonderful product, great!"}, more), schema)

    assert angry["_next_node"] == "human_review"
    assert kind["_next_node"] == "auto_publish"


def test_explanations_in_the_prompt_decide_between_made_up_labels() -> None:
    task = "Sort into red: broken glass or furniture; blue: questions about opening hours"
    schema = shape(team={"type": "string", "enum": ["red", "blue"]})

    assert fill(framed(task, {"input": "The chair has a cracked leg."}), schema)["team"] == "red"
    assert fill(framed(task, {"input": "Are you open on Sunday?"}), schema)["team"] == "blue"


def test_the_middle_of_a_scale_is_a_label_like_any_other() -> None:
    told = "low: balanced terms, capped liability; medium: automatic renewal; high: penalties"
    schema = shape(risk={"type": "string", "enum": ["low", "medium", "high"], "description": told})
    text = (
        "Hosting contract between Cloudpeak Inc. and Mira Stone. The contract renews automatically "
        "each year unless notice is given six months before. Payment of 4000 USD is due at once; "
        "late fees are charged every month. Liability is limited to 10000 USD."
    )

    assert fill(framed("Rate the contract.", {"input": text}), schema) == {"risk": "medium"}


def test_residual_label_is_taken_when_nothing_else_speaks() -> None:
    schema = shape(topic={"type": "string", "enum": ["billing", "technical", "general"]})

    hours = fill(framed("Sort.", {"input": "What are your opening hours on Sunday?"}), schema)
    bill = fill(framed("Sort.", {"input": "My invoice is wrong."}), schema)

    assert (hours["topic"], bill["topic"]) == ("general", "billing")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please refund me.", True),
        ("I do not want a refund, just a working lamp.", False),
        ("Ich möchte keine Erstattung.", False),
        ("Quiero que me devuelvan el dinero.", True),
    ],
)
def test_negated_wish_is_no_wish(text: str, expected: bool) -> None:
    schema = shape(refund_requested={"type": "boolean"})

    assert fill(framed("Read it.", {"input": text}), schema)["refund_requested"] is expected


def test_score_follows_the_goal() -> None:
    schema = shape(score={"type": "number", "minimum": 0, "maximum": 1})
    goal = "Write a poem about the sea"

    near = fill(framed("Score it.", {"goal": goal, "draft": "Waves of the ocean sing"}), schema)
    far = fill(framed("Score it.", {"goal": goal, "draft": "VAT is 21 percent here"}), schema)

    assert 0 <= far["score"] < near["score"] <= 1


def test_facts_are_objects_for_each_sentence() -> None:
    fact = shape(text={"type": "string"}, entities={"type": "array", "items": {"type": "string"}})
    said = fill(
        framed("Extract facts.", {"input": CONTRACT}), shape(facts={"type": "array", "items": fact})
    )

    assert len(said["facts"]) == 4
    assert all(f["text"] in CONTRACT for f in said["facts"])
    assert "Acme GmbH" in said["facts"][0]["entities"]


def test_what_is_not_there_is_left_empty_not_invented() -> None:
    schema = shape(
        email={"type": ["string", "null"]},
        phone={"type": "string"},
        amount={"anyOf": [{"type": "number"}, {"type": "null"}]},
        floor={"type": "integer", "minimum": 5},
        names={"type": "array", "items": {"type": "string"}},
    )

    assert fill(framed("Extract.", {"input": "the lamp hums."}), schema) == {
        "email": None,
        "phone": "",
        "amount": None,
        "floor": 5,
        "names": [],
    }


def test_references_constants_and_nesting_are_followed() -> None:
    schema = {
        "$ref": "#/$defs/Top",
        "$defs": {
            "Top": shape(version={"const": 3}, customer={"$ref": "#/$defs/Person"}),
            "Person": shape(name={"type": "string"}, email={"type": "string"}),
        },
    }

    assert fill(framed("Extract.", {"input": MAIL}), schema) == {
        "version": 3,
        "customer": {"name": "Maria Lopez", "email": "maria.lopez@example.com"},
    }


def test_without_schema_the_relevant_sentences_are_quoted() -> None:
    text = framed("How can the agreement be terminated?", {"input": CONTRACT})

    said = answer(ask(text)).text

    assert "“Either party may terminate with notice of 3 months.”" in said.splitlines()
    assert all(line.strip("“”") in CONTRACT for line in said.splitlines())


def test_tool_results_are_read_too() -> None:
    messages = (
        Message("user", "When does the shop open?"),
        Message("assistant", "", ()),
        Message("tool", '{"hours": "The shop opens at nine on weekdays."}', tool_call_id="1"),
    )

    assert "The shop opens at nine on weekdays." in answer(ChatRequest("m", messages)).text


def test_nothing_to_quote_is_said() -> None:
    assert answer(ask("")).text == NOTHING


def test_answers_are_equal_for_equal_requests_and_differ_with_the_input() -> None:
    schema = shape(summary={"type": "string"})
    first = framed("Summarise.", {"input": MAIL})
    second = framed("Summarise.", {"input": CONTRACT})

    assert fill(first, schema) == fill(first, schema) != fill(second, schema)


def test_output_cap_is_kept() -> None:
    schema = shape(summary={"type": "string"}, reason={"type": "string"})
    text = framed("Summarise.", {"input": "word " * 400 + "."})

    structured = answer(ask(text, schema=schema, max_output_tokens=60))
    quoted = answer(ask(text, max_output_tokens=30))

    assert structured.usage.output_tokens <= 60
    assert quoted.usage.output_tokens <= 30
    assert (structured.finish_reason, quoted.finish_reason) == ("length", "length")


def test_tokens_are_counted_and_below_the_worst_case() -> None:
    """C41."""
    request = ask(framed("Extract.", {"input": MAIL}), schema=shape(email={"type": "string"}))
    response = answer(request)
    worst = ExtractiveModel().worst_case(request, origin())

    assert 100 < response.usage.input_tokens <= worst.input_tokens
    assert 0 < response.usage.output_tokens <= worst.output_tokens
    assert ExtractiveModel().price().cost(response.usage) == 0


def test_works_without_the_embedding_package() -> None:
    schema = shape(
        topic={"type": "string", "enum": ["billing", "technical"]}, quote={"type": "string"}
    )

    with embedding.switched_off():
        assert not embedding.available()
        with pytest.raises(embedding.EmbeddingUnavailable):
            embedding.embed(["x"])
        said = fill(framed("Sort.", {"input": "Nice day. My invoice is wrong."}), schema)

    assert said["topic"] == "billing"


@pytest.mark.asyncio
async def test_loop_goes_on_while_it_computes_and_no_piece_is_faked() -> None:
    """C60."""
    pieces: list[str] = []
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    busy = asyncio.ensure_future(others())
    tool = ToolOffer("add", "Adds.", {"type": "object"})
    text = framed("Find.", {"input": CONTRACT})
    response = await ExtractiveModel().complete(ask(text, tools=(tool,)), origin(), pieces.append)
    busy.cancel()

    assert pieces == [response.text]
    assert response.tool_calls == ()
    assert turns > 1


def test_any_schema_and_text_gives_plain_json() -> None:
    odd: list[dict[str, Any]] = [
        {},
        {"type": "null"},
        {"type": "array"},
        {"enum": [None, 1]},
        {"anyOf": [{"type": "null"}]},
        {"type": "object"},
        {"$ref": "#/nowhere"},
        {"$ref": "#"},
        {"oneOf": [{"const": 1}, {"const": 2}]},
        {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1},
        {"allOf": [{"type": "number"}]},
        {"type": "integer", "maximum": -3},
        {"type": "number", "minimum": 2, "maximum": 4},
    ]

    for schema in odd:
        for text in ("", '}{ [[[ {"a": ', "12 3.4.5 $ 99/99/9999 a@b \u0000", "x" * 30_000):
            assert canonical(answer(ask(text, schema=schema)).structured)


@pytest.mark.parametrize(
    "piece", ["a", "A ", "<a>", "1 111", "1(", "[", '{"a":', '"', "a@", "# a\n", "Abc Def ", "$1"]
)
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    """Patterns stay linear; a quadratic one would take minutes on these."""
    schema = shape(
        email={"type": "string"},
        company={"type": "string"},
        phone={"type": "string"},
        total={"type": "number"},
        ids={"type": "array", "items": {"type": "string"}},
        due={"type": "string", "format": "date"},
    )
    started = time.process_time()

    with embedding.switched_off():
        answer(ask(piece * 30_000, schema=schema))
        answer(ask(framed("Find.", {"input": piece * 10_000}), schema=schema))

    assert time.process_time() - started < 5
