"""The sampling rule of speculative decoding: faster, and the output does not change.

Draw a token x from the draft's distribution q; accept it with probability min(1, p(x) / q(x)),
p being the target's; on rejection draw from the residual max(0, p - q), normalised. What comes
out is distributed as p, exactly (Leviathan, Kalman, Matias, arXiv 2211.17192; Chen et al.,
arXiv 2302.01318).

`gate` checks that identity over 729 pairs of distributions in exact rational arithmetic. It
guards the arithmetic and says nothing about any real pair of models.

By hand, with p = 0.50, 0.25, 0.15, 0.10 and q = 0.40, 0.30, 0.20, 0.10: the accepted parts
min(p, q) are 0.40, 0.25, 0.15, 0.10, together 0.90; the residual is 0.10, all of it on the first
token, so the first token comes out with 0.40 + 0.10 x 1 = 0.50.
"""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd

from specdec_widgets.maths.errors import TypeRefused, ValueRefused, shown
from specdec_widgets.maths.numbers import entries_of as entries_of
from specdec_widgets.maths.numbers import exact, real

Number = Fraction | float
Probabilities = tuple[Number, ...]

FLOAT_TOLERANCE = 1e-9  # how far the sum of floats may be from 1
MAX_TEMPERATURE = 5
MIN_STEP = 0.01  # of a curve over temperatures
_SIXTHS = 6  # the gate's distributions are (a, b, c, 6 - a - b - c) / 6 with a, b, c in 0..2


@dataclass(frozen=True, init=False)
class SamplingRule:
    """A target's distribution p and a draft's q over the same tokens. Immutable.

    p, q:   sequences of probabilities, 0..1, each summing to 1: numbers, or text such as "0.25",
            "0,25" or "1/4"
    tokens: their names, unique and not blank; "1", "2", ... where none are given

    Everything is exact (Fraction) where no float is among the numbers. With a float everything is
    float, and a sum may miss 1 by 1e-9. Nothing is ever normalised for you.

    Raises ValueRefused for a number out of range, a sum that is not 1, sequences of different
    length, or a name used twice; TypeRefused for values of another type.

    >>> rule = SamplingRule(["0.5", "0.25", "0.15", "0.10"], ["0.4", "0.3", "0.2", "0.1"])
    >>> rule.alpha, rule.rejection, rule.output == rule.p
    (Fraction(9, 10), Fraction(1, 10), True)
    >>> rule.total_variation
    Fraction(1, 10)
    >>> for numbers in (rule.accepted, rule.residual, rule.normalised_residual):
    ...     print(*numbers)
    2/5 1/4 3/20 1/10
    1/10 0 0 0
    1 0 0 0
    """

    p: Probabilities
    q: Probabilities
    tokens: tuple[str, ...]
    is_exact: bool  # Fractions throughout, no float

    def __init__(
        self,
        p: Sequence[object],
        q: Sequence[object],
        tokens: Sequence[str] | None = None,
    ) -> None:
        target, draft = entries_of(p, "p"), entries_of(q, "q")
        _same_length("q", draft, len(target))
        is_exact = not any(isinstance(v, float | np.floating) for v in (*target, *draft))
        object.__setattr__(self, "p", distribution(target, "p", is_exact))
        object.__setattr__(self, "q", distribution(draft, "q", is_exact))
        object.__setattr__(self, "tokens", token_names(tokens, len(target)))
        object.__setattr__(self, "is_exact", is_exact)

    @cached_property
    def accepted(self) -> Probabilities:
        """min(p, q), 0..1: how often each token is drawn from q and accepted."""
        return tuple(map(min, self.p, self.q))

    @cached_property
    def residual(self) -> Probabilities:
        """max(0, p - q), 0..1: what each token still lacks."""
        return tuple([p - kept for p, kept in zip(self.p, self.accepted, strict=True)])

    @cached_property
    def normalised_residual(self) -> Probabilities:
        """What is drawn from on rejection, 0..1; 0 everywhere where nothing is ever rejected."""
        total = self.rejection
        if total == 0:
            return self.residual
        return tuple([lacking / total for lacking in self.residual])

    @cached_property
    def output(self) -> Probabilities:
        """How often each token comes out: accepted, or drawn again after a rejection."""
        return tuple(
            [
                kept + self.rejection * again
                for kept, again in zip(self.accepted, self.normalised_residual, strict=True)
            ]
        )

    @cached_property
    def alpha(self) -> Number:
        """The chance of acceptance, 0..1, the sum of min(p, q): 1 - total variation distance."""
        return self._total(self.accepted)

    @cached_property
    def rejection(self) -> Number:
        """The chance of rejection, 0..1, the sum of the residual: 1 - alpha."""
        return self._total(self.residual)

    @cached_property
    def total_variation(self) -> Number:
        """The total variation distance of p and q, 0..1: half the sum of |p - q|."""
        return self._total([max(p, q) - min(p, q) for p, q in zip(self.p, self.q, strict=True)]) / 2

    @property
    def table(self) -> pd.DataFrame:
        """One row a token.

        Columns: token, p, q, accepted (min(p, q)), residual, normalised_residual, output.

        >>> SamplingRule([0.75, 0.25], [0.5, 0.5], ["sun", "rain"]).table
          token     p    q  accepted  residual  normalised_residual  output
        0   sun  0.75  0.5      0.50      0.25                  1.0    0.75
        1  rain  0.25  0.5      0.25      0.00                  0.0    0.25
        """
        columns = ("p", "q", "accepted", "residual", "normalised_residual", "output")
        return pd.DataFrame(
            {"token": self.tokens} | {name: list(getattr(self, name)) for name in columns}
        )

    def at_temperature(self, temperature: float) -> "SamplingRule":
        """The rule with both p and q sampled at a temperature, 0..5.

        Every probability is raised to the power 1 / temperature and the sum brought back to 1, in
        floats. At 1 the rule itself comes back; at 0 the greedy limit, exact: the whole mass on
        the most probable token, shared where several are. Raises ValueRefused and TypeRefused for
        another temperature.

        >>> colder = SamplingRule([0.75, 0.25], [0.5, 0.5]).at_temperature(0.5)
        >>> [round(p, 12) for p in colder.p], colder.q
        ([0.9, 0.1], (0.5, 0.5))
        >>> SamplingRule([0.75, 0.25], [0.5, 0.5]).at_temperature(0).q
        (Fraction(1, 2), Fraction(1, 2))
        """
        t = real(temperature, "temperature", 0, MAX_TEMPERATURE)
        if t == 1:
            return self
        return type(self)(_tempered(self.p, t), _tempered(self.q, t), self.tokens)

    def temperature_curve(self, highest: float = 3.0, step: float = 0.05) -> pd.DataFrame:
        """How alpha moves with the sampling temperature, from 0 to `highest` (0..5).

        One row a temperature, `step` (0.01..5) apart, which is the index; column alpha. Raises
        ValueRefused and TypeRefused for another range or step.

        >>> curve = SamplingRule([0.75, 0.25], [0.5, 0.5]).temperature_curve(highest=1, step=0.5)
        >>> curve["alpha"].round(2).to_dict()
        {0.0: 0.5, 0.5: 0.6, 1.0: 0.75}
        """
        highest = real(highest, "highest", 0, MAX_TEMPERATURE)
        step = real(step, "step", MIN_STEP, MAX_TEMPERATURE)
        temperatures = [round(step * i, 10) for i in range(int(highest / step + 1e-9) + 1)]
        alphas = [float(self.at_temperature(t).alpha) for t in temperatures]
        return pd.DataFrame({"alpha": alphas}, index=pd.Index(temperatures, name="temperature"))

    def _total(self, numbers: Iterable[Number]) -> Number:
        return sum(numbers, Fraction(0)) if self.is_exact else math.fsum(numbers)


