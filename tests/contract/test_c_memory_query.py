"""Rows C177 to C183: facts before prompts."""

from __future__ import annotations

from typing import Any

import pytest

from engine.integrations.memory.facts import InMemoryFacts
from engine.nodes.agent import AgentNode
from tests.contract.harness import Doc, Node, Outcome, agent, check, codes, doc, fn, node, run
from tests.contract.remembering import Failing, reflection, verifier

HEADING = "## Relevant Memory"


REPLY = {"default": [{"text": "done"}], "repeat_last": True}


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


def test_later_runs_find_what_earlier_ones_stored() -> None:
    """C177."""
    store = learned((STORY, ["fruit"], []))
    done = asking({"tags": ["fruit"]}, store)

    assert len(section(done)) == 3
    assert done.prompt().count(HEADING) == 1
    assert [fact["text"] for fact in done.of("StepCompleted")[0]["result"]] == section(done)


def test_bare_prompts_have_the_section_too() -> None:
    """C180."""
    store = learned((STORY, ["fruit"], []))
    graph = doc([agent("a", "Short.", memory_query={"tags": ["fruit"]}, config={"frame": "bare"})])

    assert run(graph, REPLY, facts=store).prompt().startswith(f"Short.\n\n{HEADING}\n- ")


def test_every_conversation_of_a_node_that_prompts_has_the_section() -> None:
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

    from engine.core.node_types.registry import NODE_TYPES, NodeTypes

    types = NodeTypes()
    for known in NODE_TYPES.all():
        types.register(type(known))
    types.register(Crowd)
    crowd = node("c", "crowd", config={"agent_id": "x"}, memory_query={"tags": ["fruit"]})
    done = run(doc([crowd]), REPLY, types=types, facts=learned((STORY, ["fruit"], [])))

    assert [len(section(done, call)) for call in range(4)] == [3, 3, 3, 0]
    assert len(retrievals(done)) == 1


@pytest.mark.parametrize("kind", ["function", "reflection", "verifier"])
def test_a_query_without_a_prompt_is_said_to_be_ignored(kind: str) -> None:
    """C180."""
    nodes: dict[str, Node] = {
        "function": fn("n", "end"),
        "reflection": reflection("n"),
        "verifier": verifier("expression", "n", expression="true"),
    }
    graph = doc([{**nodes[kind], "memory_query": {}}])

    assert codes(check(graph, {"functions": {"end": {"returns": {}}}}), "MemoryQueryIgnored") == [
        "MemoryQueryIgnored"
    ]
    assert codes(check(doc([agent("a", memory_query={})])), "MemoryQueryIgnored") == []


def test_without_facts_there_is_no_section() -> None:
    """C181."""
    assert HEADING not in asking({"tags": ["fruit"]}, InMemoryFacts()).prompt()
    assert HEADING not in asking({}, learned((STORY, ["fruit"], []))).prompt()


def test_one_retrieval_per_attempt_before_the_prompt() -> None:
    """C181."""
    graph = doc([agent("a", memory_query={"tags": ["fruit"]})])
    failing = {"default": [{"error": {"status": 500}}, {"text": "done"}]}
    done = run(graph, failing, facts=learned((STORY, ["fruit"], [])))
    kinds = [e["kind"] for e in done.of("StepIntended")]

    assert (done.exit, kinds) == (0, ["memory", "model", "memory", "model"])
    assert len(section(done, 1)) == 3


def test_turns_of_one_conversation_share_the_retrieval() -> None:
    """C181."""
    graph = doc([agent("a", memory_query={"tags": ["fruit"]}, config={"tools": ["t"]})])
    call = {"tool_calls": [{"name": "t", "arguments": {}}]}
    script = {"default": [call, {"text": "done"}], "tools": {"t": [{"result": 1}]}}
    done = run(graph, script, facts=learned((STORY, ["fruit"], [])))

    assert (len(done.models), len(retrievals(done))) == (2, 1)


def test_a_failing_store_is_recorded_and_the_node_runs() -> None:
    """C181."""
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
def test_the_goal_is_the_query_only_where_nothing_is_set(query: dict[str, Any], text: str) -> None:
    """C182."""
    assert requested(query)["text"] == text


def test_a_query_that_cannot_be_rendered_fails_before_any_call() -> None:
    """C182, V24."""
    graph = doc([agent("a", memory_query={"text": "{{ memory.nope }}"}, reads=["nope"])])
    done = run(graph, REPLY)

    assert (done.code, done.models) == ("MissingReference", [])


def test_the_text_finds_by_words() -> None:
    """C182."""
    store = learned((STORY, ["fruit"], []))

    assert section(asking({"text": "apple"}, store)) == ["Apples keep best in the cellar."]
    assert section(asking({}, store, goal="Where do bananas go?")) == [
        "Bananas turn brown in the fridge."
    ]
    assert section(asking({"text": "apple", "tags": ["other"]}, store)) == []


def test_one_of_the_tags_is_enough() -> None:
    """C182."""
    store = learned(
        ("The first sentence here.", ["a", "b"], []), ("The second sentence here.", ["c"], [])
    )

    assert section(asking({"tags": ["b", "x"]}, store)) == ["The first sentence here."]
    assert len(section(asking({"tags": ["a", "c"]}, store))) == 2
    assert section(asking({"tags": ["A"]}, store)) == []


def test_entities_are_seeds_and_their_neighbours_count() -> None:
    """C182, C174."""
    store = learned(
        ("Ann works at ACME today.", ["t"], ["ACME", "Ann"]),
        ("Ann likes long walks.", ["t"], ["Ann"]),
        ("Bob never met anyone.", ["t"], ["Bob"]),
        ("Zed knows Ann's friend.", ["t"], ["Zed", "Friend"]),
    )

    assert section(asking({"entity_ids": ["acme"]}, store)) == [
        "Ann works at ACME today.",
        "Ann likes long walks.",
    ]


def test_the_most_relevant_facts_come_first_up_to_the_most() -> None:
    """C183."""
    eight = " ".join(f"Apple fact number {n} stands here." for n in range(7))
    store = learned((f"{eight} Apple pie needs cinnamon.", ["t"], []))
    done = asking({"text": "apple pie with cinnamon"}, store)

    assert len(section(done)) == 5
    assert section(done)[0] == "Apple pie needs cinnamon."
    assert len(section(asking({"text": "apple", "max_facts": 8}, store))) == 8


@pytest.mark.parametrize("most", [0, 101])
def test_the_most_of_facts_has_a_range(most: int) -> None:
    """C183."""
    graph: Doc = doc([agent("a", memory_query={"max_facts": most})])

    assert codes(check(graph), "InvalidValue") == ["InvalidValue"]


def test_a_node_that_runs_no_agent_ignores_a_query() -> None:
    """C180: A synthesizer without an agent prompts nobody: check says that its query is ignored."""
    query = {"text": "earlier"}
    bare = doc([node("s", "synthesizer", reads=["previous"], memory_query=query)])
    prompted = doc([node("s", "synthesizer", memory_query=query, config={"agent_id": "x"})])

    assert "MemoryQueryIgnored" in check(bare).codes
    assert "MemoryQueryIgnored" not in check(prompted).codes
