"""The cost model: the figures of the course, E against exact rationals, the peak against a scan."""

import dataclasses
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from specdec_widgets import CostModel, Refused, TypeRefused, ValueRefused
from tests.maths.anything import ANYTHING

ALPHAS = st.one_of(
    st.floats(min_value=0, max_value=1),
    st.floats(min_value=0, max_value=1e-6).map(lambda miss: 1 - miss),
)
GAMMAS = st.integers(min_value=0, max_value=32)
DRAFT_COSTS = st.floats(min_value=0, max_value=1)
VERIFY_COSTS = st.floats(min_value=0.01, max_value=3)
# Coarse values meet in ties far more often than floats at large.
COARSE = st.integers(min_value=0, max_value=20).map(lambda n: n / 20)


def exact_tokens(alpha, gamma):
    return sum((alpha**i for i in range(gamma + 1)), Fraction(0))


def exact_speedup(model, gamma):
    alpha, draft, verify = (
        Fraction(repr(v)) for v in (model.alpha, model.draft_cost, model.verify_cost)
    )
    return exact_tokens(alpha, gamma) / (gamma * draft + verify)


def exact_peak(model, last):
    speedups = [exact_speedup(model, gamma) for gamma in range(last + 1)]
    return speedups.index(max(speedups))


def test_the_defaults_read_aloud():
    model = CostModel()
    assert dataclasses.astuple(model) == (0.8, 4, 0.10, 1.00)
    assert model.series_terms == pytest.approx((1, 0.8, 0.64, 0.512, 0.4096))
    assert model.expected_tokens == pytest.approx(3.3616, rel=1e-15)
    assert model.round_cost == pytest.approx(1.40, rel=1e-15)
    assert model.speedup == pytest.approx(3.3616 / 1.4, rel=1e-15)
    assert f"{model.speedup:.2f}" == "2.40"
    assert f"{model.cost_per_token:.3f}" == "0.416"
    assert f"{model.ceiling_share:.1%}" == "67.2%"
    assert model.token_limit == 5


def test_guessing_further_is_not_always_better():
    far = CostModel(gamma=32)
    assert f"{far.expected_tokens:.3f}" == "4.997"
    assert f"{far.round_cost:.2f}" == "4.20"
    assert f"{far.speedup:.2f}" == "1.19"
    assert f"{CostModel(gamma=6).speedup:.2f}" == "2.47"


@pytest.mark.parametrize(
    ("change", "gamma"),
    [
        ({}, 6),
        ({"alpha": 0.4}, 2),
        ({"alpha": 0.9}, 10),
        ({"alpha": 0.95}, 15),
        ({"draft_cost": 0.01}, 14),
        ({"draft_cost": 0.25}, 3),
        ({"draft_cost": 0.99}, 0),
        ({"verify_cost": 1.50}, 7),
        ({"draft_cost": 1}, 0),
    ],
)
def test_what_moves_the_peak(change, gamma):
    best = CostModel(**change).best()
    assert best.gamma == gamma
    assert not best.at_edge


def test_a_free_draft_has_its_peak_on_the_edge_of_the_scan():
    best = CostModel(draft_cost=0).best()
    assert best == (32, CostModel(draft_cost=0, gamma=32).speedup, True)
    assert f"{best.speedup:.2f}" == "5.00"


def test_a_peak_on_the_last_gamma_is_at_the_edge_of_that_scan():
    assert CostModel().best(max_gamma=6) == (6, CostModel(gamma=6).speedup, True)
    assert CostModel().best(max_gamma=5)[::2] == (5, True)
    assert CostModel().best(max_gamma=7)[::2] == (6, False)
    assert CostModel().best(max_gamma=0)[::2] == (0, True)


@given(alpha=ALPHAS, gamma=GAMMAS)
def test_a_draft_as_dear_as_the_target_gains_the_share_of_the_ceiling_and_no_more(alpha, gamma):
    model = CostModel(alpha=alpha, gamma=gamma, draft_cost=1, verify_cost=1)
    assert model.speedup == model.ceiling_share <= 1
    assert model.best().gamma == 0


@given(alpha=ALPHAS, gamma=GAMMAS)
@example(alpha=1 - 1e-15, gamma=32)
@example(alpha=1 - 1e-9, gamma=32)
@example(alpha=1.0, gamma=32)
@example(alpha=0.0, gamma=32)
@example(alpha=5e-324, gamma=32)
def test_expected_tokens_are_right_to_1e_14(alpha, gamma):
    right = exact_tokens(Fraction(alpha), gamma)
    found = CostModel(alpha=alpha, gamma=gamma).expected_tokens
    assert abs(Fraction(found) - right) <= Fraction(1, 10**14) * right


