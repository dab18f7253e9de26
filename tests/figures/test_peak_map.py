"""The peak map: the fast path is the full drawing, and each cell says its number, not by colour."""

import itertools
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.figures import PeakMapFigure, peak_map
from specdec_widgets.figures.marks import text_width
from specdec_widgets.figures.peak_map import (
    ALPHAS,
    DRAFT_COSTS,
    MARKED,
    legend,
    marked_table,
    peak_cells,
    place,
    tint,
)
from specdec_widgets.maths import CostModel
from specdec_widgets.words import get_words, languages
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")
FIGURE = PeakMapFigure()
MODELS = st.builds(
    CostModel,
    alpha=st.floats(0, 1),
    draft_cost=st.floats(0, 1),
    verify_cost=st.sampled_from([0.05, 1, 1.5, 3]),
)


@settings(max_examples=6)
@given(st.lists(st.tuples(MODELS, st.sampled_from([EN, VI])), min_size=1, max_size=3))
def test_after_any_updates_the_image_is_that_of_a_full_drawing(updates):
    images = [FIGURE.draw(model, words) for model, words in updates]
    for (model, words), image in zip(updates, images, strict=True):
        assert drawn.in_palette(FIGURE.save(model, words, "png")) == image


def test_the_svg_is_the_same_every_time_and_well_formed():
    files = [figure.save(CostModel(), EN, "svg") for figure in (FIGURE, PeakMapFigure())]
    assert files[0] == files[1]
    ElementTree.fromstring(files[0])


@pytest.mark.parametrize("verify_cost", [1, 1.5])
def test_every_cell_has_its_number_and_stripes_where_it_is_special(verify_cost, monkeypatch):
    figure, written = PeakMapFigure(), []
    monkeypatch.setattr(figure._names, "write", lambda _names, small: written.extend(small))
    figure.draw(CostModel(verify_cost=verify_cost), EN)
    cells = list(peak_cells(verify_cost).itertuples())
    assert [label.text for label in written[: len(cells)]] == [
        "≥32" if cell.at_edge else str(cell.gamma) for cell in cells
    ]
    for cell, label in zip(cells, written, strict=False):
        assert (label.x, label.y) == place(cell.alpha, cell.draft_cost)
    for name, special in (
        ("edge", [cell for cell in cells if cell.at_edge]),
        ("none", [cell for cell in cells if not cell.pays]),
    ):
        middles = figure._looks[name].get_path().vertices.reshape(-1, 5, 2)[:-1, :4].mean(axis=1)
        assert middles == pytest.approx(
            np.array([place(cell.alpha, cell.draft_cost) for cell in special])
        )
        assert figure._looks[name].get_hatch()
    hatches = {figure._looks[name].get_hatch() for name in ("edge", "none")}
    assert len(hatches) == 2, "the two kinds of stripes must differ"


def test_the_points_of_the_lesson_are_cells_of_the_map_and_framed():
    FIGURE.draw(CostModel(), EN)
    frames = FIGURE._looks["frame"].get_path().vertices.reshape(-1, 5, 2)[:-1, :4].mean(axis=1)
    assert frames == pytest.approx(np.array([place(*point) for point in MARKED]))
    assert all(alpha in ALPHAS and cost in DRAFT_COSTS for alpha, cost in MARKED)


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_ring_lies_between_the_cells_it_is_between(alpha, draft_cost):
    FIGURE._update(CostModel(alpha=alpha, draft_cost=draft_cost), EN)
    x, y = FIGURE._now.get_xdata()[0], FIGURE._now.get_ydata()[0]
    for value, at, grid, places in (
        (alpha, x, ALPHAS, peak_map._COLUMNS),
        (draft_cost, -y, DRAFT_COSTS, -peak_map._ROWS),
    ):
        after = next(i for i, step in enumerate(grid) if value <= step)
        assert places[max(after - 1, 0)] - 1e-9 <= at <= places[after] + 1e-9


def test_a_larger_gamma_is_darker_and_nothing_pays_is_grey():
    shades = [int(tint(gamma, True)[1:3], 16) for gamma in range(33)]
    assert all(a > b for a, b in itertools.pairwise(shades))
    assert len(set(tint(0, False)[i : i + 2] for i in (1, 3, 5))) == 1


@pytest.mark.parametrize("language", languages())
def test_the_legend_fits(language):
    FIGURE.draw(CostModel(alpha=1, draft_cost=0, verify_cost=0.05), get_words(language))
    end = FIGURE._value.get_path().vertices[:, 0].max()
    names, _samples = legend(get_words(language))
    ends = [end, *(label.x + text_width(label.text, 12) for label in names)]
    assert max(ends) < FIGURE.size[0]


def test_the_words_beside_the_map_say_its_numbers():
    assert FIGURE.alt(CostModel(), EN) == (
        "A map of the best gamma for alpha from 0 to 1 and draft cost from 0 to 1, at verify cost "
        "1. At alpha 0.8 and draft cost 0.1 it is 6, with 2.47×. Of 285 cells, 38 are at the edge "
        "of the scan, gamma 32, and in 97 no gamma pays."
    )
    assert "2,47×" in FIGURE.alt(CostModel(), VI)


@given(
    alpha=st.integers(0, 100), cost=st.integers(0, 100), verify_cost=st.sampled_from([0.05, 1, 3])
)
def test_the_words_say_the_numbers_of_any_model(alpha, cost, verify_cost):
    model = CostModel(alpha / 100, 4, cost / 100, verify_cost)
    cells = peak_cells(verify_cost)
    edge, none = cells["at_edge"].sum(), len(cells) - cells["pays"].sum()
    best = model.curve()["speedup"].max()
    expected = [0, 1, 0, 1, verify_cost, model.alpha, model.draft_cost, model.best().gamma, best]
    expected += [len(ALPHAS) * len(DRAFT_COSTS), edge, 32, none]
    assert drawn.numbers(FIGURE.alt(model, EN)) == pytest.approx(expected, abs=0.00501)


def test_the_table_of_the_points_of_the_lesson():
    lines = marked_table(CostModel(alpha=0.5), EN).text().split("\n")
    assert [line.split() for line in lines[2:]] == [
        ["0.5", "0.1", "2", "1.46", "○", "current"],
        ["0.4", "0.1", "2", "1.30"],
        ["0.8", "0.1", "6", "2.47"],
        ["0.9", "0.1", "10", "3.43"],
        ["0.95", "0.1", "15", "4.48"],
        ["0.8", "0", "≥32", "5.00", "edge", "of", "the", "scan"],
        ["0.8", "0.01", "14", "4.23"],
        ["0.8", "0.25", "3", "1.69"],
        ["0.8", "0.99", "0", "1.00", "no", "gamma", "pays"],
        ["0.8", "1", "0", "1.00", "no", "gamma", "pays"],
    ]
