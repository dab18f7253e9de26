"""The rounds: the table of the course, every edge case, and a plain loop that must agree."""

import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec_widgets import CostModel, Refused, TypeRefused, Unfinished, ValueRefused
from specdec_widgets import simulate_rounds as simulate
from tests.maths.anything import ANYTHING

DEFAULT = "111111001110101111"
FLAGS = st.one_of(
    st.text(alphabet="01", max_size=80),
    st.lists(st.sampled_from(["1" * n for n in range(40)] + ["0"]), max_size=8).map("".join),
)
GAMMAS = st.integers(min_value=0, max_value=32)
COSTS = st.sampled_from([0.01, 0.1, 0.25, 1])


def read_one_flag_at_a_time(flags, gamma, draft_cost, verify_cost):
    """The rounds as the course tells them, in a plain loop: finished rows, and what is left."""
    rows, accepted, total = [], 0, 0

    def finish(rejected_at):
        nonlocal accepted, total
        number = len(rows) + 1
        total += accepted + 1
        cost = number * gamma * draft_cost + number * verify_cost
        passes = (number * gamma, number)
        rows.append(
            (number, gamma, accepted, rejected_at, accepted + 1, total, *passes, cost),
        )
        accepted = 0

    if gamma == 0:
        finish(pd.NA)
        return rows, None
    for flag in flags:
        if flag == "0":
            finish(accepted + 1)
            continue
        accepted += 1
        if accepted == gamma:
            finish(pd.NA)
    left = Unfinished(len(rows) + 1, accepted, gamma - accepted) if accepted else None
    return rows, left


def assert_agrees(rounds, flags, gamma, draft_cost=0.10, verify_cost=1.00):
    rows, left = read_one_flag_at_a_time(flags, gamma, draft_cost, verify_cost)
    expected = pd.DataFrame(rows, columns=list(rounds.table.columns)).astype(rounds.table.dtypes)
    pd.testing.assert_frame_equal(rounds.table, expected, check_exact=True)
    assert rounds.unfinished == left


def test_the_default_string_round_by_round():
    rounds = simulate(DEFAULT)
    none = pd.NA
    expected = pd.DataFrame(
        [
            (1, 4, 4, none, 5, 5, 4, 1, 1.40),
            (2, 4, 2, 3, 3, 8, 8, 2, 2.80),
            (3, 4, 0, 1, 1, 9, 12, 3, 4.20),
            (4, 4, 3, 4, 4, 13, 16, 4, 5.60),
            (5, 4, 1, 2, 2, 15, 20, 5, 7.00),
            (6, 4, 4, none, 5, 20, 24, 6, 8.40),
        ],
        columns=[
            "round",
            "proposed",
            "accepted",
            "rejected_at",
            "tokens",
            "total_tokens",
            "draft_passes",
            "target_passes",
            "total_cost",
        ],
    ).astype({"rejected_at": "Int64"})
    pd.testing.assert_frame_equal(rounds.table, expected, rtol=1e-14)
    assert rounds.unfinished is None


def test_the_default_strings_totals():
    rounds = simulate(DEFAULT)
    assert (rounds.tokens, rounds.accepted, rounds.flags_read) == (20, 14, 18)
    assert rounds.cost == pytest.approx(8.40, rel=1e-14)
    assert f"{rounds.mean_tokens:.3f}" == "3.333"
    assert f"{rounds.speedup:.2f}" == "2.38"
    assert f"{rounds.acceptance_rate:.1%}" == "77.8%"
    assert f"{CostModel().speedup:.2f}" == "2.40"


def test_all_ones():
    rounds = simulate("1" * 8)
    assert rounds.acceptance_rate == 1
    assert list(rounds.table["tokens"]) == [5, 5]
    assert rounds.table["rejected_at"].isna().all()


@given(flags=FLAGS, gamma=GAMMAS, draft_cost=COSTS, verify_cost=COSTS)
@example(flags="", gamma=4, draft_cost=0.1, verify_cost=1)
@example(flags="0", gamma=1, draft_cost=0.1, verify_cost=1)
@example(flags="11110", gamma=4, draft_cost=0.1, verify_cost=1)
def test_a_plain_loop_gives_the_same_table(flags, gamma, draft_cost, verify_cost):
    rounds = simulate(flags, gamma, draft_cost, verify_cost)
    assert_agrees(rounds, flags, gamma, draft_cost, verify_cost)


