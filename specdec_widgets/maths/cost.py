"""The cost model: what a round of speculative decoding yields and what it costs.

One round is gamma draft passes and one verify pass. It yields the draft tokens that survive and
one more, which the verify pass gives: k + 1 tokens. Every position is accepted with the same
probability alpha, independently of the others; that is an assumption, a little optimistic.

Left out: batching, memory, network and scheduling. The unit of every cost is one pass of the
target model.

Formulas: Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding"
(arXiv 2211.17192), with a verify pass of any cost: their walltime factor is our speedup at
verify cost 1.

By hand, with alpha 0.8 and gamma 4: E = 1 + 0.8 + 0.64 + 0.512 + 0.4096 = 3.3616 tokens for
4 x 0.10 + 1.00 = 1.40 target passes, so 2.40 times plain decoding.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd

from specdec_widgets.maths.numbers import exact, integer, real

MAX_GAMMA = 32  # draft tokens a round, and where a scan ends unless told otherwise
MIN_VERIFY_COST, MAX_VERIFY_COST = Fraction(1, 100), 3  # target passes
MAX_SCAN = 1000  # the furthest gamma that a scan may be asked for
_CERTAIN = 12  # decimals in which a speedup of exactly 1 is 1, however the floats are rounded


class Best(NamedTuple):
    """The gamma with the greatest speedup of a scan from 0 to `max_gamma`.

    `gamma` is the smallest on a tie, `speedup` that over plain decoding. `at_edge` is True where it
    is the last gamma of the scan: the scan cannot show the curve falling again, and the true peak
    may lie further.

    >>> best = CostModel(alpha=0.8, draft_cost=0).best()
    >>> best.gamma, best.at_edge
    (32, True)
    """

    gamma: int
    speedup: float
    at_edge: bool

    @property
    def pays(self) -> bool:
        """Whether it is faster than plain decoding, beyond the rounding of floats.

        >>> CostModel().best().pays, CostModel(draft_cost=1).best().pays
        (True, False)
        """
        return round(self.speedup, _CERTAIN) > 1


class _Figures(NamedTuple):
    expected_tokens: float
    round_cost: float
    speedup: float


_COLUMNS = pd.Index(_Figures._fields)


@dataclass(frozen=True)
class CostModel:
    """What one round yields and costs on average. Immutable.

    alpha:       probability that a draft token is accepted, 0..1
    gamma:       draft tokens proposed in a round, whole number 0..32
    draft_cost:  cost of one draft pass in target passes, 0..1
    verify_cost: cost of one verify pass in target passes, 0.01..3

    Any real number will do; they are kept as float and int. Raises TypeRefused for another type
    (text and bool included) and ValueRefused for a number out of range, NaN or infinite.

    >>> model = CostModel(alpha=0.8, gamma=4)
    >>> round(model.expected_tokens, 4), round(model.speedup, 2)
    (3.3616, 2.4)
    """

    alpha: float = 0.8
    gamma: int = 4
    draft_cost: float = 0.10
    verify_cost: float = 1.00

    def __post_init__(self) -> None:
        """Check every parameter and keep it as a plain float or int."""
        checked = {
            "alpha": real(self.alpha, "alpha", 0, 1),
            "gamma": integer(self.gamma, "gamma", 0, MAX_GAMMA),
            "draft_cost": real(self.draft_cost, "draft_cost", 0, 1),
            "verify_cost": real(self.verify_cost, "verify_cost", MIN_VERIFY_COST, MAX_VERIFY_COST),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def series_terms(self) -> tuple[float, ...]:
        """The terms of E, alpha^0 .. alpha^gamma: the chance of at least i accepted tokens.

        >>> CostModel(alpha=0.5, gamma=3).series_terms
        (1.0, 0.5, 0.25, 0.125)
        """
        return self._powers(self.gamma)

    @property
    def expected_tokens(self) -> float:
        """E, the tokens a round yields on average, 1..gamma + 1.

        The sum of `series_terms`, right to 1e-14 for every alpha. The closed form
        (1 - alpha^(gamma+1)) / (1 - alpha) is the same number, but as written it loses digits
        near alpha 1 and divides by zero there.

        >>> round(CostModel().expected_tokens, 10)
        3.3616
        """
        return self._own.expected_tokens

    @property
    def round_cost(self) -> float:
        """Cost of a round in target passes: gamma draft passes and one verify pass.

        >>> CostModel().round_cost
        1.4
        """
        return self._own.round_cost

    @property
    def speedup(self) -> float:
        """Tokens a target pass, relative to plain decoding, which makes one: E / round_cost.

        >>> round(CostModel(gamma=32).speedup, 2)
        1.19
        """
        return self._own.speedup

    @property
    def cost_per_token(self) -> float:
        """Target passes a token costs on average: round_cost / E.

        >>> round(CostModel().cost_per_token, 3)
        0.416
        """
        return self.round_cost / self.expected_tokens

    @property
    def ceiling_share(self) -> float:
        """Share of the most a round can yield, 0..1: E / (gamma + 1).

        >>> round(CostModel().ceiling_share, 3)
        0.672
        """
        return self.expected_tokens / (self.gamma + 1)

    @property
    def token_limit(self) -> float:
        """What E tends to as gamma grows, 1 / (1 - alpha); infinite at alpha 1.

        Alpha is read as the decimal it prints as, so that 0.8 gives 5 and not 5.000000000000001.

        >>> CostModel(alpha=0.8).token_limit
        5.0
        """
        return math.inf if self.alpha == 1 else float(1 / (1 - exact(self.alpha, "alpha")))

    def curve(self, max_gamma: int = MAX_GAMMA) -> pd.DataFrame:
        """The figures of every gamma from 0 to `max_gamma` (0..1000), everything else the same.

        One row a gamma, which is the index; columns expected_tokens (tokens a round), round_cost
        (target passes) and speedup. Raises ValueRefused and TypeRefused for another `max_gamma`.

        >>> CostModel().curve().loc[[0, 4, 6, 32], "speedup"].round(2).to_dict()
        {0: 1.0, 4: 2.4, 6: 2.47, 32: 1.19}
        """
        last = integer(max_gamma, "max_gamma", 0, MAX_SCAN)
        powers = self._powers(last)
        rows = np.array([self._figures(gamma, powers) for gamma in range(last + 1)])
        return pd.DataFrame(rows, index=pd.RangeIndex(last + 1, name="gamma"), columns=_COLUMNS)

    def best(self, max_gamma: int = MAX_GAMMA) -> Best:
        """The gamma from 0 to `max_gamma` (0..1000) with the greatest speedup.

        Decided in exact arithmetic, each parameter read as the decimal it prints as, so that a
        tie is a tie; the smallest gamma wins it. Raises ValueRefused and TypeRefused as `curve`.

        >>> best = CostModel().best()
        >>> best.gamma, round(best.speedup, 2), best.at_edge
        (6, 2.47, False)
        >>> CostModel(draft_cost=0).best().at_edge
        True
        """
        last = integer(max_gamma, "max_gamma", 0, MAX_SCAN)
        gamma = self._peak(last)
        return Best(gamma, self._figures(gamma, self._powers(gamma)).speedup, gamma == last)

    def _peak(self, last: int) -> int:
        # One more guess pays while alpha^(g+1) * cost(g) > draft_cost * E(g), which is
        # E(g+1) / cost(g+1) > E(g) / cost(g) with the common part taken away. The difference of
        # the two sides only falls as g grows, so the first guess that does not pay is the peak.
        if self.draft_cost == 0:
            return last if self.alpha > 0 else 0
        alpha = exact(self.alpha, "alpha")
        draft, verify = exact(self.draft_cost, "draft_cost"), exact(self.verify_cost, "verify_cost")
        # Whole numbers are several times faster than Fraction: multiply every power of alpha and
        # the sum E by the denominator of alpha^(g+1), both costs by their common denominator.
        up, down = alpha.numerator, alpha.denominator
        draft_units = draft.numerator * verify.denominator
        cost = verify.numerator * draft.denominator  # of a round with g draft tokens
        power, tokens = up, down  # alpha^(g+1) and E(g), both times down^(g+1)
        gamma = 0
        while gamma < last and power * cost > draft_units * tokens:
            gamma += 1
            cost += draft_units
            tokens = (tokens + power) * down
            power *= up
        return gamma

    @property
    def _own(self) -> _Figures:
        return self._figures(self.gamma, self.series_terms)

    def _powers(self, last: int) -> tuple[float, ...]:
        return tuple([self.alpha**i for i in range(last + 1)])

    def _figures(self, gamma: int, powers: tuple[float, ...]) -> _Figures:
        # The one place where the formulas stand: the properties, curve() and best() read it.
        tokens = math.fsum(powers[: gamma + 1])
        cost = gamma * self.draft_cost + self.verify_cost
        return _Figures(tokens, cost, tokens / cost)
