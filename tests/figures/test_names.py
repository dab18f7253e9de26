"""Token names that anyone may have typed."""

import unicodedata
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from specdec_widgets.figures.marks import text_width
from specdec_widgets.figures.names import drawable, harmless

ANY_TEXT = st.text(st.characters(categories=None), max_size=30)  # lone surrogates too
JOINERS = "\u200c\u200d"


@given(ANY_TEXT)
def test_what_is_left_of_a_name_can_be_printed_and_sent(name):
    shown = harmless(name)
    shown.encode("utf-8")
    others = [c for c in shown if c not in JOINERS]
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") for c in others)
    assert len(shown.splitlines()) <= 1
    assert harmless(shown) == shown


@pytest.mark.parametrize(
    "name", ["mưa", "nắng", "a b", "<b>", "$x^2$", "雨", "é", "می\u200cروم", "👩\u200d💻", "\u0378"]
)
def test_an_honest_name_stays(name):
    assert harmless(name) == name


def test_a_letter_and_its_accent_become_one():
    assert harmless("u\u031b\u0309") == "ử"


@given(ANY_TEXT, st.integers(20, 200))
def test_a_drawn_name_fits_and_needs_no_warning(name, width):
    shown = drawable(name, width, 11)
    assert text_width(shown, 11) <= width
    figure = Figure()
    figure.text(0, 0, shown, parse_math=False, family="DejaVu Sans")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        figure.draw_without_rendering()


def test_a_long_name_is_cut_and_says_so():
    assert drawable("one, two, three, four", 70, 11).endswith("…")
    assert drawable("one", 70, 11) == "one"


def test_a_pile_of_accents_does_not_leave_the_line():
    assert len(drawable("q" + "\u0301" * 40, 100, 11)) == 2


def test_joiners_and_unassigned_characters_do_no_harm_in_a_drawing():
    assert drawable("a\u200cb\u200dc \u0378", 100, 11) == "abc □"
