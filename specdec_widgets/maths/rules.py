"""Three ways to accept a draft token without changing the output, and how often each accepts.

The target's distribution is p, the draft's q.

accept_resample: draw x from q, accept with min(1, p(x) / q(x)), else draw from the residual. It
                 accepts with the sum of min(p, q), the most that any rule can with x drawn from q.
greedy_draft:    take the draft's most probable token for x, always the same one; the rule above
                 then accepts it with p(x). Often more, since x is no longer drawn from q.
sample_both:     draw x from q and y from p, give y, and call x accepted where they are the same:
                 the sum of p q, never more than the first rule.

So accepted / drafted of a report is one number under three meanings: ask which rule was counted.

By hand, with p = (0.9, 0.1) and q = (0.6, 0.4): 0.6 + 0.1 = 0.70; p of the first token, 0.90;
0.9 x 0.6 + 0.1 x 0.4 = 0.58.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import pandas as pd

from specdec_widgets.maths.sampling import FLOAT_TOLERANCE, Number, Probabilities, SamplingRule


def compare_rules(p: Sequence[object], q: Sequence[object]) -> pd.DataFrame:
    """The three rules on one pair of distributions, given as for `SamplingRule`.

    One row a rule, which is the index. Columns: acceptance (probability that the draft token is
    accepted), output (what comes out, a tuple), is_lossless (output == p, within 1e-9 where floats
    are among the numbers). Each output is added up over everything that can be drawn. Raises
    ValueRefused and TypeRefused as `SamplingRule`.

    >>> compare_rules(["0.9", "0.1"], ["0.6", "0.4"])["acceptance"].map(float).to_dict()
    {'accept_resample': 0.7, 'greedy_draft': 0.9, 'sample_both': 0.58}
    """
    rule = SamplingRule(p, q)
    favourite = rule.q.index(max(rule.q))  # the first where several are
    greedy = [Fraction(int(i == favourite)) for i in range(len(rule.q))]
    drawn: dict[str, Drawn] = {
        "accept_resample": _accept_resample(rule.p, rule.q),
        "greedy_draft": _accept_resample(rule.p, greedy),
        "sample_both": _sample_both(rule.p, rule.q),
    }
    slack = 0 if rule.is_exact else FLOAT_TOLERANCE
    rows = {
        name: {
            "acceptance": acceptance,
            "output": output,
            "is_lossless": all(map(partial(_near, slack=slack), output, rule.p)),
        }
        for name, (acceptance, output) in drawn.items()
    }
    table = pd.DataFrame.from_dict(rows, orient="index")
    return table.rename_axis("rule")


Drawn = tuple[Number, Probabilities]


def _near(one: Number, other: Number, slack: float) -> bool:
    return max(one, other) - min(one, other) <= slack


def _accept_resample(p: Sequence[Number], q: Sequence[Number]) -> Drawn:
    output: list[Number] = [Fraction(0)] * len(p)
    residual = [max(target - draft, Fraction(0)) for target, draft in zip(p, q, strict=True)]
    lacking = sum(residual, Fraction(0))
    acceptance: Number = Fraction(0)
    for x, drafted in enumerate(q):
        if drafted == 0:
            continue
        accepted = drafted * min(Fraction(1), p[x] / drafted)
        acceptance += accepted
        output[x] += accepted
        for y, again in enumerate(residual):
            if again > 0:
                output[y] += (drafted - accepted) * again / lacking
    return acceptance, tuple(output)


def _sample_both(p: Sequence[Number], q: Sequence[Number]) -> Drawn:
    output: list[Number] = [Fraction(0)] * len(p)
    acceptance: Number = Fraction(0)
    for x, drafted in enumerate(q):
        for y, wanted in enumerate(p):
            output[y] += drafted * wanted
            acceptance += drafted * wanted if x == y else Fraction(0)
    return acceptance, tuple(output)
