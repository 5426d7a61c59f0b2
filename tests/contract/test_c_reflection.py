"""Rows C170 to C176: reflection stores facts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from engine.integrations.memory.facts import InMemoryFacts
from tests.contract.harness import Outcome, check, codes, doc, fn, run
from tests.contract.remembering import Failing, reflection


def reflected(
    notes: Any, script: Any = None, memory: Any = None, **config: Any
) -> tuple[Outcome, list[Any]]:
    facts = InMemoryFacts()
    keys = ["notes", *config.get("entity_keys", ())]
    graph = doc([reflection(config=config, reads=keys)], agents=[{"id": "x"}])
    done = run(graph, script or {}, memory={"notes": notes, **(memory or {})}, facts=facts)
    return done, facts.facts()


def test_sources_are_needed_and_must_be_readable() -> None:
    """C170."""
    assert codes(check(doc([reflection(config={"source_keys": []})])), "MissingField") == [
        "MissingField"
    ]
    hidden = check(doc([reflection(reads=[])], initial_memory={"notes": ""}))
    assert codes(hidden, "SourceNotReadable") == ["SourceNotReadable"]
    assert hidden.exit == 1
    assert check(doc([reflection()], initial_memory={"notes": ""})).problems == []


def test_long_sentences_become_facts_once_without_a_model() -> None:
    """C171."""
    done, facts = reflected("Short. This one is long enough. this one is LONG enough.")

    assert [fact.text for fact in facts] == ["This one is long enough."]
    assert done.report["spend"]["tokens"] == 0


def test_the_length_counts_characters_and_lists_are_read() -> None:
    """C171."""
    _, facts = reflected(
        ["Twelve chars", "- a bullet of one\n- Dr. Who came by"],
        extractor={
            "type": "rule_based",
            "min_sentence_length": 12,
        },
    )

    assert [fact.text for fact in facts] == ["Twelve chars", "a bullet of one", "Dr. Who came by"]


def llm(**more: Any) -> dict[str, Any]:
    return {"type": "llm", "agent_id": "x", **more}


def extracted(count: int, **more: Any) -> dict[str, Any]:
    facts = [{"text": f"Fact number {i}.", **more} for i in range(count)]
    return {"agents": {"x": [{"json": {"facts": facts}, "usage": {"input_tokens": 30}}]}}


def test_an_agent_extracts_and_surplus_is_dropped_and_counted() -> None:
    """C172."""
    done, facts = reflected("Something happened.", extracted(12), extractor=llm())
    [dropped] = done.of("WriteDropped")

    assert [fact.text for fact in facts] == [f"Fact number {i}." for i in range(10)]
    assert dropped["count"] == 2
    assert done.report["spend"]["by_node"]["reflect"]["tokens"] == 30
    assert "Something happened." in done.prompt()


def test_the_instruction_can_be_replaced() -> None:
    """C172."""
    default, _ = reflected("A note.", extracted(1), extractor=llm())
    own, _ = reflected("A note.", extracted(1), extractor=llm(instruction="Only names."))

    assert "Only names." in own.prompt()
    assert "worth knowing" in default.prompt()
    assert "worth knowing" not in own.prompt()


@pytest.mark.parametrize(
    ("extractor", "code"),
    [
        (llm(max_facts=51), "InvalidValue"),
        (llm(max_facts=0), "InvalidValue"),
        ({"type": "llm"}, "MissingField"),
        (llm(min_sentence_length=3), "UnknownField"),
        (llm(agent_id="nobody"), "UnknownAgent"),
        ({"type": "guess"}, "InvalidValue"),
    ],
)
def test_what_an_extractor_may_say(extractor: dict[str, Any], code: str) -> None:
    """C172, C2."""
    graph = doc([reflection(config={"extractor": extractor})], agents=[{"id": "x"}])

    assert codes(check(graph), code) == [code]


def test_an_extraction_over_the_budget_stops_the_run() -> None:
    """C172, C41."""
    graph = doc(
        [reflection(config={"extractor": llm()}, budget={"max_tokens": 10})], agents=[{"id": "x"}]
    )
    done = run(graph, extracted(1), memory={"notes": "Something happened."})

    assert (done.code, done.activation("reflect")["attempts"]) == ("NodeBudgetExceeded", 1)


def test_tags_stand_on_every_fact() -> None:
    """C173."""
    tags = ["graph:my-graph-v1", "lesson"]
    _, facts = reflected("The first sentence here. The second sentence here.", tags=tags)

    assert [list(fact.tags) for fact in facts] == [tags, tags]
    assert codes(check(doc([reflection(config={"tags": []})])), "UntaggedFacts") == [
        "UntaggedFacts"
    ]


def test_facts_are_linked_to_the_named_entities() -> None:
    """C174."""
    done, [fact] = reflected(
        "A sentence about them.",
        memory={"customer": "ACME", "people": ["Ann", "Bob"], "n": 7},
        entity_keys=["customer", "people", "n"],
    )
    [skipped] = done.of("WriteDropped")

    assert fact.entities == ("ACME", "Ann", "Bob")
    assert skipped["keys"] == ["n"]


def test_an_agents_entities_join_the_named_ones() -> None:
    """C174."""
    script = extracted(1, entities=["Zoe", "acme"])
    _, [fact] = reflected(
        "x", script, {"customer": "ACME"}, extractor=llm(), entity_keys=["customer"]
    )

    assert fact.entities == ("Zoe", "acme")


def test_the_envelope_of_a_reflection() -> None:
    """C175."""
    done, facts = reflected("The first sentence here. The second sentence here.")
    envelope = done.memory["reflect_reflection"]

    assert envelope.keys() == {"extractor_type", "fact_ids", "tags", "reflected_at"}
    assert envelope["fact_ids"] == [fact.id for fact in facts]
    assert (envelope["extractor_type"], envelope["tags"]) == ("rule_based", ["lesson"])


def test_a_store_that_fails_is_tried_again() -> None:
    """C176."""
    store = Failing(1, after=True)
    done = run(doc([reflection()]), {}, memory={"notes": "A long enough sentence."}, facts=store)
    lost = run(
        doc([reflection(policy={"max_retries": 1})]),
        {},
        memory={"notes": "A long enough sentence."},
        facts=Failing(9),
    )

    assert (done.exit, done.activation("reflect")["attempts"]) == (0, 2)
    assert len(store.facts()) == 1
    assert (lost.code, lost.activation("reflect")["attempts"]) == ("MemoryStoreFailed", 2)


def test_each_visit_stores_its_own_facts() -> None:
    """C176."""
    facts = InMemoryFacts()
    edges: list[Any] = [
        "__start__ -> reflect",
        ("reflect", "again", {"condition": "memory.n < 2"}),
        "reflect -> __end__",
        "again -> reflect",
    ]
    graph = doc([reflection(), fn("again", "more")], edges, initial_memory={"n": 1})
    done = run(
        graph,
        {"functions": {"more": {"returns": {"data": {"n": 2}}}}},
        memory={"notes": "A long enough sentence."},
        facts=facts,
    )

    assert done.path == ["reflect", "again", "reflect"]
    assert len({fact.id for fact in facts.facts()}) == 2


@pytest.mark.parametrize("notes", ["", "  ", [], {}, None])
def test_empty_sources_write_nothing_and_ask_nobody(notes: Any) -> None:
    """C176."""
    done, facts = reflected(notes, {}, extractor=llm())

    assert (done.memory["reflect_reflection"]["fact_ids"], facts, done.models) == ([], [], [])


def test_without_a_store_no_node_runs() -> None:
    """C176."""
    graph = doc([fn("a", "end"), reflection()])
    done = run(
        graph,
        {"functions": {"end": {"returns": {}}}},
        observe=lambda local: setattr(local.runner.services, "memory", None),
    )

    assert (done.code, done.path, done.of("NodeStarted")) == ("MemoryStoreMissing", [], [])


def test_the_specifications_reflection_is_valid_and_stays_within_its_caps() -> None:
    """C44."""
    for amount in (0.10, "0.10"):
        budget = {"max_tokens": 20000, "max_cost_usd": amount}
        seeds = reflection(
            config={"extractor": llm()}, writes=["reflect_reflection"], budget=budget
        )
        graph = doc([seeds], agents=[{"id": "x"}], initial_memory={"notes": "We learned a lot."})
        done = run(graph, {**extracted(2), "prices": {"input_per_million": "1"}})

        assert check(graph).problems == []
        assert len(done.memory["reflect_reflection"]["fact_ids"]) == 2
        assert Decimal(done.report["spend"]["cost_usd"]) == Decimal("0.00003")


def test_a_source_may_be_a_part_of_a_key_or_of_a_lane() -> None:
    """C170: A source that the read keys cover may be a part of a key, or stand in a lane."""
    text = "A sentence that is long enough."
    say = {"functions": {"say": {"returns": {"output": {"said": text}}}}}
    for key, source in (("notes.a", "notes"), ("outputs.say.said", "outputs"), ("input", "input")):
        reflect = reflection(config={"source_keys": [key]}, reads=[source])
        graph = doc([fn("say"), reflect], initial_memory={"notes": {"a": text}})
        facts = InMemoryFacts()
        done = run(graph, say, input=text, facts=facts)

        assert codes(check(graph, say), "SourceNotReadable") == []
        assert (done.exit, [fact.text for fact in facts.facts()]) == (0, [text])


def test_a_wrong_extractor_is_told_what_it_may_be() -> None:
    """C172: The problems of an extractor name its field and what belongs there."""
    kinds = {
        "foo": ("InvalidValue", "'rule_based' or 'llm'"),
        "rule_based": ("UnknownField", "min_"),
    }
    for kind, (code, cure) in kinds.items():
        extractor = {"type": kind, **({"agent_id": "x"} if kind == "rule_based" else {})}
        found = check(doc([reflection(config={"extractor": extractor})], agents=[{"id": "x"}]))
        problem = next(p for p in found.problems if p["code"] == code)
        field = "agent_id" if kind == "rule_based" else "type"
        assert problem["path"] == f"nodes[0].config.extractor.{field}"
        assert cure in problem["message"]
