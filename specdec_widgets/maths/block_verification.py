"""How many draft tokens verification keeps, exactly: token by token, by block, and at best.

The draft proposes gamma tokens from q, the target has p, and neither depends on what came before.
Every block of gamma tokens is enumerated, in rationals; all three rules leave the target's
distribution as it is.

    tokenwise  each token is kept with min(1, p / q), and the first one that is not ends the block
    block      the whole block is judged at once: with P = 1 before the first token and
               P <- min(1, P p / q) at each, a prefix is kept with
               sum max(0, P p - q) / (sum max(0, P p - q) + 1 - P), the whole block with P,
               and the longest prefix that is kept counts
    ideal      no rule keeps a prefix of i tokens more often than 1 - the total variation distance
               of the two models over i tokens

Source: Sun et al., "Block Verification Accelerates Speculative Decoding" (arXiv 2403.10444), whose
example is p = (1/3, 2/3), q = (2/3, 1/3) at gamma 2.

By hand, for that example: a token is kept with 1/3 + 1/3 = 2/3, so token by token
2/3 + 4/9 = 10/9 are kept. The ideal is 2/3 + (1 + 2 + 2 + 1)/9 = 12/9.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from specdec_widgets.maths.errors import ValueRefused
from specdec_widgets.maths.numbers import integer
from specdec_widgets.maths.sampling import Number, SamplingRule

MAX_BLOCKS = 100_000  # blocks that are enumerated


class AcceptedTokens(NamedTuple):
    """The draft tokens that each rule keeps of a block on average, 0..gamma.

    >>> [str(tokens) for tokens in block_verification_example()]
    ['10/9', '11/9', '4/3']
    """

    tokenwise: Number
    block: Number
    ideal: Number


def block_verification(p: Sequence[object], q: Sequence[object], gamma: int = 2) -> AcceptedTokens:
    """The accepted tokens of a block by each rule, where p and q are the same at every position.

    p, q:  as for SamplingRule; exact where neither has a float
    gamma: tokens of a block, whole number 1..16, with at most 100,000 blocks to enumerate

    Raises TypeRefused and ValueRefused as SamplingRule does, and for a gamma out of range.

    >>> block_verification(["1/2", "1/2"], ["1/2", "1/2"], gamma=3)
    AcceptedTokens(tokenwise=Fraction(3, 1), block=Fraction(3, 1), ideal=Fraction(3, 1))
    """
    rule = SamplingRule(p, q)
    last = integer(gamma, "gamma", 1, 16)
    if len(rule.p) ** last > MAX_BLOCKS:
        raise ValueRefused(
            "{argument} must leave at most {limit} blocks of tokens, not {value}.",
            argument="gamma",
            limit=MAX_BLOCKS,
            value=len(rule.p) ** last,
        )
    pairs = [(p, q) for p, q in zip(rule.p, rule.q, strict=True) if q > 0]
    return AcceptedTokens(
        tokenwise=sum((rule.alpha**i for i in range(1, last + 1)), Fraction(0)),
        block=sum(
            (
                prod(q for _, q in block) * _kept(block, rule)
                for block in product(pairs, repeat=last)
            ),
            Fraction(0),
        ),
        ideal=sum((_overlap(rule, i) for i in range(1, last + 1)), Fraction(0)),
    )


def block_verification_example() -> AcceptedTokens:
    """The example of the paper (arXiv 2403.10444): p = (1/3, 2/3), q = (2/3, 1/3), gamma 2.

    >>> [f"{kept * 9}/9" for kept in block_verification_example()]
    ['10/9', '11/9', '12/9']
    """
    return block_verification(["1/3", "2/3"], ["2/3", "1/3"], gamma=2)


def prefix_weights(ratios: Sequence[Number]) -> list[Number]:
    """P before the first token and after each one, from their p / q.

    >>> prefix_weights([Fraction(1, 2), Fraction(2), Fraction(4)])
    [Fraction(1, 1), Fraction(1, 2), Fraction(1, 1), Fraction(1, 1)]
    """
    weights: list[Number] = [Fraction(1)]
    for ratio in ratios:
        weights.append(min(Fraction(1), weights[-1] * ratio))
    return weights


def keeping(weight: Number, rule: SamplingRule) -> Number:
    """The chance that a prefix with this P, shorter than the block, is kept where it is judged.

    >>> keeping(Fraction(1, 2), SamplingRule(["1/3", "2/3"], ["2/3", "1/3"]))
    Fraction(0, 1)
    """
    lacking = sum(
        (max(Fraction(0), weight * p - q) for p, q in zip(rule.p, rule.q, strict=True)), Fraction(0)
    )
    # 0 / 0 is P = 1 with p = q: every longer prefix is kept, and this one never judged.
    return lacking / (lacking + 1 - weight) if lacking else Fraction(0)


def _kept(block: Sequence[tuple[Number, Number]], rule: SamplingRule) -> Number:
    """The tokens of one block that block verification keeps on average."""
    *shorter, whole = prefix_weights([p / q for p, q in block])
    kept: Number = len(block) * whole
    left: Number = 1 - whole  # the chance that no longer prefix was kept
    for length in range(len(block) - 1, 0, -1):
        chance = keeping(shorter[length], rule)
        kept += length * left * chance
        left *= 1 - chance
    return kept


def _overlap(rule: SamplingRule, length: int) -> Number:
    pairs = product(zip(rule.p, rule.q, strict=True), repeat=length)
    return sum(
        (min(prod(p for p, _ in block), prod(q for _, q in block)) for block in pairs), Fraction(0)
    )
