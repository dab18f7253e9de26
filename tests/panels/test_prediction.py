"""The prediction: guess first, then compare."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ipywidgets.widgets.widget import _instances

from specdec_widgets import Refused
from specdec_widgets.panels import Prediction
from specdec_widgets.words import get_words

from .seen import Page, bundle, complaints, plain


def verdict(panel):
    return " ".join(Page(panel.status.value).texts)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2,4", "You guessed 2.4×; the answer is 2.40×. Well predicted."),
        ("2.5", "You guessed 2.5×; the answer is 2.40×. Too high: why?"),
        ("1/2", "You guessed 0.5×; the answer is 2.40×. Too low: why?"),
        ("", "The answer is 2.40×."),
    ],
)
def test_the_answer_beside_the_guess(build, typed, said):
    panel = build(Prediction, answer=2.4011, digits=2, unit="×")
    panel.field.box.value = typed
    assert verdict(panel) == ""
    panel.button.click()
    assert verdict(panel) == said


@pytest.fixture(scope="module")
def lasting():
    prediction = Prediction(1, language="en")
    yield prediction
    prediction.close()


@given(
    answer=st.floats(0, 1e6) | st.integers(0, 10**6).map(lambda n: n / 1000),
    digits=st.integers(0, 6),
)
@example(0.015, 2)  # shown as 0.02, a float more than 0.005 away
def test_the_answer_as_it_is_shown_is_predicted_well_and_two_digits_off_is_not(
    lasting, answer, digits
):
    fresh = Prediction(answer, digits, language="en")
    fresh.close()
    lasting.answer, lasting.digits, lasting.tolerance = answer, digits, fresh.tolerance
    shown = get_words("en").number(answer, digits).replace(",", "")
    lasting.guess = shown
    assert lasting.verdict().endswith("Well predicted.")
    for step, said in ((2, "Too high: why?"), (-2, "Too low: why?")):
        lasting.guess = Fraction(shown) + Fraction(step, 10**digits)
        assert lasting.verdict().endswith(said)


def test_box_and_trait_are_one(build):
    panel = build(Prediction, answer=1, language="vi")
    panel.guess = 0.25
    assert panel.field.box.value == "0,25"
    panel.language = "en"
    assert panel.field.box.value == "0.25"
    panel.field.box.value = "0,50"
    assert (panel.guess, panel.field.box.value) == (0.5, "0.5")
    panel.reveal()
    panel.reset()
    assert (panel.guess, panel.field.box.value, verdict(panel)) == (None, "", "")


@pytest.mark.parametrize("wrong", ["two", "nan", "1e3"])
def test_a_bad_guess_is_said_and_changes_nothing(build, wrong):
    panel = build(Prediction, answer=1, guess=3)
    panel.field.box.value = wrong
    (said,) = complaints(panel)
    assert said.startswith("your guess must be a number such as 0.8, 0,8 or 1/3")
    assert panel.guess == 3
    for value in (wrong, float("nan"), True, []):
        with pytest.raises(Refused, match="guess must be a"):
            panel.guess = value
    panel.field.box.value = "3"
    assert complaints(panel) == []


@pytest.mark.parametrize(
    "far", [10**400, -(10**400), 1e308, 10**15 + 1], ids=["huge", "deep", "float", "one more"]
)
def test_a_guess_out_of_all_bounds_is_refused(build, far):
    panel = build(Prediction, answer=1, guess=3)
    ends = "guess must lie between -1000000000000000 and 1000000000000000, not "
    with pytest.raises(Refused, match=ends):
        panel.guess = far
    assert panel.guess == 3
    panel.field.box.value = "9" * 20
    (said,) = complaints(panel)
    assert said.startswith("your guess must lie between -1E15 and 1E15, not 999")


def test_without_a_kernel_the_answer_is_folded_away(build):
    panel = build(Prediction, answer=2.4011, unit="×", language="vi")
    page = Page(bundle(panel)["text/html"])
    assert {"details", "summary"} <= set(page.tags)
    assert page.texts[-1] == "2,40×"
    assert "2,40×" in plain(panel)


def test_closing_leaves_nothing_open():
    before = set(_instances)
    Prediction(1, language="en").close()
    assert set(_instances) == before


@pytest.mark.parametrize(("language", "answer"), [("vi", "90\u00a0%"), ("en", "90%")])
def test_a_percentage_is_written_as_the_language_does(build, language, answer):
    panel = build(Prediction, answer=90, digits=0, unit="%", language=language)
    panel.guess = 80
    assert answer in plain(panel)
    assert answer.replace("90", "80") in panel.verdict()


def test_a_slip_does_not_give_the_answer_away(build):
    panel = build(Prediction, answer=3.36, language="en")
    panel.field.box.value = "x"
    panel.button.click()
    assert (len(complaints(panel)), verdict(panel)) == (1, "")
    panel.field.box.value = "3"
    panel.button.click()
    assert "the answer is 3.36" in verdict(panel)
    panel.field.box.value = "x"
    panel.button.click()
    assert panel.revealed


@pytest.mark.parametrize(
    "wrong",
    [
        {"answer": "x"},
        {"answer": float("nan")},
        {"answer": None},
        {"answer": 1, "digits": -1},
        {"answer": 1, "digits": "x"},
        {"answer": 1, "tolerance": -1},
        {"answer": 1, "tolerance": "x"},
    ],
)
def test_a_wrong_argument_is_refused(wrong):
    with pytest.raises(Refused):
        Prediction(**wrong)
