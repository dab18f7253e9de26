"""Independent positions, read backwards: the acceptance that a measured length would need.

Forwards it is the cost model's E, the sum of alpha^i for i = 0..gamma (arXiv 2211.17192). Where
the positions of a real pair are not independent, the alpha that is found holds for the gamma it was
found at, and for no other.

By hand, with 208 of 260 draft tokens accepted at gamma 5: 260 / 5 = 52 rounds, 1 + 208 / 52 = 5
tokens a round, and 1 + 0.927 + 0.927^2 + ... + 0.927^5 = 5. So alpha is about 0.927, and not
208 / 260 = 0.80.
"""

import math

from specdec_widgets.maths.cost import MAX_SCAN
from specdec_widgets.maths.numbers import integer, real


def independent_tokens(alpha: float, gamma: int) -> float:
    """E, the tokens a round yields where every position is accepted with probability alpha.

    alpha: 0..1
    gamma: draft tokens in a round, whole number 0..1000

    Raises TypeRefused and ValueRefused as CostModel does, whose `expected_tokens` this is.

    >>> round(independent_tokens(0.8, 4), 4)
    3.3616
    """
    chance = real(alpha, "alpha", 0, 1)
    return math.fsum(chance**i for i in range(integer(gamma, "gamma", 0, MAX_SCAN) + 1))


def implied_alpha(expected_tokens: float, gamma: int) -> float:
    """The alpha at which independent positions yield `expected_tokens`, 0..1.

    expected_tokens: tokens a round, the correction or bonus token included, 1..gamma + 1
    gamma:           draft tokens in a round, whole number 1..1000

    Raises TypeRefused for values of another type, ValueRefused for values out of range.

    >>> round(implied_alpha(5, 5), 3), implied_alpha(4, 3), implied_alpha(1, 3)
    (0.927, 1.0, 0.0)
    """
    last = integer(gamma, "gamma", 1, MAX_SCAN)
    accepted = real(expected_tokens, "expected_tokens", 1, last + 1) - 1
    low, high = 0.0, 1.0
    # E - 1 grows with alpha from 0 to gamma: halve until no float lies between.
    while low < (middle := (low + high) / 2) < high:
        if math.fsum(middle**i for i in range(1, last + 1)) < accepted:
            low = middle
        else:
            high = middle
    return high if accepted else low
