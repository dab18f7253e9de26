"""The map of the best gamma: each cell is its cost model's, the course's points among them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused, best_gamma_map

SHARES = st.integers(0, 100).map(lambda n: n / 100)


def best(alpha=0.8, draft_cost=0.10, verify_cost=1.0):
    (cell,) = best_gamma_map([alpha], [draft_cost], verify_cost).itertuples(index=False)
    return cell


def test_what_moves_the_peak():
    assert [best(alpha=alpha).gamma for alpha in (0.4, 0.8, 0.9, 0.95)] == [2, 6, 10, 15]
    assert [best(draft_cost=cost).gamma for cost in (0.01, 0.10, 0.25, 0.99)] == [14, 6, 3, 0]
    assert best(verify_cost=1.5).gamma == 7


def test_a_free_draft_stands_at_the_edge_of_the_scan():
    cell = best(draft_cost=0)
    assert (cell.gamma, cell.at_edge, cell.pays) == (32, True, True)
    assert round(cell.speedup, 2) == 5.00
    (further,) = best_gamma_map([0.8], [0], max_gamma=40).itertuples(index=False)
    assert (further.gamma, further.at_edge) == (40, True)
    assert further.speedup > cell.speedup


@given(alpha=SHARES)
def test_a_draft_as_dear_as_the_target_never_pays(alpha):
    cell = best(alpha=alpha, draft_cost=1)
    assert (cell.gamma, cell.speedup, cell.pays) == (0, 1, False)


@given(alpha=SHARES, draft_cost=SHARES)
def test_at_verify_cost_1_guessing_pays_where_alpha_is_above_the_draft_cost(alpha, draft_cost):
    cell = best(alpha, draft_cost)
    assert cell.pays == (cell.gamma > 0) == (alpha > draft_cost)


@settings(max_examples=20)
@given(
    st.lists(SHARES, min_size=1, max_size=3),
    st.lists(SHARES, min_size=1, max_size=3),
    st.floats(0.05, 3),
)
def test_every_cell_is_the_best_of_its_model(alphas, draft_costs, verify_cost):
    cells = best_gamma_map(alphas, draft_costs, verify_cost)
    pairs = [(alpha, cost) for cost in draft_costs for alpha in alphas]
    assert list(zip(cells["alpha"], cells["draft_cost"], strict=True)) == pairs
    for cell, (alpha, cost) in zip(cells.itertuples(), pairs, strict=True):
        expected = CostModel(alpha=alpha, draft_cost=cost, verify_cost=verify_cost).best()
        assert (cell.gamma, cell.speedup, cell.at_edge) == expected


def test_a_speedup_of_exactly_1_does_not_pay():
    # 1.3 tokens for 1.3 target passes, and less at every other gamma; as floats a little above 1.
    cell = best(alpha=0.3, draft_cost=0.12, verify_cost=1.18)
    assert (cell.gamma, cell.pays) == (1, False)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: best_gamma_map([7], [0]), "alpha must lie between 0 and 1, not 7."),
        (lambda: best_gamma_map([0.5], [2]), "draft_cost must lie between 0 and 1, not 2."),
        (lambda: best(verify_cost=0), "verify_cost must lie between 0.01 and 3, not 0."),
        (lambda: best_gamma_map([], [0]), "alphas must have at least one entry, not 0."),
        (lambda: best_gamma_map(0.5, [0]), "alphas must be a sequence such as a list, not 0.5."),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(Refused) as refused:
        call()
    assert str(refused.value) == said
