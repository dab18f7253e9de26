"""The alpha that a length would need: against exact rationals, and there and back."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused, ValueRefused
from specdec_widgets.maths.independence import implied_alpha, independent_tokens
from tests.maths.anything import ANYTHING

ALPHAS = st.floats(min_value=0, max_value=1)
GAMMAS = st.integers(min_value=1, max_value=64)


def exact_tokens(alpha, gamma):
    return sum((Fraction(alpha) ** i for i in range(gamma + 1)), Fraction(0))


@given(alpha=ALPHAS, gamma=st.integers(min_value=0, max_value=32))
def test_independent_tokens_are_the_cost_models(alpha, gamma):
    assert independent_tokens(alpha, gamma) == CostModel(alpha, gamma).expected_tokens


@given(alpha=ALPHAS, gamma=GAMMAS)
def test_the_implied_alpha_yields_the_tokens_it_was_asked_for(alpha, gamma):
    tokens = independent_tokens(alpha, gamma)
    found = exact_tokens(implied_alpha(tokens, gamma), gamma)
    assert abs(found - Fraction(tokens)) <= Fraction(1, 10**13) * (gamma + 1)


@given(tokens=st.floats(min_value=1, max_value=9), more=st.floats(min_value=0, max_value=1))
def test_more_tokens_need_no_smaller_alpha(tokens, more):
    assert implied_alpha(tokens, 9) <= implied_alpha(tokens + more, 9)


@pytest.mark.parametrize("gamma", [1, 3, 32, 1000])
def test_the_ends_are_exact(gamma):
    assert implied_alpha(1, gamma) == 0
    assert implied_alpha(gamma + 1, gamma) == 1
    assert implied_alpha(1.5, 1) == 0.5


def test_the_llama_example_of_the_notes():
    # 208 of 260 at gamma 5 is not alpha 0.80.
    assert round(implied_alpha(1 + 208 / 52, 5), 3) == 0.927


@pytest.mark.parametrize(("tokens", "gamma"), [(0.99, 3), (4.01, 3), (2, 0), (2, 1001)])
def test_what_lies_outside_is_refused(tokens, gamma):
    with pytest.raises(ValueRefused):
        implied_alpha(tokens, gamma)


@given(tokens=ANYTHING, gamma=ANYTHING)
def test_nothing_but_a_number_or_a_refusal_comes_out(tokens, gamma):
    for call in (implied_alpha, independent_tokens):
        with suppress(Refused):
            assert call(tokens, gamma) >= 0
