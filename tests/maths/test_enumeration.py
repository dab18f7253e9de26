"""Every outcome added up: the right rule equals the target exactly, the wrong ones are caught."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.maths import CostModel, Refused
from specdec_widgets.maths.enumeration import (
    RULES,
    TINY_DRAFT,
    TINY_TARGET,
    enumerate_outcomes,
)

CONTEXTS = [(), (0,), (1,), (0, 1), (1, 1)]


@st.composite
def tables(draw):
    size = draw(st.integers(min_value=2, max_value=3))
    weights = st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any)
    rows = weights.map(lambda w: [Fraction(n, sum(w)) for n in w])
    count = draw(st.integers(min_value=1, max_value=len(CONTEXTS)))
    one, other = ({c: draw(rows) for c in CONTEXTS[:n]} for n in (len(CONTEXTS), count))
    return one, other


@given(
    models=tables(),
    gamma=st.integers(min_value=0, max_value=3),
    length=st.integers(min_value=1, max_value=3),
    threshold=st.sampled_from([0, "1/3", "1/2", 1]),
)
@settings(max_examples=50, deadline=None)
def test_the_rule_is_lossless_for_any_models(models, gamma, length, threshold):
    result = enumerate_outcomes(*models, length, gamma, threshold=threshold)
    assert result.is_lossless and result.total_variation == 0
    assert sum(result.table["output"]) == sum(result.table["target"]) == 1
    assert (result.table["output"] == result.table["target"]).all()
    assert len(result.table) == len(models[0][()]) ** length


@pytest.mark.parametrize("gamma", [2, 3])
@pytest.mark.parametrize("length", [3, 4, 6])
def test_the_tiny_pair_over_several_rounds(gamma, length):
    result = enumerate_outcomes(length=length, gamma=gamma)
    assert result.is_lossless
    assert result.outcomes > 2**length


@pytest.mark.parametrize("gamma", range(5))
@pytest.mark.parametrize("length", range(1, 7))
def test_without_rejections_the_outcomes_are_the_words_of_whole_rounds(gamma, length):
    even = {(): ("1/2", "1/2")}
    starts = [2**known for known in range(0, length, gamma + 1)]
    assert enumerate_outcomes(even, even, length, gamma).outcomes == sum(starts) * 2 ** (gamma + 1)


@given(models=tables(), gamma=st.integers(min_value=1, max_value=2))
@settings(max_examples=30, deadline=None)
def test_the_distance_is_what_comes_out_too_often(models, gamma):
    result = enumerate_outcomes(*models, 2, gamma, rule="redraw_from_target")
    surplus = sum(max(d, Fraction(0)) for d in result.table["difference"])
    assert result.total_variation == surplus <= 1
    assert result.is_lossless == (surplus == 0)


def test_the_targets_own_probability_by_hand():
    table = enumerate_outcomes(gamma=2).table.set_index("sequence")
    # 1/2, then after a 3/4, then after a a 4/5
    assert table.loc[[(0, 0, 1)], "target"].tolist() == [Fraction(3, 10)]


@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_redrawing_from_the_target_is_caught(gamma):
    result = enumerate_outcomes(gamma=gamma, rule="redraw_from_target")
    assert not result.is_lossless
    assert sum(result.table["output"]) == 1
    one = enumerate_outcomes(length=1, gamma=1, rule="redraw_from_target")
    # p = (1/2, 1/2), q = (2/3, 1/3): min 1/2, 1/3 and 1/6 of p again
    assert one.table["output"].tolist() == [Fraction(7, 12), Fraction(5, 12)]


def test_dropping_the_unsure_token_is_caught_even_where_draft_and_target_agree():
    same = {(): ("2/3", "1/3")}
    dropped = enumerate_outcomes(same, same, 1, 1, rule="drop_unsure", threshold="1/2")
    assert dropped.table["output"].tolist() == [Fraction(8, 9), Fraction(1, 9)]
    assert not dropped.is_lossless and dropped.total_variation == Fraction(2, 9)
    assert enumerate_outcomes(same, same, 1, 1, threshold="1/2").is_lossless
    even = {(): ("1/2", "1/2")}
    kept = enumerate_outcomes(even, even, 1, 1, rule="drop_unsure", threshold="1/2")
    assert kept.mean_accepted == 1  # less than the threshold is unsure, as much is not
    # A draft that is never unsure drops nothing.
    assert enumerate_outcomes(rule="drop_unsure").is_lossless


@pytest.mark.parametrize("gamma", [0, 1, 2, 3, 4])
def test_without_memory_the_accepted_tokens_are_the_cost_models(gamma):
    target, draft = {(): ("9/10", "1/10")}, {(): ("3/5", "2/5")}
    result = enumerate_outcomes(target, draft, 1, gamma)
    expected = CostModel(alpha=0.7, gamma=gamma).expected_tokens - 1
    assert float(result.mean_accepted) == pytest.approx(expected, rel=1e-14)


def test_nothing_is_added_up_in_floats():
    table = enumerate_outcomes(threshold="2/5").table
    for column in ("target", "output", "difference"):
        assert {type(x) for x in table[column]} == {Fraction}
    assert RULES == ("accept_resample", "redraw_from_target", "drop_unsure")


def test_floats_are_read_as_the_decimals_they_print_as():
    by_float = enumerate_outcomes({(): (0.9, 0.1)}, {(): (0.6, 0.4)}, threshold=0.5)
    by_text = enumerate_outcomes({(): ("0.9", "0.1")}, {(): ("0.6", "0.4")}, threshold="0.5")
    assert by_float.table.equals(by_text.table) and by_float.is_lossless


@pytest.mark.parametrize(
    ("change", "start"),
    [
        ({"rule": "other"}, "rule must be one of accept_resample, redraw_from_target, drop_unsure"),
        ({"gamma": 5}, "gamma must lie between 0 and 4, not 5."),
        ({"length": 7}, "length must lie between 1 and 6, not 7."),
        ({"length": 0}, "length must lie between 1 and 6, not 0."),
        ({"threshold": "x"}, "threshold must be a number such as"),
        ({"target": {(0,): ("1", "0")}}, "target must hold the empty context, not only "),
        ({"draft": {(): ("1",)}}, "tokens of the draft must lie between 2 and 2, not 1."),
        ({"draft": {**TINY_DRAFT, (1,): ("1",)}}, "probabilities of draft must lie between 2 and"),
        ({"target": {(): ("1/2", "1/3")}}, "target[()] must sum to 1, not 5/6."),
        ({"threshold": 2}, "threshold must lie between 0 and 1, not 2."),
        ({"threshold": -1}, "threshold must lie between 0 and 1, not -1."),
        ({"target": None}, "target must map contexts to probabilities, not None."),
        ({"target": {(): None}}, "target[()] must be a sequence such as a list, not None."),
        (
            {"draft": {**TINY_DRAFT, (1,): (2, -1)}},
            "draft[(1,)][0] must lie between 0 and 1, not 2.",
        ),
        (
            {"draft": {**TINY_DRAFT, 1: (1, 0)}},
            "contexts of draft must be a tuple of whole numbers",
        ),
        ({"draft": {**TINY_DRAFT, (2,): (1, 0)}}, "contexts of draft must lie between 0 and 1"),
        ({"target": {(): ("1/5",) * 5}}, "tokens must lie between 1 and 4, not 5."),
        (
            {"target": {(): ("1/4",) * 4}, "draft": {(): ("1/4",) * 4}, "length": 6},
            "sequences must lie between 1 and 1024, not 4096.",
        ),
    ],
)
def test_what_is_refused(change, start):
    with pytest.raises(Refused) as refused:
        enumerate_outcomes(**{"target": TINY_TARGET, "draft": TINY_DRAFT} | change)
    assert str(refused.value).startswith(start)
