"""Fitted costs: recovered from exact runs, the normal equations, and what cannot be told."""

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused, TypeRefused, ValueRefused, published_servers
from specdec_widgets.maths.cost_fit import fit_costs
from tests.maths.anything import ANYTHING

GAMMAS = st.lists(st.integers(0, 12), min_size=2, max_size=8).filter(lambda g: len(set(g)) > 1)


def runs(gammas, alpha, draft, verify):
    models = [CostModel(alpha, gamma, draft, verify) for gamma in gammas]
    return [m.expected_tokens for m in models], [m.speedup for m in models]


@given(
    gammas=GAMMAS,
    alpha=st.floats(0, 1),
    draft=st.floats(0, 1),
    verify=st.floats(min_value=0.1, max_value=3),
)
def test_the_costs_of_runs_that_follow_the_model_come_back(gammas, alpha, draft, verify):
    fit = fit_costs(gammas, *runs(gammas, alpha, draft, verify))
    assert fit.draft_cost == pytest.approx(draft, abs=1e-9)
    assert fit.verify_cost == pytest.approx(verify, abs=1e-9)
    assert fit.rms_residual < 1e-9
    assert fit.table["fitted_speedup"].to_numpy() == pytest.approx(fit.table["speedup"])


@given(
    gammas=GAMMAS,
    shares=st.lists(st.floats(0, 1), min_size=8, max_size=8),
    speedups=st.lists(st.floats(min_value=0.05, max_value=20), min_size=8, max_size=8),
)
def test_the_line_solves_the_normal_equations(gammas, shares, speedups):
    lengths = [1 + g * share for g, share in zip(gammas, shares, strict=False)]
    fit = fit_costs(gammas, lengths, speedups[: len(gammas)])
    residual, size = fit.table["residual"].to_numpy(), fit.table["round_cost"].max()
    assert math.fsum(residual) == pytest.approx(0, abs=1e-9 * size)
    assert math.fsum(residual * np.array(gammas)) == pytest.approx(0, abs=1e-8 * size)
    table = fit.table
    assert table["round_cost"].tolist() == [a / b for a, b in zip(lengths, speedups, strict=False)]
    assert table["fitted"].to_numpy() == pytest.approx(
        fit.verify_cost + np.array(gammas) * fit.draft_cost
    )
    assert fit.rms_residual == pytest.approx(math.hypot(*residual) / len(gammas) ** 0.5)
    assert fit.is_plausible == (fit.draft_cost >= 0 and fit.verify_cost > 0)


@given(gammas=GAMMAS)
def test_the_condition_is_that_of_the_two_columns(gammas):
    # Eigenvalues of the matrix of their products, by its trace and determinant.
    count, total, squares = len(gammas), sum(gammas), sum(g * g for g in gammas)
    trace, determinant = count + squares, count * squares - total**2
    root = math.sqrt(trace**2 - 4 * determinant)
    largest = (trace + root) / 2
    condition = largest / math.sqrt(determinant)  # sqrt(largest / smallest)
    assert fit_costs(gammas, [1] * count, [1] * count).condition == pytest.approx(condition)


@given(gammas=GAMMAS, draft=st.floats(0, 0.5), growth=st.floats(0, 0.5))
def test_a_verify_pass_that_grows_cannot_be_told_from_the_draft(gammas, draft, growth):
    lengths = [CostModel(0.8, gamma).expected_tokens for gamma in gammas]
    speedups = [
        length / (1 + g * growth + g * draft) for g, length in zip(gammas, lengths, strict=True)
    ]
    assert fit_costs(gammas, lengths, speedups).draft_cost == pytest.approx(draft + growth)


@pytest.mark.parametrize(
    ("source", "draft", "verify", "rms"),
    [("vllm issue 20780", 0.1047, 1.0871, 0.0071), ("llama.cpp PR 22673", 0.5247, 1.0234, 0.0158)],
)
def test_published_servers(source, draft, verify, rms):
    table = published_servers()
    rows = table[table["source"] == source]
    fit = fit_costs(rows["gamma"].tolist(), rows["acceptance_length"], rows["speedup"])
    assert round(fit.draft_cost, 4) == draft
    assert round(fit.verify_cost, 4) == verify
    assert round(fit.rms_residual, 4) == rms
    assert fit.is_plausible


