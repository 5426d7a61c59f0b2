"""Large and tangled graphs: the fast checks find what the plain ones do, in bounded work."""

from __future__ import annotations

import random
import time

import pytest

from engine.check import steps
from engine.check.paths import collisions, ways
from engine.check.paths import proof as proofs
from engine.check.paths.proof import Proof
from engine.check.rules import expressions, writes
from engine.check.subject import Subject
from tests.engine.check import plain_proof
from tests.engine.check.graphs import edge, node, problems, spec, world


def tangled(seed, count, edges, *, back=0.2, near=None):
    """Return a document of nodes that read and write keys, with forks, joins and cycles."""
    dice = random.Random(seed)
    nodes = [_step(dice, number, count) for number in range(count)]
    drawn = [edge("__start__", "n0")]
    if dice.random() < 0.2:
        drawn.append(edge("__start__", f"n{dice.randrange(count)}"))
    pairs = {(dice.randrange(max(0, n - (near or n)), n), n) for n in range(1, count)}
    while len(pairs) < edges:
        source = dice.randrange(count)
        target = min(count - 1, source + dice.randrange(1, near or count))
        pairs.add((target, source) if dice.random() < back else (source, target))
    odds = dice.choice([0.0, 0.05, 0.3])
    for source, target in sorted(pairs):
        fields = {"condition": "goal == 'x'"} if dice.random() < odds else {}
        if dice.random() < odds / 3:
            fields = {"on": "failed"}
        drawn.append(edge(f"n{source}", f"n{target}", **fields))
    return {"nodes": nodes, "edges": drawn}


def _step(dice, number, count):
    key, other = f"k{dice.randrange(2 + count // 4)}", dice.randrange(count)
    fields = {
        "write_keys": [f"k{dice.randrange(2 + count // 4)}"],
        "read_keys": [key, f"outputs.n{other}"],
        "join": dice.choice(["all", "all", "all", "any"]),
    }
    kind = dice.choice(["agent", "function", "function", "tool", "approval"])
    prompt = f"{{{{ memory.{key} }}}} {{{{ outputs.n{other} }}}}"
    if kind == "agent":
        fields["config"] = {"prompt": prompt}
    elif kind == "approval":
        fields["config"] = {"prompt_message": prompt}
    return node(f"n{number}", kind, **fields)


def shapes():
    """Yield small graphs: sparse and dense, with and without cycles."""
    for seed in range(250):
        count = 3 + seed % 9
        most = count * (count - 1) // 4
        yield Subject(
            spec(tangled(seed, count, min(most, count + seed % 8), back=(seed % 4) / 8)), world()
        )


def test_what_holds_before_a_node_is_what_the_plain_check_says():
    """V28: What certainly exists, with each join and fork walked by itself and at once."""
    for subject in shapes():
        proof, plain = Proof(subject), plain_proof.before(subject)
        labels = {label for each in subject.nodes for label in plain_proof.gains(each)}
        for each in subject.nodes:
            for label in labels:
                open_ = each.id in plain and not {label, "memory.*"} & plain[each.id]
                missing = proof.missing(each, tuple(label.split(".", 1)))
                given = label == "memory." + "".join(each.given)
                assert (missing is not None) == (open_ and not given), (each.id, label)


@pytest.mark.parametrize("wide", [0, 2, 12])
def test_collisions_are_those_of_the_plain_check(monkeypatch, wide):
    """Wide forks are walked one by one, others at once: both say the same in the same order."""
    monkeypatch.setattr(collisions, "_WIDE", wide)
    for subject in shapes():
        writers = {
            key: [each.id for each in nodes] for key, nodes in writes._colliding(subject).items()
        }
        leads = ways.successors(subject)
        plain = plain_proof.collisions(leads, list(writes._forks(subject)), writers)
        found = list(writes._parallel(subject))
        assert [(p.message.split('"')[3], p.message.split('"')[1], p.node) for p in found] == plain


@pytest.mark.parametrize("back", [0.05])
@pytest.mark.parametrize("near", [4, None])
def test_the_check_of_a_large_graph_takes_about_a_second(near, back):
    """The largest graph that a document may hold; it took from 7 to more than 150 s."""
    document = tangled(1, 2_000, 4_990, back=back, near=near)
    started = time.process_time()

    found = {p.code for p in problems(document)}

    assert time.process_time() - started < 5  # a machine may be slow; it is about one
    assert "TooEntangled" not in found


def test_what_takes_too_many_steps_is_said_once(monkeypatch):
    """The work is counted in steps, so that the same document always gets the same answer."""
    subject = Subject(spec(tangled(1, 60, 150)), world())
    few = steps.Steps
    for part, module in ((writes, writes), (expressions, proofs)):
        monkeypatch.setattr(module, "Steps", lambda: few(100))
        said = [p for p in part.find(subject) if p.code == "TooEntangled"]

        assert len(said) == 1
        assert "Draw fewer edges" in said[0].message
