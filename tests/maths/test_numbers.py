"""Reading numbers: typed text, every type of number, and the range checks."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from specdec_widgets import Refused, TypeRefused, ValueRefused
from specdec_widgets.maths.numbers import entries_of, exact, integer, one_of, real
from tests.maths.anything import ANYTHING


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("0.8", Fraction(4, 5)),
        ("0,8", Fraction(4, 5)),
        (".5", Fraction(1, 2)),
        (",5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1/3", Fraction(1, 3)),
        ("  0.8\t\n", Fraction(4, 5)),
        ("+1", Fraction(1)),
        ("-0,25", Fraction(-1, 4)),
        ("-1/3", Fraction(-1, 3)),
        ("0" * 39 + "1", Fraction(1)),
        (np.str_("0.8"), Fraction(4, 5)),
        (3, Fraction(3)),
        (np.uint8(3), Fraction(3)),
        (0.1, Fraction(1, 10)),
        (1e-300, Fraction(1, 10**300)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (np.float16(0.1), Fraction(1, 10)),
        (np.longdouble("0.1"), Fraction(1, 10)),
        (Decimal("0.10"), Fraction(1, 10)),
        (Fraction(1, 3), Fraction(1, 3)),
    ],
)
def test_exact_reads(value, number):
    assert exact(value, "x") == number
    assert type(exact(value, "x")) is Fraction


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        ",",
        "seven",
        "1e3",
        "1e400000000",
        "nan",
        "inf",
        "1/0",
        "1/",
        "/3",
        "1 / 3",
        "0.5/2",
        "1/-3",
        "1.000,5",
        "1_000",
        "0x1",
        "--1",
        "１",  # digits of another script are not read as if they were ours
        "٣",
        "½",
        "\N{MINUS SIGN}1",
        "0" * 41,
        pytest.param("9" * 10**6, id="a million digits"),
        "0.8%",
        pytest.param("\ud800", id="half a character"),
    ],
)
def test_exact_refuses_text_that_is_no_number(text):
    with pytest.raises(ValueRefused, match=r"^alpha must be a number such as .*, not .*\.$"):
        exact(text, "alpha")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        np.True_,
        1j,
        b"1",
        [1],
        (1,),
        {},
        object(),
        np.array(1.0),
        np.timedelta64(1),
        np.datetime64("2000"),
        np.complex64(1),
        pd.NA,
    ],
)
def test_exact_refuses_other_types(value):
    with pytest.raises(TypeRefused, match=r"^alpha must be a number, not .*\.$"):
        exact(value, "alpha")


@pytest.mark.parametrize("kind", [float, Decimal, np.float64, np.float32, np.longdouble])
@pytest.mark.parametrize("text", ["nan", "inf", "-inf"])
def test_exact_refuses_what_is_not_finite(kind, text):
    with pytest.raises(ValueRefused, match=r"^alpha must be a finite number, not .*\.$"):
        exact(kind(text), "alpha")


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "sNaN"])
def test_a_decimal_cannot_fill_the_memory(text):
    with pytest.raises(ValueRefused):
        exact(Decimal(text), "alpha")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12, min_value=-99, max_value=99))
def test_typed_decimals_are_read_with_point_and_with_comma(number):
    assert exact(f"{number:f}", "x") == exact(f"{number:f}".replace(".", ","), "x") == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_it_prints_as(number):
    assert exact(number, "x") == Fraction(repr(number))
    assert float(exact(number, "x")) == number


TYPED = st.text(alphabet="0123456789.,/+-eE_ \t\n١∞", max_size=50)


@given(st.one_of(ANYTHING, TYPED))
@example("1e400000000")
@example("0/0")
@example("9" * 5000)
def test_exact_gives_a_fraction_or_a_refusal_and_never_another_error(value):
    try:
        assert type(exact(value, "x")) is Fraction
    except Refused as error:
        assert str(error).startswith("x must be ") and str(error).endswith(".")


@given(ANYTHING)
def test_the_checks_give_a_number_or_a_refusal_and_never_another_error(value):
    for check, kind in ((real, float), (integer, int)):
        try:
            number = check(value, "x", 0, 32)
        except Refused as error:
            assert str(error).startswith("x must ") and str(error).endswith(".")
        else:
            assert type(number) is kind and 0 <= number <= 32


@pytest.mark.parametrize("value", [0.8, Decimal("0.8"), Fraction(4, 5), np.float32(0.8)])
def test_real_reads_every_kind_of_number_as_the_decimal_it_prints_as(value):
    assert real(value, "x", 0, 1) == 0.8


def test_real_takes_both_ends_and_has_no_negative_zero():
    assert real(0, "x", 0, 1) == 0.0 and real(1, "x", 0, 1) == 1.0
    assert str(real(-0.0, "x", 0, 1)) == "0.0"


@pytest.mark.parametrize(
    "value",
    [
        -5e-324,
        1 + 2**-52,
        -1,
        2,
        pytest.param(10**5000, id="longer than str() goes"),
        Fraction(10**30 + 1, 10**30),
        Decimal("1e400"),
    ],
)
def test_real_refuses_what_lies_outside_by_however_little(value):
    with pytest.raises(ValueRefused, match=r"^x must lie between 0 and 1, not .*\.$"):
        real(value, "x", 0, 1)


@pytest.mark.parametrize("value", [0, -0.0, -1, 5e-324, Fraction(1, 10**400)])
def test_real_refuses_what_is_below_a_lower_end_above_0(value):
    with pytest.raises(ValueRefused, match=r"^x must lie between 0.001 and 3, not .*\.$"):
        real(value, "x", Fraction(1, 1000), 3)


@pytest.mark.parametrize("value", ["0.8", "", True, np.True_, None, [0.8], 1j, np.array([0.8])])
def test_real_refuses_text_and_other_types(value):
    with pytest.raises(TypeRefused, match=r"^x must be a number, not .*\.$"):
        real(value, "x", 0, 1)


@pytest.mark.parametrize("value", [4, np.int64(4), np.uint8(4)])
def test_integer_takes_whole_numbers(value):
    assert integer(value, "x", 0, 32) == 4
    assert type(integer(value, "x", 0, 32)) is int


@pytest.mark.parametrize(
    "value", [4.0, "4", True, np.True_, None, Fraction(4), Decimal(4), np.timedelta64(4), 4j]
)
def test_integer_refuses_other_types(value):
    with pytest.raises(TypeRefused, match=r"^x must be a whole number, not .*\.$"):
        integer(value, "x", 0, 32)


@pytest.mark.parametrize(
    "value", [-1, 33, pytest.param(10**5000, id="longer than str() goes"), np.int8(-1)]
)
def test_integer_refuses_what_lies_outside(value):
    with pytest.raises(ValueRefused, match=r"^x must lie between 0 and 32, not .*\.$"):
        integer(value, "x", 0, 32)


@pytest.mark.parametrize(
    ("values", "least", "most", "sentence"),
    [
        ("ab", 1, None, "x must be a sequence such as a list, not 'ab'."),
        (b"ab", 0, None, "x must be a sequence such as a list, not b'ab'."),
        (7, 0, None, "x must be a sequence such as a list, not 7."),
        ([], 1, None, "x must have at least one entry, not 0."),
        ([1], 2, 3, "x must have between 2 and 3 entries, not 1."),
        (range(4), 2, 3, "x must have between 2 and 3 entries, not 4."),
    ],
)
def test_entries_that_are_none_or_not_as_many(values, least, most, sentence):
    with pytest.raises(Refused) as refused:
        entries_of(values, "x", least, most)
    assert str(refused.value) == sentence


def test_entries():
    assert entries_of(iter([1, 2]), "x") == entries_of((1, 2), "x", 2, 2) == (1, 2)
    assert entries_of([], "x", 0) == ()


@given(ANYTHING)
def test_one_of_a_few_names(value):
    assert one_of("b", "x", iter("abc")) == "b"
    with pytest.raises(ValueRefused, match=r"^x must be one of yes, no, not "):
        one_of(value, "x", ("yes", "no"))
