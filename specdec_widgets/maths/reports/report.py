"""What an engine's report says about gamma: measured acceptance beside the model's one alpha.

Terms, never mixed up here:

    acceptance rate         accepted / drafted; not alpha, for nothing after a rejection is accepted
    acceptance length       tokens a round, the target's own included: 1 + accepted / rounds
    joint acceptance        of a position: the share of the rounds in which it was accepted, and so
                            every position before it; the length is 1 + their sum
    conditional acceptance  of a position: how often it was accepted where the one before it was
    implied alpha           the acceptance that independent positions would need for that length

Left out: reading text, which is `read_report`. The unit of every cost is one pass of the target
model.

By hand, with joint acceptance 0.8, 0.6, 0.3: E is 1, 1.8, 2.4 and 2.7 at gamma 0..3, the
conditional acceptance 0.8, 0.75 and 0.5. At draft cost 0.2 the speedups are 1, 1.50, 1.71 and 1.69,
so that gamma 2 is the best.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from specdec_widgets.maths.cost import MAX_SCAN, CostModel
from specdec_widgets.maths.independence import implied_alpha
from specdec_widgets.maths.numbers import integer, real

Origin = Literal["reported", "derived", "given"]
Basis = Literal["measured", "independence", "extrapolated", "unknown"]

_ROUNDING = 1e-12  # relative: two speedups that are closer are one


@dataclass(frozen=True, init=False)
class Finding:
    """Something to know about a report: one English template and what goes into its places.

    `template` and `fields` are apart, as in a refusal, so that a panel can say it in its language
    and write the numbers its own way. `lines` is how many lines show it; the fields are the first
    one's.

    >>> finding = Finding("{n} lines of {all}", lines=2, n=1, all=3)
    >>> str(finding), finding.lines
    ('1 lines of 3', 2)
    """

    template: str
    fields: Mapping[str, object]
    lines: int

    def __init__(self, template: str, /, lines: int = 1, **fields: object) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "fields", fields)
        object.__setattr__(self, "lines", lines)

    def __str__(self) -> str:
        """The English sentence."""
        return self.template.format(**self.fields)


class Contradiction(Finding):
    """Figures of one report that cannot all be right. Nothing is repaired.

    >>> report = Report(findings=(Contradiction("{a} is not {b}", a=1, b=2),))
    >>> [str(found) for found in report.contradictions], report.caveats
    (['1 is not 2'], ())
    """


class Caveat(Finding):
    """How the report was read, or what it leaves open.

    >>> [str(found) for found in Report(findings=(Caveat("{n} are left out", n=1),)).caveats]
    ['1 are left out']
    """


class Choice(NamedTuple):
    """The gamma with the greatest speedup of those looked at.

    `gamma` is the smallest on a tie, `speedup` that over plain decoding. `at_edge` is True where it
    is the last one looked at, so that
    the peak may lie further. `basis` says where its E comes from, see `Report.curve`.

    >>> Report(joint_acceptance=(0.8, 0.1)).best(draft_cost=0.2)._replace(speedup=0)
    Choice(gamma=1, speedup=0, at_edge=False, basis='measured')
    """

    gamma: int
    speedup: float
    at_edge: bool
    basis: Basis


class SingleAlpha(NamedTuple):
    """What comes of trusting one alpha, as if positions were independent, up to the measured gamma.

    alpha:        the one that is trusted
    gamma:        the gamma it recommends
    promised:     the speedup it promises there
    speedup:      the speedup the measured acceptance gives there
    best_gamma:   the best gamma by the measured acceptance
    best_speedup: the speedup there
    loss:         what is lost, best_speedup - speedup, never negative

    >>> Report(joint_acceptance=(0.9, 0.3, 0.1)).trusting(alpha=0.8, draft_cost=0.2).gamma
    3
    """

    alpha: float
    gamma: int
    promised: float
    speedup: float
    best_gamma: int
    best_speedup: float
    loss: float


@dataclass(frozen=True)
class Report:
    """What a report determines; None for everything that it does not. Immutable.

    engine:                 who printed it; None for typed numbers
    lines:                  lines, requests or iterations that were pooled, by their counts
    rounds:                 verify passes that had a draft
    drafted, accepted:      draft tokens
    acceptance_rate:        accepted / drafted, 0..1
    mean_acceptance_length: tokens a round, the correction or bonus token included, 1..gamma + 1
    joint_acceptance:       by position, the share of the rounds in which it was accepted, 0..1
    gamma:                  draft tokens in a round
    origin:                 field -> "reported" (printed, or a sum of what was printed), "derived"
                            (computed from what was printed) or "given" (by whoever read it)
    findings:               contradictions and caveats

    A report that contradicts itself is kept as it is, so its numbers may lie outside these ranges.

    >>> report = Report(joint_acceptance=(0.8, 0.6, 0.3))
    >>> [report.expected_tokens(gamma) for gamma in range(4)]
    [1.0, 1.8, 2.4, 2.7]
    >>> report.best(draft_cost=0.2).gamma, report.measured_gamma
    (2, 3)
    >>> report.contradictions, report.caveats
    ((), ())
    """

    engine: str | None = None
    lines: int = 1
    rounds: int | None = None
    drafted: int | None = None
    accepted: int | None = None
    acceptance_rate: float | None = None
    mean_acceptance_length: float | None = None
    joint_acceptance: tuple[float, ...] | None = None
    gamma: int | None = None
    origin: Mapping[str, Origin] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def conditional_acceptance(self) -> tuple[float | None, ...] | None:
        """By position, how often it was accepted where the one before it was; derived.

        None in place of a position that nothing ever reached.

        >>> Report(joint_acceptance=(0.8, 0.6, 0.0, 0.0)).conditional_acceptance
        (0.8, 0.7499999999999999, 0.0, None)
        """
        if self.joint_acceptance is None:
            return None
        steps = pairwise((1.0, *self.joint_acceptance))
        return tuple([after / before if before else None for before, after in steps])

    @property
    def implied_alpha(self) -> float | None:
        """The alpha at which independent positions yield the measured length, 0..1; derived.

        The length is 1 + the joint acceptances where they are known, so that both curves meet at
        the measured gamma, and the mean acceptance length elsewhere.

        >>> round(Report(mean_acceptance_length=5.0, gamma=5).implied_alpha, 3)
        0.927
        """
        gamma, tokens = self.measured_gamma, self._length
        if not gamma or tokens is None or not 1 <= tokens <= gamma + 1:
            return None
        return implied_alpha(tokens, gamma)

    @property
    def measured_gamma(self) -> int | None:
        """The gamma up to which anything was measured: the number of positions, or gamma."""
        return self.gamma if self.joint_acceptance is None else len(self.joint_acceptance)

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """The findings that say that figures of the report cannot all be right."""
        return tuple([f for f in self.findings if isinstance(f, Contradiction)])

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """The findings that say how the report was read, or what it leaves open."""
        return tuple([f for f in self.findings if isinstance(f, Caveat)])

    @property
    def positions(self) -> pd.DataFrame:
        """One row a position, 1..gamma, which is the index; no row where none is known.

        Columns: joint, conditional, independent (joint, by the implied alpha).

        >>> Report(joint_acceptance=(0.75, 0.5)).positions.reset_index().round(3)
           position  joint  conditional  independent
        0         1   0.75        0.750        0.725
        1         2   0.50        0.667        0.525
        """
        joint = self.joint_acceptance or ()
        alpha = self.implied_alpha
        return pd.DataFrame(
            {
                "joint": np.array(joint, float),
                "conditional": np.array(self.conditional_acceptance or (), float),
                "independent": [
                    math.nan if alpha is None else alpha**i for i in range(1, len(joint) + 1)
                ],
            },
            index=pd.RangeIndex(1, len(joint) + 1, name="position"),
        )

    def expected_tokens(self, gamma: int) -> float | None:
        """E at this gamma as measured: 1 + the joint acceptances of the first gamma positions.

        None past the gamma that was measured; and below it where only the length is known. Only a
        draft whose choices do not depend on gamma keeps its acceptances when gamma is changed.
        Raises TypeRefused and ValueRefused where gamma is no whole number 0..1000.

        >>> Report(joint_acceptance=(0.8, 0.6)).expected_tokens(3) is None
        True
        """
        tokens, basis = self._expected(integer(gamma, "gamma", 0, MAX_SCAN))[-1]
        return tokens if basis == "measured" else None

    def curve(
        self, draft_cost: float = 0.10, verify_cost: float = 1.00, max_gamma: int | None = None
    ) -> pd.DataFrame:
        """The figures of every gamma from 0 to `max_gamma`.

        draft_cost, verify_cost: as for CostModel, and in the same ranges
        max_gamma:               0..1000; the measured gamma unless told otherwise

        One row a gamma, which is the index. Columns:
            expected_tokens      E
            independent_tokens   E by independence, with the implied alpha
            round_cost           target passes
            speedup              expected_tokens / round_cost
            independent_speedup  independent_tokens / round_cost
            basis                where expected_tokens comes from: "measured"; "independence" below
                                 a measured gamma of which only the length is known; "extrapolated"
                                 past the measured gamma, as if every further position had the
                                 conditional acceptance of the last one (the implied alpha, where no
                                 position is known); "unknown", and then it is missing

        >>> report = Report(joint_acceptance=(0.8, 0.6, 0.3))
        >>> curve = report.curve(draft_cost=0.2, max_gamma=4).round(2).reset_index()
        >>> curve[["gamma", "expected_tokens", "speedup", "basis"]]
           gamma  expected_tokens  speedup         basis
        0      0             1.00     1.00      measured
        1      1             1.80     1.50      measured
        2      2             2.40     1.71      measured
        3      3             2.70     1.69      measured
        4      4             2.85     1.58  extrapolated
        """
        last = self._last(max_gamma)
        alpha = self.implied_alpha
        model = CostModel(
            0 if alpha is None else alpha, draft_cost=draft_cost, verify_cost=verify_cost
        )
        table = model.curve(last)
        independent, cost = table["expected_tokens"], table["round_cost"]
        if alpha is None:
            independent = independent.where(independent.index == 0)
        tokens, basis = zip(*self._expected(last), strict=True)
        return pd.DataFrame(
            {
                "expected_tokens": tokens,
                "independent_tokens": independent,
                "round_cost": cost,
                "speedup": np.array(tokens) / cost,
                "independent_speedup": independent / cost,
                "basis": basis,
            },
            index=table.index,
        )

    def best(
        self, draft_cost: float = 0.10, verify_cost: float = 1.00, max_gamma: int | None = None
    ) -> Choice | None:
        """The gamma with the greatest speedup, of 0..`max_gamma` (the measured gamma by default).

        Arguments as for `curve`. None where no E but that of gamma 0 is known.

        >>> choice = Report(joint_acceptance=(0.8, 0.6, 0.3)).best(draft_cost=0.2)
        >>> choice.gamma, round(choice.speedup, 2), choice.at_edge, choice.basis
        (2, 1.71, False, 'measured')
        """
        table = self.curve(draft_cost, verify_cost, max_gamma)
        speedups = table["speedup"].to_numpy()
        if len(speedups) < 2 or np.isnan(speedups[1:]).all():
            return None
        gamma = _first_greatest(speedups)
        return Choice(
            gamma, float(speedups[gamma]), gamma == len(speedups) - 1, table["basis"].iloc[gamma]
        )

    def trusting(
        self, alpha: float | None = None, draft_cost: float = 0.10, verify_cost: float = 1.00
    ) -> SingleAlpha | None:
        """What one loses by trusting one alpha, the implied one unless another is given.

        alpha: 0..1; the acceptance rate, say, which is often taken for it. Costs as for `curve`.

        None where the positions are not known, or where no alpha is given nor implied.

        >>> trust = Report(joint_acceptance=(0.9, 0.3, 0.1)).trusting(alpha=0.8, draft_cost=0.2)
        >>> trust.gamma, round(trust.promised, 2), round(trust.speedup, 2)
        (3, 1.85, 1.44)
        >>> trust.best_gamma, round(trust.best_speedup, 2)
        (1, 1.58)
        """
        trusted = self.implied_alpha if alpha is None else real(alpha, "alpha", 0, 1)
        if self.joint_acceptance is None or trusted is None:
            return None
        table = self.curve(draft_cost, verify_cost)
        speedups = table["speedup"].to_numpy()
        model = CostModel(trusted, draft_cost=draft_cost, verify_cost=verify_cost)
        advised, best = model.best(len(speedups) - 1), _first_greatest(speedups)
        return SingleAlpha(
            alpha=trusted,
            gamma=advised.gamma,
            promised=advised.speedup,
            speedup=float(speedups[advised.gamma]),
            best_gamma=best,
            best_speedup=float(speedups[best]),
            loss=max(0.0, float(speedups[best] - speedups[advised.gamma])),
        )

    @property
    def _length(self) -> float | None:
        if self.joint_acceptance is None:
            return self.mean_acceptance_length
        return 1 + math.fsum(self.joint_acceptance)

    def _last(self, max_gamma: int | None) -> int:
        if max_gamma is not None:
            return integer(max_gamma, "max_gamma", 0, MAX_SCAN)
        return self.measured_gamma or 0

    def _expected(self, last: int) -> list[tuple[float, Basis]]:
        """E and where it comes from, for gamma 0..last."""
        rows: list[tuple[float, Basis]] = [(1.0, "measured")]
        measured, length, alpha = self.measured_gamma or 0, self._length, self.implied_alpha
        joint, step, share = self.joint_acceptance, self._further, 1.0
        for gamma in range(1, last + 1):
            inside = gamma <= measured
            if joint is not None and inside:
                rows.append((1 + math.fsum(joint[:gamma]), "measured"))
                share = joint[gamma - 1]
            elif gamma == measured and length is not None:
                rows.append((length, "measured"))
                share = 0.0 if alpha is None else alpha**gamma
            elif step is not None:
                share *= step
                rows.append((rows[-1][0] + share, "independence" if inside else "extrapolated"))
            else:
                rows.append((math.nan, "unknown"))
        return rows

    @property
    def _further(self) -> float | None:
        """The conditional acceptance of a position of which none is known."""
        if self.joint_acceptance:
            last = (self.conditional_acceptance or (None,))[-1]
            return 0.0 if last is None else min(last, 1.0)
        return self.implied_alpha


def _first_greatest(speedups: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
    greatest = np.nanmax(speedups)
    return int(np.argmax(speedups >= greatest * (1 - _ROUNDING)))
