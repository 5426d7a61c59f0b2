"""The document, whatever is written in it: reading never raises, and nothing is lost on the way."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.graph.document import GraphSpec, dump_document, parse_document


def spec_of(source):
    spec, problems = parse_document(source)
    assert problems == []
    return spec


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=2)
)


NAMES = st.sampled_from(
    [*GraphSpec.model_fields, "source", "target", "type", "config", "budget", "on", "when", "x"]
)


TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(NAMES, st.text(max_size=3)), inner)
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, TREES))
def test_reading_never_raises(tree):
    """C190."""
    spec, problems = parse_document(tree)

    assert (spec is None) == any(problem.severity == "error" for problem in problems)
    assert all(problem.message for problem in problems)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_reading_text_never_raises(text):
    """C190."""
    assert parse_document(text)[1]


IDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,5}", fullmatch=True)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-99, 99), st.text("ab é\0", max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text("abc"), inner)),
    max_leaves=5,
)


MONEY = st.decimals(0, 1000, places=4).map(str)


@st.composite
def documents(draw):
    names = draw(st.lists(IDS, unique=True, max_size=4))
    maybe = lambda strategy: draw(st.none() | strategy)  # noqa: E731
    nodes = [
        {
            "id": name,
            "type": "x",
            "config": draw(st.dictionaries(st.text("ab"), VALUES)),
            "read_keys": maybe(st.lists(st.text("abc", min_size=1), max_size=2)),
            "budget": maybe(st.fixed_dictionaries({"max_cost_usd": MONEY})),
        }
        for name in names
    ]
    ends = st.sampled_from(names or ["x"])
    edges = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "source": ends,
                    "target": ends,
                    "priority": st.integers(-5, 5),
                    "when": st.none() | st.text(),
                }
            )
        )
    )
    return {
        "id": draw(IDS),
        "goal": draw(st.text()),
        "nodes": nodes,
        "edges": edges,
        "initial_memory": draw(st.dictionaries(st.text("abc"), VALUES)),
    }


@settings(max_examples=100, deadline=None)
@given(documents())
def test_documents_survive_the_way_out_and_in(document):
    """K1."""
    spec = spec_of(document)

    again = spec_of(dump_document(spec))

    assert again == spec
    assert again.hash == spec.hash
