"""The built-in model: names of companies, and what of a request is not its content."""

from __future__ import annotations

import pytest

from engine.integrations.models.extractive.request import read_request
from engine.integrations.models.extractive.response import answer
from tests.engine.integrations.providers.calls import ask

COMPANY = {"type": "object", "properties": {"company": {"type": "string"}}, "required": ["company"]}


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("Northwind Inc. sends you the invoice for October.", "Northwind Inc"),
        ("Please send two desks from Blue River Ltd. for 890 EUR.", "Blue River Ltd"),
        (
            "We thank you for your stay. The Ostsee Hotel GmbH asks for 12 EUR.",
            "The Ostsee Hotel GmbH",
        ),
    ],
)
def test_a_company_is_found_by_the_end_of_its_name(text: str, company: str) -> None:
    request = ask(f"Which company is it?\n\n## Text\n{text}", schema=COMPANY)

    assert answer(request).structured == {"company": company}


def test_the_form_of_a_hand_over_is_no_content() -> None:
    example = '{"peer_delegation":{"peer_node_id":"kitchen","reason":"why","context":{}}}'
    state = '```json\n{"input": "My key is lost."}\n```'

    reading = read_request(ask(f"## Task\nHelp.\n\n## Peers\n{example}\n\n## State\n{state}"))

    assert reading.content == ("My key is lost.",)
