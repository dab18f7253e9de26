"""The sampling rule: output = p, its table, its temperature, and a gate that can fail."""

import dataclasses
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec_widgets import Refused, SamplingRule, TypeRefused, ValueRefused, gate
from tests.maths.anything import ANYTHING

WEATHER = ("mưa", "nắng", "gió", "bão")
P, Q = ("0.50", "0.25", "0.15", "0.10"), ("0.40", "0.30", "0.20", "0.10")


@st.composite
def pairs(draw, number=Fraction):
    """Two distributions over the same 1..8 tokens, zeros and near-misses among them."""
    size = draw(st.integers(min_value=1, max_value=8))
    weights = st.lists(
        st.integers(min_value=0, max_value=1000), min_size=size, max_size=size
    ).filter(any)
    p, q = draw(weights), draw(weights)
    return [number(Fraction(n, sum(p))) for n in p], [number(Fraction(n, sum(q))) for n in q]


def test_the_default_pair():
    rule = SamplingRule(P, Q, WEATHER)
    tenth, zero = Fraction(1, 10), Fraction(0)
    p, q = [tuple(map(Fraction, numbers)) for numbers in (P, Q)]
    assert rule.is_exact and rule.tokens == WEATHER
    assert (rule.p, rule.q) == (p, q)
    assert rule.accepted == tuple(map(Fraction, ("0.4", "0.25", "0.15", "0.1")))
    assert rule.residual == (tenth, zero, zero, zero)
    assert rule.normalised_residual == (1, 0, 0, 0)
    assert rule.output == p
    assert (rule.alpha, rule.rejection, rule.total_variation) == (Fraction(9, 10), tenth, tenth)


def test_the_default_pairs_table():
    table = SamplingRule(P, Q, WEATHER).table
    assert list(table.columns) == [
        "token",
        "p",
        "q",
        "accepted",
        "residual",
        "normalised_residual",
        "output",
    ]
    assert list(table["token"]) == list(WEATHER)
    row = [f"{number:.4f}" for number in table.loc[0, "p":].map(float)]
    assert row == ["0.5000", "0.4000", "0.4000", "0.1000", "1.0000", "0.5000"]
    assert list(table["output"]) == list(table["p"])


@given(pairs())
def test_exact_pairs_close_to_the_last_digit(pair):
    rule = SamplingRule(*pair)
    assert rule.is_exact
    assert rule.output == rule.p == tuple(pair[0])
    assert rule.alpha + rule.rejection == 1
    assert rule.alpha == 1 - rule.total_variation
    assert rule.rejection == sum(rule.residual)
    assert sum(rule.normalised_residual) == (1 if rule.rejection else 0)
    assert all(type(v) is Fraction for v in (*rule.output, rule.alpha, rule.total_variation))


@given(pairs(float))
def test_pairs_of_floats_close_to_their_rounding(pair):
    rule = SamplingRule(*pair)
    assert not rule.is_exact
    assert rule.output == pytest.approx(rule.p, abs=1e-12)
    assert rule.alpha + rule.rejection == pytest.approx(1, abs=1e-9)
    assert rule.alpha == pytest.approx(1 - rule.total_variation, abs=1e-9)
    assert all(type(v) is float for v in (*rule.p, *rule.output, rule.alpha, rule.rejection))
    assert not rule.table.isna().any(axis=None)


@given(pairs())
def test_the_output_is_what_following_the_rule_draw_by_draw_gives(pair):
    """Every road to a token, added up: drawn from q and accepted, or refused and drawn again."""
    p, q = pair
    keep = [min(Fraction(1), a / b) if b else Fraction(0) for a, b in zip(p, q, strict=True)]
    refused = sum(b * (1 - k) for b, k in zip(q, keep, strict=True))
    lacking = [max(Fraction(0), a - b) for a, b in zip(p, q, strict=True)]
    roads = [
        b * k + (refused * r / sum(lacking) if refused else 0)
        for b, k, r in zip(q, keep, lacking, strict=True)
    ]
    rule = SamplingRule(p, q)
    assert list(rule.output) == roads
    assert rule.rejection == refused