@dataclass(frozen=True, eq=False)
class GateResult:
    """What the gate checked, to be shown.

    table: one row a pair: p and q in sixths, the rule's alpha, rejection and total_variation, one
           column True or False a check, and closed, all checks together. The checks:
           output_is_p                the output equals p on every token
           alpha_and_rejection_are_1  acceptance and rejection sum to 1
           alpha_is_overlap           alpha = 1 - half the sum of |p - q|
           residual_is_rejection      the residual sums to what q has too much of, and to rejection
    pairs: how many pairs were checked
    closed: in how many every check held

    >>> result = gate()
    >>> result.pairs, result.closed, result.passed, len(result.failures)
    (729, 729, True, 0)
    """

    table: pd.DataFrame

    @property
    def pairs(self) -> int:
        """How many pairs were checked."""
        return len(self.table)

    @property
    def closed(self) -> int:
        """In how many pairs every check held."""
        return int(self.table["closed"].sum())

    @property
    def passed(self) -> bool:
        """Whether every check held in every pair."""
        return self.pairs == self.closed

    @property
    def failures(self) -> pd.DataFrame:
        """The rows of the pairs in which a check failed."""
        return self.table[~self.table["closed"]]


def gate(rule: type[SamplingRule] = SamplingRule) -> GateResult:
    """Check the sampling rule over 729 pairs of distributions, in exact rational arithmetic.

    27 distributions over four tokens, (a, b, c, 6 - a - b - c) / 6 with a, b, c in 0..2, each
    against each. `rule` is the class that is checked: give it a wrong one and see it fail.

    >>> result = gate()
    >>> result.pairs, result.closed, result.passed
    (729, 729, True)
    """
    grid = [(a, b, c, _SIXTHS - a - b - c) for a, b, c in product(range(3), repeat=3)]
    return GateResult(pd.DataFrame([_checked(rule, p, q) for p, q in product(grid, repeat=2)]))