def test_milliseconds_say_the_same_as_speedups():
    by_time = fit_costs(
        [2, 3, 4], [2.1, 2.29, 2.39], ms_per_token=[4.37, 4.29, 4.48], plain_ms=7.07
    )
    by_speed = fit_costs([2, 3, 4], [2.1, 2.29, 2.39], [7.07 / 4.37, 7.07 / 4.29, 7.07 / 4.48])
    assert by_time.table.equals(by_speed.table)


def test_a_negative_cost_is_reported_and_not_corrected():
    fit = fit_costs([1, 3], [1.5, 1.5], [1.0, 3.0])
    assert fit.draft_cost == pytest.approx(-0.5)
    assert fit.verify_cost == pytest.approx(2)
    assert not fit.is_plausible
    assert not fit_costs([1, 2], [1.0, 2.0], [1.0, 0.5]).is_plausible


def test_a_line_below_zero_has_no_speedup():
    fit = fit_costs([0, 1, 1, 9], [1, 1, 1, 1], [1000, 1000, 1000, 0.1])
    assert fit.table["fitted"].min() < 0
    assert fit.table["fitted_speedup"].isna().tolist() == (fit.table["fitted"] <= 0).tolist()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([3, 3], [2, 2], [1, 1]), "gammas must hold at least two different numbers, not [3, 3]."),
        (([], [], []), "gammas must hold at least two different numbers, not []."),
        (
            ([1, 2], [1.5], [1, 1]),
            "acceptance_lengths must have as many entries as gammas, 2, not 1.",
        ),
        (([1, 2], [1.5, 3.5], [1, 1]), "acceptance_lengths[1] must lie between 1 and 3, not 3.5."),
        (([1, 2], [1.5, 2], [1, 0]), "speedups[1] must lie between 0.001 and 1000, not 0."),
        (
            ([1, 2], [1.8, 2.4], [1.5, 1e-308]),
            "speedups[1] must lie between 0.001 and 1000, not 1e-308.",
        ),
    ],
)
def test_what_cannot_be_fitted_is_refused(arguments, sentence):
    with pytest.raises(ValueRefused) as refused:
        fit_costs(*arguments)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("times", "plain", "sentence"),
    [
        ([1e-309, 1], 1, "ms_per_token[0] must lie between 0.000001 and 1000000, not 1e-309."),
        ([1, 1], 1e-309, "plain_ms must lie between 0.000001 and 1000000, not 1e-309."),
        (
            [5, 0.004],
            5,
            "plain_ms / ms_per_token[1] must lie between 0.001 and 1000, not 1250.0.",
        ),
    ],
)
def test_milliseconds_make_no_speedup_that_could_not_be_typed(times, plain, sentence):
    with pytest.raises(ValueRefused) as refused:
        fit_costs([1, 2], [1.8, 2.4], ms_per_token=times, plain_ms=plain)
    assert str(refused.value) == sentence


def test_speed_is_given_in_one_way():
    with pytest.raises(ValueRefused) as refused:
        fit_costs([1, 2], [1, 2])
    assert str(refused.value) == (
        "speedups must be given, or ms_per_token, plain_ms instead; all of these are None."
    )
    with pytest.raises(ValueRefused, match=r"^plain_ms must be left out"):
        fit_costs([1, 2], [1, 2], [1, 1], plain_ms=3)
    with pytest.raises(TypeRefused, match=r"^plain_ms must be a number"):
        fit_costs([1, 2], [1, 2], ms_per_token=[1, 1])
    with pytest.raises(TypeRefused, match=r"^ms_per_token must be a sequence"):
        fit_costs([1, 2], [1, 2], plain_ms=3)


@given(st.lists(ANYTHING, min_size=5, max_size=5))
def test_nothing_but_a_fit_or_a_refusal_comes_out(values):
    a, b, c, d, e = values
    for call in (
        lambda: fit_costs(a, b, c),
        lambda: fit_costs(a, b, ms_per_token=d, plain_ms=e),
        lambda: fit_costs([1, 2], [1, 2], [a, b]),
        lambda: fit_costs([1, 2], [1, 2], ms_per_token=[a, b], plain_ms=c),
        lambda: fit_costs([a, b], [1, 1], [1, 1]),
    ):
        with suppress(Refused):
            assert math.isfinite(call().draft_cost)
