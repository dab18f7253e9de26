"""Axes that end at round numbers."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from specdec_widgets.figures.marks import text_width
from specdec_widgets.figures.scales import Scale, rung, tick
from specdec_widgets.words import get_words

PLACE = (60.0, 20.0, 200.0, 100.0)


@given(st.floats(min_value=1e-8, max_value=1e290))
def test_a_rung_is_above_its_value_but_not_far(value):
    assert value <= rung(value) <= 1.51 * value


def test_rungs_of_what_has_none():
    assert rung(0) > 0
    assert math.isfinite(rung(math.inf))


def scale(upright=True):
    figure = Figure(figsize=(4, 2))
    return Scale(
        figure.add_axes((0.1, 0.1, 0.8, 0.8)), figure.add_axes((0, 0, 1, 1)), PLACE, 5, upright
    )


@pytest.mark.parametrize("end", [0.2, 1, 1.5, 2, 3, 4, 6, 8, 10, 15, 20, 30, 300, 8e5])
@pytest.mark.parametrize("upright", [True, False])
def test_the_numbers_run_evenly_from_zero_and_stand_at_their_grid_lines(end, upright):
    axis = scale(upright)
    labels = axis.show(end, get_words("en"))
    values = [float(label.text.replace(",", "")) for label in labels]
    assert 3 <= len(values) <= 7
    assert values[0] == 0 and end * 0.6 < values[-1] <= end
    assert [b - a for a, b in itertools.pairwise(values)] == pytest.approx(
        [values[1]] * (len(values) - 1)
    )
    places = [120 - 100 * v / end if upright else 60 + 200 * v / end for v in values]
    assert [label.y if upright else label.x for label in labels] == pytest.approx(places)
    lines = axis.grid.get_path().vertices[::2, 1 if upright else 0]
    assert lines == pytest.approx(places)
    limits = axis.axes.get_ylim() if upright else axis.axes.get_xlim()
    assert limits == (0, end)


def test_an_axis_that_comes_back_shows_what_it_showed():
    axis = scale()
    first = axis.show(2, get_words("en"))
    axis.show(30, get_words("vi"))
    assert axis.show(2, get_words("en")) == first
    assert axis.axes.get_ylim() == (0, 2)


def test_numbers_are_written_in_the_language():
    assert tick(0.5, get_words("vi")) == "0,5"
    assert tick(0.30000000000000004, get_words("en")) == "0.3"
    assert tick(1_500_000, get_words("vi")) == "1.500.000"
    assert tick(math.inf, get_words("en")) == "∞"
    assert len(tick(1e300, get_words("en"))) < 10
    assert [tick(1.5e7, get_words(code)) for code in ("vi", "en")] == ["1,5E7", "1.5E7"]


@pytest.mark.parametrize(
    "end", [step * 10.0**power for step in (1, 1.5, 2, 8) for power in (4, 5, 6)]
)
@pytest.mark.parametrize("language", ["vi", "en"])
def test_long_numbers_keep_apart_below_an_axis_and_clear_of_the_name_beside_it(end, language):
    words = get_words(language)
    labels = scale(upright=False).show(end, words)
    assert len(labels) >= 2
    for a, b in itertools.pairwise(labels):
        assert b.x - a.x >= (text_width(a.text, 11) + text_width(b.text, 11)) / 2 + 4
    # the name of an upright axis ends 42 CSS pixels left of it
    assert all(label.x - text_width(label.text, 11) > 60 - 42 for label in scale().show(end, words))
