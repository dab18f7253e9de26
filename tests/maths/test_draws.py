"""Draws by the rule approach p; draws by the bug approach something else, known exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused, SamplingRule
from specdec_widgets.maths.draws import draw_tokens, redraw_bug

WEATHER = SamplingRule(
    ["0.50", "0.25", "0.15", "0.10"],
    ["0.40", "0.30", "0.20", "0.10"],
    ["mưa", "nắng", "gió", "bão"],
)
WEIGHTS = st.lists(st.integers(min_value=0, max_value=9), min_size=4, max_size=4).filter(any)
RATIONALS = WEIGHTS.map(lambda w: [Fraction(n, sum(w)) for n in w])


def test_the_bug_by_hand():
    assert redraw_bug(SamplingRule(["0.9", "0.1"], ["0.6", "0.4"])) == (
        Fraction(87, 100),
        Fraction(13, 100),
    )
    assert redraw_bug(WEATHER) == tuple(
        Fraction(n, 1000) for n in (400 + 50, 250 + 25, 150 + 15, 100 + 10)
    )


@given(p=RATIONALS, q=RATIONALS)
def test_the_bug_is_a_distribution_and_right_only_where_q_is_p_scaled(p, q):
    bug = redraw_bug(SamplingRule(p, q))
    assert sum(bug) == 1
    # Every way of drawing, added up: accepted, or rejected and drawn from p.
    expected = [Fraction(0)] * 4
    for x in range(4):
        accept = min(Fraction(1), p[x] / q[x]) if q[x] else 0
        expected[x] += q[x] * accept
        for y in range(4):
            expected[y] += q[x] * (1 - accept) * p[y]
    assert bug == tuple(expected)
    ratios = {b / a for a, b in zip(p, q, strict=True) if a}
    assert (bug == tuple(p)) == (len(ratios) == 1)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_frequencies_are_within_four_standard_errors(seed):
    drawn = draw_tokens(WEATHER, 20_000, seed)
    table = drawn.table
    for exact, counted in (("p", "frequency"), ("bug", "bug_frequency")):
        p = table[exact].map(float)
        # 24 comparisons at 4 standard errors: one seed in 650 would fail.
        assert ((table[counted] - p).abs() < 4 * np.sqrt(p * (1 - p) / 20_000)).all()
    # The first token is 0.5 by the rule and 0.45 by the bug: 14 standard errors apart.
    assert table["frequency"][0] - table["bug_frequency"][0] > 0.03
    assert drawn.acceptance == pytest.approx(0.9, abs=4 * (0.09 / 20_000) ** 0.5)


@given(p=RATIONALS, q=RATIONALS, seed=st.integers(0, 2**32 - 1))
def test_nothing_impossible_is_drawn_and_what_is_accepted_is_shared(p, q, seed):
    rule = SamplingRule(p, q)
    drawn = draw_tokens(rule, 50, seed)
    assert all(p[token] > 0 for token in drawn.drawn)
    assert all(redraw_bug(rule)[token] > 0 for token in drawn.bugged)
    assert (drawn.drawn == drawn.bugged)[drawn.accepted].all()
    assert all(rule.residual[token] > 0 for token in drawn.drawn[~drawn.accepted])
    if p == q:
        assert drawn.accepted.all()


@given(p=RATIONALS, q=RATIONALS, seed=st.integers(0, 2**32 - 1))
def test_the_draws_are_those_of_one_token_at_a_time(p, q, seed):
    rule = SamplingRule(p, q)
    rng = np.random.default_rng(seed)
    chances = zip(*(rng.random(30).tolist() for _ in range(3)), strict=True)

    def inverse(weights, u):
        return next(i for i in range(4) if sum(weights[: i + 1]) / sum(weights) > u)

    expected = []
    for first, second, third in chances:
        x = inverse(q, first)
        if second < p[x] / q[x]:
            expected.append((x, x, True))
        else:
            residual = [max(Fraction(0), a - b) for a, b in zip(p, q, strict=True)]
            expected.append((inverse(residual, third), inverse(p, third), False))
    drawn = draw_tokens(rule, 30, seed)
    found = zip(drawn.drawn, drawn.bugged, drawn.accepted, strict=True)
    assert [tuple(draw) for draw in found] == expected
    assert drawn.acceptance == sum(accepted for *_, accepted in expected) / 30


@pytest.mark.parametrize("least", [0.0, 1 - 2**-53])
def test_nothing_impossible_is_drawn_at_either_end_of_the_chances(monkeypatch, least):
    class Extreme:
        def random(self, count):
            return np.full(count, least)

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Extreme())
    drawn = draw_tokens(SamplingRule([0, 1, 0], [0, "1/2", "1/2"]), 2)
    assert drawn.drawn.tolist() == drawn.bugged.tolist() == [1, 1]


def test_the_table():
    table = draw_tokens(WEATHER, 1000, 7).table
    assert list(table.columns) == ["token", "p", "frequency", "bug", "bug_frequency"]
    assert table["token"].tolist() == ["mưa", "nắng", "gió", "bão"]
    assert table["p"].tolist() == list(WEATHER.p)
    assert table["frequency"].sum() == table["bug_frequency"].sum() == 1


def test_running_frequencies_end_where_the_table_does():
    drawn = draw_tokens(WEATHER, 5000, 7)
    running = drawn.running(12)
    assert running.index[0] == 1 and running.index[-1] == 5000 and len(running) <= 12
    assert running.index.is_monotonic_increasing and running.index.is_unique
    assert running.iloc[-1].tolist() == drawn.table["frequency"].tolist()
    for n, row in running.iterrows():
        assert row.tolist() == [(drawn.drawn[:n] == t).mean() for t in range(4)]
    assert list(running.columns) == list(WEATHER.tokens)


def test_distances_are_those_of_the_frequencies():
    drawn = draw_tokens(WEATHER, 5000, 7)
    distances = drawn.distances(12)
    assert list(distances.columns) == ["rule", "bug"]
    assert distances.index.equals(drawn.running(12).index)
    p = [0.5, 0.25, 0.15, 0.1]
    for name, tokens in (("rule", drawn.drawn), ("bug", drawn.bugged)):
        for n, distance in distances[name].items():
            counted = [(tokens[:n] == token).mean() for token in range(4)]
            apart = sum(abs(a - b) for a, b in zip(counted, p, strict=True)) / 2
            assert distance == pytest.approx(apart)


@given(p=RATIONALS, q=RATIONALS)
def test_the_distance_of_the_bug_is_exact(p, q):
    rule = SamplingRule(p, q)
    apart = sum(abs(a - b) for a, b in zip(redraw_bug(rule), p, strict=True)) / 2
    assert draw_tokens(rule, 1).bug_distance == apart


def test_the_distance_of_the_bug_in_the_weather():
    assert draw_tokens(WEATHER, 1).bug_distance == Fraction(1, 20)


def test_the_distance_of_the_bug_is_known_of_every_rule_there_is():
    rule = SamplingRule([0.3, 0.3, 0.4000000009], [0.3, 0.7, 0.0])  # 1 but for the rounding
    # Accepted are 0.3 and 0.3 and nothing of the third, and what is rejected is redrawn by p.
    rejected = 0.4000000009
    bug = [0.3 + rejected * 0.3, 0.3 + rejected * 0.3, rejected**2]
    apart = sum(abs(p - b) for p, b in zip(rule.p, bug, strict=True)) / 2
    assert draw_tokens(rule, 1).bug_distance == pytest.approx(apart)


def test_the_seed_decides():
    one, again, other = (draw_tokens(WEATHER, 100, seed).drawn for seed in (3, 3, 4))
    assert np.array_equal(one, again) and not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: draw_tokens(WEATHER, 0), "draws must lie between 1 and 1000000, not 0."),
        (lambda: draw_tokens(WEATHER, 5, -1), "seed must lie between 0 and 4294967295, not -1."),
        (lambda: draw_tokens(WEATHER, 5).running(1), "marks must lie between 2 and 1000, not 1."),
    ],
)
def test_what_is_refused(call, start):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value).startswith(start)
