"""Speculation that runs: the fast way against the plain one, and its output against the target."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused, SamplingRule
from specdec_widgets.maths.enumeration import TINY_DRAFT, TINY_TARGET, enumerate_outcomes
from specdec_widgets.maths.goodness import chi_square_tail, chi_square_test
from specdec_widgets.maths.ngram import NGram, load_text, tokenise
from specdec_widgets.maths.toy import (
    TEMPERATURES,
    ToyPair,
    acceptance_by_temperature,
    sample_plain,
    speculate,
    toy_pair,
)


def from_rationals(table):
    return NGram.from_table(
        "ab", {c: [float(Fraction(p)) for p in row] for c, row in table.items()}
    )


TINY = ToyPair(from_rationals(TINY_TARGET), from_rationals(TINY_DRAFT))
CHANCES = st.lists(st.integers(min_value=0, max_value=4), min_size=3, max_size=3).filter(any)


@st.composite
def pairs(draw):
    """A target that looks at one or two tokens and a draft that looks at none or one."""
    contexts = [(), (0,), (1,), (2,), (0, 0), (2, 1)]
    rows = [[n / sum(w) for n in w] for w in draw(st.lists(CHANCES, min_size=10, max_size=10))]
    target = dict(zip(contexts[: draw(st.integers(min_value=4, max_value=6))], rows, strict=False))
    draft = dict(
        zip(contexts[: draw(st.integers(min_value=1, max_value=4))], rows[6:], strict=False)
    )
    return ToyPair(NGram.from_table("abc", target), NGram.from_table("abc", draft))


def plainly(pair, gamma, sequences, rounds, seed, start, threshold, correction):
    """The same rounds, one sequence and one token at a time, from the same uniform numbers."""
    rng = np.random.default_rng(seed)
    uniform = [rng.random((2 * gamma + 1, sequences)) for _ in range(rounds)]
    words = pair.target.vocabulary

    def inverse(weights, u):
        total = np.cumsum(weights)
        return int(np.argmax(total / total[-1] > u))

    for s in range(sequences):
        said, counts = [words[i] for i in start], []
        for r in range(rounds):
            u = uniform[r][:, s]
            drafted, going = [], True
            for i in range(gamma):
                q = pair.draft.after(said + drafted).to_numpy()
                token = inverse(q, u[2 * i])
                if going:
                    drafted.append(words[token])
                    going = q[token] >= threshold
            kept = 0
            for i, token in enumerate(drafted):
                p = pair.target.after(said + drafted[:i])[token]
                q = pair.draft.after(said + drafted[:i])[token]
                if not u[2 * i + 1] * q < p:
                    break
                kept += 1
            p = pair.target.after(said + drafted[:kept]).to_numpy()
            if kept < len(drafted) and correction == "residual":
                p = np.maximum(p - pair.draft.after(said + drafted[:kept]).to_numpy(), 0)
            said += [*drafted[:kept], words[inverse(p, u[-1])]]
            counts.append((len(drafted), kept))
        yield said[len(start) :], counts


@given(
    pair=pairs(),
    gamma=st.integers(min_value=0, max_value=3),
    seed=st.integers(min_value=0, max_value=99),
    prompt=st.sampled_from([(), ("a",), ("c", "b"), ("b", "a", "c")]),
    threshold=st.sampled_from([0, 0.4, 1]),
    correction=st.sampled_from(["residual", "target"]),
)
@settings(max_examples=60, deadline=None)
def test_the_batch_equals_one_token_at_a_time(pair, gamma, seed, prompt, threshold, correction):
    ran = speculate(
        pair, gamma, 3, 4, seed, prompt=prompt, threshold=threshold, correction=correction
    )
    start = [pair.target.vocabulary.index(token) for token in prompt]
    expected = plainly(pair, gamma, 3, 4, seed, start, threshold, correction)
    for s, (said, counts) in enumerate(expected):
        assert [pair.target.vocabulary[i] for i in ran.tokens[s] if i >= 0] == said
        assert list(zip(ran.proposed[s], ran.accepted[s], strict=True)) == counts


def frequencies(tokens, length):
    """How often each sequence of 0 and 1 begins with these tokens, in the order of `product`."""
    return np.bincount(tokens[:, :length] @ (2 ** np.arange(length)[::-1]), minlength=2**length)


@pytest.mark.parametrize("gamma", [0, 1, 2, 4])
@pytest.mark.parametrize("threshold", [0, Fraction(2, 5)])
@pytest.mark.parametrize(
    ("correction", "rule"), [("residual", "accept_resample"), ("target", "redraw_from_target")]
)
def test_sequences_come_out_as_often_as_the_enumeration_says(gamma, threshold, correction, rule):
    exact = enumerate_outcomes(length=3, gamma=gamma, rule=rule, threshold=threshold)
    ran = speculate(
        TINY, gamma, 40_000, 3, seed=gamma, prompt="", threshold=threshold, correction=correction
    )
    expected = exact.table["output"].map(float).to_numpy() * 40_000
    statistic = ((frequencies(ran.tokens, 3) - expected) ** 2 / expected).sum()
    # Error level 0.001 each; the seeds are fixed, so that a run that passes always passes.
    assert chi_square_tail(statistic, 7) > 0.001


@pytest.mark.parametrize("language", ["en", "vi"])
@pytest.mark.parametrize(
    ("temperature", "options"),
    [(1, {}), (1, {"threshold": 0.3}), (0.5, {}), (2, {"gamma": 2}), (0, {}), (1, {"gamma": 0})],
)
def test_the_output_of_the_real_pair_is_the_targets(language, temperature, options):
    pair = toy_pair(language).at_temperature(temperature)
    ran = speculate(pair, **{"gamma": 4, "sequences": 400, "rounds": 30, "seed": 3} | options)
    assert chi_square_test(pair.target, ran.tokens).passed(0.001)


@pytest.mark.parametrize("language", ["en", "vi"])
def test_redrawing_from_the_target_is_caught(language):
    pair = toy_pair(language)
    ran = speculate(pair, 4, 800, 60, seed=3, correction="target")
    assert chi_square_test(pair.target, ran.tokens).p_value < 1e-9


@pytest.mark.parametrize("language", ["en", "vi"])
def test_plain_sampling_is_the_targets(language):
    target = toy_pair(language).target
    tokens = sample_plain(target, 400, 90, seed=3)
    assert tokens.shape == (400, 90)
    assert chi_square_test(target, tokens).passed(0.001)
    assert not chi_square_test(toy_pair(language).draft, tokens).passed(0.001)


def test_positions_without_memory_are_the_cost_model():
    rule = SamplingRule(["0.5", "0.25", "0.15", "0.10"], ["0.1", "0.2", "0.3", "0.4"])
    p, q = (NGram.from_table("abcd", {(): [float(x) for x in row]}) for row in (rule.p, rule.q))
    ran = speculate(ToyPair(p, q), 5, 400, 100, seed=1, prompt="")
    # 40,000 rounds: standard errors below 0.0025 for a share and 0.006 for the length.
    assert ran.alpha == pytest.approx(float(rule.alpha), abs=0.01)
    assert ran.by_position["marginal"].to_numpy() == pytest.approx(float(rule.alpha), abs=0.01)
    expected = CostModel(alpha=float(rule.alpha), gamma=5).expected_tokens
    assert ran.mean_acceptance_length == pytest.approx(expected, abs=0.024)
    assert ran.mean_acceptance_length == pytest.approx(ran.independent_length, abs=0.024)
    correlation = ran.correlation.to_numpy()
    assert np.abs(correlation - np.eye(5)).max() < 0.02


def test_a_draft_that_is_the_target_is_always_accepted_and_one_apart_from_it_never():
    model = toy_pair("en").draft
    same = speculate(ToyPair(model, model), 3, 20, 10)
    assert (same.accepted == 3).all() and same.alpha == 1 and same.mean_acceptance_length == 4
    apart = ToyPair(NGram.from_table("ab", {(): (1, 0)}), NGram.from_table("ab", {(): (0, 1)}))
    never = speculate(apart, 3, 20, 10, prompt="")
    assert (never.accepted == 0).all() and never.alpha == 0
    assert never.tokens.shape == (20, 10) and not never.tokens.any()


class Unlucky:
    """A generator that always draws the greatest number below 1."""

    def random(self, shape):
        return np.full(shape, 1 - 2**-53)


def test_a_residual_lost_to_rounding_is_drawn_from_the_target(monkeypatch):
    short = NGram.from_table("ab", {(): (0.5 - 4e-10, 0.5 - 4e-10)})
    full = NGram.from_table("ab", {(): (0.5, 0.5)})
    monkeypatch.setattr(np.random, "default_rng", lambda seed: Unlucky())
    ran = speculate(ToyPair(short, full), 2, 1, 1, prompt="")
    assert ran.accepted.tolist() == [[0]] and ran.tokens.tolist() == [[1]]


def test_the_seed_decides_everything():
    first, again, other = (speculate(toy_pair("vi"), 4, 8, 5, seed=s).tokens for s in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first[:, :5], other[:, :5])
    plain = [sample_plain(toy_pair("vi").target, 8, 20, seed=s) for s in (1, 1, 2)]
    assert np.array_equal(plain[0], plain[1]) and not np.array_equal(plain[0], plain[2])


def test_stopping_when_unsure_proposes_less_and_wastes_less():
    pair = toy_pair("en")
    always, sure = (speculate(pair, 8, 300, 20, seed=1, threshold=t) for t in (0, 0.3))
    assert (always.proposed == 8).all()
    assert sure.proposed.min() >= 1 and sure.proposed.mean() < 6
    assert sure.acceptance_rate > always.acceptance_rate
    assert sure.mean_acceptance_length < always.mean_acceptance_length
    assert (speculate(pair, 8, 10, 5, threshold=1).proposed == 1).all()


def test_by_temperature():
    table = acceptance_by_temperature(toy_pair("en"), 3, sequences=50, rounds=10, seed=4)
    assert list(table.index) == list(TEMPERATURES)
    for t in (0.5, 1.0):
        ran = speculate(toy_pair("en").at_temperature(t), 3, 50, 10, seed=4)
        found = (ran.alpha, ran.mean_acceptance_length, ran.independent_length)
        assert tuple(table.loc[t]) == found


@given(pair=pairs(), temperature=st.floats(min_value=0, max_value=5))
def test_both_models_of_a_pair_are_sampled_at_the_temperature(pair, temperature):
    cooled = pair.at_temperature(temperature)
    for found, model in ((cooled.target, pair.target), (cooled.draft, pair.draft)):
        assert np.array_equal(found.rows, model.at_temperature(temperature).rows)


def test_both_models_of_a_pair_are_cooled():
    cold = toy_pair("en").at_temperature(0)
    assert ((cold.target.rows == 0) | (cold.target.rows > 0.1)).all()
    assert ((cold.draft.rows == 0) | (cold.draft.rows > 0.1)).all()


def test_a_pair_is_fitted_once_and_by_its_parameters():
    assert toy_pair("en") is toy_pair("en")
    pair = toy_pair("vi", 1, 4, 1.0, 0.5)
    assert (pair.draft.order, pair.target.order) == (1, 4)
    assert pair.target.vocabulary == pair.draft.vocabulary
    words = tokenise(load_text("vi"))
    counted = pd.Series(Counter(words)).sort_index()
    chances = (counted + 1 / len(counted)) / (len(words) + 1)  # of a unigram, smoothing 1
    assert pair.draft.after("").to_dict() == pytest.approx(chances.to_dict())
    assert np.array_equal(pair.target.rows, NGram.fit(words, 4, 0.5).rows)


@pytest.mark.parametrize(
    ("call", "start"),
    [
        (lambda: speculate(TINY, 33), "gamma must lie between 0 and 32, not 33."),
        (lambda: speculate(TINY, 4, 0), "sequences must lie between 1 and "),
        (lambda: speculate(TINY, 4, 1, 0), "rounds must lie between 1 and "),
        (lambda: speculate(TINY, 4, 10_000, 1000), "sequences x rounds x (gamma + 1) must lie"),
        (
            lambda: speculate(TINY, prompt="", seed=-1),
            "seed must lie between 0 and 4294967295, not -1.",
        ),
        (lambda: speculate(TINY, prompt="c"), "prompt[0] must be in the vocabulary, not 'c'."),
        (lambda: speculate(TINY, prompt="", threshold=2), "threshold must lie between 0 and 1"),
        (
            lambda: speculate(TINY, prompt="", correction="none"),
            "correction must be one of residual, target, not 'none'.",
        ),
        (lambda: sample_plain(TINY.target, 0), "sequences must lie between 1 and "),
        (lambda: sample_plain(TINY.target, 1, 0), "length must lie between 1 and "),
        (lambda: sample_plain(TINY.target, 10_000, 10_000), "sequences x length must lie"),
        (lambda: toy_pair("fr"), "language must be one of en, vi, not 'fr'."),
        (
            lambda: ToyPair(TINY.target, toy_pair("en").draft),
            "draft.vocabulary must be that of the target, not ",
        ),
    ],
)
def test_what_is_refused(call, start):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value).startswith(start)
