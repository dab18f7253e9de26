"""Draws by the accept / resample rule, beside the common bug of redrawing from the target.

The rule of `SamplingRule`, played with a seeded chance: the frequencies of what comes out approach
p. The bug looks as harmless as can be: on rejection, draw from p and not from the residual. Then
a token comes out min(p, q) + rejection x p: what the draft likes too much stays too frequent, and
no number of draws mends it.

By hand, with p = (0.9, 0.1) and q = (0.6, 0.4): min(p, q) = (0.6, 0.1), rejection 0.3; the bug
gives 0.6 + 0.3 x 0.9 = 0.87 and 0.1 + 0.3 x 0.1 = 0.13.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pandas as pd

from specdec_widgets.maths.numbers import integer
from specdec_widgets.maths.sampling import Number, Probabilities, SamplingRule

MAX_DRAWS = 1_000_000
MAX_SEED = 2**32 - 1
_MARKS = 20  # rows of the running frequencies

Ints = npt.NDArray[np.int64]


def redraw_bug(rule: SamplingRule) -> Probabilities:
    """What comes out if a rejected token is drawn again from p: min(p, q) + rejection x p.

    Exact where the rule is. It sums to 1, and equals p only where q is proportional to p on every
    token that p gives: where the two are equal, or the draft wastes itself on impossible tokens.

    >>> redraw_bug(SamplingRule(["0.9", "0.1"], ["0.6", "0.4"]))
    (Fraction(87, 100), Fraction(13, 100))
    """
    return tuple(
        [kept + rule.rejection * target for kept, target in zip(rule.accepted, rule.p, strict=True)]
    )


@dataclass(frozen=True, eq=False)
class Draws:
    """What came out of n draws, by the rule and by the bug, from the same chances.

    rule:     the pair of distributions
    drawn:    tokens by the rule, indices, shape (n,)
    bugged:   tokens by the bug, indices, shape (n,)
    accepted: whether the draft token was accepted, shape (n,); the same for both

    >>> same = draw_tokens(SamplingRule(["0.5", "0.5"], ["0.5", "0.5"]), 100, seed=1)
    >>> same.acceptance, bool((same.drawn == same.bugged).all()), same.bug_distance
    (1.0, True, Fraction(0, 1))
    >>> same.table["bug"].tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    """

    rule: SamplingRule
    drawn: Ints
    bugged: Ints
    accepted: npt.NDArray[np.bool_]

    @property
    def acceptance(self) -> float:
        """Share of draft tokens that were accepted, 0..1; it approaches the rule's alpha."""
        return float(self.accepted.mean())

    @property
    def table(self) -> pd.DataFrame:
        """One row a token: token, p, frequency, bug (its exact output), bug_frequency.

        All but the names are shares of 1; p and bug are exact where the rule is.
        """
        size = len(self.rule.p)
        return pd.DataFrame(
            {
                "token": self.rule.tokens,
                "p": list(self.rule.p),
                "frequency": np.bincount(self.drawn, minlength=size) / len(self.drawn),
                "bug": list(redraw_bug(self.rule)),
                "bug_frequency": np.bincount(self.bugged, minlength=size) / len(self.bugged),
            }
        )

    def running(self, marks: int = _MARKS) -> pd.DataFrame:
        """The frequencies on the way, to see them settle: one row a mark, one column a token.

        The index, draws, holds at most `marks` (2..1000) whole numbers from 1 to n, evenly spread
        on a logarithmic scale. Raises ValueRefused and TypeRefused for other `marks`.

        >>> draws = draw_tokens(SamplingRule(["1", "0"], ["0.5", "0.5"]), 100)
        >>> draws.running(3).to_dict("index")
        {1: {'1': 1.0, '2': 0.0}, 10: {'1': 1.0, '2': 0.0}, 100: {'1': 1.0, '2': 0.0}}
        """
        return self._running(self.drawn, marks)

    def distances(self, marks: int = _MARKS) -> pd.DataFrame:
        """How far the frequencies are from p on the way, as total variation distances, 0..1.

        Index and `marks` as for `running`; columns rule, which falls towards 0, and bug, which
        falls towards `bug_distance`.

        >>> rule = SamplingRule(["0.9", "0.1"], ["0.6", "0.4"])
        >>> draw_tokens(rule, 1_000_000).distances(2).round(3).loc[1_000_000].to_dict()
        {'rule': 0.0, 'bug': 0.03}
        """
        p = np.array(self.rule.p, float)
        apart = {
            name: (self._running(tokens, marks) - p).abs().sum(axis=1) / 2
            for name, tokens in (("rule", self.drawn), ("bug", self.bugged))
        }
        return pd.DataFrame(apart)

    @property
    def bug_distance(self) -> Number:
        """How far the bug's exact output is from p, as total variation distance, 0..1."""
        bug = redraw_bug(self.rule)
        apart = [max(p, b) - min(p, b) for p, b in zip(self.rule.p, bug, strict=True)]
        return sum(apart, Fraction(0)) / 2

    def _running(self, tokens: Ints, marks: int) -> pd.DataFrame:
        count, size = len(tokens), len(self.rule.p)
        wanted = np.geomspace(1, count, integer(marks, "marks", 2, 1000)).round().astype(np.int64)
        at = np.unique(wanted)
        shares = [np.bincount(tokens[:n], minlength=size) / n for n in at]
        return pd.DataFrame(
            np.array(shares),
            index=pd.Index(at, name="draws"),
            columns=pd.Index(self.rule.tokens, name="token"),
        )


def draw_tokens(rule: SamplingRule, draws: int = 20_000, seed: int = 0) -> Draws:
    """Draw tokens by the rule and by the bug.

    draws: how many, 1..1,000,000
    seed:  of numpy.random.default_rng, 0..2^32 - 1: the same seed gives the same tokens

    Raises ValueRefused for a number out of range, TypeRefused where it is no whole number.

    >>> rule = SamplingRule(["0.9", "0.1"], ["0.6", "0.4"])
    >>> draw_tokens(rule, seed=1).table.round(2)["frequency"].tolist()
    [0.9, 0.1]
    """
    count = integer(draws, "draws", 1, MAX_DRAWS)
    rng = np.random.default_rng(integer(seed, "seed", 0, MAX_SEED))
    p, q = np.array(rule.p, float), np.array(rule.q, float)
    drafted = _drawn(q, rng.random(count))
    accepted = rng.random(count) * q[drafted] < p[drafted]
    again = rng.random(count)  # the chance of the second draw, used where the first is rejected
    residual = np.array(rule.normalised_residual, float)
    corrected = _drawn(residual, again) if residual.any() else drafted
    return Draws(
        rule,
        np.where(accepted, drafted, corrected),
        np.where(accepted, drafted, _drawn(p, again)),
        accepted,
    )


def _drawn(probabilities: npt.NDArray[np.float64], uniform: npt.NDArray[np.float64]) -> Ints:
    total = np.cumsum(probabilities)
    # Exactly 1 from the last possible token on, so that no impossible one is ever drawn.
    return np.searchsorted(total / total[-1], uniform, side="right").astype(np.int64)
