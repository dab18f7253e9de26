"""Falling acceptance: the cost model where it does not fall, exact rationals where it does."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused
from specdec_widgets.maths.acceptance import FallingAcceptance
from tests.maths.anything import ANYTHING

COARSE = st.integers(min_value=0, max_value=20).map(lambda n: n / 20)
VERIFY = st.integers(min_value=1, max_value=60).map(lambda n: n / 20)
RATES = st.lists(COARSE, min_size=1, max_size=32)


def exact_tokens(rates, gamma):
    product, total = Fraction(1), Fraction(1)
    for rate in rates[:gamma]:
        product *= Fraction(repr(rate))
        total += product
    return total


@given(alpha=st.floats(min_value=0, max_value=1), draft=COARSE, verify=VERIFY)
def test_constant_rates_are_the_cost_model(alpha, draft, verify):
    constant = FallingAcceptance.decaying(alpha, 1)
    model = CostModel(alpha, 4, draft, verify)
    curve, expected = constant.curve(draft, verify), model.curve()
    for column in ("expected_tokens", "round_cost", "speedup"):
        assert curve[column].to_numpy() == pytest.approx(expected[column].to_numpy(), rel=1e-14)
    best = constant.best(draft, verify)
    assert (best.gamma, best.at_edge) == model.best()[::2]
    assert best.speedup == pytest.approx(model.best().speedup, rel=1e-14)


@given(rates=RATES, draft=COARSE, verify=VERIFY)
def test_the_curve_and_its_peak_are_those_of_exact_rationals(rates, draft, verify):
    falling = FallingAcceptance(rates)
    tokens = [exact_tokens(rates, gamma) for gamma in range(len(rates) + 1)]
    costs = [g * Fraction(repr(draft)) + Fraction(repr(verify)) for g in range(len(rates) + 1)]
    speedups = [e / c for e, c in zip(tokens, costs, strict=True)]
    curve = falling.curve(draft, verify)
    assert curve["expected_tokens"].tolist() == pytest.approx([float(e) for e in tokens], rel=1e-14)
    assert curve["speedup"].tolist() == pytest.approx([float(s) for s in speedups], rel=1e-14)
    assert falling.best(draft, verify).gamma == speedups.index(max(speedups))


@given(rates=RATES)
def test_the_numbers_hang_together(rates):
    falling = FallingAcceptance(rates)
    assert falling.conditional == tuple(rates)
    assert falling.joint == pytest.approx(np.cumprod(rates), rel=1e-13)
    for gamma in range(len(rates) + 1):
        assert falling.expected_tokens(gamma) == pytest.approx(1 + sum(falling.joint[:gamma]))
    curve = falling.curve()
    assert list(curve.index) == list(range(len(rates) + 1))
    assert curve["joint"].tolist()[1:] == list(falling.joint)
    assert curve["conditional"].tolist()[1:] == list(falling.conditional)
    assert np.isnan(curve.loc[0, ["conditional", "joint"]].astype(float)).all()


@given(start=COARSE, decay=COARSE, positions=st.integers(min_value=1, max_value=32))
def test_decaying(start, decay, positions):
    falling = FallingAcceptance.decaying(start, decay, positions)
    expected = [Fraction(repr(start)) * Fraction(repr(decay)) ** i for i in range(positions)]
    assert falling.rates == tuple(expected)


def test_a_faster_decay_wants_a_smaller_gamma():
    best = [FallingAcceptance.decaying("0,8", decay).best().gamma for decay in (1, 0.9, 0.7, 0.2)]
    assert best == [6, 4, 2, 1]


def test_the_edge_and_the_tie():
    assert FallingAcceptance([1, 1]).best()[::2] == (2, True)
    assert FallingAcceptance([1, 0, 0]).best()[::2] == (1, False)
    # E / cost is 2 / 0.2 at gamma 1 and 1 / 0.1 at gamma 0
    assert FallingAcceptance([1]).best(0.1, 0.1).gamma == 0


def test_a_value():
    falling = FallingAcceptance([0.8, "4/5", "0,8"])
    assert falling == FallingAcceptance([Fraction(4, 5)] * 3)
    assert hash(falling) == hash(FallingAcceptance(["0.8"] * 3))
    assert pickle.loads(pickle.dumps(falling)) == falling


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: FallingAcceptance([]), "number of rates must lie between 1 and 32, not 0."),
        (lambda: FallingAcceptance([0.5] * 33), "number of rates must lie between 1 and 32"),
        (lambda: FallingAcceptance([0.5, 1.5]), "rates[1] must lie between 0 and 1, not 1.5."),
        (lambda: FallingAcceptance("0.5"), "rates must be a sequence such as a list, not '0.5'."),
        (lambda: FallingAcceptance.decaying(2, 1), "start must lie between 0 and 1, not 2."),
        (lambda: FallingAcceptance.decaying(1, -1), "decay must lie between 0 and 1, not -1."),
        (lambda: FallingAcceptance.decaying(1, 1, 33), "positions must lie between 1 and 32"),
        (lambda: FallingAcceptance([1]).expected_tokens(2), "gamma must lie between 0 and 1"),
        (lambda: FallingAcceptance([1]).curve(2), "draft_cost must lie between 0 and 1, not 2."),
        (lambda: FallingAcceptance([1]).best(0, 0), "verify_cost must lie between 0.01 and 3"),
    ],
)
def test_what_is_refused(call, start):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value).startswith(start)


@given(ANYTHING)
def test_nothing_but_rates_or_a_refusal_comes_out(value):
    for build in (lambda: FallingAcceptance([value]), lambda: FallingAcceptance(value)):
        try:
            assert 0 <= build().joint[-1] <= 1
        except Refused as error:
            assert str(error).endswith(".")
