"""The figure of the draws: bars as high as the frequencies, lines as far from p as they are."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.figures import DrawsFigure, draws
from specdec_widgets.figures.draws import draws_table, legend, token_bars
from specdec_widgets.figures.marks import text_width
from specdec_widgets.maths import SamplingRule, draw_tokens
from specdec_widgets.words import get_words, languages
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")
FIGURE = DrawsFigure()
WEATHER = SamplingRule(
    ["0.50", "0.25", "0.15", "0.10"],
    ["0.40", "0.30", "0.20", "0.10"],
    ["mưa", "nắng", "gió", "bão"],
)
SAME = SamplingRule(["0.5", "0.5"], ["0.5", "0.5"], ["$a$", "<b>"])
ONE = SamplingRule(["1", "0"], ["1", "0"], ["a", "b"])
RESULTS = st.tuples(
    st.builds(
        draw_tokens,
        st.sampled_from([WEATHER, SAME, ONE]),
        st.sampled_from([1, 20, 20_000]),
        st.integers(0, 9),
    ),
    st.booleans(),
    st.sampled_from([EN, VI]),
)


@settings(max_examples=6)
@given(st.lists(RESULTS, min_size=1, max_size=3))
def test_after_any_updates_the_image_is_that_of_a_full_drawing(updates):
    images = [FIGURE.draw(*result) for result in updates]
    for result, image in zip(updates, images, strict=True):
        assert drawn.in_palette(FIGURE.save(*result, "png")) == image


def test_the_svg_is_the_same_every_time_and_well_formed():
    result = (draw_tokens(SAME, 50), True, EN)
    files = [figure.save(*result, "svg") for figure in (FIGURE, DrawsFigure())]
    assert files[0] == files[1]
    ElementTree.fromstring(files[0])


@pytest.mark.parametrize("bug", [False, True])
def test_the_bars_are_as_high_as_what_they_stand_for(bug):
    result = draw_tokens(WEATHER, 1000, 3)
    heights = draws._heights(result, bug)
    table = result.table
    names = ("p", "bug", "bug_frequency") if bug else ("p", "p", "frequency")
    assert [list(column) for column in heights] == [
        [float(value) for value in table[name]] for name in names
    ]
    paths = token_bars(heights, bug, 0.6)
    for name, column in zip(("p", "exact", "bug" if bug else "rule"), heights, strict=True):
        y = paths[name].vertices.reshape(-1, 5, 2)[..., 1]
        assert (1 - (y.min(axis=1) - draws._TOP) / draws._HEIGHT) * 0.6 == pytest.approx(column)
    assert len(paths["rule" if bug else "bug"].vertices) == 0
    level = paths["level"].vertices.reshape(-1, 2, 2)[:, 0, 1]
    assert (1 - (level - draws._TOP) / draws._HEIGHT) * 0.6 == pytest.approx(list(heights[0]))


def test_the_lines_are_the_distances_and_the_limit_of_the_bug():
    result = draw_tokens(WEATHER, 5000, 3)
    FIGURE._update(result, False, EN)
    distances = result.distances()
    for name in ("rule", "bug"):
        assert np.array_equal(FIGURE._curves[name].get_xdata(), distances.index)
        assert np.array_equal(FIGURE._curves[name].get_ydata(), distances[name])
    assert set(FIGURE._curves["limit"].get_ydata()) == {0.05}


def test_a_distance_of_0_lies_below_the_axis_and_not_on_it():
    FIGURE._update(draw_tokens(ONE, 50), False, EN)
    for curve in FIGURE._curves.values():
        assert max(curve.get_ydata()) < draws._NEAREST


@pytest.mark.parametrize("bug", [False, True])
@pytest.mark.parametrize("language", languages())
def test_the_legend_fits_and_does_not_overlap(language, bug):
    labels, _samples = legend(get_words(language), bug)
    for y in draws._LEGEND_ROWS:
        row = sorted(label for label in labels if label.y == y)
        for label, following in zip(row, [*row[1:], None], strict=True):
            end = label.x + text_width(label.text, 12)
            assert end < (following.x - 20 if following else FIGURE.size[0])


def test_the_words_beside_the_figure_say_the_numbers():
    result = draw_tokens(WEATHER, 20_000, 1)
    said = FIGURE.alt(result, True, EN)
    assert "mưa: p 0.5000, exact output 0.4500, drawn 0.4502." in said
    assert said.endswith(
        "A chart of the distance from p after 1 to 20,000 tokens: in the end 0.0037 by the rule "
        "and 0.0497 by the bug, whose limit is 0.0500."
    )
    assert "20.000 token" in FIGURE.alt(result, False, VI)


@given(RESULTS)
def test_the_words_say_the_numbers_of_any_draws(result):
    (draws_, bug, _words), spoken = result, FIGURE.alt(*result[:2], EN)
    names = ("p", "bug", "bug_frequency") if bug else ("p", "p", "frequency")
    rows = draws_.table[list(names)].astype(float).to_numpy().ravel().tolist()
    last = draws_.distances().iloc[-1]
    expected = [*rows, 1, len(draws_.drawn), last["rule"], last["bug"], draws_.bug_distance]
    assert drawn.numbers(spoken) == pytest.approx(list(map(float, expected)), abs=0.0000501)


def test_the_table_in_words():
    lines = draws_table(draw_tokens(WEATHER, 20_000, 1), EN).text().split("\n")
    assert lines[2].split() == ["mưa", "0.5000", "0.4989", "0.4500", "0.4502"]
    assert len(lines) == 6
