"""Block verification: the paper's example, its losslessness by enumeration, and its bounds."""

from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specdec_widgets.maths import Refused, SamplingRule, ValueRefused
from specdec_widgets.maths.block_verification import (
    block_verification,
    block_verification_example,
    keeping,
    prefix_weights,
)
from tests.maths.anything import ANYTHING


@st.composite
def distributions(draw, tokens):
    parts = draw(st.lists(st.integers(0, 6), min_size=tokens, max_size=tokens).filter(any))
    return [Fraction(part, sum(parts)) for part in parts]


PAIRS = st.integers(2, 3).flatmap(lambda n: st.tuples(distributions(n), distributions(n)))


def test_the_example_of_the_paper_is_exact():
    assert block_verification_example() == (Fraction(10, 9), Fraction(11, 9), Fraction(12, 9))
    assert all(type(kept) is Fraction for kept in block_verification_example())


def output_of_block_verification(p, q, gamma):
    """The distribution of the first gamma tokens that come out, by every road that leads there."""
    rule = SamplingRule(p, q)
    tokens = range(len(p))
    output = dict.fromkeys(product(tokens, repeat=gamma), Fraction(0))
    for block in product(tokens, repeat=gamma):
        drafted = prod(q[x] for x in block)
        if not drafted:
            continue
        weights = prefix_weights([p[x] / q[x] for x in block])
        output[block] += drafted * weights[-1]
        left = drafted * (1 - weights[-1])
        for kept in range(gamma - 1, -1, -1):
            chance = keeping(weights[kept], rule) if kept else Fraction(1)
            residual = [max(Fraction(0), weights[kept] * p[x] - q[x]) for x in tokens]
            if left * chance:
                for after in product(tokens, repeat=gamma - kept):
                    correction = residual[after[0]] / sum(residual)
                    output[block[:kept] + after] += (
                        left * chance * correction * prod(p[x] for x in after[1:])
                    )
            left *= 1 - chance
    return output


@given(pair=PAIRS, gamma=st.integers(1, 3))
def test_the_rule_that_is_counted_leaves_the_target_as_it_is(pair, gamma):
    p, q = pair
    for block, chance in output_of_block_verification(p, q, gamma).items():
        assert chance == prod(p[x] for x in block)


@given(pair=PAIRS, gamma=st.integers(1, 3))
def test_a_block_is_no_worse_than_its_tokens_and_no_better_than_the_ideal(pair, gamma):
    tokenwise, block, ideal = block_verification(*pair, gamma)
    assert 0 <= tokenwise <= block <= ideal <= gamma


@given(pair=PAIRS, gamma=st.integers(1, 3))
def test_each_mean_is_the_sum_over_the_prefixes(pair, gamma):
    """By block a drafted prefix is kept, or a longer one is, with the probability P of it."""
    pairs = list(zip(*pair, strict=True))
    kept = [Fraction(0)] * 3
    for block in (b for n in range(1, gamma + 1) for b in product(pairs, repeat=n)):
        wanted, drafted, weight = prod(p for p, _ in block), prod(q for _, q in block), Fraction(1)
        for p, q in block:
            weight = min(Fraction(1), weight * p / q) if q else Fraction(0)
        kept[0] += prod(min(p, q) for p, q in block)
        kept[1] += drafted * weight
        kept[2] += (wanted + drafted - abs(wanted - drafted)) / 2
    assert block_verification(*pair, gamma) == tuple(kept)


@given(pair=PAIRS)
def test_one_token_is_verified_alike_by_all(pair):
    assert set(block_verification(*pair, gamma=1)) == {SamplingRule(*pair).alpha}


@given(p=distributions(3), gamma=st.integers(1, 4))
def test_a_perfect_draft_is_kept_whole(p, gamma):
    assert set(block_verification(p, p, gamma)) == {gamma}


def test_floats_are_taken_too():
    assert block_verification([0.25, 0.75], [0.5, 0.5])[0] == pytest.approx(0.75 + 0.75**2)


def test_too_many_blocks_are_refused():
    with pytest.raises(ValueRefused, match=r"^gamma must leave at most 100000 blocks"):
        block_verification([Fraction(1, 4)] * 4, [Fraction(1, 4)] * 4, gamma=9)


@given(p=ANYTHING, q=ANYTHING, gamma=ANYTHING)
def test_nothing_but_numbers_or_a_refusal_comes_out(p, q, gamma):
    for arguments in ((p, q), (["1/2", "1/2"], ["1/2", "1/2"], gamma)):
        with suppress(Refused):
            assert len(block_verification(*arguments)) == 3
