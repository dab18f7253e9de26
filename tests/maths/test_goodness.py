"""The chi-square test: its tail against tables, its error level, and that it sees what is wrong."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused
from specdec_widgets.maths.goodness import ERROR_LEVEL, chi_square_tail, chi_square_test
from specdec_widgets.maths.ngram import NGram

COIN = NGram.from_table("ab", {(): (0.5, 0.5)})
CHAIN = NGram.from_table(
    "abc",
    {(): (0.2, 0.3, 0.5), (0,): (0.6, 0.3, 0.1), (1,): (0, 0.5, 0.5), (2,): (0.98, 0.01, 0.01)},
)


@pytest.mark.parametrize(
    ("statistic", "freedom", "tail"),
    [  # upper percentage points of printed tables
        (2.705543, 1, 0.10),
        (3.841459, 1, 0.05),
        (10.827566, 1, 0.001),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (18.307038, 10, 0.05),
        (29.588298, 10, 0.001),
        (37.652484, 25, 0.05),
        (124.342113, 100, 0.05),
        (149.449253, 100, 0.001),
    ],
)
def test_tail_is_that_of_the_tables(statistic, freedom, tail):
    assert chi_square_tail(statistic, freedom) == pytest.approx(tail, rel=2e-6)


@given(
    statistic=st.floats(min_value=1e-6, max_value=1e4),
    freedom=st.integers(min_value=3, max_value=400),
)
def test_tail_obeys_its_recurrence(statistic, freedom):
    # Q(k) = Q(k - 2) + half^(k/2 - 1) exp(-half) / Gamma(k/2), Abramowitz and Stegun 26.4.8
    half, s = statistic / 2, freedom / 2 - 1
    step = math.exp(s * math.log(half) - half - math.lgamma(s + 1))
    expected = chi_square_tail(statistic, freedom - 2) + step
    assert chi_square_tail(statistic, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_tail_at_its_ends():
    assert chi_square_tail(0, 7) == chi_square_tail(5.0, 0) == 1
    assert chi_square_tail(1e6, 3) == chi_square_tail(math.inf, 3) == 0
    assert chi_square_tail(5e-324, 3) == chi_square_tail(math.inf, 0) == 1
    assert chi_square_tail(10_000, 10_000) == pytest.approx(0.498, abs=1e-3)


def test_the_statistic_by_hand():
    found = chi_square_test(COIN, np.array([[0] * 60 + [1] * 40]), prompt="")
    assert found == (4.0, 1, chi_square_tail(4.0, 1), 100)


def test_rare_tokens_share_a_cell():
    # After c come 196, 2 and 2 of 200: the rare two expect 4 and join the first, one cell.
    tokens = np.tile([2, 0], 200)[None, :]
    found = chi_square_test(CHAIN, tokens, prompt="")
    after_a = 199 * np.array([0.6, 0.3, 0.1])
    expected = ((np.array([0, 0, 199]) - after_a) ** 2 / after_a).sum()
    assert found.statistic == pytest.approx(expected)
    assert found.freedom == 2


@given(
    tokens=st.lists(
        st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=60, max_size=60), min_size=1
    )
)
def test_the_statistic_is_that_of_a_plain_loop(tokens):
    tokens = [[2 if (a, b) == (1, 0) else b for a, b in pairwise([2, *row])] for row in tokens]
    rows = {(): (0.2, 0.3, 0.5), 0: (0.6, 0.3, 0.1), 1: (0, 0.5, 0.5), 2: (0.98, 0.01, 0.01)}
    counts = {row: [0, 0, 0] for row in rows}
    for sequence in tokens:
        for before, token in pairwise([(), *sequence]):
            counts[before][token] += 1
    statistic, freedom = 0.0, 0
    for row, chances in rows.items():
        visits = sum(counts[row])
        cells = [(n, visits * p) for n, p in zip(counts[row], chances, strict=True)]
        large = sorted((c for c in cells if c[1] >= 5), key=lambda c: c[1])
        small = [c for c in cells if c[1] < 5]
        rest = (sum(n for n, _ in small), sum(e for _, e in small))
        if large and rest[1] < 5:
            rest = (rest[0] + large[-1][0], rest[1] + large.pop()[1])
        used = [c for c in [*large, rest] if c[1]]
        statistic += sum((n - e) ** 2 / e for n, e in used)
        freedom += max(0, len(used) - 1)
    found = chi_square_test(CHAIN, np.array(tokens), prompt="")
    assert found.statistic == pytest.approx(statistic, abs=1e-9)
    assert (found.freedom, found.tokens) == (freedom, 60 * len(tokens))
    assert found.p_value == chi_square_tail(found.statistic, freedom)
    assert [found.passed(level) for level in (0, found.p_value, 1)] == [
        True,
        True,
        found.p_value == 1,
    ]


def test_an_impossible_token_fails_outright():
    found = chi_square_test(CHAIN, np.array([[1, 0]]), prompt="")
    assert found[:3] == (math.inf, 0, 0.0) and not found.passed()


def test_the_end_of_a_sequence_and_the_prompt_are_respected():
    tokens = np.array([[0, 1, -1, -1], [1, 1, 1, 2]])
    assert chi_square_test(CHAIN, tokens, prompt="").tokens == 6
    started = np.full((50, 1), 1)
    assert chi_square_test(CHAIN, started, prompt="b").p_value < 1e-6
    assert chi_square_test(CHAIN, started[:, :0], prompt="b")[1:3] == (0, 1.0)


def test_a_right_sampler_fails_at_about_the_error_level_and_a_wrong_one_always():
    level, tries = 0.05, 400
    rng = np.random.default_rng(5)
    right = [
        chi_square_test(COIN, rng.integers(0, 2, (1, 400)), prompt="").passed(level)
        for _ in range(tries)
    ]
    # 400 tries at 0.05 fail 20 times, give or take 4.4; 4 of these is once in 16,000 seeds.
    assert 20 - 4 * 4.4 < tries - sum(right) < 20 + 4 * 4.4
    wrong = rng.random((1, 4000)) < 0.6
    assert not chi_square_test(COIN, wrong.astype(int), prompt="").passed(ERROR_LEVEL)


def test_what_is_refused():
    with pytest.raises(Refused, match=r"^freedom must lie between 0 and "):
        chi_square_tail(1, -1)
    for statistic in (math.nan, -1, "1"):
        with pytest.raises(Refused, match=r"^statistic must "):
            chi_square_tail(statistic, 3)
    for tokens, sentence in (
        ([[5]], "tokens must lie between -1 and 1, not 5."),
        ([[0, -2]], "tokens must lie between -1 and 1, not -2."),
        ([0, 1], "tokens must have the shape (sequences, length), not (2,)."),
        ([[0.0]], "tokens must be a table of whole numbers, not array([[0.]])."),
    ):
        with pytest.raises(Refused) as refused:
            chi_square_test(COIN, np.array(tokens), prompt="")
        assert str(refused.value) == sentence
    with pytest.raises(Refused, match=r"^error_level must lie between 0 and 1, not 2"):
        chi_square_test(COIN, np.array([[0]]), prompt="").passed(2)
