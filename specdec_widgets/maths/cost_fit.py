"""The costs of a server, fitted to measured runs: round cost = c_v + gamma c_d.

A run at some gamma has an acceptance length L and a speedup S, and so the round cost L / S, in
passes of the target. Over runs with different gammas a straight line through it, by least squares,
has the verify cost c_v as its height at gamma 0 and the draft cost c_d as its slope.

What speed data cannot tell: a verify pass that itself grows with gamma, c_v + gamma s, gives the
very same line with the slope c_d + s. The draft cost found here is that sum. Only a measurement of
the draft alone, or of a verify pass alone at two gammas, can take it apart.

By hand: two runs with L 1.8 and 2.4 and speedups 1.5 and 1.6 at gamma 1 and 2 have the round costs
1.2 and 1.5; so c_d = 0.3 and c_v = 0.9.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from specdec_widgets.maths.cost import MAX_SCAN
from specdec_widgets.maths.errors import ValueRefused, shown
from specdec_widgets.maths.numbers import entries_of, integer, real

MIN_SPEEDUP, MAX_SPEEDUP = Fraction(1, 1000), 1000
MIN_MS, MAX_MS = Fraction(1, 1_000_000), 1_000_000  # milliseconds a token


@dataclass(frozen=True, eq=False)
class CostFit:
    """Costs fitted to runs, in target passes, as they came out: a negative one is not corrected.

    draft_cost:  the slope: a draft pass, and what the verify pass grows by with every token
    verify_cost: the height at gamma 0
    table:       one row a run, in the order given: gamma, acceptance_length, speedup, round_cost
                 (acceptance_length / speedup), fitted (round cost by the line), residual
                 (round_cost - fitted), fitted_speedup (acceptance_length / fitted, missing where
                 fitted is not positive)
    condition:   how ill the gammas determine the two costs, >= 1: an error of the round costs may
                 come back that much greater, relatively

    >>> fit_costs([1, 2], [1.8, 2.4], [1.5, 1.6]).table["round_cost"].round(3).tolist()
    [1.2, 1.5]
    """

    draft_cost: float
    verify_cost: float
    table: pd.DataFrame
    condition: float

    @property
    def rms_residual(self) -> float:
        """The root of the mean squared residual, target passes; 0 for two gammas, by force.

        >>> round(fit_costs([1, 2, 3], [1.8, 2.4, 2.8], [1.5, 1.6, 1.5]).rms_residual, 3)
        0.016
        """
        return float(np.sqrt(np.mean(self.table["residual"].to_numpy() ** 2)))

    @property
    def is_plausible(self) -> bool:
        """Whether the draft cost is not negative and the verify cost positive.

        >>> fit_costs([1, 2], [1.8, 2.4], [1.5, 1.6]).is_plausible
        True
        >>> fit_costs([1, 2], [1.8, 2.4], [1.5, 2.4]).is_plausible  # the longer draft costs less
        False
        """
        return self.draft_cost >= 0 and self.verify_cost > 0


def fit_costs(
    gammas: Iterable[int],
    acceptance_lengths: Iterable[float],
    speedups: Iterable[float] | None = None,
    *,
    ms_per_token: Iterable[float] | None = None,
    plain_ms: float | None = None,
) -> CostFit:
    """Fit the draft and the verify cost to measured runs, by least squares.

    gammas:             draft tokens in a round, whole numbers 0..1000, at least two different ones
    acceptance_lengths: tokens a round, 1..gamma + 1, one for each run
    speedups:           over plain decoding, 0.001..1000, one for each run; or instead
    ms_per_token:       milliseconds, 0.000001..1,000,000, one for each run, with
    plain_ms:           milliseconds a token of plain decoding, as many; the speedups that follow
                        lie in the same range

    A verify pass that grows with gamma cannot be told from the draft cost by speed data alone.

    Raises TypeRefused for values of another type, ValueRefused for numbers out of range, sequences
    of different length, or fewer than two different gammas.

    >>> fit = fit_costs([1, 2], [1.8, 2.4], [1.5, 1.6])
    >>> round(fit.draft_cost, 3), round(fit.verify_cost, 3)
    (0.3, 0.9)
    >>> fit = fit_costs([1, 2], [1.8, 2.4], ms_per_token=[10, 9.375], plain_ms=15)
    >>> round(fit.draft_cost, 3), round(fit.verify_cost, 3)
    (0.3, 0.9)
    """
    runs = [
        integer(g, f"gammas[{i}]", 0, MAX_SCAN)
        for i, g in enumerate(entries_of(gammas, "gammas", 0))
    ]
    if len(set(runs)) < 2:
        raise ValueRefused(
            "{argument} must hold at least two different numbers, not {value}.",
            argument="gammas",
            value=shown(runs),
        )
    lengths = [
        real(value, f"acceptance_lengths[{i}]", 1, runs[i] + 1)
        for i, value in enumerate(_as_many(acceptance_lengths, "acceptance_lengths", len(runs)))
    ]
    speeds = _speedups(speedups, ms_per_token, plain_ms, len(runs))
    gamma, length, speedup = np.array(runs, float), np.array(lengths), np.array(speeds)
    cost = length / speedup
    design = np.column_stack([np.ones_like(gamma), gamma])
    (verify, draft), _, _, singular = np.linalg.lstsq(design, cost)
    fitted = design @ np.array([verify, draft])
    table = pd.DataFrame(
        {
            "gamma": runs,
            "acceptance_length": length,
            "speedup": speedup,
            "round_cost": cost,
            "fitted": fitted,
            "residual": cost - fitted,
            "fitted_speedup": length / np.where(fitted > 0, fitted, np.nan),
        }
    )
    return CostFit(float(draft), float(verify), table, float(singular[0] / singular[-1]))


def _speedups(
    speedups: Iterable[float] | None,
    ms_per_token: Iterable[float] | None,
    plain_ms: float | None,
    count: int,
) -> list[float]:
    if speedups is not None:
        for argument, value in (("ms_per_token", ms_per_token), ("plain_ms", plain_ms)):
            if value is not None:
                raise ValueRefused(
                    "{argument} must be left out where the speedups are given, not {value}.",
                    argument=argument,
                    value=shown(value),
                )
        return [
            real(value, f"speedups[{i}]", MIN_SPEEDUP, MAX_SPEEDUP)
            for i, value in enumerate(_as_many(speedups, "speedups", count))
        ]
    if ms_per_token is None and plain_ms is None:
        raise ValueRefused(
            "{argument} must be given, or {others} instead; all of these are {value}.",
            argument="speedups",
            others="ms_per_token, plain_ms",
            value=shown(speedups),
        )
    plain = real(plain_ms, "plain_ms", MIN_MS, MAX_MS)
    times = [
        real(value, f"ms_per_token[{i}]", MIN_MS, MAX_MS)
        for i, value in enumerate(_as_many(ms_per_token, "ms_per_token", count))
    ]
    return [
        real(plain / time, f"plain_ms / ms_per_token[{i}]", MIN_SPEEDUP, MAX_SPEEDUP)
        for i, time in enumerate(times)
    ]


def _as_many(values: object, argument: str, count: int) -> tuple[object, ...]:
    entries = entries_of(values, argument, 0)
    if len(entries) != count:
        raise ValueRefused(
            "{argument} must have as many entries as gammas, {expected}, not {value}.",
            argument=argument,
            expected=count,
            value=len(entries),
        )
    return entries
