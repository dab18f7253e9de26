"""The lines figure: the fast path shows what a full drawing shows, and it shows the chart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.figures.lines import MAX_CURVES, Chart, Curve, LinesFigure, chart_table
from specdec_widgets.figures.marks import text_width
from specdec_widgets.words import get_words
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")
FIGURE = LinesFigure(2)  # one for all: it must not remember what it drew before


def chart(x=range(33), here=4, **more):
    up, down = np.arange(len(x)), np.arange(len(x))[::-1] / 2
    curves = (Curve("up", up, 0), Curve("down", down, 1, "×"))
    return Chart(list(x), curves, "gamma", "height", here, **more)


CHARTS = st.builds(
    lambda first, size, here, star: chart(
        range(first, first + size),
        here % size,
        stars=((star % size, 1),) if star else (),
        star_name="peak" if star else "",
    ),
    st.integers(0, 5),
    st.integers(1, 50),
    st.integers(0, 49),
    st.integers(0, 49),
)


@settings(max_examples=10)
@given(st.lists(st.tuples(CHARTS, st.sampled_from([EN, VI])), min_size=1, max_size=3))
def test_after_any_updates_the_image_is_that_of_a_full_drawing(updates):
    images = [FIGURE.draw(*update) for update in updates]
    for (shown, words), image in zip(updates, images, strict=True):
        assert drawn.in_palette(FIGURE.save(shown, words, "png")) == image


def test_the_lines_are_the_curves_and_the_ring_stands_on_one():
    shown = chart(here=6, ringed=1, stars=((2, 0), (3, 1)), star_name="peaks")
    FIGURE.draw(shown, EN)
    for line, curve in zip(FIGURE._lines, shown.curves, strict=True):
        assert list(line.get_xdata()) == list(range(33))
        assert list(line.get_ydata()) == list(curve.values)
        assert max(curve.values) < FIGURE._plot.get_ylim()[1]
    assert [*FIGURE._ring.get_xdata(), *FIGURE._ring.get_ydata()] == [6, 13]
    assert list(FIGURE._stars.get_xdata()) == [2, 3]
    assert list(FIGURE._stars.get_ydata()) == [2, 14.5]


def test_curves_differ_without_colour():
    figure = LinesFigure(MAX_CURVES)
    looks = {(line.get_linestyle(), line.get_marker()) for line in figure._lines}
    assert len(looks) == len({look[0] for look in looks}) == MAX_CURVES


def test_a_star_is_in_the_legend_only_where_there_may_be_one():
    FIGURE.save(chart(star_name="peak"), EN, "png")
    assert FIGURE._star_sample.get_visible()
    FIGURE.save(chart(), EN, "png")
    assert not FIGURE._star_sample.get_visible()


@pytest.mark.parametrize(
    ("x", "ticks"),
    [
        (range(33), [0, 4, 8, 12, 16, 20, 24, 28, 32]),
        (range(1, 9), [1, 2, 3, 4, 5, 6, 7, 8]),
        (range(1, 401), [50, 100, 150, 200, 250, 300, 350, 400]),
        ([1, 40, 4000], [500, 1000, 1500, 2000, 2500, 3000, 3500, 4000]),
    ],
)
def test_at_most_nine_round_numbers_stand_under_the_axis(x, ticks):
    assert chart(x, 0).ticks == ticks


def test_doublings_are_evenly_spaced():
    shown = chart([1, 2, 3, 4, 8], 0, doubling=True)
    assert shown.ticks == [1, 2, 4, 8]
    assert [*shown.places[[0, 1, 3, 4]]] == [0, 1, 2, 3]


def test_the_words_beside_the_figure_say_the_numbers():
    shown = chart(stars=((2, 0),), star_name="peak")
    assert FIGURE.alt(shown, EN) == (
        "Chart over gamma, from 0 to 32; 4 is marked. up: 0 at 0, 4 at 4, 32 at 32."
        " down: 16.0× at 0, 14.0× at 4, 0.0× at 32. peak: 2."
    )
    assert "14,0×" in FIGURE.alt(shown, VI)


def test_the_table_has_every_number_of_a_short_axis_and_a_choice_of_a_long_one():
    guide = Curve("guide", [1.0] * 33, guide=True)
    first = chart(short="γ")
    other = Chart(first.x, (guide, Curve("third", first.x, 0)), "gamma", "y", 4)
    table = chart_table([first, other], "All", EN)
    assert table.heads == ("γ", "up", "down", "third")
    assert len(table.rows) == 33
    assert table.rows[4] == ("4 ○", "4", "14.0×", "4")
    long = chart_table([chart(range(1, 401), 6, stars=((9, 1),))], "All", EN)
    assert len(long.rows) <= 18
    assert {"7 ○", "10", "1", "400"} <= {row[0] for row in long.rows}


def test_a_chart_of_nothing_but_zeros_is_drawn():
    flat = Chart([0, 1], (Curve("a", [0, 0]), Curve("b", [0, 0])), "x", "y", 0)
    assert FIGURE.draw(flat, EN)
    assert FIGURE._plot.get_ylim() == (0, 1)


def test_names_of_a_line_and_its_value_fit():
    shown = chart(star_name="most without the draft", stars=((4, 0),))
    FIGURE.draw(shown, EN)
    assert 340 + text_width("most without the draft: 104", 12) < FIGURE.size[0]
