"""The parameters as traits: taken when the models take them, refused with a sentence otherwise."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets import CostModel, Refused, SamplingRule, TypeRefused, ValueRefused
from specdec_widgets.panels.parameters import (
    MAX_FLAGS,
    CostParameters,
    FlagsParameter,
    PairParameters,
    check_flags,
    default_tokens,
)
from tests.maths.anything import ANYTHING


class Parameters(CostParameters, FlagsParameter, PairParameters):
    """All of them, without a panel around them."""


def test_the_defaults_are_the_courses():
    start = Parameters()
    assert (start.gamma, start.alpha, start.draft_cost, start.verify_cost) == (4, 0.8, 0.1, 1.0)
    assert start.flags == "111111001110101111"
    assert start.tokens == ("mưa", "nắng", "gió", "bão")
    assert start.p == (Fraction(1, 2), Fraction(1, 4), Fraction(3, 20), Fraction(1, 10))
    assert start.q == (Fraction(2, 5), Fraction(3, 10), Fraction(1, 5), Fraction(1, 10))
    assert start.temperature == 1


def test_the_weather_has_names_in_both_languages():
    assert default_tokens("en") == ("rain", "sun", "wind", "storm")
    assert default_tokens("vi") == ("mưa", "nắng", "gió", "bão")


@pytest.mark.parametrize("name", ["alpha", "draft_cost", "temperature"])
def test_other_kinds_of_numbers_are_taken(name):
    parameters = Parameters()
    for value in (1, 0, Fraction(1, 3), Decimal("0.25"), np.float32(0.5), np.int64(1)):
        setattr(parameters, name, value)
        assert getattr(parameters, name) == pytest.approx(float(value))
        assert type(getattr(parameters, name)) is float


SENTENCES = [
    ("alpha", 1.1, "alpha must lie between 0 and 1, not 1.1."),
    ("alpha", float("nan"), "alpha must be a finite number, not nan."),
    ("alpha", True, "alpha must be a number, not True."),
    ("alpha", None, "alpha must be a number, not None."),
    ("gamma", 33, "gamma must lie between 0 and 32, not 33."),
    ("gamma", 4.0, "gamma must be a whole number, not 4.0."),
    ("draft_cost", -1, "draft_cost must lie between 0 and 1, not -1."),
    ("verify_cost", 0, "verify_cost must lie between 0.01 and 3, not 0."),
    ("verify_cost", float("inf"), "verify_cost must be a finite number, not inf."),
    ("flags", 101, "flags must be text made of 1 and 0, not int."),
    ("flags", None, "flags must be text made of 1 and 0, not NoneType."),
    ("flags", "1 x", "flags may hold only 0 and 1, with spaces or line breaks between them, not 'x'"
     " at position 3."),
    ("flags", "1" * (MAX_FLAGS + 1), "flags may hold at most 1000000 characters, not 1000001."),
    ("p", ["0.5", "0.6"], "p must sum to 1, not 1.1."),
    ("p", ["0.5", "-0.5", "1"], "p[1] must lie between 0 and 1, not -0.5."),
    ("q", [1], "q must have between 2 and 12 entries, not 1."),
    ("q", [Fraction(1, 13)] * 13, "q must have between 2 and 12 entries, not 13."),
    ("q", [], "q must have at least one entry, not 0."),
    ("q", 1, "q must be a sequence such as a list, not 1."),
    ("p", "01", "p must be a sequence such as a list, not '01'."),
    ("p", [0.5, float("nan")], "p[1] must be a finite number, not nan."),
    ("tokens", "ab", "tokens must be a sequence such as a list, not 'ab'."),
    ("tokens", None, "tokens must be a sequence such as a list, not None."),
    ("tokens", ["a"], "tokens must have between 2 and 12 entries, not 1."),
    ("tokens", list("abcdefghijklm"), "tokens must have between 2 and 12 entries, not 13."),
    ("tokens", ["a", " "], "tokens[1] must have a visible character, unlike ' '."),
    ("tokens", ["a", "a"], "tokens[0] and tokens[1] must differ; both look like 'a'."),
    ("tokens", ["a", 1], "tokens[1] must be text, not 1."),
    ("tokens", ["a", "b" * 41],
     f"A token name may have at most 40 characters; {'b' * 40}… has 41."),
    ("temperature", 3.1, "temperature must lie between 0 and 3, not 3.1."),
    ("temperature", None, "temperature must be a number, not None."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "said"), SENTENCES, ids=[f"{s[0]}-{i}" for i, s in enumerate(SENTENCES)]
)
def test_a_refused_value_is_named_with_what_is_allowed(name, value, said):
    parameters = Parameters()
    before = getattr(parameters, name)
    with pytest.raises((ValueRefused, TypeRefused)) as caught:
        setattr(parameters, name, value)
    assert str(caught.value) == said
    assert getattr(parameters, name) == before


def test_a_refusal_is_a_value_error_or_a_type_error():
    parameters = Parameters()
    with pytest.raises(ValueError, match="alpha"):
        parameters.alpha = 7
    with pytest.raises(TypeError, match="gamma"):
        parameters.gamma = "4"


def test_probabilities_are_kept_exactly_and_never_normalised():
    parameters = Parameters()
    parameters.p = [0.1, 0.2, 0.7]
    assert parameters.p == (Fraction(1, 10), Fraction(1, 5), Fraction(7, 10))
    parameters.p = np.array([0.25, 0.75])
    assert parameters.p == (Fraction(1, 4), Fraction(3, 4))
    parameters.p = ("1/3", "2/3")
    assert parameters.p == (Fraction(1, 3), Fraction(2, 3))
    with pytest.raises(ValueRefused, match=r"p must sum to 1, not 0\.9999999999999999"):
        parameters.p = [1 / 3, 1 / 3, 1 / 3]


def test_two_and_twelve_tokens_fit():
    parameters = Parameters()
    for count in (2, 12):
        parameters.p = [Fraction(1, count)] * count
        parameters.tokens = [f"t{number}" for number in range(count)]
        assert len(parameters.p) == len(parameters.tokens) == count


def test_a_name_of_forty_characters_fits():
    parameters = Parameters()
    parameters.tokens = ("b" * 40, "a")
    assert parameters.tokens == ("b" * 40, "a")


def test_flags_are_kept_as_typed():
    assert check_flags(" 11\n0\t1\r\n") == " 11\n0\t1\r\n"
    assert check_flags("") == ""
    assert check_flags("1" * MAX_FLAGS) == "1" * MAX_FLAGS


def test_parts_that_do_not_fit_together_are_refused():
    parameters = Parameters()
    parameters.check_fit()
    parameters.q = ["0.5", "0.5"]
    with pytest.raises(ValueRefused, match="q must have as many entries as p, 4, not 2"):
        parameters.check_fit()


@settings(max_examples=300)
@given(name=st.sampled_from(Parameters.class_trait_names()), value=ANYTHING | st.lists(ANYTHING))
def test_nothing_but_a_refusal_comes_of_any_value(name, value):
    parameters = Parameters()
    before = getattr(parameters, name)
    try:
        setattr(parameters, name, value)
    except Refused as refusal:
        assert str(refusal).endswith(".")
        assert getattr(parameters, name) is before
    CostModel(parameters.alpha, parameters.gamma, parameters.draft_cost, parameters.verify_cost)
    check_flags(parameters.flags)
    SamplingRule(parameters.p, parameters.p).at_temperature(parameters.temperature)
    SamplingRule(parameters.q, parameters.q)
    assert 2 <= len(set(parameters.tokens)) == len(parameters.tokens) <= 12