def test_expected_tokens_near_alpha_1_where_the_closed_form_loses_digits():
    assert f"{CostModel(alpha=1 - 1e-9, gamma=32).expected_tokens:.9f}" == "32.999999472"


def test_landmarks():
    assert [CostModel(alpha=1, gamma=g).expected_tokens for g in range(33)] == list(range(1, 34))
    assert [CostModel(alpha=0, gamma=g).expected_tokens for g in range(33)] == [1] * 33
    assert CostModel(alpha=0.3, gamma=0).expected_tokens == 1
    assert CostModel(alpha=0, gamma=0).series_terms == (1,)


@pytest.mark.parametrize(
    ("alpha", "limit"), [(0, 1), (0.5, 2), (0.8, 5), (0.9, 10), (0.999999999, 1e9), (1, math.inf)]
)
def test_token_limit(alpha, limit):
    assert CostModel(alpha=alpha).token_limit == limit


@given(alpha=ALPHAS, gamma=GAMMAS)
def test_the_limit_is_e_and_all_that_follows_it(alpha, gamma):
    assume(alpha < 1)
    read, limit = Fraction(repr(alpha)), Fraction(CostModel(alpha=alpha).token_limit)
    whole = exact_tokens(read, gamma) + read ** (gamma + 1) * limit
    assert abs(limit - whole) <= Fraction(1, 10**15) * limit


@given(alpha=ALPHAS, gamma=GAMMAS, draft=DRAFT_COSTS, verify=VERIFY_COSTS)
def test_the_numbers_hang_together(alpha, gamma, draft, verify):
    model = CostModel(alpha, gamma, draft, verify)
    assert len(model.series_terms) == gamma + 1
    assert model.expected_tokens == math.fsum(model.series_terms)
    assert 1 <= model.expected_tokens <= gamma + 1
    assert model.expected_tokens <= model.token_limit * (1 + 1e-14)
    assert model.round_cost == gamma * draft + verify
    assert model.speedup == model.expected_tokens / model.round_cost
    assert model.cost_per_token == model.round_cost / model.expected_tokens
    assert model.ceiling_share == model.expected_tokens / (gamma + 1)


@given(alpha=ALPHAS, draft=DRAFT_COSTS, verify=VERIFY_COSTS, last=GAMMAS)
def test_the_curve_equals_the_models_own_numbers_to_the_digit(alpha, draft, verify, last):
    curve = CostModel(alpha, 4, draft, verify).curve(last)
    models = [CostModel(alpha, gamma, draft, verify) for gamma in range(last + 1)]
    expected = pd.DataFrame(
        {
            name: [getattr(m, name) for m in models]
            for name in ("expected_tokens", "round_cost", "speedup")
        },
        index=pd.Index(range(last + 1), name="gamma"),
    )
    pd.testing.assert_frame_equal(curve, expected, check_exact=True, check_index_type=False)


def test_the_curve_goes_to_32_and_further_when_asked():
    assert list(CostModel().curve().index) == list(range(33))
    assert len(CostModel().curve(1000)) == 1001
    pd.testing.assert_frame_equal(CostModel().curve(1000).loc[:32], CostModel().curve())


def test_a_changed_curve_changes_no_other():
    curve = CostModel().curve()
    curve.loc[:, :] = 0
    assert CostModel().curve()["speedup"].max() > 2


@given(alpha=ALPHAS, draft=DRAFT_COSTS, verify=VERIFY_COSTS, last=GAMMAS)
def test_best_is_the_peak_of_an_exact_scan(alpha, draft, verify, last):
    model = CostModel(alpha, 4, draft, verify)
    best = model.best(last)
    assert best.gamma == exact_peak(model, last)
    assert best.speedup == CostModel(alpha, best.gamma, draft, verify).speedup
    assert best.at_edge == (best.gamma == last)


@given(alpha=COARSE, draft=COARSE, verify=COARSE, last=st.integers(min_value=0, max_value=12))
@example(alpha=0.2, draft=0.3, verify=1.5, last=12)
def test_best_is_the_smallest_gamma_on_a_tie(alpha, draft, verify, last):
    assume(verify > 0)
    model = CostModel(alpha, 4, draft, verify)
    assert model.best(last).gamma == exact_peak(model, last)