@given(flags=FLAGS, gamma=GAMMAS)
def test_the_totals_are_those_of_the_table(flags, gamma):
    rounds = simulate(flags, gamma)
    table = rounds.table
    read = (table["accepted"] + table["rejected_at"].notna()).sum()
    assert rounds.tokens == table["tokens"].sum()
    assert rounds.accepted == table["accepted"].sum()
    assert rounds.flags_read == read
    if len(table):
        assert rounds.cost == table["total_cost"].iloc[-1]
        assert rounds.mean_tokens == table["tokens"].sum() / len(table)
        assert rounds.speedup == table["total_tokens"].iloc[-1] / table["total_cost"].iloc[-1]
    if read:
        assert rounds.acceptance_rate == table["accepted"].sum() / read
    if gamma:
        left = rounds.unfinished.accepted if rounds.unfinished else 0
        assert read + left == len(flags)


def test_a_million_flags():
    flags = "".join(random.Random(0).choices("01", weights=(1, 4), k=1_000_000))
    rounds = simulate(flags, gamma=5)
    assert_agrees(rounds, flags, 5)
    pd.testing.assert_frame_equal(simulate([int(f) for f in flags], gamma=5).table, rounds.table)


@pytest.mark.parametrize("flags", ["", "1", "0", DEFAULT, []])
def test_gamma_0_reads_no_flag_and_makes_one_token_in_one_plain_pass(flags):
    rounds = simulate(flags, gamma=0, verify_cost=1.5)
    assert rounds.table.astype(object).values.tolist() == [[1, 0, 0, pd.NA, 1, 1, 0, 1, 1.5]]
    assert rounds.unfinished is None
    assert (rounds.flags_read, rounds.acceptance_rate) == (0, None)
    assert (rounds.mean_tokens, rounds.speedup) == (1, 1 / 1.5)


@pytest.mark.parametrize("flags", ["", " \n", [], "111"])
def test_what_does_not_exist_is_none_and_never_nan(flags):
    rounds = simulate(flags)
    assert rounds.table.empty
    assert (rounds.tokens, rounds.cost, rounds.accepted, rounds.flags_read) == (0, 0, 0, 0)
    assert (rounds.mean_tokens, rounds.speedup, rounds.acceptance_rate) == (None, None, None)


def test_an_empty_string_begins_no_round():
    assert simulate("").unfinished is None


def test_an_unfinished_round_counts_in_no_total_and_says_what_is_missing():
    finished, rounds = simulate("11110"), simulate("11110" + "111")
    pd.testing.assert_frame_equal(rounds.table, finished.table)
    assert rounds.unfinished == Unfinished(round=3, accepted=3, missing=1)
    assert rounds.acceptance_rate == finished.acceptance_rate == 4 / 5
    assert rounds.flags_read == 5 and rounds.tokens == 6


@given(flags=FLAGS, gamma=GAMMAS)
def test_the_missing_flags_finish_the_round_whatever_they_are(flags, gamma):
    rounds = simulate(flags, gamma)
    if rounds.unfinished:
        missing = rounds.unfinished.missing
        full = simulate(flags + "1" * missing, gamma)
        assert full.unfinished is None and len(full.table) == len(rounds.table) + 1
        assert len(simulate(flags + "0", gamma).table) == len(rounds.table) + 1
        assert simulate(flags + "1" * (missing - 1), gamma).unfinished is not None


@given(flags=FLAGS, spaces=st.lists(st.sampled_from(["", " ", "\n", "\t", "\r\n", "  "])))
def test_spaces_tabs_and_line_breaks_change_nothing(flags, spaces):
    spaced = "".join(a + b for a, b in zip(flags, spaces + [""] * len(flags), strict=False))
    pd.testing.assert_frame_equal(simulate(f" {spaced}\n").table, simulate(flags).table)