def test_equal_distributions_reject_nothing_and_have_no_residual():
    rule = SamplingRule(P, P)
    assert (rule.alpha, rule.rejection, rule.total_variation) == (1, 0, 0)
    assert rule.residual == rule.normalised_residual == (0, 0, 0, 0)
    assert rule.output == rule.p
    assert not SamplingRule([0.3, 0.7], [0.3, 0.7]).table.isna().any(axis=None)


def test_distributions_that_share_no_token_reject_everything():
    rule = SamplingRule([1, 0], [0, 1])
    assert (rule.alpha, rule.rejection) == (0, 1)
    assert rule.output == (1, 0)


@pytest.mark.parametrize(
    "numbers",
    [
        ("1/4", " 0,75 "),
        (Decimal("0.25"), Decimal("0.75")),
        (Fraction(1, 4), "0.75"),
        pd.Series(["0.25", "0.75"]),
        iter(["0.25", "0.75"]),
    ],
)
def test_fractions_decimals_and_text_are_exact(numbers):
    rule = SamplingRule(numbers, [np.int64(1), 0])
    assert rule.is_exact
    assert rule.p == (Fraction(1, 4), Fraction(3, 4))


@pytest.mark.parametrize(
    "numbers", [(0.25, "0.75"), np.array([0.25, 0.75]), (np.float32(0.25), Fraction(3, 4))]
)
def test_one_float_makes_everything_float(numbers):
    rule = SamplingRule(numbers, ["1/4", "3/4"])
    assert not rule.is_exact
    assert rule.p == rule.q == (0.25, 0.75)
    assert {type(v) for v in rule.p + rule.q} == {float}


def test_floats_are_read_as_the_decimals_they_print_as_when_summed():
    assert SamplingRule([0.1] * 10, [0.1] * 10).alpha == pytest.approx(1)
    third = 1 / 3
    assert SamplingRule([third, third, third], [1, 0, 0]).alpha == third


def test_tokens_are_numbered_where_none_are_named():
    assert SamplingRule(P, Q).tokens == ("1", "2", "3", "4")


def test_a_token_is_any_text():
    names = ("<b>mưa</b>", " ", "\\n", "$x$")
    with pytest.raises(ValueRefused):
        SamplingRule(P, Q, names)
    names = ("<b>mưa</b>", "1", "\\n", "$x$")
    assert list(SamplingRule(P, Q, names).table["token"]) == list(names)


def test_a_rule_is_immutable_and_a_value():
    rule = SamplingRule(P, Q, WEATHER)
    with pytest.raises(dataclasses.FrozenInstanceError):
        rule.p = rule.q
    assert rule == SamplingRule(P, Q, list(WEATHER)) and hash(rule) == hash(rule)
    assert rule != SamplingRule(Q, P, WEATHER)
    assert pickle.loads(pickle.dumps(rule)).table.equals(rule.table)
    table = rule.table
    table.loc[:, "p"] = 0
    assert list(rule.table["p"]) == list(rule.p)


# Refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((["0.5", "0.6"], Q[:2]), "p must sum to 1, not 1.1."),
        (([0.5, 0.3], [0.5, 0.5]), "p must sum to 1, not 0.8."),
        ((["1/3", "1/3"], [1, 0]), "p must sum to 1, not 2/3."),
        (([1, 0], [0.5, 0.500000002]), "q must sum to 1, not 1.000000002."),
        (([1, 0], [0, 0]), "q must sum to 1, not 0."),
        ((["1.1", "-0.1"], [1, 0]), "p[0] must lie between 0 and 1, not 1.1."),
        (([1, 0], [1.1, -0.1]), "q[0] must lie between 0 and 1, not 1.1."),
        (([1, 0], [0.9, 0.2, -0.1]), "q must have as many entries as p, 2, not 3."),
        (([0.9, 0.2, -0.1], [1, 0, 0]), "p[2] must lie between 0 and 1, not -0.1."),
        (([float("nan"), 1], [1, 0]), "p[0] must be a finite number, not nan."),
        (([1, 0], [float("inf"), 1]), "q[0] must be a finite number, not inf."),
        (([], []), "p must have at least one entry, not 0."),
        (([1], []), "q must have at least one entry, not 0."),
        (([1, 0], [1, 0], ["a"]), "tokens must have as many entries as p, 2, not 1."),
        (
            ([1, 0], [1, 0], ["a", "a"]),
            "tokens[0] and tokens[1] must differ; both look like 'a'.",
        ),
        (
            ([1, 0], [1, 0], ["m\u01b0a", "mu\u031ba"]),  # the same accent, encoded otherwise
            "tokens[0] and tokens[1] must differ; both look like 'm\u01b0a'.",
        ),
        (
            ([1, 0], [1, 0], ["a", " a"]),
            "tokens[0] and tokens[1] must differ; both look like 'a'.",
        ),
        (
            ([1, 0], [1, 0], ["", "a"]),
            "tokens[0] must have a visible character, unlike ''.",
        ),
        (
            (["x", "1"], [1, 0]),
            "p[0] must be a number such as 0.8, 0,8 or 1/3, of at most 40 characters, not 'x'.",
        ),
    ],
)
def test_a_wrong_value_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(ValueRefused) as refused:
        SamplingRule(*arguments)
    assert str(refused.value) == sentence


def test_a_name_is_kept_as_it_was_given():
    assert SamplingRule([1, 0], [1, 0], [" mu\u031ba", "a"]).tokens == (" mu\u031ba", "a")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("10", [1, 0]), "p must be a sequence such as a list, not '10'."),
        (([1, 0], 1), "q must be a sequence such as a list, not 1."),
        ((None, [1]), "p must be a sequence such as a list, not None."),
        (([1, 0], [1, 0], "ab"), "tokens must be a sequence such as a list, not 'ab'."),
        (([True, 0], [1, 0]), "p[0] must be a number, not True."),
        (([1, 0], [None, 1]), "q[0] must be a number, not None."),
        (([1, 0], [1, 0], ["a", 1]), "tokens[1] must be text, not 1."),
        ((np.array([[1.0]]), [1]), "p[0] must be a number, not array([1.])."),
    ],
)
def test_a_wrong_type_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(TypeRefused) as refused:
        SamplingRule(*arguments)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("miss", [Fraction(1, 10**30), Fraction(-1, 10**12)])
def test_exact_numbers_must_sum_to_1_exactly(miss):
    with pytest.raises(ValueRefused, match=r"^p must sum to 1"):
        SamplingRule([Fraction(1, 2), Fraction(1, 2) + miss], [1, 0])


def test_floats_may_miss_1_by_a_billionth_and_are_not_normalised():
    assert SamplingRule([0.5, 0.5 + 9e-10], [1, 0]).p == (0.5, 0.5 + 9e-10)
    assert SamplingRule([1 + 2**-52], [1]).p == (1 + 2**-52,)
    with pytest.raises(ValueRefused, match=r"^p must sum to 1"):
        SamplingRule([0.5, 0.5 + 1.1e-9], [1, 0])


ROWS = st.one_of(
    ANYTHING,
    st.lists(st.one_of(ANYTHING, st.text("0123456789.,/", max_size=50)), max_size=3),
    st.lists(st.sampled_from(["0", "1", "0,5", 0.5, Fraction(1, 2), "<b>"]), max_size=3),
)


@given(p=ROWS, q=ROWS, tokens=ROWS)
@example(p=["1e400000000"], q=["1"], tokens=None)
def test_nothing_but_a_rule_or_a_refusal_comes_out(p, q, tokens):
    try:
        rule = SamplingRule(p, q, tokens)
    except Refused as error:
        assert str(error).startswith(("p", "q", "tokens")) and str(error).endswith(".")
    else:
        assert rule.output == pytest.approx(rule.p)


