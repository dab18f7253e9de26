"""Three lossless rules: their figures, and that none of them changes the output."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused, SamplingRule
from specdec_widgets.maths.rules import compare_rules

WEIGHTS = st.lists(st.integers(min_value=0, max_value=9), min_size=4, max_size=4).filter(any)
RATIONALS = WEIGHTS.map(lambda w: [Fraction(n, sum(w)) for n in w])


def test_the_figures_of_the_notes():
    table = compare_rules(["0.9", "0.1"], ["0.6", "0.4"])
    assert list(table.index) == ["accept_resample", "greedy_draft", "sample_both"]
    assert table["acceptance"].tolist() == [Fraction(7, 10), Fraction(9, 10), Fraction(29, 50)]
    assert table["output"].tolist() == [(Fraction(9, 10), Fraction(1, 10))] * 3
    assert table["is_lossless"].all()


@given(p=RATIONALS, q=RATIONALS)
def test_each_is_lossless_and_accepts_as_its_formula_says(p, q):
    table = compare_rules(p, q)
    assert table["output"].tolist() == [tuple(p)] * 3
    assert table["is_lossless"].all()
    accept, greedy, both = table["acceptance"]
    assert accept == SamplingRule(p, q).alpha
    assert greedy == p[q.index(max(q))]
    assert both == sum(a * b for a, b in zip(p, q, strict=True)) <= accept


@given(p=WEIGHTS, q=WEIGHTS)
def test_floats_are_lossless_to_a_billionth(p, q):
    table = compare_rules([n / sum(p) for n in p], [n / sum(q) for n in q])
    assert table["is_lossless"].all()


def test_what_is_no_distribution_is_refused():
    with pytest.raises(Refused, match=r"^q must sum to 1, not 1\.1"):
        compare_rules(["0.9", "0.1"], ["0.6", "0.5"])