@pytest.mark.parametrize(
    "flags",
    [
        [1, 1, 0, 1],
        (True, True, False, True),
        iter([1, 1, 0, 1]),
        np.array([1, 1, 0, 1]),
        np.array([1, 1, 0, 1], np.uint8),
        np.array([True, True, False, True]),
        [np.int8(1), 1, np.bool_(False), True],
        pd.Series([1, 1, 0, 1], index=[7, 8, 9, 10]),
        np.str_("1101"),
    ],
)
def test_flags_may_be_numbers_or_truth_values(flags):
    assert_agrees(simulate(flags), "1101", 4)


@pytest.mark.parametrize(
    ("flags", "said", "position"),
    [
        ("11x1", "'x'", 3),
        ("1 1\n2", "'2'", 5),
        ("x", "'x'", 1),
        ("1O1l", "'O'", 2),
        ("1,0", "','", 2),
        ("11\N{NO-BREAK SPACE}", r"'\xa0'", 3),
        ("\N{RIGHT-TO-LEFT OVERRIDE}1", r"'\u202e'", 1),
        ("1\N{FULLWIDTH DIGIT ONE}", "'１'", 2),
        ("1\x0c", r"'\x0c'", 2),
        ("😀1x", "'😀'", 1),
        ("1\ud800", r"'\ud800'", 2),
        ("1" * 1000 + "<b>", "'<'", 1001),
        ([1, 2], 2, 2),
        ([0, -1, "x"], -1, 2),
    ],
)
def test_anything_else_is_refused_by_name_and_position(flags, said, position):
    with pytest.raises(ValueRefused) as refused:
        simulate(flags)
    assert refused.value.fields == {"argument": "flags", "value": said, "position": position}
    assert str(refused.value) == (
        "flags may hold only 0 and 1, with spaces or line breaks between them, "
        f"not {said} at position {position}."
    )


@pytest.mark.parametrize(
    ("flags", "said", "position"),
    [
        ([1, 0, "1"], "'1' (str)", 3),
        ([1.0], "1.0 (float)", 1),
        ([Fraction(1)], "1 (Fraction)", 1),
        ([None, 1], "None (NoneType)", 1),
        (np.array([0.0, 1.0]), "0.0 (float)", 1),
        (np.array([[1, 0]]), "[1, 0] (list)", 1),
        ([np.timedelta64(1)], "np.timedelta64(1) (timedelta64)", 1),
    ],
)
def test_an_entry_of_another_type_is_refused_by_its_type(flags, said, position):
    with pytest.raises(TypeRefused) as refused:
        simulate(flags)
    assert str(refused.value) == (
        f"flags may hold only 0 and 1 as whole numbers, not {said} at position {position}."
    )


def test_gamma_0_lets_no_other_character_pass_either():
    with pytest.raises(ValueRefused, match="at position 2"):
        simulate("1x", gamma=0)


@pytest.mark.parametrize(
    "flags", [None, 1, 1.0, True, np.array(1), object(), b"101", bytearray(b"1")]
)
def test_what_holds_no_flags_is_refused(flags):
    with pytest.raises(TypeRefused, match=r"^flags must be text of 0 and 1 or .*, not .*\.$"):
        simulate(flags)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"gamma": 33}, ValueRefused),
        ({"gamma": 4.0}, TypeRefused),
        ({"draft_cost": 2}, ValueRefused),
        ({"draft_cost": "0.1"}, TypeRefused),
        ({"verify_cost": 0}, ValueRefused),
        ({"verify_cost": float("nan")}, ValueRefused),
    ],
)
def test_the_parameters_are_those_of_the_cost_model(change, error):
    with pytest.raises(error, match=rf"^{next(iter(change))} must "):
        simulate("1", **change)


@given(flags=st.one_of(ANYTHING, st.lists(ANYTHING, max_size=3), st.text(alphabet="01 \n١x")))
def test_nothing_but_rounds_or_a_refusal_comes_out(flags):
    try:
        rounds = simulate(flags)
    except Refused as error:
        assert str(error).startswith("flags m") and str(error).endswith(".")
    else:
        assert rounds.tokens == rounds.accepted + len(rounds.table)
