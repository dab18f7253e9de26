"""The cost figure: the fast path shows what a full drawing shows, and it shows the numbers."""

import re
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.figures import CostFigure, pixels
from specdec_widgets.figures.base import DENSITY
from specdec_widgets.figures.cost import names, values
from specdec_widgets.figures.marks import text_width
from specdec_widgets.maths import CostModel
from specdec_widgets.words import get_words, languages
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")
FIGURE = CostFigure()  # one for all: it must not remember what it drew before
MODELS = st.builds(
    CostModel,
    alpha=st.floats(0, 1) | st.sampled_from([0, 0.5, 1 - 1e-9, 1]),
    gamma=st.integers(0, 32),
    draft_cost=st.floats(0, 1) | st.sampled_from([0, 1]),
    verify_cost=st.floats(0.05, 3) | st.sampled_from([0.05, 1]),
)
EXTREMES = [
    CostModel(),
    CostModel(alpha=1, gamma=32, draft_cost=0, verify_cost=0.05),  # 660x
    CostModel(alpha=0, gamma=0, draft_cost=1, verify_cost=3),  # never above 1
    CostModel(alpha=1, gamma=32, draft_cost=0, verify_cost=0.01),  # the longest axis
]


@settings(max_examples=15)
@given(st.lists(st.tuples(MODELS, st.sampled_from([EN, VI])), min_size=1, max_size=4))
def test_after_any_updates_the_image_is_that_of_a_full_drawing(updates):
    images = [FIGURE.draw(model, words) for model, words in updates]
    for (model, words), image in zip(updates, images, strict=True):
        assert drawn.in_palette(FIGURE.save(model, words, "png")) == image


@pytest.mark.parametrize("model", EXTREMES)
def test_extremes_are_drawn_and_the_image_keeps_its_size(model):
    width, height = FIGURE.size
    shown = drawn.pixels(FIGURE.draw(model, EN))
    assert shown.shape == (height * DENSITY, width * DENSITY, 3)
    assert drawn.in_palette(FIGURE.save(model, EN, "png")) == FIGURE.draw(model, EN)
    assert FIGURE.alt(model, EN)


def test_a_new_figure_draws_the_same():
    assert CostFigure().draw(CostModel(gamma=7), VI) == FIGURE.draw(CostModel(gamma=7), VI)


def test_no_setting_of_a_notebook_changes_the_figure():
    image, file = FIGURE.draw(CostModel(), EN), FIGURE.save(CostModel(), EN, "svg")
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "black"}):
        assert CostFigure().draw(CostModel(), EN) == image
        assert FIGURE.save(CostModel(), EN, "svg") == file


@given(MODELS)
def test_the_curves_are_those_of_the_model(model):
    FIGURE._update(model, EN)
    curve, upper, lower = model.curve(), FIGURE._upper, FIGURE._lower
    for line, column in (
        (FIGURE._tokens, "expected_tokens"),
        (FIGURE._cost, "round_cost"),
        (FIGURE._speedup, "speedup"),
    ):
        assert np.array_equal(line.get_xdata(), np.arange(33))
        assert np.array_equal(line.get_ydata(), curve[column])
        assert curve[column].max() <= line.axes.get_ylim()[1]
    assert upper.get_xlim() == lower.get_xlim()
    assert lower.get_ylim()[1] > 1  # break-even is in sight
    shown_limit = FIGURE._limit.get_ydata()[0]
    fits = model.token_limit <= upper.get_ylim()[1]
    assert shown_limit == model.token_limit if fits else shown_limit < 0
    for line in FIGURE._here:
        assert list(line.get_xdata()) == [model.gamma] * 2


def where(colour, model):
    """CSS pixel, from the top left corner, around which a colour that occurs once is drawn."""
    lower = slice(round(260 * DENSITY), round(460 * DENSITY))
    shown = drawn.pixels(FIGURE.draw(model, EN))[lower]
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    rows, columns = np.nonzero((shown == wanted).all(axis=-1))
    return columns.mean() / DENSITY, rows.mean() / DENSITY + 260


@pytest.mark.parametrize("gamma", [0, 4, 32])
def test_the_ring_stands_at_the_present_gamma_and_the_star_at_the_peak(gamma):
    model = CostModel(gamma=gamma)
    ring, star = where(pixels.REJECTED, model), where(pixels.ACCEPTED, model)
    place = [60 + 546 * (g + 0.7) / 33.4 for g in (gamma, 6)]
    height = [450 - 188 * speedup / 3 for speedup in (model.speedup, 2.469856)]
    assert ring == pytest.approx((place[0], height[0]), abs=1.5)
    assert star == pytest.approx((place[1], height[1]), abs=1.5)


def test_the_legend_says_the_numbers():
    texts = [label.text for label in values(CostModel(), EN)]
    assert texts == ["3.36", "1.40", "5.00", "4: 2.40×", "6: 2.47×"]
    assert values(CostModel(), VI)[0].text == "3,36"
    assert values(CostModel(alpha=1), EN)[2].text == "∞"


@pytest.mark.parametrize("language", languages())
def test_the_legend_fits(language):
    words = get_words(language)
    models = [CostModel(1, 32, 0, 0.05), CostModel(1 - 1e-9, 32, 1, 3), CostModel()]
    models += [CostModel(1 - 10.0**-n, 32, 0, 0.01) for n in (2, 3, 4, 5, 6, 100)]
    for model in models:
        shown = values(model, words)
        for name, value, following in zip(names(words), shown, names(words)[1:], strict=False):
            end = value.x + text_width(value.text, 12)
            assert end < FIGURE.size[0]
            assert following.y != name.y or end < following.x - 33 - 4


def test_the_words_beside_the_figure_say_the_numbers():
    assert FIGURE.alt(CostModel(), EN) == (
        "Two charts over gamma from 0 to 32. At gamma 4 a round yields 3.36 expected tokens and "
        "costs 1.40 target passes: speedup 2.40×. The speedup peaks at gamma 6 with 2.47×; "
        "at gamma 32 it is 1.19×."
    )
    for number in ("3,36", "1,40", "2,40", "2,47", "1,19"):
        assert number in FIGURE.alt(CostModel(), VI)


@given(MODELS)
def test_the_words_say_the_numbers_of_any_model(model):
    curve, best = model.curve()["speedup"], model.best()
    expected = (0, 32, model.gamma, model.expected_tokens, model.round_cost, model.speedup)
    expected += (best.gamma, curve.max(), 32, curve[32])
    assert drawn.numbers(FIGURE.alt(model, EN)) == pytest.approx(expected, abs=0.00501)


def test_the_svg_is_sound_the_same_every_time_and_of_the_same_size():
    file = FIGURE.save(CostModel(), VI, "svg")
    assert file == CostFigure().save(CostModel(), VI, "svg")
    root = ElementTree.fromstring(file)
    assert float(re.match(r"[\d.]+", root.get("width"))[0]) == FIGURE.size[0] * 0.75  # points
    assert b"<dc:date>" not in file


def test_the_background_is_opaque_and_white():
    assert drawn.pixels(FIGURE.draw(CostModel(), EN))[0, 0].tolist() == [255] * 3
