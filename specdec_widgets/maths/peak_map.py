"""What moves the peak: the best gamma over alpha and draft cost, at a verify cost.

Every cell of the map is one `CostModel`, asked for its best gamma. Where the scan ends before the
curve falls, the best gamma is that of the edge and the true peak may lie further; where nothing is
faster than plain decoding, no gamma pays.

By hand, at verify cost 1: gamma 1 beats gamma 0 where (1 + alpha) / (1 + c_d) > 1, that is where
alpha > c_d. So the map is 0 wherever a draft token costs as much as it is likely to be accepted.
"""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from specdec_widgets.maths.cost import MAX_GAMMA, CostModel
from specdec_widgets.maths.numbers import entries_of


def best_gamma_map(
    alphas: Iterable[float],
    draft_costs: Iterable[float],
    verify_cost: float = 1.0,
    max_gamma: int = MAX_GAMMA,
) -> pd.DataFrame:
    """The best gamma of every pair of an alpha and a draft cost.

    alphas:      acceptance probabilities, each 0..1
    draft_costs: of a draft pass in target passes, each 0..1
    verify_cost: of a verify pass in target passes, 0.01..3
    max_gamma:   where the scan ends, 0..1000

    One row a pair, the alphas of the first draft cost first. Columns: alpha, draft_cost, gamma (the
    best, the smallest on a tie), speedup (at it), at_edge (the scan ended there), pays (whether
    anything is faster than plain decoding). Raises ValueRefused and TypeRefused as `CostModel`.

    >>> cells = best_gamma_map([0.4, 0.8, 0.9, 0.95], [0.10])
    >>> cells["gamma"].tolist(), cells["pays"].tolist()
    ([2, 6, 10, 15], [True, True, True, True])
    >>> best_gamma_map([0.2, 0.8], [0, 0.5]).pivot(
    ...     index="draft_cost", columns="alpha", values="gamma"
    ... ).to_dict("index")
    {0.0: {0.2: 32, 0.8: 32}, 0.5: {0.2: 0, 0.8: 2}}
    """
    across, down = entries_of(alphas, "alphas"), entries_of(draft_costs, "draft_costs")
    rows = [_cell(alpha, cost, verify_cost, max_gamma) for cost in down for alpha in across]
    return pd.DataFrame(rows)


def _cell(alpha: Any, draft_cost: Any, verify_cost: float, last: int) -> dict[str, Any]:
    model = CostModel(alpha=alpha, draft_cost=draft_cost, verify_cost=verify_cost)
    best = model.best(last)
    return {
        "alpha": model.alpha,
        "draft_cost": model.draft_cost,
        "gamma": best.gamma,
        "speedup": best.speedup,
        "at_edge": best.at_edge,
        "pays": best.pays,
    }
