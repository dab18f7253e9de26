"""Published measurements, row by row with their sources, beside what the model says of them.

The rows are in three small files of the package's data folder, as they were published:
published_speedups.csv (papers), published_lengths.csv (acceptance length by gamma) and
published_servers.csv (speed on servers). What is computed here is named in the docstrings.

Why a published speedup is not the predicted one: alpha is a mean over positions that are not
independent, the costs are rounded and leave out all that is neither a draft nor a verify pass, and
the two programs that were timed are not equally well optimised. Some rows are faster than even a
free draft could be by the model, which says that one of these is at work, not which.

By hand, for T5-small on En-De at T = 0: E = (1 - 0.75^8) / 0.25 = 3.60 tokens for 1 + 7 x 0.02 =
1.14 passes, 3.16 times plain decoding; the paper predicts 3.2 and measured 3.4.
"""

from importlib import resources

import numpy as np
import pandas as pd

from specdec_widgets.maths.cost import CostModel
from specdec_widgets.maths.independence import implied_alpha, independent_tokens


def published_speedups() -> pd.DataFrame:
    """Measured speedups of two papers, and what the cost model predicts, one row a measurement.

    Published columns: source, table, target, draft, task, sampling, gamma, alpha, draft_cost (c,
    one draft pass in target passes), published_prediction (the paper's own, by the same formula;
    alpha and c are printed rounded), published_speedup, and in milliseconds target_pass_ms,
    draft_pass_ms, ms_per_token. Missing where the source has none.

    Computed from them:
        draft_cost, published_speedup  of the rows in milliseconds, as ratios
        predicted_speedup              the cost model's, at verify cost 1: the walltime factor
        free_draft_speedup             the same for a draft that costs nothing
        implied_alpha                  the alpha at which the model gives the published speedup;
                                       missing where none does

    >>> table = published_speedups().round(2)
    >>> table[["predicted_speedup", "published_prediction", "published_speedup"]].head(2)
       predicted_speedup  published_prediction  published_speedup
    0               3.16                   3.2                3.4
    1               3.25                   3.3                2.8
    """
    table = _read("published_speedups.csv")
    timed = table["ms_per_token"].notna()
    table.loc[timed, "draft_cost"] = table["draft_pass_ms"] / table["target_pass_ms"]
    table.loc[timed, "published_speedup"] = table["target_pass_ms"] / table["ms_per_token"]
    rows = [
        _prediction(int(gamma), alpha, cost, speedup)
        for gamma, alpha, cost, speedup in zip(
            table["gamma"],
            table["alpha"],
            table["draft_cost"],
            table["published_speedup"],
            strict=True,
        )
    ]
    columns = ["predicted_speedup", "free_draft_speedup", "implied_alpha"]
    return table.join(pd.DataFrame(rows, columns=columns, index=table.index))


def published_lengths() -> pd.DataFrame:
    """Mean acceptance length by gamma of three pairs, coding prompts of SPEED-Bench.

    Published columns: source, prompts, pair, drafting, temperature, gamma, acceptance_length
    (tokens a round, the target's own included). Computed: independent_length, what independent
    positions would yield with the acceptance of gamma 1.

    In the third pair the length falls after gamma 6: there the acceptance of a position depends on
    gamma itself, so the differences of a row are no acceptances of positions.

    >>> table = published_lengths()
    >>> table[table["gamma"] == 8][["acceptance_length", "independent_length"]].round(2).to_numpy()
    array([[2.58, 4.19],
           [4.06, 4.95],
           [3.47, 4.95]])
    """
    table = _read("published_lengths.csv")
    first = table[table["gamma"] == 1].set_index("pair")["acceptance_length"] - 1
    table["independent_length"] = [
        independent_tokens(first[pair], int(gamma))
        for pair, gamma in zip(table["pair"], table["gamma"], strict=True)
    ]
    return table


def published_servers() -> pd.DataFrame:
    """Speed measured on servers, by gamma or by load, one row a run.

    Published columns: source, setup, load, gamma, acceptance_length, lowest_rate and highest_rate
    (accepted / drafted, as a range), plain_ms and ms_per_token (milliseconds a token),
    plain_tokens_per_s and tokens_per_s. Missing where the source has none.

    Computed from them:
        acceptance_length  where a rate was published, 1 + gamma x the middle of its range: every
                           draft is taken to be full
        speedup            over plain decoding
        round_cost         acceptance_length / speedup, in target passes: what `fit_costs` fits

    >>> table = published_servers()
    >>> table.loc[table["source"] == "llama.cpp PR 22673", "round_cost"].round(2).tolist()
    [1.57, 2.05, 2.59, 3.13]
    """
    table = _read("published_servers.csv")
    rate = (table["lowest_rate"] + table["highest_rate"]) / 2
    table["acceptance_length"] = table["acceptance_length"].fillna(1 + table["gamma"] * rate)
    by_time = table["plain_ms"] / table["ms_per_token"]
    table["speedup"] = by_time.fillna(table["tokens_per_s"] / table["plain_tokens_per_s"])
    table["round_cost"] = table["acceptance_length"] / table["speedup"]
    return table


def _read(name: str) -> pd.DataFrame:
    path = resources.files("specdec_widgets").joinpath("data", name)
    with path.open("r", encoding="utf-8") as file:
        return pd.read_csv(file)


def _prediction(
    gamma: int, alpha: float, draft_cost: float, speedup: float
) -> tuple[float, float, float]:
    cost = 1 + gamma * draft_cost
    needed = speedup * cost  # tokens a round
    implied = implied_alpha(needed, gamma) if 1 <= needed <= gamma + 1 else np.nan
    if np.isnan(alpha):
        return np.nan, np.nan, implied
    model = CostModel(alpha, gamma, draft_cost)
    return model.speedup, model.expected_tokens, implied
