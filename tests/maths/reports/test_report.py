"""The report: E and advice from joint acceptance, against a count of rounds and an exact scan."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import (
    Caveat,
    Contradiction,
    CostModel,
    Refused,
    Report,
    TypeRefused,
    ValueRefused,
    report_from_counts,
    report_from_histogram,
    report_from_rates,
)
from tests.maths.anything import ANYTHING

HISTOGRAMS = st.lists(st.integers(0, 50), min_size=2, max_size=9).filter(any)
COSTS = st.integers(1, 20).map(lambda n: n / 20)
FALLING = st.lists(st.floats(0, 1), min_size=1, max_size=8).map(lambda r: sorted(r, reverse=True))


def outcomes(histogram):
    """The rounds of a histogram one by one: how many tokens each accepted."""
    return [accepted for accepted, times in enumerate(histogram) for _ in range(times)]


@given(HISTOGRAMS)
def test_a_histogram_is_counted_round_by_round(histogram):
    report, rounds = report_from_histogram(histogram), outcomes(histogram)
    gamma = len(histogram) - 1
    assert (report.rounds, report.accepted, report.gamma) == (len(rounds), sum(rounds), gamma)
    assert report.drafted == len(rounds) * gamma
    assert report.acceptance_rate == sum(rounds) / (len(rounds) * gamma)
    assert report.mean_acceptance_length == pytest.approx(np.mean([n + 1 for n in rounds]))
    reached = [sum(n >= i for n in rounds) for i in range(gamma + 1)]
    assert report.joint_acceptance == tuple(n / len(rounds) for n in reached[1:])
    for i, share in enumerate(report.conditional_acceptance):
        assert share == (pytest.approx(reached[i + 1] / reached[i]) if reached[i] else None)


@given(histogram=HISTOGRAMS)
def test_a_smaller_gamma_yields_what_the_same_rounds_would_have_yielded(histogram):
    report, rounds = report_from_histogram(histogram), outcomes(histogram)
    for gamma in range(len(histogram)):
        cut = np.mean([min(n, gamma) + 1 for n in rounds])
        assert report.expected_tokens(gamma) == pytest.approx(cut)
    assert report.expected_tokens(len(histogram)) is None


@given(alpha=st.floats(0, 1), gamma=st.integers(1, 12), draft=COSTS, verify=COSTS)
def test_independent_positions_give_back_the_cost_model(alpha, gamma, draft, verify):
    report = report_from_rates([alpha**i for i in range(1, gamma + 1)])
    assert report.implied_alpha == pytest.approx(alpha, abs=1e-9)
    curve = report.curve(draft, verify)
    model = CostModel(alpha, gamma, draft, verify).curve(gamma)
    assert curve["expected_tokens"].to_numpy() == pytest.approx(model["expected_tokens"])
    assert curve["independent_tokens"].to_numpy() == pytest.approx(
        model["expected_tokens"], abs=1e-8
    )
    assert curve["speedup"].to_numpy() == pytest.approx(model["speedup"])
    assert (curve["basis"] == "measured").all()
    assert report.measured_gamma == gamma
    further = report.curve(draft, verify, gamma + 3)
    expected = CostModel(alpha, gamma, draft, verify).curve(gamma + 3)
    for column in further.columns.drop("basis"):
        one = column.replace("independent_tokens", "expected_tokens").removeprefix("independent_")
        assert further[column].to_numpy() == pytest.approx(expected[one], rel=1e-6), column


@given(rounds=st.lists(st.integers(0, 9), min_size=1), more=st.integers(0, 9))
def test_two_counts_are_those_of_full_drafts(rounds, more):
    gamma = max(rounds) + more or 1
    report = report_from_counts(sum(rounds), gamma * len(rounds), gamma)
    assert report.rounds == len(rounds) and report.measured_gamma == gamma
    assert report.acceptance_rate == sum(rounds) / (gamma * len(rounds))
    assert report.mean_acceptance_length == pytest.approx(np.mean([n + 1 for n in rounds]))
    model = CostModel(report.implied_alpha)
    assert report.curve(max_gamma=gamma + 2)["expected_tokens"].to_numpy() == pytest.approx(
        model.curve(gamma + 2)["expected_tokens"]
    )


@given(FALLING)
def test_independence_meets_the_measured_curve_at_the_measured_gamma(rates):
    curve = report_from_rates(rates).curve()
    assert curve["independent_tokens"].iloc[-1] == pytest.approx(curve["expected_tokens"].iloc[-1])


@given(rates=FALLING, draft=COSTS, verify=COSTS)
def test_best_is_the_peak_of_an_exact_scan(rates, draft, verify):
    exact = [Fraction(1)]
    for rate in rates:
        exact.append(exact[-1] + Fraction(rate))
    speedups = [e / (Fraction(verify) + g * Fraction(draft)) for g, e in enumerate(exact)]
    best = report_from_rates(rates).best(draft, verify)
    assert best.speedup == pytest.approx(float(max(speedups)))
    assert float(speedups[best.gamma]) == pytest.approx(float(max(speedups)), rel=1e-11)
    assert best.at_edge == (best.gamma == len(rates)) and best.basis == "measured"


def test_the_smallest_gamma_wins_a_tie():
    # 1.1 / 1.1 at gamma 1 is 1 / 1 at gamma 0, which floats may decide by their last digit.
    assert report_from_rates([0.1]).best(draft_cost=0.1, verify_cost=1).gamma == 0
    assert report_from_rates([0.3]).best(draft_cost=0.3, verify_cost=1).gamma == 0


@given(rates=FALLING, draft=COSTS, alpha=st.one_of(st.none(), st.floats(0, 1)))
def test_trusting_one_alpha_never_gains(rates, draft, alpha):
    report = report_from_rates(rates)
    trust = report.trusting(alpha, draft)
    curve = report.curve(draft)
    model = CostModel(trust.alpha, draft_cost=draft)
    assert trust.alpha == (report.implied_alpha if alpha is None else alpha)
    assert trust.gamma == model.best(len(rates)).gamma
    assert trust.promised == model.curve(len(rates)).loc[trust.gamma, "speedup"]
    assert trust.speedup == curve.loc[trust.gamma, "speedup"]
    assert trust.best_gamma == report.best(draft).gamma
    assert 0 <= trust.loss == pytest.approx(curve["speedup"].max() - trust.speedup, abs=1e-9)


def test_the_acceptance_rate_is_not_an_alpha():
    # Perfect for two positions and hopeless after: 210 of 600, and gamma 2 gives 3 tokens.
    report = report_from_histogram([0, 0, 90, 10, 0, 0, 0])
    trust = report.trusting(report.acceptance_rate, draft_cost=0.2)
    assert trust.alpha == 0.35 and (trust.gamma, trust.best_gamma) == (1, 2)
    assert trust.promised == pytest.approx(1.35 / 1.2) and trust.speedup == pytest.approx(2 / 1.2)
    assert trust.loss == pytest.approx(3 / 1.4 - 2 / 1.2)


def test_what_lies_past_the_measured_gamma_is_marked():
    report = report_from_rates([0.8, 0.6])
    curve = report.curve(max_gamma=4)
    assert curve["basis"].tolist() == ["measured"] * 3 + ["extrapolated"] * 2
    # the conditional acceptance of the last position, 0.75, holds on
    assert curve["expected_tokens"].tolist() == pytest.approx([1, 1.8, 2.4, 2.85, 3.1875])
    assert report.best(draft_cost=0.01).at_edge
    further = report.best(draft_cost=0.01, max_gamma=30)
    assert further.basis == "extrapolated" and not further.at_edge


def test_where_only_the_length_is_known_the_middle_is_independence():
    report = report_from_counts(208, 260, gamma=5)
    curve = report.curve(max_gamma=7)
    assert curve["basis"].tolist() == (
        ["measured"] + ["independence"] * 4 + ["measured"] + ["extrapolated"] * 2
    )
    model = CostModel(report.implied_alpha).curve(7)["expected_tokens"]
    assert curve["expected_tokens"].to_numpy() == pytest.approx(model)
    assert report.expected_tokens(5) == 5 and report.expected_tokens(4) is None
    assert report.trusting() is None


def test_nothing_is_claimed_where_nothing_is_known():
    report = report_from_counts(208, 260)
    assert report.acceptance_rate == 0.8
    for unknown in ("rounds", "mean_acceptance_length", "gamma", "implied_alpha"):
        assert getattr(report, unknown) is None
    assert report.joint_acceptance is report.conditional_acceptance is None
    assert report.best() is None and report.best(max_gamma=8) is None
    curve = report.curve(max_gamma=2)
    assert curve["basis"].tolist() == ["measured", "unknown", "unknown"]
    assert curve["expected_tokens"].isna().tolist() == [False, True, True]
    assert curve["independent_tokens"].isna().tolist() == [False, True, True]
    assert len(report.positions) == 0


def test_origin_tells_what_was_printed_from_what_was_computed():
    assert report_from_counts(208, 260, gamma=5).origin == {
        "rounds": "derived",
        "drafted": "reported",
        "accepted": "reported",
        "acceptance_rate": "derived",
        "mean_acceptance_length": "derived",
        "gamma": "given",
    }
    assert report_from_rates([0.8]).origin["joint_acceptance"] == "reported"
    assert set(report_from_histogram([1, 2]).origin.values()) == {"derived"}


@given(FALLING)
def test_positions_multiply_up_to_the_joint_acceptance(rates):
    report = report_from_rates(rates)
    table = report.positions
    assert table.index.tolist() == list(range(1, len(rates) + 1))
    assert table["joint"].tolist() == rates
    reached = 1.0
    for joint, conditional in zip(rates, table["conditional"], strict=True):
        assert (
            math.isnan(conditional)
            if not reached
            else joint == pytest.approx(reached * conditional)
        )
        reached = joint
    assert table["independent"].sum() == pytest.approx(sum(rates))
    assert table["independent"].tolist() == pytest.approx(
        np.cumprod([report.implied_alpha] * len(rates))
    )


@given(st.lists(st.sampled_from([Caveat("{n}", n=1), Contradiction("{n}", n=2)])))
def test_every_finding_is_one_of_two(findings):
    report = Report(findings=tuple(findings))
    assert [str(found) for found in report.caveats] == ["1"] * len(report.caveats)
    assert [str(found) for found in report.contradictions] == ["2"] * len(report.contradictions)
    assert len(report.caveats) + len(report.contradictions) == len(findings)


def test_positions_stand_beside_independence():
    table = report_from_rates([0.8, 0.4]).positions
    assert table.index.tolist() == [1, 2] and table["joint"].tolist() == [0.8, 0.4]
    assert table["conditional"].tolist() == [0.8, 0.5]
    assert table["independent"].sum() == pytest.approx(1.2)


def test_contradictions_are_shown_and_not_repaired():
    rising = report_from_rates([0.5, 0.7])
    assert rising.joint_acceptance == (0.5, 0.7)
    assert [str(found) for found in rising.contradictions] == [
        "Position 2 has the acceptance 0.7, more than 0.5 before it: a joint acceptance can only "
        "fall."
    ]
    assert rising.contradictions[0].fields == {"position": 2, "after": 0.7, "before": 0.5}
    more = report_from_counts(300, 260, gamma=5)
    assert (more.accepted, more.drafted) == (300, 260) and more.implied_alpha is None
    assert [type(found) for found in more.findings] == [Contradiction, Caveat]


def test_rounds_are_not_claimed_where_drafts_were_shorter():
    report = report_from_counts(154, 159, gamma=16)
    assert report.rounds is report.mean_acceptance_length is report.implied_alpha is None
    assert [str(found) for found in report.caveats] == [
        "The draft tokens, 159, are no multiple of gamma 16: some drafts were shorter, and the "
        "rounds were 10 or more."
    ]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: report_from_rates([0.5, 1.5]),
            "joint_acceptance[1] must lie between 0 and 1, not 1.5.",
        ),
        (
            lambda: report_from_rates([]),
            "joint_acceptance must have between 1 and 1000 entries, not 0.",
        ),
        (
            lambda: report_from_histogram([5]),
            "rounds must have between 2 and 1001 entries, not 1.",
        ),
        (lambda: report_from_histogram([0, 0]), "rounds must not all be 0."),
        (lambda: report_from_counts(1, 2, gamma=0), "gamma must lie between 1 and 1000, not 0."),
        (lambda: Report().expected_tokens(-1), "gamma must lie between 0 and 1000, not -1."),
        (
            lambda: Report().curve(max_gamma=1001),
            "max_gamma must lie between 0 and 1000, not 1001.",
        ),
        (lambda: Report().curve(draft_cost=2), "draft_cost must lie between 0 and 1, not 2."),
    ],
)
def test_a_value_out_of_range_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueRefused) as refused:
        call()
    assert str(refused.value) == sentence


def test_a_value_of_another_type_is_refused():
    for call in (
        lambda: report_from_rates("0.8"),
        lambda: report_from_histogram(3),
        lambda: report_from_histogram([1.0, 2.0]),
        lambda: report_from_counts("1", 2),
        lambda: Report().expected_tokens(1.0),
    ):
        with pytest.raises(TypeRefused):
            call()


@given(st.lists(ANYTHING, min_size=3, max_size=3))
def test_nothing_but_a_report_or_a_refusal_comes_out(values):
    a, b, c = values
    for make in (
        lambda: report_from_rates(values),
        lambda: report_from_rates(a),
        lambda: report_from_histogram(values),
        lambda: report_from_histogram(a),
        lambda: report_from_counts(a, b, c),
        lambda: report_from_counts(1, 2, c),
        lambda: Report(joint_acceptance=(0.5,)).curve(a, b, c),
        lambda: Report(joint_acceptance=(0.5,)).trusting(a, b, c),
        lambda: Report(joint_acceptance=(0.5,)).expected_tokens(a),
    ):
        try:
            made = make()
        except Refused as error:
            assert str(error).endswith(".")
        else:
            if isinstance(made, Report):
                assert math.isfinite(made.curve(max_gamma=3)["round_cost"].sum())