# Temperature ------------------------------------------------------------------------------------


def test_temperature_1_changes_nothing():
    rule = SamplingRule(P, Q)
    assert rule.at_temperature(1) is rule
    assert rule.at_temperature(1.0).is_exact


@pytest.mark.parametrize("power", [1, 2, 3])
@given(pair=pairs())
def test_temperature_raises_and_normalises_both(power, pair):
    cold = SamplingRule(*pair).at_temperature(1 / power)
    for found, given_ in ((cold.p, pair[0]), (cold.q, pair[1])):
        raised = [v**power for v in given_]
        right = [float(v / sum(raised)) for v in raised]
        assert found == pytest.approx(right, rel=1e-13, abs=1e-300)


def test_a_high_temperature_flattens_and_a_low_one_sharpens():
    rule = SamplingRule([0.7, 0.3], [0.6, 0.4])
    tops = [rule.at_temperature(t).p[0] for t in (5, 2, 1, 0.5, 0.1)]
    assert tops == sorted(tops)
    assert rule.at_temperature(2).p == pytest.approx(
        [0.7**0.5 / (0.7**0.5 + 0.3**0.5), 0.3**0.5 / (0.7**0.5 + 0.3**0.5)]
    )


def test_temperature_0_is_greedy_and_exact():
    rule = SamplingRule([0.4, 0.4, 0.2], [0.1, 0.2, 0.7], ["a", "b", "c"]).at_temperature(0)
    half = Fraction(1, 2)
    assert rule.is_exact and rule.tokens == ("a", "b", "c")
    assert (rule.p, rule.q) == ((half, half, 0), (0, 0, 1))
    assert (rule.alpha, rule.output) == (0, rule.p)


@given(pair=pairs(), temperature=st.floats(min_value=0, max_value=5))
@example(pair=(["0.5", "0.5", "0"], ["0.1", "0.2", "0.7"]), temperature=5e-324)
@example(pair=([5e-324, 1.0], [1.0, 0.0]), temperature=5.0)
@example(pair=([5e-324, 1.0], [1.0, 0.0]), temperature=1e-300)
def test_every_temperature_gives_two_distributions_over_the_same_tokens(pair, temperature):
    rule = SamplingRule(*pair)
    tempered = rule.at_temperature(temperature)
    for before, after in ((rule.p, tempered.p), (rule.q, tempered.q)):
        assert sum(after) == pytest.approx(1, abs=1e-12)
        assert all(0 <= v <= 1 for v in after)
        assert all(new == 0 for old, new in zip(before, after, strict=True) if old == 0)
        # Whoever was more probable still is, as far as floats can tell.
        order = sorted(range(len(before)), key=before.__getitem__)
        assert [after[i] for i in order] == sorted(after)
    assert tempered.output == pytest.approx(tempered.p, abs=1e-12)


def test_a_tiny_temperature_is_all_but_greedy():
    rule = SamplingRule(P, Q)
    assert rule.at_temperature(1e-320).p == rule.at_temperature(0).p


@pytest.mark.parametrize("temperature", [-0.1, 5.1, float("nan"), float("inf")])
def test_a_temperature_out_of_range_is_refused(temperature):
    with pytest.raises(ValueRefused, match=r"^temperature must "):
        SamplingRule(P, Q).at_temperature(temperature)


@pytest.mark.parametrize("temperature", ["1", None, True, [1]])
def test_a_temperature_is_a_number(temperature):
    with pytest.raises(TypeRefused, match=r"^temperature must be a number"):
        SamplingRule(P, Q).at_temperature(temperature)


def test_the_curve_over_temperatures_is_made_of_the_rules_own_alphas():
    rule = SamplingRule(P, Q)
    curve = rule.temperature_curve()
    assert (curve.index.name, list(curve.columns)) == ("temperature", ["alpha"])
    assert list(curve.index) == pytest.approx([i / 20 for i in range(61)])
    assert list(curve["alpha"]) == [float(rule.at_temperature(t).alpha) for t in curve.index]
    assert curve.loc[1.0, "alpha"] == 0.9


