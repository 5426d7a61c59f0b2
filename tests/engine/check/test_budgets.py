"""The most that a run can spend."""

from __future__ import annotations

from decimal import Decimal

from engine.check import WorstCase, examine
from tests.engine.check.graphs import edge, line, node, spec, world

CAP = {"max_cost_usd": "0.10", "max_tokens": 100}


def most(document):
    return examine(spec(document), world()).worst_case


def test_caps_of_a_line_add_up():
    """C40."""
    document = line(
        node("a", "agent", budget=CAP), node("d", "delay"), node("b", "agent", budget=CAP)
    )

    assert most(document) == WorstCase(Decimal("0.20"), 200)


def test_a_loop_counts_as_often_as_it_may_run():
    """C40, C13."""
    document = line(
        node("a", "agent", budget=CAP), node("b", "agent", budget=CAP), limits={"max_iterations": 7}
    )
    document["edges"].append(edge("b", "a", when="more"))

    assert most(document) == WorstCase(Decimal("0.70"), 700)


def test_a_limit_of_the_run_is_enough():
    """C43."""
    document = line(node("a", "agent"), limits={"budget_usd": "1.50"})

    assert most(document) == WorstCase(Decimal("1.50"), None, ("a",))


def test_the_lower_bound_counts():
    """C43."""
    document = line(
        node("a", "agent", budget=CAP), limits={"budget_usd": "0.05", "max_token_budget": 10**6}
    )

    assert most(document) == WorstCase(Decimal("0.05"), 100)


def test_nothing_bounds_it():
    """C40."""
    worst = most(line(node("a", "agent", budget=CAP), node("b", "agent", label="Extract skills")))

    assert (worst, worst.unbounded) == (WorstCase(None, None, ("b",)), True)
    assert worst.why == (
        "No cap in USD on Extract skills, and none on the run:"
        " give the run a budget, or each of them a cap."
    )


def test_it_says_what_bounds_it():
    """C40, C43."""
    capped = node("a", "agent", budget=CAP)

    assert "caps" in most(line(capped)).why
    assert "The run's own budget" in most(line(capped, limits={"budget_usd": "0.05"})).why


def test_what_spends_nothing_costs_nothing():
    document = line(node("a", "delay"), node("b", "agent", disabled=True))

    assert most(document) == WorstCase(Decimal(0), 0)


def test_children_spend_from_the_cap_of_their_parent():
    """C40."""
    swarm = node("a", "agent", budget=CAP, config={"swarm": {"peer_nodes": ["b"]}})

    assert most({"nodes": [swarm, node("b", "agent")]}) == WorstCase(Decimal("0.10"), 100)


def test_a_join_of_any_starts_once_for_each_token():
    """C40: Each arrival starts the node anew, so its cap counts as often as the run allows."""
    fan = [edge("__start__", name) for name in "ab"] + [edge(name, "c") for name in "ab"]
    nodes = [node("a", "delay"), node("b", "delay"), node("d", "agent", budget=CAP)]

    def joined(join):
        c = node("c", "agent", budget=CAP, join=join)
        limits = {"max_iterations": 5}
        return {"nodes": [*nodes, c], "edges": [*fan, edge("c", "d")], "limits": limits}

    assert most(joined("all")) == WorstCase(Decimal("0.20"), 200)
    assert most(joined("any")) == WorstCase(Decimal("0.50"), 500)
    one = joined("any")
    one["edges"] = [edge("__start__", "c"), edge("c", "d")]
    assert most(one) == WorstCase(Decimal("0.20"), 200)
