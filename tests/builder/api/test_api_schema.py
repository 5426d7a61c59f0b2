"""The forms of bodies and answers that the front end's types are made from are those served."""

from __future__ import annotations

import json

from builder.project import api_schema


def test_the_schema_of_the_front_end_is_fresh() -> None:
    kept = api_schema.FILE.read_text(encoding="utf-8")

    assert kept == api_schema.served(), (
        "run: python -m builder.project.api_schema && npm --prefix frontend run types"
    )


def test_what_has_a_default_is_there_in_answers_and_may_be_left_out_of_bodies() -> None:
    schemas = json.loads(api_schema.served())["components"]["schemas"]

    assert "node" in schemas["RunErrorOut"]["required"]
    assert "resume_token" not in schemas["InterruptOut"]["required"]
    assert "input" not in schemas["StartBody"].get("required", [])


def test_a_process_serves_the_same_schema_every_time() -> None:
    assert api_schema.served() == api_schema.served()