def test_the_curve_over_temperatures_goes_no_further_than_asked():
    assert list(SamplingRule(P, Q).temperature_curve(highest=5, step=1.5).index) == [0, 1.5, 3, 4.5]
    assert list(SamplingRule(P, Q).temperature_curve(highest=0).index) == [0]


@pytest.mark.parametrize("change", [{"highest": 5.1}, {"highest": -1}, {"step": 0}, {"step": 1e-9}])
def test_a_curve_over_temperatures_out_of_range_is_refused(change):
    with pytest.raises(ValueRefused, match=rf"^{next(iter(change))} must lie between "):
        SamplingRule(P, Q).temperature_curve(**change)


# The gate ---------------------------------------------------------------------------------------


def test_the_gate_checks_729_different_pairs_and_every_one_closes():
    result = gate()
    assert (result.pairs, result.closed, result.passed) == (729, 729, True)
    assert result.failures.empty
    assert len(set(zip(result.table["p"], result.table["q"], strict=True))) == 729
    assert set(result.table["p"]) == set(result.table["q"])
    assert result.table["p"].nunique() == 27


def test_the_gates_grid_is_ours():
    for text in gate().table["p"].unique():
        sixths = [int(part.removesuffix("/6")) for part in text.split()]
        assert sum(sixths) == 6 and all(0 <= n <= 2 for n in sixths[:3]) and len(sixths) == 4


def test_the_gate_says_what_it_checked():
    row = gate().table.set_index(["p", "q"]).loc[("2/6 2/6 1/6 1/6", "1/6 2/6 1/6 2/6")]
    assert (row["alpha"], row["rejection"], row["total_variation"]) == (
        Fraction(5, 6),
        Fraction(1, 6),
        Fraction(1, 6),
    )
    assert list(row.index[3:]) == [
        "output_is_p",
        "alpha_and_rejection_are_1",
        "alpha_is_overlap",
        "residual_is_rejection",
        "closed",
    ]
    assert row.iloc[3:].all()


class RedrawsFromTarget(SamplingRule):
    """The common mistake: on rejection, draw from p and not from the residual."""

    @property
    def normalised_residual(self):
        return self.p


class ForgetsToNormalise(SamplingRule):
    @property
    def normalised_residual(self):
        return self.residual


class AcceptsEverything(SamplingRule):
    @property
    def accepted(self):
        return self.q


class ForgetsRejection(SamplingRule):
    @property
    def rejection(self):
        return Fraction(0)


class WrongAlpha(SamplingRule):
    @property
    def alpha(self):
        return sum(p * q for p, q in zip(self.p, self.q, strict=True))


class ClosesOnPaper(SamplingRule):
    """Gives p as its output, whatever the rest says."""

    @property
    def residual(self):
        return tuple(abs(p - q) for p, q in zip(self.p, self.q, strict=True))

    @property
    def output(self):
        return self.p


class OffByALittle(SamplingRule):
    @property
    def output(self):
        return (self.p[0] + Fraction(1, 10**30), *self.p[1:])


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (RedrawsFromTarget, "output_is_p"),
        (ForgetsToNormalise, "output_is_p"),
        (AcceptsEverything, "alpha_is_overlap"),
        (ForgetsRejection, "alpha_and_rejection_are_1"),
        (WrongAlpha, "alpha_is_overlap"),
        (ClosesOnPaper, "residual_is_rejection"),
        (OffByALittle, "output_is_p"),
    ],
)
def test_the_gate_fails_a_wrong_rule(broken, check):
    result = gate(rule=broken)
    assert not result.passed
    assert result.closed < result.pairs == 729
    assert len(result.failures) == 729 - result.closed
    assert not result.failures[check].all()


def test_redrawing_from_the_target_gives_too_little_of_what_the_draft_lacks():
    output = RedrawsFromTarget(P, Q).output
    assert output == tuple(map(Fraction, ("0.45", "0.275", "0.165", "0.11")))
