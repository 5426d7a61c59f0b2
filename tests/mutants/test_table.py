"""The table of the seeded mistakes cannot rot: each has its place, its tests and its row."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutants.mutant import Mutant, Promise
from tests.mutants.page import PAGE, page
from tests.mutants.rules import RULES
from tests.mutants.scratch import ROOT
from tests.mutants.table import MUTANTS


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_has_one_place_and_tests_that_are_there(mutant: Mutant) -> None:
    source = (ROOT / mutant.file).read_text()

    assert mutant.applied(source) != source
    assert mutant.tests
    for test in mutant.tests:
        file, _, name = test.partition("::")
        assert name.split("::")[-1].split("[")[0] in (ROOT / file).read_text()


def test_there_are_mutants_of_every_promise_and_none_twice() -> None:
    counted = Counter(mutant.promise for mutant in MUTANTS)
    names = [mutant.name for mutant in MUTANTS]

    assert len(MUTANTS) >= 40
    assert set(counted) == set(Promise)
    assert min(counted.values()) >= 4
    assert len(set(names)) == len(names)


def test_every_rule_of_many_processes_has_a_mistake_that_breaks_it() -> None:
    names = {mutant.name for mutant in MUTANTS}

    for rule in RULES:
        assert rule.broken_by, rule.words
        assert set(rule.broken_by) <= names, rule.words


def test_a_text_without_one_place_is_refused() -> None:
    mutant = Mutant("m", Promise.RUNS, "f.py", "a", "b", "breaks", ("t.py",))

    assert mutant.applied("xay") == "xby"
    for source in ("xyz", "xaya"):
        with pytest.raises(ValueError, match="stands"):
            mutant.applied(source)


def test_the_page_is_written_from_the_table() -> None:
    assert PAGE.read_text() == page(MUTANTS), "write it anew: make mutants ARGS=--page"
