"""A run of only what is stale ends as a new run of the draft would: played on random graphs."""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.contract.harness import Edge, doc, fn, started
from tests.engine.runtime.forks.stale.drafts import Deeds, Drafted

SIZE = 9


def drawn(random: Random) -> dict[str, Any]:
    """Return a graph without rounds: wires lead on, some with a condition.

    A node reads only those on a way to it: what runs beside it may or may not be done by then.
    """
    names = [f"n{number}" for number in range(SIZE)]
    edges: list[Edge] = ["__start__ -> n0"]
    nodes = []
    above: dict[str, set[str]] = {}
    for place, name in enumerate(names):
        before = names[:place]
        sources = random.sample(before, min(place, random.choice((1, 1, 2))))
        above[name] = set(sources).union(*(above[source] for source in sources))
        for source in sources:
            said = {"condition": f"memory.{source}.size() > {random.randint(2, 30)}"}
            edges.append((source, name, said if random.random() < 0.25 else {}))
        reads = random.sample(sorted(above[name]), min(len(above[name]), random.randint(0, 2)))
        nodes.append(fn(name, reads=[*reads, "topic"][: random.randint(0, 3)]))
    defaults = {"on_no_match": "end"}
    return doc(nodes, edges, defaults=defaults, initial_memory={"topic": "boats"})


def changed(document: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a draft that differs in one to three places."""
    draft = copy.deepcopy(document)
    for _ in range(random.randint(1, 3)):
        node = random.choice(draft["nodes"])
        edge = random.choice(draft["edges"])
        match random.randrange(6):
            case 0 | 1:
                node["config"] |= {"params": {"say": random.choice(("x", "longer words"))}}
            case 2:
                node["read_keys"] = ["n0"]
            case 3:
                draft["initial_memory"] = {"topic": "trains"}
            case 4 if edge["source"] != "__start__":
                edge["condition"] = f"memory.{edge['source']}.size() > {random.randint(2, 30)}"
            case _:
                node |= {"disabled": not node.get("disabled", False)}
    return draft


@pytest.mark.parametrize("seed", range(40))
async def test_it_ends_as_a_new_run_would(seed: int) -> None:
    random = Random(seed)
    document = drawn(random)
    draft = changed(document, random)
    names = [f"n{number}" for number in range(SIZE)]
    run = await Drafted.of(document, *names)
    fresh = Deeds()
    local, _ = await started(draft, handlers=fresh.handlers(*names))
    wanted = await local.runner.store.warm("r")

    marks = await run.marks(draft)
    state = await run.again(draft)

    assert (state.status, dict(state.memory)) == (wanted.status, dict(wanted.memory)), marks
    assert dict(state.outputs) == dict(wanted.outputs)
    assert not Counter(run.deeds.called) - Counter(fresh.called)
    await run.close()
    await local.runner.close()
