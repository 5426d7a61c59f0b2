"""Rows C.15 and C.16: verifiers, reflection, facts before prompts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from engine.errors import StoreError
from engine.memory import FactSource, InMemoryFacts, NewFact
from engine.nodes.agent import AgentNode
from engine.ports import MemoryRecord
from tests.contract.harness import Doc, Node, Outcome, agent, check, codes, doc, fn, node, run

HEADING = "## Relevant Memory"
REPLY = {"default": [{"text": "done"}], "repeat_last": True}
SAY = "Say it plainly."


# --- verifier


def verifier(kind: str, named: str = "v", /, **config: Any) -> Node:
    known = {k: config.pop(k) for k in ("reads", "writes", "policy") if k in config}
    fields = {"reads": ["draft"], **known}
    return node(named, "verifier", config={"type": kind, **config}, human_description=SAY, **fields)


def judged(score: float | None = None, *, memory: Any = None, **config: Any) -> Outcome:
    asked = {"target_key": "draft", "evaluator_agent_id": "judge", **config}
    graph = doc([verifier("llm_judge", **asked)], agents=[{"id": "judge"}])
    said = {"json": {"score": score, "reasoning": "because"}}
    return run(
        graph,
        {"agents": {"judge": [said, said]}},
        memory={"draft": "a text"} if memory is None else memory,
    )


def verdict(done: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = done.memory["v_verification"]
    return found


def test_a_judges_score_passes_from_the_threshold_on_C160() -> None:
    """C160: A judges score passes from the threshold on."""
    passed, failed = judged(0.8), judged(0.79)

    assert (verdict(passed)["passed"], verdict(failed)["passed"]) == (True, False)
    assert (verdict(failed)["score"], verdict(failed)["threshold"]) == (0.79, 0.8)
    assert verdict(judged(0.5, pass_threshold=0.5))["passed"]
    assert passed.report["spend"]["by_node"]["v"]["attempts"] == 1


def test_a_judge_sees_the_value_and_the_criteria_C160() -> None:
    """C160: A judge sees the value and the criteria."""
    done = judged(0.9, evaluation_criteria="Is it polite?")

    assert "Is it polite?" in done.prompt()
    assert "a text" in done.prompt()


@pytest.mark.parametrize(
    ("type", "config", "missing"),
    [
        ("llm_judge", {}, ["evaluator_agent_id", "target_key"]),
        ("expression", {}, ["expression"]),
        ("jsonpath", {"path": "$"}, ["assertion", "target_key"]),
    ],
)
def test_each_kind_needs_its_fields_C160_C161_C162(
    type: str, config: dict[str, Any], missing: list[str]
) -> None:
    """C160, C161, C162: Each kind needs its fields."""
    found = check(doc([verifier(type, **config)]))

    lost = sorted(
        p["path"].rpartition(".")[2] for p in found.problems if p["code"] == "MissingField"
    )
    assert lost == missing


def test_a_field_of_another_kind_is_refused_C161() -> None:
    """C161: A field of another kind is refused."""
    found = check(doc([verifier("expression", expression="true", path="$")]))

    assert [p["path"] for p in found.problems if p["code"] == "UnknownField"] == [
        "nodes[0].config.path"
    ]


@pytest.mark.parametrize(("draft", "passed"), [("nine char", True), ("abc", False)])
def test_an_expression_decides_over_the_view_C161(draft: str, passed: bool) -> None:
    """C161: An expression decides over the view."""
    graph = doc(
        [verifier("expression", expression="size(memory.draft) > 5 && goal != ''")], goal="g"
    )
    done = run(graph, {}, memory={"draft": draft})

    assert verdict(done)["passed"] is passed
    assert done.report["spend"]["tokens"] == 0


def test_an_expression_sees_only_what_the_node_may_read_C161() -> None:
    """C161: An expression sees only what the node may read."""
    hidden = doc([verifier("expression", expression="memory.other == 1")])
    broken = doc([verifier("expression", expression="memory.draft > 1")])

    assert not verdict(run(hidden, {}, memory={"other": 1}))["passed"]
    assert run(broken, {}, memory={"draft": "text"}).code == "ExpressionFailed"


def asserted(op: str, match: Any, **value: Any) -> dict[str, Any]:
    config: dict[str, Any] = {
        "target_key": "draft",
        "path": "$.a[*]",
        "assertion": {"op": op, **value},
    }
    done = run(doc([verifier("jsonpath", **config)]), {}, memory={"draft": {"a": [match, "later"]}})
    assert done.exit == 0
    return verdict(done)


@pytest.mark.parametrize(
    ("op", "value", "passing", "failing"),
    [
        ("exists", None, 0, None),
        ("equals", {"b": [1, None]}, {"b": [1.0, None]}, {"b": [1]}),
        ("equals", 1, 1.0, True),
        ("matches", "^[a-c]+$", "abc", "abd"),
        ("matches", "1", "1", 1),
        ("gt", 5, 6, 5),
        ("gt", 5, 6, "6"),
        ("gte", 5, 5, 4.9),
        ("lt", 5, 4, 5),
        ("lt", 5, 4, True),
        ("lte", 5, 5, 6),
    ],
)
def test_every_assertion_passes_and_fails_C162(
    op: str, value: Any, passing: Any, failing: Any
) -> None:
    """C162: Every assertion passes and fails."""
    given = {} if op == "exists" else {"value": value}
    passed = asserted(op, passing, **given)

    assert (passed["passed"], passed["extracted_value"]) == (True, passing)
    assert asserted(op, failing, **given)["passed"] is False


def test_a_path_without_match_does_not_pass_C162() -> None:
    """C162: A path without match does not pass."""
    config: dict[str, Any] = {
        "target_key": "draft",
        "path": "$.b",
        "assertion": {"op": "equals", "value": None},
    }
    done = run(doc([verifier("jsonpath", **config)]), {}, memory={"draft": {}})

    assert not verdict(done)["passed"]
    assert "extracted_value" not in verdict(done)


@pytest.mark.parametrize(
    ("path", "assertion", "code"),
    [
        ("$", {"op": "matches", "value": "("}, "ExpressionInvalid"),
        ("$", {"op": "matches", "value": "(?=a)"}, "ExpressionInvalid"),
        ("$", {"op": "matches", "value": 1}, "InvalidValue"),
        ("$", {"op": "gt", "value": "5"}, "InvalidValue"),
        ("$", {"op": "gt"}, "MissingField"),
        ("$", {"op": "like", "value": 1}, "InvalidValue"),
        ("$[", {"op": "exists"}, "ExpressionInvalid"),
    ],
)
def test_a_bad_path_pattern_or_value_is_found_before_C162_C17(
    path: str, assertion: dict[str, Any], code: str
) -> None:
    """C162, C17: A bad path pattern or value is found before."""
    graph = doc([verifier("jsonpath", target_key="draft", path=path, assertion=assertion)])

    assert codes(check(graph), code) == [code]


def test_the_envelope_and_its_boolean_are_written_and_route_C163() -> None:
    """C163: The envelope and its boolean are written and route."""
    nodes = [
        verifier("expression", expression="memory.draft == 'x'"),
        fn("yes", "end"),
        fn("no", "end"),
    ]
    edges: list[Any] = [
        "__start__ -> v", ("v", "yes", {"condition": "memory.v_verification_passed"}), "v -> no",
    ]  # fmt: skip
    script: dict[str, Any] = {"functions": {"end": {"returns": {}}}}
    passed = run(doc(nodes, edges), script, memory={"draft": "x"})

    assert passed.path == ["v", "yes"]
    assert run(doc(nodes, edges), script, memory={"draft": "y"}).path == ["v", "no"]
    assert passed.memory["v_verification_passed"] is True
    assert verdict(passed).keys() == {"type", "passed", "reasoning", "evaluated_at"}
    assert passed.outputs["v"] == verdict(passed)
    assert judged(0.9).memory["v_verification"].keys() == {
        "type", "passed", "reasoning", "score", "threshold", "evaluated_at",
    }  # fmt: skip


def test_the_result_key_can_be_named_and_declared_C163_C8() -> None:
    """C163, C8: The result key can be named and declared."""
    named = verifier(
        "expression", expression="true", result_key="gate", writes=["gate", "gate_passed"]
    )
    found = check(doc([named], initial_memory={"draft": 1}))
    done = run(doc([named]), {})

    assert codes(found, "WriteKeyUnused") == []
    assert set(done.memory) == {"gate", "gate_passed"}


def test_a_fail_can_fail_the_node_and_is_retried_C164() -> None:
    """C164: A fail can fail the node and is retried."""
    asked: dict[str, Any] = {"expression": "memory.draft == 'x'", "policy": {"max_retries": 1}}
    thrown = run(
        doc([verifier("expression", throw_on_fail=True, **asked)]), {}, memory={"draft": "y"}
    )
    routed = run(doc([verifier("expression", **asked)]), {}, memory={"draft": "y"})

    assert (thrown.code, thrown.activation("v")["attempts"]) == ("VerificationFailed", 2)
    assert thrown.of("NodeFailed")[0]["error"]["detail"]["passed"] is False
    assert thrown.memory == {"draft": "y"}
    assert (routed.exit, routed.memory["v_verification_passed"]) == (0, False)


def test_a_judge_is_asked_anew_in_a_retry_C164_C34() -> None:
    """C164, C34: A judge is asked anew in a retry."""
    graph = doc(
        [verifier("llm_judge", target_key="draft", evaluator_agent_id="judge", throw_on_fail=True)],
        agents=[{"id": "judge"}],
    )
    scores = [{"json": {"score": 0.1}}, {"json": {"score": 0.9}}]
    done = run(graph, {"agents": {"judge": scores}}, memory={"draft": "x"})

    assert (done.exit, done.activation("v")["attempts"], len(done.models)) == (0, 2, 2)
    assert verdict(done)["score"] == 0.9


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("llm_judge", {"evaluator_agent_id": "judge"}),
        ("jsonpath", {"path": "$", "assertion": {"op": "exists"}}),
    ],
)
@pytest.mark.parametrize("reads", [["draft"], []])
def test_a_target_that_is_absent_does_not_pass_and_costs_nothing_C165(
    kind: str, config: dict[str, Any], reads: list[str]
) -> None:
    """C165: A target that is absent does not pass and costs nothing."""
    graph = doc(
        [verifier(kind, **config, target_key="draft", reads=reads)], agents=[{"id": "judge"}]
    )
    done = run(graph, REPLY, memory={} if reads else {"draft": "there"})

    assert (done.exit, verdict(done)["passed"], done.models) == (0, False, [])
    assert done.report["spend"]["tokens"] == 0
    assert codes(check(graph), "UnreadableKey") == ([] if reads else ["UnreadableKey"])


# --- reflection

RULES = {"type": "rule_based"}


def reflection(id: str = "reflect", **fields: Any) -> Node:
    config = {
        "source_keys": ["notes"], "extractor": RULES, "tags": ["lesson"], **fields.pop("config", {}),
    }  # fmt: skip
    base = {"reads": ["notes"], "human_description": SAY}
    return node(id, "reflection", config=config, **{**base, **fields})


def reflected(
    notes: Any, script: Any = None, memory: Any = None, **config: Any
) -> tuple[Outcome, list[Any]]:
    facts = InMemoryFacts()
    keys = ["notes", *config.get("entity_keys", ())]
    graph = doc([reflection(config=config, reads=keys)], agents=[{"id": "x"}])
    done = run(graph, script or {}, memory={"notes": notes, **(memory or {})}, facts=facts)
    return done, facts.facts()


def test_sources_are_needed_and_must_be_readable_C170() -> None:
    """C170: Sources are needed and must be readable."""
    assert codes(check(doc([reflection(config={"source_keys": []})])), "MissingField") == [
        "MissingField"
    ]
    hidden = check(doc([reflection(reads=[])], initial_memory={"notes": ""}))
    assert codes(hidden, "SourceNotReadable") == ["SourceNotReadable"]
    assert hidden.exit == 1
    assert check(doc([reflection()], initial_memory={"notes": ""})).problems == []


def test_long_sentences_become_facts_once_without_a_model_C171() -> None:
    """C171: Long sentences become facts once without a model."""
    done, facts = reflected("Short. This one is long enough. this one is LONG enough.")

    assert [fact.text for fact in facts] == ["This one is long enough."]
    assert done.report["spend"]["tokens"] == 0


def test_the_length_counts_characters_and_lists_are_read_C171() -> None:
    """C171: The length counts characters and lists are read."""
    _, facts = reflected(["Twelve chars", "- a bullet of one\n- Dr. Who came by"], extractor={
        "type": "rule_based", "min_sentence_length": 12,
    })  # fmt: skip

    assert [fact.text for fact in facts] == ["Twelve chars", "a bullet of one", "Dr. Who came by"]


def llm(**more: Any) -> dict[str, Any]:
    return {"type": "llm", "agent_id": "x", **more}


def extracted(count: int, **more: Any) -> dict[str, Any]:
    facts = [{"text": f"Fact number {i}.", **more} for i in range(count)]
    return {"agents": {"x": [{"json": {"facts": facts}, "usage": {"input_tokens": 30}}]}}


def test_an_agent_extracts_and_surplus_is_dropped_and_counted_C172() -> None:
    """C172: An agent extracts and surplus is dropped and counted."""
    done, facts = reflected("Something happened.", extracted(12), extractor=llm())
    [dropped] = done.of("WriteDropped")

    assert [fact.text for fact in facts] == [f"Fact number {i}." for i in range(10)]
    assert dropped["count"] == 2
    assert done.report["spend"]["by_node"]["reflect"]["tokens"] == 30
    assert "Something happened." in done.prompt()


def test_the_instruction_can_be_replaced_C172() -> None:
    """C172: The instruction can be replaced."""
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
def test_what_an_extractor_may_say_C172_C2(extractor: dict[str, Any], code: str) -> None:
    """C172, C2: What an extractor may say."""
    graph = doc([reflection(config={"extractor": extractor})], agents=[{"id": "x"}])

    assert codes(check(graph), code) == [code]


def test_an_extraction_over_the_budget_stops_the_run_C172_C41() -> None:
    """C172, C41: An extraction over the budget stops the run."""
    graph = doc(
        [reflection(config={"extractor": llm()}, budget={"max_tokens": 10})], agents=[{"id": "x"}]
    )
    done = run(graph, extracted(1), memory={"notes": "Something happened."})

    assert (done.code, done.activation("reflect")["attempts"]) == ("NodeBudgetExceeded", 1)


def test_tags_stand_on_every_fact_C173() -> None:
    """C173: Tags stand on every fact."""
    tags = ["graph:my-graph-v1", "lesson"]
    _, facts = reflected("The first sentence here. The second sentence here.", tags=tags)

    assert [list(fact.tags) for fact in facts] == [tags, tags]
    assert codes(check(doc([reflection(config={"tags": []})])), "UntaggedFacts") == [
        "UntaggedFacts"
    ]


def test_facts_are_linked_to_the_named_entities_C174() -> None:
    """C174: Facts are linked to the named entities."""
    done, [fact] = reflected(
        "A sentence about them.", memory={"customer": "ACME", "people": ["Ann", "Bob"], "n": 7},
        entity_keys=["customer", "people", "n"],
    )  # fmt: skip
    [skipped] = done.of("WriteDropped")

    assert fact.entities == ("ACME", "Ann", "Bob")
    assert skipped["keys"] == ["n"]


def test_an_agents_entities_join_the_named_ones_C174() -> None:
    """C174: An agents entities join the named ones."""
    script = extracted(1, entities=["Zoe", "acme"])
    _, [fact] = reflected(
        "x", script, {"customer": "ACME"}, extractor=llm(), entity_keys=["customer"]
    )

    assert fact.entities == ("Zoe", "acme")


def test_the_envelope_of_a_reflection_C175() -> None:
    """C175: The envelope of a reflection."""
    done, facts = reflected("The first sentence here. The second sentence here.")
    envelope = done.memory["reflect_reflection"]

    assert envelope.keys() == {"extractor_type", "fact_ids", "tags", "reflected_at"}
    assert envelope["fact_ids"] == [fact.id for fact in facts]
    assert (envelope["extractor_type"], envelope["tags"]) == ("rule_based", ["lesson"])


class Failing(InMemoryFacts):
    """Fails the first times, before or after it has written."""

    def __init__(self, times: int, *, after: bool = False) -> None:
        super().__init__()
        self.times, self.after, self.asked = times, after, 0

    async def store(
        self, workspace_id: str | None, source: FactSource, facts: Sequence[NewFact]
    ) -> list[str]:
        self.asked += 1
        if self.after:
            await super().store(workspace_id, source, facts)
        if self.asked <= self.times:
            raise StoreError("no disk")
        return await super().store(workspace_id, source, facts)

    async def search(self, workspace_id: str | None, **asked: Any) -> list[MemoryRecord]:
        raise StoreError("no disk")


def test_a_store_that_fails_is_tried_again_C176() -> None:
    """C176: A store that fails is tried again."""
    store = Failing(1, after=True)
    done = run(doc([reflection()]), {}, memory={"notes": "A long enough sentence."}, facts=store)
    lost = run(
        doc([reflection(policy={"max_retries": 1})]), {}, memory={"notes": "A long enough sentence."},
        facts=Failing(9),
    )  # fmt: skip

    assert (done.exit, done.activation("reflect")["attempts"]) == (0, 2)
    assert len(store.facts()) == 1
    assert (lost.code, lost.activation("reflect")["attempts"]) == ("MemoryStoreFailed", 2)


def test_each_visit_stores_its_own_facts_C176() -> None:
    """C176: Each visit stores its own facts."""
    facts = InMemoryFacts()
    edges: list[Any] = ["__start__ -> reflect", ("reflect", "again", {"condition": "memory.n < 2"}),
                        "reflect -> __end__", "again -> reflect"]  # fmt: skip
    graph = doc([reflection(), fn("again", "more")], edges, initial_memory={"n": 1})
    done = run(graph, {"functions": {"more": {"returns": {"data": {"n": 2}}}}},
               memory={"notes": "A long enough sentence."}, facts=facts)  # fmt: skip

    assert done.path == ["reflect", "again", "reflect"]
    assert len({fact.id for fact in facts.facts()}) == 2


@pytest.mark.parametrize("notes", ["", "  ", [], {}, None])
def test_empty_sources_write_nothing_and_ask_nobody_C176(notes: Any) -> None:
    """C176: Empty sources write nothing and ask nobody."""
    done, facts = reflected(notes, {}, extractor=llm())

    assert (done.memory["reflect_reflection"]["fact_ids"], facts, done.models) == ([], [], [])


def test_without_a_store_no_node_runs_C176() -> None:
    """C176: Without a store no node runs."""
    graph = doc([fn("a", "end"), reflection()])
    done = run(
        graph, {"functions": {"end": {"returns": {}}}},
        observe=lambda local: setattr(local.runner.services, "memory", None),
    )  # fmt: skip

    assert (done.code, done.path, done.of("NodeStarted")) == ("MemoryStoreMissing", [], [])


def test_the_seeds_reflection_is_valid_and_stays_within_its_caps_C44() -> None:
    """C44: The seeds reflection is valid and stays within its caps."""
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


# --- memory_query

STORY = (
    "Apples keep best in the cellar. Bananas turn brown in the fridge. Cherries want eating soon."
)


def learned(*notes: tuple[str, list[str], list[str]]) -> InMemoryFacts:
    """Return a store in which each (sentences, tags, entities) was learned by a run."""
    facts = InMemoryFacts()
    for text, tags, entities in notes:
        graph = doc(
            [reflection(config={"tags": tags, "entity_keys": ["who"]}, reads=["notes", "who"])]
        )
        run(graph, {}, memory={"notes": text, "who": entities}, facts=facts)
    return facts


def asking(query: dict[str, Any], store: Any, **fields: Any) -> Outcome:
    graph = doc([agent("a", memory_query=query)], **fields)
    return run(graph, REPLY, facts=store)


def section(done: Outcome, call: int = 0) -> list[str]:
    """Return the facts of a prompt, in order."""
    _, heading, rest = done.prompt(call).partition(HEADING)
    return [line[2:] for line in rest.splitlines() if line.startswith("- ")] if heading else []


def retrievals(done: Outcome) -> list[dict[str, Any]]:
    return [e for e in done.of("StepIntended") if e["kind"] == "memory"]


def test_later_runs_find_what_earlier_ones_stored_C177() -> None:
    """C177: Later runs find what earlier ones stored."""
    store = learned((STORY, ["fruit"], []))
    done = asking({"tags": ["fruit"]}, store)

    assert len(section(done)) == 3
    assert done.prompt().count(HEADING) == 1
    assert [fact["text"] for fact in done.of("StepCompleted")[0]["result"]] == section(done)


def test_bare_prompts_have_the_section_too_C180() -> None:
    """C180: Bare prompts have the section too."""
    store = learned((STORY, ["fruit"], []))
    graph = doc([agent("a", "Short.", memory_query={"tags": ["fruit"]}, config={"frame": "bare"})])

    assert run(graph, REPLY, facts=store).prompt().startswith(f"Short.\n\n{HEADING}\n- ")


def test_every_conversation_of_a_node_that_prompts_has_the_section_C180() -> None:
    """C180: A type of its own that asks in parallel, as voters and candidates are asked."""

    class Crowd(AgentNode):
        """Ask three times at once."""

        type = "crowd"
        label = "Crowd"

        async def run(self, ctx: Any, config: Any) -> Any:
            asked = [lambda i=i: ctx.reason("x", f"Voter {i}") for i in range(3)]
            said = await ctx.gather(asked)
            judged = await ctx.reason("x", "Judge", recall=False)
            return {"output": [talk.text for talk in (*said, judged)]}

    from engine.registry import NODE_TYPES, NodeTypes

    types = NodeTypes()
    for known in NODE_TYPES.all():
        types.register(type(known))
    types.register(Crowd)
    crowd = node("c", "crowd", config={"agent_id": "x"}, memory_query={"tags": ["fruit"]})
    done = run(doc([crowd]), REPLY, types=types, facts=learned((STORY, ["fruit"], [])))

    assert [len(section(done, call)) for call in range(4)] == [3, 3, 3, 0]
    assert len(retrievals(done)) == 1


@pytest.mark.parametrize("kind", ["function", "reflection", "verifier"])
def test_a_query_without_a_prompt_is_said_to_be_ignored_C180(kind: str) -> None:
    """C180: A query without a prompt is said to be ignored."""
    nodes: dict[str, Node] = {
        "function": fn("n", "end"), "reflection": reflection("n"),
        "verifier": verifier("expression", "n", expression="true"),
    }  # fmt: skip
    graph = doc([{**nodes[kind], "memory_query": {}}])

    assert codes(check(graph, {"functions": {"end": {"returns": {}}}}), "MemoryQueryIgnored") == [
        "MemoryQueryIgnored"
    ]
    assert codes(check(doc([agent("a", memory_query={})])), "MemoryQueryIgnored") == []


def test_without_facts_there_is_no_section_C181() -> None:
    """C181: Without facts there is no section."""
    assert HEADING not in asking({"tags": ["fruit"]}, InMemoryFacts()).prompt()
    assert HEADING not in asking({}, learned((STORY, ["fruit"], []))).prompt()


def test_one_retrieval_per_attempt_before_the_prompt_C181() -> None:
    """C181: One retrieval per attempt before the prompt."""
    graph = doc([agent("a", memory_query={"tags": ["fruit"]})])
    failing = {"default": [{"error": {"status": 500}}, {"text": "done"}]}
    done = run(graph, failing, facts=learned((STORY, ["fruit"], [])))
    kinds = [e["kind"] for e in done.of("StepIntended")]

    assert (done.exit, kinds) == (0, ["memory", "model", "memory", "model"])
    assert len(section(done, 1)) == 3


def test_turns_of_one_conversation_share_the_retrieval_C181() -> None:
    """C181: Turns of one conversation share the retrieval."""
    graph = doc([agent("a", memory_query={"tags": ["fruit"]}, config={"tools": ["t"]})])
    call = {"tool_calls": [{"name": "t", "arguments": {}}]}
    script = {"default": [call, {"text": "done"}], "tools": {"t": [{"result": 1}]}}
    done = run(graph, script, facts=learned((STORY, ["fruit"], [])))

    assert (len(done.models), len(retrievals(done))) == (2, 1)


def test_a_failing_store_is_recorded_and_the_node_runs_C181() -> None:
    """C181: A failing store is recorded and the node runs."""
    done = asking({"tags": ["fruit"]}, Failing(0))

    assert (done.exit, HEADING in done.prompt()) == (0, False)
    assert done.of("MemoryQueryFailed", "a")[0]["error"]["message"] == "no disk"


def requested(query: dict[str, Any], **fields: Any) -> dict[str, Any]:
    [step] = retrievals(asking(query, InMemoryFacts(), goal="Keep fruit fresh", **fields))
    found: dict[str, Any] = step["request"]
    return found


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({}, "Keep fruit fresh"),
        ({"max_facts": 3}, "Keep fruit fresh"),
        ({"text": "", "tags": [], "entity_ids": []}, "Keep fruit fresh"),
        ({"tags": ["lesson"]}, ""),
        ({"entity_ids": ["ACME"]}, ""),
        ({"text": "about {{ goal }}"}, "about Keep fruit fresh"),
    ],
)
def test_the_goal_is_the_query_only_where_nothing_is_set_C182(
    query: dict[str, Any], text: str
) -> None:
    """C182: The goal is the query only where nothing is set."""
    assert requested(query)["text"] == text


def test_a_query_that_cannot_be_rendered_fails_before_any_call_C182_V24() -> None:
    """C182, V24: A query that cannot be rendered fails before any call."""
    graph = doc([agent("a", memory_query={"text": "{{ memory.nope }}"}, reads=["nope"])])
    done = run(graph, REPLY)

    assert (done.code, done.models) == ("MissingReference", [])


def test_the_text_finds_by_words_C182() -> None:
    """C182: The text finds by words."""
    store = learned((STORY, ["fruit"], []))

    assert section(asking({"text": "apple"}, store)) == ["Apples keep best in the cellar."]
    assert section(asking({}, store, goal="Where do bananas go?")) == [
        "Bananas turn brown in the fridge."
    ]
    assert section(asking({"text": "apple", "tags": ["other"]}, store)) == []


def test_one_of_the_tags_is_enough_C182() -> None:
    """C182: One of the tags is enough."""
    store = learned(
        ("The first sentence here.", ["a", "b"], []), ("The second sentence here.", ["c"], [])
    )

    assert section(asking({"tags": ["b", "x"]}, store)) == ["The first sentence here."]
    assert len(section(asking({"tags": ["a", "c"]}, store))) == 2
    assert section(asking({"tags": ["A"]}, store)) == []


def test_entities_are_seeds_and_their_neighbours_count_C182_C174() -> None:
    """C182, C174: Entities are seeds and their neighbours count."""
    store = learned(
        ("Ann works at ACME today.", ["t"], ["ACME", "Ann"]),
        ("Ann likes long walks.", ["t"], ["Ann"]),
        ("Bob never met anyone.", ["t"], ["Bob"]),
        ("Zed knows Ann's friend.", ["t"], ["Zed", "Friend"]),
    )

    assert section(asking({"entity_ids": ["acme"]}, store)) == [
        "Ann works at ACME today.", "Ann likes long walks.",
    ]  # fmt: skip


def test_the_most_relevant_facts_come_first_up_to_the_most_C183() -> None:
    """C183: The most relevant facts come first up to the most."""
    eight = " ".join(f"Apple fact number {n} stands here." for n in range(7))
    store = learned((f"{eight} Apple pie needs cinnamon.", ["t"], []))
    done = asking({"text": "apple pie with cinnamon"}, store)

    assert len(section(done)) == 5
    assert section(done)[0] == "Apple pie needs cinnamon."
    assert len(section(asking({"text": "apple", "max_facts": 8}, store))) == 8


@pytest.mark.parametrize("most", [0, 101])
def test_the_most_of_facts_has_a_range_C183(most: int) -> None:
    """C183: The most of facts has a range."""
    graph: Doc = doc([agent("a", memory_query={"max_facts": most})])

    assert codes(check(graph), "InvalidValue") == ["InvalidValue"]
