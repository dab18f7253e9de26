"""Refusals: what they say, and that anything at all can be shown in one."""

import ast
import copy
import pickle
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import specdec_widgets.maths
from specdec_widgets import Refused, TypeRefused, ValueRefused
from specdec_widgets.maths.errors import LONGEST_SHOWN, plain, shown
from specdec_widgets.maths.numbers import exact
from tests.maths.anything import ANYTHING


def refusals():
    """Every call that builds a refusal, in every module of the mathematics."""
    for path in Path(specdec_widgets.maths.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node, "func", None)
            if isinstance(called, ast.Name) and called.id in ("ValueRefused", "TypeRefused"):
                yield pytest.param(node, id=f"{path.name}:{node.lineno}")


def test_a_refusal_is_both_a_refusal_and_the_usual_error():
    assert issubclass(ValueRefused, Refused) and issubclass(ValueRefused, ValueError)
    assert issubclass(TypeRefused, Refused) and issubclass(TypeRefused, TypeError)


def test_a_refusal_keeps_template_and_numbers_apart_from_its_sentence():
    error = ValueRefused("{argument} is not {value}.", argument="p", value=Fraction(11, 10))
    assert str(error) == "p is not 1.1."
    assert error.template == "{argument} is not {value}."
    assert error.fields == {"argument": "p", "value": Fraction(11, 10)}


def test_braces_in_a_value_stay_text():
    assert str(ValueRefused("not {value}.", value="'{argument}'")) == "not '{argument}'."


@pytest.mark.parametrize("copied", [copy.copy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_refusal_survives_copying(copied):
    error = copied(TypeRefused("{argument} is not {value}.", argument="p", value=7))
    assert type(error) is TypeRefused
    assert str(error) == "p is not 7."


@pytest.mark.parametrize("call", list(refusals()))
def test_every_template_is_one_literal_sentence_that_names_argument_and_value(call):
    template = ast.literal_eval(call.args[0])
    assert template.endswith(".")
    assert {"argument", "value"} <= {name for _, name, _, _ in Formatter().parse(template)}


@given(st.fractions())
def test_plain_is_the_number_and_nothing_less(number):
    assert Fraction(plain(number)) == number


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_plain_writes_decimals_that_end_as_a_decimal(number):
    assert "/" not in plain(Fraction(number))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(11, 10), "1.1"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1, 400), "0.0025"),
        (Fraction(7), "7"),
        (Fraction(0), "0"),
        (Fraction(-2, 3), "-2/3"),
        (Fraction(1, 30), "1/30"),
    ],
)
def test_plain(number, text):
    assert plain(number) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, 7),
        (np.int64(7), 7),
        (0.25, 0.25),
        (np.float64(0.25), 0.25),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("1.10"), Fraction(11, 10)),
        (True, "True"),
        (None, "None"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (1e300, "1e+300"),
        (Decimal("1E+999999"), "1E+999999"),
        (Decimal("sNaN"), "sNaN"),
        pytest.param(10**5000, "1e+5000", id="longer than str() goes"),
        pytest.param(-(10**5000), "-1e+5000", id="and negative"),
        (Fraction(1, 10**400), "1e-400"),
        (Fraction(1, 10**39), "1e-39"),
        pytest.param(10**5000 + 1, "1.000…e+5000", id="and not a power of ten"),
        (10**41 - 1, "9.99…e+40"),
        (1 + Fraction(1, 10**400), f"1.{'0' * 34}…"),
        (1 - Fraction(1, 10**400), f"0.{'9' * 34}…"),
        (Fraction(-(10**80), 3 * 10**79 + 1), f"-3.{'3' * 34}…"),
        pytest.param(Fraction(10**1_200_000), "1e+1200000", id="longer than a Decimal goes"),
        ("seven", "'seven'"),
        (np.str_("seven"), "'seven'"),
        ("\u202e\n", r"'\u202e\n'"),
        ([1, 2], "[1, 2]"),
        (np.array([[1], [0]]), "array([[1], [0]])"),
    ],
)
def test_shown(value, expected):
    assert shown(value) == expected
    assert type(shown(value)) is type(expected)


def test_a_long_number_just_beside_1_is_not_shown_as_1():
    just_below = 1 - Fraction(1, 10**30)
    assert shown(just_below) == just_below
    assert shown(just_below + Fraction(1, 3 * 10**30)).startswith("0.99999")


def test_a_broken_repr_is_shown_too():
    class Broken:
        def __repr__(self):
            raise RuntimeError

    assert "Broken" in shown(Broken())


@given(ANYTHING)
def test_anything_is_shown_short_on_one_line(value):
    said = shown(value)
    text = plain(said) if isinstance(said, Fraction) else str(said)
    assert 0 < len(text) <= LONGEST_SHOWN + 10
    assert text.isprintable()


def test_a_number_too_long_to_write_inside_a_list_is_no_fault() -> None:
    with pytest.raises(TypeRefused, match="must be a number"):
        exact([10**5000], "x")
