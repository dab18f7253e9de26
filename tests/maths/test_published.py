"""Published rows: every figure of the tables, and what the model says of them."""

import math

import pytest

from specdec_widgets.maths import (
    CostModel,
    independent_tokens,
    published_lengths,
    published_servers,
    published_speedups,
)

# (gamma, alpha, speedup) of arXiv 2211.17192, Table 2: T5-small, T5-base and T5-large as the draft.
T5 = {
    ("En-De", "T = 0"): [(7, 0.75, 3.4), (7, 0.80, 2.8), (7, 0.82, 1.7)],
    ("En-De", "T = 1"): [(7, 0.62, 2.6), (5, 0.68, 2.4), (3, 0.71, 1.4)],
    ("CNN/DM", "T = 0"): [(5, 0.65, 3.1), (5, 0.73, 3.0), (3, 0.74, 2.2)],
    ("CNN/DM", "T = 1"): [(5, 0.53, 2.3), (3, 0.55, 2.2), (3, 0.56, 1.7)],
}
LENGTHS = {
    "deepseek-v4-pro": [1.79, 2.27, 2.49, 2.54, 2.55, 2.55, 2.54, 2.58],
    "glm-5.2-fp8": [1.84, 2.50, 2.99, 3.33, 3.61, 3.78, 3.91, 4.06],
    "deepseek-v4-pro-0813": [1.84, 2.51, 3.01, 3.36, 3.61, 3.77, 3.73, 3.47],
}


def papers():
    table = published_speedups()
    return table[table["source"] == "arXiv 2211.17192"], table[
        table["source"] == "arXiv 2302.01318"
    ]


def walltime_factor(alpha, gamma, c):
    """The formula as the paper prints it."""
    return (1 - alpha ** (gamma + 1)) / ((1 - alpha) * (gamma * c + 1))


def test_every_row_of_table_2():
    rows = papers()[0].set_index(["task", "sampling", "draft"])
    assert len(rows) == 12 and (rows["target"] == "T5-XXL").all()
    for (task, sampling), published in T5.items():
        for draft, expected in zip(("T5-small", "T5-base", "T5-large"), published, strict=True):
            row = rows.loc[(task, sampling, draft)]
            assert (row["gamma"], row["alpha"], row["published_speedup"]) == expected


def test_every_row_of_chinchilla():
    rows = papers()[1]
    assert rows["ms_per_token"].tolist() == [7.52, 7.00, 5.73]
    assert (rows["gamma"] == 4).all() and rows["alpha"].isna().all()
    assert rows["draft_cost"].round(3).tolist() == [0.128] * 3
    assert rows["published_speedup"].round(2).tolist() == [1.88, 2.01, 2.46]
    assert rows["predicted_speedup"].isna().all()  # no alpha, no prediction


def test_the_papers_walltime_factor_is_our_speedup():
    for row in papers()[0].itertuples():
        factor = walltime_factor(row.alpha, row.gamma, row.draft_cost)
        assert row.predicted_speedup == pytest.approx(factor, rel=1e-14)
        assert row.free_draft_speedup == pytest.approx(walltime_factor(row.alpha, row.gamma, 0))


def test_the_papers_own_prediction_is_ours_within_its_rounding():
    for row in papers()[0].itertuples():
        low = walltime_factor(row.alpha - 0.005, row.gamma, row.draft_cost + 0.005)
        high = walltime_factor(row.alpha + 0.005, row.gamma, row.draft_cost - 0.005)
        assert low - 0.05 <= row.published_prediction <= high + 0.05


def test_some_rows_are_faster_than_a_free_draft_could_be():
    rows = papers()[0]
    beyond = rows[rows["published_speedup"] > rows["free_draft_speedup"]]
    assert set(zip(beyond["task"], beyond["sampling"], beyond["draft"], strict=True)) == {
        ("En-De", "T = 1", "T5-small"),
        ("CNN/DM", "T = 0", "T5-small"),
        ("CNN/DM", "T = 1", "T5-small"),
        ("CNN/DM", "T = 1", "T5-base"),
    }


def test_the_implied_alpha_gives_the_published_speedup():
    for row in published_speedups().itertuples():
        model = CostModel(row.implied_alpha, row.gamma, row.draft_cost)
        assert model.speedup == pytest.approx(row.published_speedup)


def test_every_acceptance_length():
    table = published_lengths()
    assert len(table) == 24 and (table["temperature"] == 1.0).all()
    for pair, lengths in LENGTHS.items():
        rows = table[table["pair"] == pair]
        assert rows["gamma"].tolist() == list(range(1, 9))
        assert rows["acceptance_length"].tolist() == lengths


def test_independence_from_the_first_position_alone():
    table = published_lengths().set_index(["pair", "gamma"])["independent_length"]
    assert round(table["deepseek-v4-pro", 8], 2) == 4.19
    for (pair, gamma), length in table.items():
        assert length == pytest.approx(independent_tokens(LENGTHS[pair][0] - 1, gamma))


def test_every_server_row():
    table = published_servers()
    eagle = table[table["source"] == "vllm issue 20780"]
    assert eagle["gamma"].tolist() == [2, 3, 4, 5, 6, 7]
    assert eagle["acceptance_length"].tolist() == [2.1, 2.29, 2.39, 2.43, 2.45, 2.47]
    assert eagle["ms_per_token"].tolist() == [4.37, 4.29, 4.48, 4.71, 4.94, 5.2]
    assert (eagle["plain_ms"] == 7.07).all()
    busy = table[table["source"] == "vllm issue 12755"]
    assert busy["load"].tolist() == ["1 request/s", "2 requests/s"]
    assert busy[["plain_ms", "ms_per_token"]].to_numpy().tolist() == [[55.47, 33.99], [57.58, 48.8]]
    assert (busy["lowest_rate"] == 0.81).all() and (busy["highest_rate"] == 0.82).all()
    llama = table[table["source"] == "llama.cpp PR 22673"]
    assert llama["gamma"].tolist() == [1, 2, 3, 4]
    assert llama["lowest_rate"].tolist() == [0.8835, 0.815, 0.7127, 0.6421]
    assert llama["tokens_per_s"].tolist() == [27.58, 29.39, 27.78, 26.09]
    assert (llama["plain_tokens_per_s"] == 22.92).all()
    assert len(table) == 12


def test_speed_and_round_cost_of_the_servers():
    table = published_servers()
    assert table["speedup"].iloc[0] == 7.07 / 4.37
    assert table["speedup"].iloc[-1] == 26.09 / 22.92
    assert table["acceptance_length"].iloc[-1] == pytest.approx(1 + 4 * 0.6421)
    for row in table.itertuples():
        assert row.round_cost * row.speedup == pytest.approx(row.acceptance_length)
    # The same pair gains less from the busier server: its verify pass has become dearer.
    calm, busy = table[table["source"] == "vllm issue 12755"]["round_cost"]
    assert round(calm, 2) == 1.11 and round(busy, 2) == 1.54


@pytest.mark.parametrize("read", [published_speedups, published_lengths, published_servers])
def test_every_row_names_its_source_and_a_changed_table_changes_no_other(read):
    table = read()
    assert (table["source"].str.len() > 0).all()
    table.loc[:, "gamma"] = 0
    assert read()["gamma"].min() > 0
    assert not any(isinstance(n, float) and math.isinf(n) for n in read().to_numpy().ravel())