@pytest.mark.parametrize(
    ("change", "gamma"),
    [
        # E(1) / cost(1) = 2 / 0.2 = 1 / 0.1, a tie that floats decide by their last digit
        ({"alpha": 1, "draft_cost": 0.1, "verify_cost": 0.1}, 0),
        ({"alpha": 0.2, "draft_cost": 0.3, "verify_cost": 1.5}, 0),
        ({"alpha": 0, "draft_cost": 0}, 0),
        # E grows to the end of the scan, though its float does not
        ({"alpha": 0.2, "draft_cost": 0}, 32),
        ({"alpha": 5e-324, "draft_cost": 0}, 32),
        ({"alpha": 1 - 2**-53, "draft_cost": 5e-324, "verify_cost": 3}, 32),
    ],
)
def test_best_decides_in_exact_arithmetic(change, gamma):
    assert CostModel(**change).best().gamma == gamma


def test_best_goes_as_far_as_1000():
    assert CostModel(alpha=0.999, draft_cost=0.0001).best(1000)[::2] == (1000, True)
    assert CostModel(alpha=0.99, draft_cost=0.001).best(1000) == (
        exact_peak(CostModel(alpha=0.99, draft_cost=0.001), 300),
        CostModel(alpha=0.99, draft_cost=0.001).curve(300)["speedup"].max(),
        False,
    )


def test_a_model_is_immutable_and_a_value():
    model = CostModel(0.8, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.alpha = 0.5
    assert model == CostModel(Fraction(4, 5), np.int64(4)) and hash(model) == hash(CostModel())
    assert pickle.loads(pickle.dumps(model)) == model
    assert dataclasses.replace(model, gamma=6).best() == model.best()


def test_numbers_of_every_kind_become_plain_ones():
    model = CostModel(np.float32(0.8), np.int16(4), Fraction(1, 10), np.float64(1))
    assert model == CostModel()
    assert [type(v) for v in dataclasses.astuple(model)] == [float, int, float, float]


@pytest.mark.parametrize(
    ("argument", "value", "sentence"),
    [
        ("alpha", 7, "alpha must lie between 0 and 1, not 7."),
        ("alpha", -0.1, "alpha must lie between 0 and 1, not -0.1."),
        ("alpha", math.nan, "alpha must be a finite number, not nan."),
        ("gamma", 33, "gamma must lie between 0 and 32, not 33."),
        ("gamma", -1, "gamma must lie between 0 and 32, not -1."),
        ("draft_cost", 1.1, "draft_cost must lie between 0 and 1, not 1.1."),
        ("draft_cost", math.inf, "draft_cost must be a finite number, not inf."),
        ("verify_cost", 0, "verify_cost must lie between 0.01 and 3, not 0."),
        ("verify_cost", 3.5, "verify_cost must lie between 0.01 and 3, not 3.5."),
    ],
)
def test_a_value_out_of_range_is_refused_in_one_sentence(argument, value, sentence):
    with pytest.raises(ValueRefused) as refused:
        CostModel(**{argument: value})
    assert str(refused.value) == sentence
    assert refused.value.fields["argument"] == argument


@pytest.mark.parametrize("argument", ["alpha", "gamma", "draft_cost", "verify_cost"])
@pytest.mark.parametrize("value", ["0.8", "1", True, None, [1], 1j])
def test_a_value_of_another_type_is_refused(argument, value):
    with pytest.raises(TypeRefused, match=f"^{argument} must be a "):
        CostModel(**{argument: value})


def test_gamma_is_whole():
    with pytest.raises(TypeRefused, match=r"^gamma must be a whole number, not 4\.0\.$"):
        CostModel(gamma=4.0)


@pytest.mark.parametrize("method", ["curve", "best"])
def test_a_scan_is_asked_for_in_whole_numbers_up_to_1000(method):
    scan = getattr(CostModel(), method)
    with pytest.raises(ValueRefused, match=r"^max_gamma must lie between 0 and 1000, not 1001\.$"):
        scan(1001)
    with pytest.raises(ValueRefused, match=r"^max_gamma"):
        scan(max_gamma=-1)
    with pytest.raises(TypeRefused, match=r"^max_gamma must be a whole number"):
        scan(32.0)


@given(alpha=ANYTHING, gamma=ANYTHING, draft=ANYTHING, verify=ANYTHING)
def test_nothing_but_a_model_or_a_refusal_comes_out(alpha, gamma, draft, verify):
    for fields in (
        {"alpha": alpha},
        {"gamma": gamma},
        {"draft_cost": draft},
        {"verify_cost": verify},
    ):
        try:
            model = CostModel(**fields)
        except Refused as error:
            assert str(error).startswith(next(iter(fields))) and str(error).endswith(".")
        else:
            assert not model.curve(3).isna().any(axis=None)
            assert model.best(3).gamma in range(4)
