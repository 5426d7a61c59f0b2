"""Which nodes a change makes stale, by what they are and what they find, never by time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.harness import Edge, doc, fn
from tests.engine.runtime.forks.stale.drafts import Drafted

ABC = ("a", "b", "c")
FORKED: list[Edge] = ["__start__ -> a -> b -> d", "a -> c -> d"]


def chain(**says: str) -> dict[str, Any]:
    """Return a → b → c, of which b reads what a gives and c reads nothing; `says` are settings."""
    reads: dict[str, list[str]] = {"a": [], "b": ["a"], "c": []}
    nodes = [fn(n, reads=reads[n], config={"params": {"say": says.get(n, n)}}) for n in ABC]
    return doc(nodes)


async def test_what_is_the_same_is_not_stale() -> None:
    run = await Drafted.of(chain(), *ABC)
    moved = chain()
    for number, node in enumerate(moved["nodes"]):
        node |= {"position": {"x": number, "y": 9}, "label": f"Called {number}", "description": "x"}
    moved["name"] = "Renamed"

    assert await run.marks(chain()) == {}
    assert await run.marks(moved) == {}
    plan = await run.plan(moved)
    assert ([n["node"] for n in plan["reused"]], plan["again"]) == (["a", "b", "c"], [])
    assert plan["waiting"] is False
    await run.close()


async def test_a_changed_node_is_stale_and_so_is_what_builds_on_it() -> None:
    run = await Drafted.of(chain(), *ABC)

    plan = await run.plan(chain(b="other"))

    assert plan["stale"] == [
        {"node": "b", "why": "changed", "what": ["node"], "of": []},
        {"node": "c", "why": "reads", "what": [], "of": ["b"]},
    ]
    state = await run.again(chain(b="other"))
    assert (run.deeds.called, state.status) == (["b", "c"], "completed")
    assert state.memory == {"a": "a", "b": "other(a:a)", "c": "c"}
    assert state.started["forked_from"]["run_id"] == "r"
    await run.close()


async def test_a_branch_beside_the_change_is_kept_and_the_join_runs_once() -> None:
    nodes = [fn(n, reads=["a"] if n in "bc" else ["b", "c"] if n == "d" else []) for n in "abcd"]
    run = await Drafted.of(doc(nodes, FORKED), *"abcd")
    changed = [nodes[0], fn("b", reads=["a"], config={"params": {"say": "B"}}), *nodes[2:]]

    plan = await run.plan(doc(changed, FORKED))
    state = await run.again(doc(changed, FORKED))

    assert [node["node"] for node in plan["reused"]] == ["a", "c"]
    assert run.deeds.called == ["b", "d"]
    assert state.memory["d"] == "d(b:B(a:a))(c:c(a:a))"
    await run.close()


async def test_a_reader_in_another_branch_is_stale() -> None:
    """What a node reads counts, and not only by which wire it is come to."""
    edges: list[Edge] = ["__start__ -> a -> b -> c", "__start__ -> x"]
    nodes = [fn("a"), fn("b"), fn("c", reads=["x"]), fn("x")]
    run = await Drafted.of(doc(nodes, edges), *"abcx")
    changed = [*nodes[:3], fn("x", config={"params": {"say": "X"}})]

    assert await run.marks(doc(changed, edges)) == {"x": "changed", "c": "reads"}
    await run.close()


@pytest.mark.parametrize(
    ("change", "marks"),
    [
        ({"id": "new"}, {"b": "changed", "c": "reads", "new": "changed"}),
        ({"wire": True}, {"b": "changed", "c": "reads"}),
        ({"memory": True}, {"b": "reads", "c": "reads"}),
    ],
)
async def test_wires_new_nodes_and_fields_count(
    change: dict[str, Any], marks: dict[str, str]
) -> None:
    first = doc([fn("a"), fn("b", reads=["topic"]), fn("c")], initial_memory={"topic": "x"})
    run = await Drafted.of(first, *ABC)
    draft = {**first, "edges": [dict(edge) for edge in first["edges"]]}
    if "id" in change:
        draft["nodes"] = [*first["nodes"], fn("new", "a")]
        draft["edges"][1]["target"] = "new"
        draft["edges"].append({"source": "new", "target": "b"})
    elif "wire" in change:
        draft["edges"][1]["condition"] = "memory.a == 'a'"
    else:
        draft["initial_memory"] = {"topic": "y"}

    assert await run.marks(draft) == marks
    state = await run.again(draft)
    assert state.status == "completed"
    assert state.memory["b"] == ("b(topic:y)" if "memory" in change else "b(topic:x)")
    assert run.deeds.called == (["a", "b", "c"] if "id" in change else ["b", "c"])
    await run.close()


async def test_conditions_are_tried_again_over_what_is_kept() -> None:
    """A changed condition sends the kept result another way, without running its node again."""

    def draft(word: str) -> dict[str, Any]:
        edges: list[Edge] = [
            "__start__ -> a",
            ("a", "b", {"condition": f"memory.a == '{word}'"}),
            "a -> c",
        ]
        return doc([fn("a"), fn("b"), fn("c")], edges)

    run = await Drafted.of(draft("a"), *ABC)

    state = await run.again(draft("z"))

    assert (run.deeds.called, sorted(state.memory)) == (["c"], ["a", "c"])
    await run.close()


async def test_a_node_behind_the_end_is_all_that_runs() -> None:
    run = await Drafted.of(doc([fn("a"), fn("b")]), *ABC)
    longer = doc([fn("a"), fn("b"), fn("c", reads=["b"])])

    plan = await run.plan(longer)
    state = await run.again(longer)

    assert (plan["waiting"], [node["node"] for node in plan["reused"]]) == (True, ["a", "b"])
    assert (run.deeds.called, state.memory["c"]) == (["c"], "c(b:b)")
    await run.close()


async def test_a_loop_is_kept_as_a_whole_or_runs_again() -> None:
    def draft(say: str) -> dict[str, Any]:
        edges: list[Edge] = [
            "__start__ -> a -> b",
            ("b", "b", {"condition": "memory.b.size() < 20"}),
            "b -> c",
        ]
        nodes = [fn("a"), fn("b", "again", reads=["b"]), fn("c", config={"params": {"say": say}})]
        return doc(nodes, edges)

    def again(ctx: Any, params: Any) -> Any:
        called.append("again")
        return {"data": {"b": ctx.view.memory.get("b", "") + "12345678"}}

    called: list[str] = []
    run = await Drafted.of(draft("c"), "a", "c", handlers={"again": again})
    assert called == ["again"] * 3

    state = await run.again(draft("C"))

    assert (called, run.deeds.called, state.memory["c"]) == (["again"] * 3, ["c"], "C")
    assert [n["key"] for n in (await run.plan(draft("C")))["reused"]][1:] == ["b#1", "b#2", "b#3"]
    await run.close()
