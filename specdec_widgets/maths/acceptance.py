"""Acceptance that falls with position: what independence leaves out.

The cost model accepts every draft token with the same alpha. Here position i has its own rate a_i,
given that everything before it was accepted, so that a round accepts at least i tokens with
probability a_1 a_2 ... a_i, and

    E(gamma) = 1 + a_1 + a_1 a_2 + ... + a_1 a_2 ... a_gamma

With all rates equal to alpha this is the cost model, number for number.

By hand, with a = 0.8, 0.6, 0.5: joint 0.80, 0.48, 0.24, so E(3) = 2.52; with 0.8 throughout it
would be 2.952.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from specdec_widgets.maths.cost import MAX_GAMMA, MAX_VERIFY_COST, MIN_VERIFY_COST, Best
from specdec_widgets.maths.errors import ValueRefused, shown
from specdec_widgets.maths.numbers import entries_of, exact, integer, real


@dataclass(frozen=True, init=False)
class FallingAcceptance:
    """The conditional acceptance of each position. Immutable.

    rates: a_1, a_2, ...: probability that the token at this position is accepted, given that
           everything before it was; 1 to 32 numbers 0..1, or text such as "0,8" or "4/5". They
           may rise, too. Kept as Fractions, a float as the decimal it prints as

    Raises ValueRefused and TypeRefused for numbers out of range or of another type.

    >>> falling = FallingAcceptance([0.8, 0.6, 0.5])
    >>> [round(joint, 12) for joint in falling.joint], round(falling.expected_tokens(3), 12)
    ([0.8, 0.48, 0.24], 2.52)
    """

    rates: tuple[Fraction, ...]

    def __init__(self, rates: Sequence[object]) -> None:
        entries = entries_of(rates, "rates", 0)
        integer(len(entries), "number of rates", 1, MAX_GAMMA)
        read = tuple(exact(rate, f"rates[{i}]") for i, rate in enumerate(entries))
        for i, rate in enumerate(read):
            if not 0 <= rate <= 1:
                raise ValueRefused(
                    "{argument} must lie between {low} and {high}, not {value}.",
                    argument=f"rates[{i}]",
                    low=0,
                    high=1,
                    value=shown(rate),
                )
        object.__setattr__(self, "rates", read)

    @classmethod
    def decaying(
        cls, start: object = 0.8, decay: object = 0.9, positions: int = MAX_GAMMA
    ) -> "FallingAcceptance":
        """Rates start, start x decay, start x decay^2, ...: decay 1 is independence.

        start, decay: 0..1, or text, as for the rates; positions: how many, 1..32

        Raises ValueRefused and TypeRefused for others.

        >>> FallingAcceptance.decaying(0.8, 0.5, 3).conditional
        (0.8, 0.4, 0.2)
        """
        count = integer(positions, "positions", 1, MAX_GAMMA)
        first, factor = exact(start, "start"), exact(decay, "decay")
        for argument, number in (("start", first), ("decay", factor)):
            real(number, argument, 0, 1)
        return cls([first * factor**i for i in range(count)])

    @cached_property
    def conditional(self) -> tuple[float, ...]:
        """The rates as floats, 0..1."""
        return tuple(map(float, self.rates))

    @cached_property
    def joint(self) -> tuple[float, ...]:
        """Chance that position i is accepted at all, 0..1: the product of the rates up to it."""
        return tuple(map(float, self._joint))

    def expected_tokens(self, gamma: int) -> float:
        """E, the tokens a round yields on average, 1..gamma + 1.

        gamma: whole number from 0 to the number of rates; another is refused, as by the class.
        """
        last = integer(gamma, "gamma", 0, len(self.rates))
        return math.fsum((1.0, *self.joint[:last]))

    def curve(self, draft_cost: float = 0.10, verify_cost: float = 1.00) -> pd.DataFrame:
        """The figures of every gamma from 0 to the number of rates, which is the index.

        Columns: conditional and joint (of the position gamma; NaN at 0), expected_tokens,
        round_cost (target passes), speedup. Costs as for `CostModel`, which refuses the same.

        >>> FallingAcceptance([0.8, 0.6]).curve().round(3)["speedup"].tolist()
        [1.0, 1.636, 1.9]
        """
        draft, verify = _costs(draft_cost, verify_cost)
        gammas = pd.RangeIndex(len(self.rates) + 1, name="gamma")
        tokens = np.array([self.expected_tokens(gamma) for gamma in gammas])
        cost = np.array([gamma * draft + verify for gamma in gammas])
        columns = {
            "conditional": (math.nan, *self.conditional),
            "joint": (math.nan, *self.joint),
            "expected_tokens": tokens,
            "round_cost": cost,
            "speedup": tokens / cost,
        }
        return pd.DataFrame(columns, index=gammas)

    def best(self, draft_cost: float = 0.10, verify_cost: float = 1.00) -> Best:
        """The gamma with the greatest speedup, from 0 to the number of rates.

        Decided in exact arithmetic, the smallest on a tie, like `CostModel.best`. Costs as for
        `curve`.

        >>> FallingAcceptance.decaying(0.8, 1).best().gamma
        6
        >>> FallingAcceptance.decaying(0.8, 0.9).best().gamma
        4
        """
        draft, verify = (exact(cost, "cost") for cost in _costs(draft_cost, verify_cost))
        # One more guess pays while joint x cost > draft_cost x E. The joint rate never rises, so
        # the difference only falls, and the first guess that does not pay ends the climb.
        gamma, tokens, cost = 0, Fraction(1), verify
        while gamma < len(self.rates) and self._joint[gamma] * cost > draft * tokens:
            tokens += self._joint[gamma]
            cost += draft
            gamma += 1
        speedup = float(self.curve(draft_cost, verify_cost)["speedup"].iloc[gamma])
        return Best(gamma, speedup, gamma == len(self.rates))

    @cached_property
    def _joint(self) -> tuple[Fraction, ...]:
        joint, products = Fraction(1), []
        for rate in self.rates:
            joint *= rate
            products.append(joint)
        return tuple(products)


def _costs(draft_cost: object, verify_cost: object) -> tuple[float, float]:
    return (
        real(draft_cost, "draft_cost", 0, 1),
        real(verify_cost, "verify_cost", MIN_VERIFY_COST, MAX_VERIFY_COST),
    )
