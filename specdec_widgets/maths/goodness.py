"""Is what came out distributed as the model says? Pearson's chi-square test over a whole text.

Given what stands before it, each token is one draw from a known row of the model. So for each row
the counts of what followed are compared with what the row expects, and the rows are added up: the
sum is chi-square distributed, nearly, where every cell expects at least 5 (Cochran, "Some methods
for strengthening the common chi-square tests", 1954). Rarer tokens of a row share one cell.

A test cannot show that two distributions are equal. It states an error level: a right sampler
fails with that probability, and a wrong one is caught the sooner the more tokens there are.
"""

import math
import sys
from typing import NamedTuple

import numpy as np

from specdec_widgets.maths.errors import TypeRefused, ValueRefused, shown
from specdec_widgets.maths.ngram import Ints, NGram
from specdec_widgets.maths.numbers import integer, real

ERROR_LEVEL = 0.001  # how often a right sampler fails
_LEAST_EXPECTED = 5  # of a cell: Cochran's rule
_MAX_FREEDOM = 10_000_000


class ChiSquare(NamedTuple):
    """What the test found.

    statistic: sum of (observed - expected)^2 / expected over all cells; infinite where a token
               came out that the model never gives
    freedom:   degrees of freedom: cells less one, over all rows
    p_value:   probability that a right sampler's statistic is as large, 0..1; 1 without a cell
    tokens:    how many draws were looked at

    >>> result = ChiSquare(statistic=9.2, freedom=2, p_value=0.01, tokens=500)
    >>> result.passed(), result.passed(error_level=0.05)
    (True, False)
    """

    statistic: float
    freedom: int
    p_value: float
    tokens: int

    def passed(self, error_level: float = ERROR_LEVEL) -> bool:
        """Whether the test finds nothing; a right sampler fails with probability `error_level`.

        error_level: 0..1; ValueRefused and TypeRefused for another
        """
        return self.p_value >= real(error_level, "error_level", 0, 1)


def chi_square_test(model: NGram, tokens: Ints, *, prompt: str = ".") -> ChiSquare:
    """Test whether the tokens are what the model draws.

    tokens: indices, shape (sequences, length), each row after the same prompt, -1 after its end
    prompt: tokens of the vocabulary, as a text

    Raises ValueRefused and TypeRefused for a prompt or tokens of another kind.

    >>> model = NGram.from_table("ab", {(): (0.5, 0.5)})
    >>> chi_square_test(model, np.array([[0, 1] * 50]), prompt="")
    ChiSquare(statistic=0.0, freedom=1, p_value=1.0, tokens=100)
    >>> round(chi_square_test(model, np.array([[0, 0, 0, 1] * 25]), prompt="").p_value, 8)
    5.7e-07
    """
    size = len(model.vocabulary)
    tokens = _checked(tokens, size)
    window = model.order - 1
    before = np.concatenate([np.full(window, -1), model.encode(prompt, "prompt")])
    before = np.tile(before[len(before) - window :], (len(tokens), 1))
    end = np.full((len(tokens), 1), -1)  # so that there is a window even of no token
    joined = np.concatenate([before, tokens, end], axis=1)
    histories = np.lib.stride_tricks.sliding_window_view(joined, window + 1, axis=1)
    steps = histories.reshape(-1, window + 1)
    steps = steps[steps[:, -1] >= 0]
    rows = model.row_of(steps[:, :-1])
    seen, place = np.unique(rows, return_inverse=True)
    counts = np.bincount(place * size + steps[:, -1], minlength=len(seen) * size)
    observed = counts.reshape(len(seen), size)
    visits = observed.sum(axis=1, keepdims=True)
    expected = visits * model.rows[seen]
    if (observed[expected == 0] > 0).any():
        return ChiSquare(math.inf, 0, 0.0, len(steps))
    large = expected >= _LEAST_EXPECTED
    # Rare tokens share a cell, and where even that expects too little it joins the largest one.
    rare = np.array([np.where(large, 0, table).sum(axis=1) for table in (observed, expected)])
    joins = np.flatnonzero((rare[1] < _LEAST_EXPECTED) & large.any(axis=1))
    largest = np.argmax(expected, axis=1)[joins]
    cells = [np.where(large, observed, 0).astype(float), np.where(large, expected, 0)]
    for table, apart in zip(cells, rare, strict=True):
        table[joins, largest] += apart[joins]
        apart[joins] = 0
    observed_cells, expected_cells = (
        np.column_stack([table, apart]) for table, apart in zip(cells, rare, strict=True)
    )
    # A row with one cell says nothing: what it expects there is what it has.
    used = expected_cells > 0
    apart_squared = (observed_cells[used] - expected_cells[used]) ** 2
    statistic = float((apart_squared / expected_cells[used]).sum())
    freedom = int(used.sum() - used.any(axis=1).sum())
    return ChiSquare(statistic, freedom, chi_square_tail(statistic, freedom), len(steps))


def _checked(tokens: object, size: int) -> Ints:
    array = np.asarray(tokens)
    if array.dtype.kind not in "iu":
        raise TypeRefused(
            "{argument} must be a table of whole numbers, not {value}.",
            argument="tokens",
            value=shown(tokens),
        )
    if array.ndim != 2:
        raise ValueRefused(
            "{argument} must have the shape {expected}, not {value}.",
            argument="tokens",
            expected="(sequences, length)",
            value=str(array.shape),
        )
    if array.size:
        for token in (array.min(), array.max()):
            integer(token, "tokens", -1, size - 1)
    return array.astype(np.int64, copy=False)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable is at least `statistic`.

    statistic: 0 or more, or infinite
    freedom:   degrees of freedom, 0..10,000,000; 0 means no variable at all: 1

    The finite sums for whole degrees of freedom, Abramowitz and Stegun 26.4.4 and 26.4.5. Raises
    ValueRefused and TypeRefused for other numbers.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(18.307038, 10), 6)
    (0.05, 0.05)
    """
    k = integer(freedom, "freedom", 0, _MAX_FREEDOM)
    if statistic == math.inf:
        return 0.0 if k else 1.0
    half = real(statistic, "statistic", 0, sys.float_info.max) / 2
    if k == 0 or half == 0:
        return 1.0
    odd = k % 2
    # Terms half^s / Gamma(s + 1) x exp(-half), s = 0, 1, ... or 1/2, 3/2, ..., below k / 2.
    power = np.arange(k // 2) + odd / 2
    logs = [s * math.log(half) - half - math.lgamma(s + 1) for s in power]
    tail = math.fsum(map(math.exp, logs)) + (math.erfc(math.sqrt(half)) if odd else 0)
    return min(1.0, tail)