def _checked(rule: type[SamplingRule], p: tuple[int, ...], q: tuple[int, ...]) -> dict[str, object]:
    tried = rule([Fraction(n, _SIXTHS) for n in p], [Fraction(n, _SIXTHS) for n in q])
    # What is expected is counted in whole sixths, by none of the rule's own formulas.
    apart = sum(abs(a - b) for a, b in zip(p, q, strict=True))
    refused = sum(b - a for a, b in zip(p, q, strict=True) if b > a)
    checks = {
        "output_is_p": all(out * _SIXTHS == n for out, n in zip(tried.output, p, strict=True)),
        "alpha_and_rejection_are_1": tried.alpha + tried.rejection == 1,
        "alpha_is_overlap": tried.alpha == 1 - Fraction(apart, 2 * _SIXTHS),
        "residual_is_rejection": sum(tried.residual)
        == tried.rejection
        == Fraction(refused, _SIXTHS),
    }
    return {
        "p": " ".join(f"{n}/{_SIXTHS}" for n in p),
        "q": " ".join(f"{n}/{_SIXTHS}" for n in q),
        "alpha": tried.alpha,
        "rejection": tried.rejection,
        "total_variation": tried.total_variation,
        **checks,
        "closed": all(checks.values()),
    }


def _tempered(probabilities: Probabilities, temperature: float) -> Probabilities:
    greatest = max(probabilities)
    if temperature == 0:
        ties = probabilities.count(greatest)
        return tuple([Fraction(int(p == greatest), ties) for p in probabilities])
    # Relative to the greatest, which stays 1: nothing overflows, and the sum is never 0.
    weights = [float(p / greatest) ** (1 / temperature) for p in probabilities]
    total = math.fsum(weights)
    return tuple([weight / total for weight in weights])


def _same_length(argument: str, entries: Sequence[object], expected: int) -> None:
    if len(entries) != expected:
        raise ValueRefused(
            "{argument} must have as many entries as p, {expected}, not {value}.",
            argument=argument,
            expected=expected,
            value=len(entries),
        )


def distribution(values: Iterable[object], argument: str, is_exact: bool = True) -> Probabilities:
    """The values as probabilities, 0..1, that sum to 1: as Fractions, or as floats.

    `argument` names them in a refusal. As floats their sum may miss 1 by 1e-9. Raises ValueRefused
    and TypeRefused as `SamplingRule` does.

    >>> distribution(["0.5", "0,25", "1/4"], "p")
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    entries = entries_of(values, argument)
    numbers = [exact(entry, f"{argument}[{i}]") for i, entry in enumerate(entries)]
    slack = 0 if is_exact else FLOAT_TOLERANCE
    for i, number in enumerate(numbers):
        if not 0 <= number <= 1 + slack:
            raise ValueRefused(
                "{argument} must lie between {low} and {high}, not {value}.",
                argument=f"{argument}[{i}]",
                low=0,
                high=1,
                value=shown(number),
            )
    total = sum(numbers, Fraction(0))
    if abs(total - 1) > slack:
        raise ValueRefused(
            "{argument} must sum to 1, not {value}.", argument=argument, value=shown(total)
        )
    return tuple(numbers) if is_exact else tuple([float(number) for number in numbers])


def token_names(tokens: object, count: int) -> tuple[str, ...]:
    """The names of `count` tokens: unique, not blank; "1", "2", ... where none are given.

    Names that look the same, but for spaces around them or how an accent is encoded, are not
    unique.

    Raises ValueRefused and TypeRefused as `SamplingRule` does.

    >>> token_names(["rain", "sun"], 2), token_names(None, 2)
    (('rain', 'sun'), ('1', '2'))
    """
    if tokens is None:
        return tuple(str(i) for i in range(1, count + 1))
    names = entries_of(tokens, "tokens")
    _same_length("tokens", names, count)
    first: dict[str, int] = {}  # where each name stands first
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TypeRefused(
                "{argument} must be text, not {value}.",
                argument=f"tokens[{i}]",
                value=shown(name),
            )
        looks = unicodedata.normalize("NFC", name).strip()
        if not looks:
            raise ValueRefused(
                "{argument} must have a visible character, unlike {value}.",
                argument=f"tokens[{i}]",
                value=shown(name),
            )
        if first.setdefault(looks, i) != i:
            raise ValueRefused(
                "{argument} and {other} must differ; both look like {value}.",
                argument=f"tokens[{first[looks]}]",
                other=f"tokens[{i}]",
                value=shown(looks),
            )
    return tuple(str(name) for name in names)
