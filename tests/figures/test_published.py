"""The figure of published against predicted speedups: every row is drawn, and nothing else."""

import numpy as np
import pytest

from specdec_widgets.figures.published import (
    Picture,
    PublishedFigure,
    predicted_rows,
    published_figure,
)
from specdec_widgets.maths import CostModel, ValueRefused
from specdec_widgets.words import get_words
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")


@pytest.fixture(scope="module")
def axes():
    figure = PublishedFigure(predicted_rows())
    figure.draw(EN)
    return figure._plot


def marks(axes, size):
    return [line for line in axes.lines if len(line.get_xdata()) == 1 and size(line)]


def test_a_mark_stands_where_formula_and_paper_say(axes):
    small = marks(axes, lambda line: line.get_markersize() < 18)
    rows = list(predicted_rows().itertuples())
    assert len(small) == len(rows) == 12
    for mark, row in zip(small, rows, strict=True):
        predicted = CostModel(row.alpha, int(row.gamma), row.draft_cost).speedup
        assert mark.get_xdata()[0] == pytest.approx(predicted)
        assert mark.get_ydata()[0] == row.published_speedup
        assert 1 < mark.get_xdata()[0] < 4 and 1 < mark.get_ydata()[0] < 4, "outside the axes"


def test_what_no_draft_could_reach_has_a_ring(axes):
    rings = {
        tuple(ring.get_xydata()[0]) for ring in marks(axes, lambda n: n.get_markersize() == 18)
    }
    rows = predicted_rows()
    beyond = rows[rows["published_speedup"] > rows["free_draft_speedup"]]
    columns = ["predicted_speedup", "published_speedup"]
    assert rings == set(map(tuple, beyond[columns].to_numpy()))
    assert len(rings) == 4


def test_drafts_and_temperatures_differ_without_colour(axes):
    rows = predicted_rows()
    small = marks(axes, lambda line: line.get_markersize() < 18)
    looks = {
        (row.draft, row.sampling): (mark.get_marker(), mark.get_markerfacecolor() == "white")
        for mark, row in zip(small, rows.itertuples(), strict=True)
    }
    assert len(looks) == len(set(looks.values())) == 6


def test_every_mark_has_the_number_of_its_row(axes):
    numbers = {text.get_text(): text.xy for text in axes.texts if text.get_text().isdecimal()}
    for number, row in predicted_rows().iterrows():
        assert numbers[str(number)] == (row["predicted_speedup"], row["published_speedup"])


def test_the_words_count_the_rows():
    rows = list(predicted_rows().itertuples())
    slower = sum(row.published_speedup < row.predicted_speedup for row in rows)
    beyond = sum(row.published_speedup > row.free_draft_speedup for row in rows)
    said = PublishedFigure(predicted_rows()).alt(EN)
    assert drawn.numbers(said) == [len(rows), slower, len(rows) - slower, beyond] == [12, 3, 9, 4]
    one = PublishedFigure(predicted_rows()[:1]).alt(EN)
    assert drawn.numbers(one) == [1, 0, 1, 0]


@pytest.mark.parametrize("words", [EN, VI])
def test_no_text_leaves_the_figure_or_lies_upon_another(words):
    figure = PublishedFigure(predicted_rows())
    figure.draw(words)
    page = figure.figure.bbox
    axes = figure._plot
    texts = [*axes.texts, axes.get_legend(), axes.xaxis.label, axes.yaxis.label]
    boxes = [text.get_window_extent() for text in texts]
    for at, box in enumerate(boxes):
        assert page.x0 <= box.x0 and box.x1 <= page.x1, texts[at]
        assert page.y0 <= box.y0 and box.y1 <= page.y1, texts[at]
        others = [texts[n] for n, other in enumerate(boxes) if n != at and box.overlaps(other)]
        assert not others, texts[at]


def test_it_is_drawn_in_the_language_asked_for():
    english, vietnamese = published_figure("en"), published_figure("vi")
    assert "Published against predicted" in english.alt
    assert english.alt != vietnamese.alt and english.html != vietnamese.html
    figure = PublishedFigure(predicted_rows())
    figure.draw(VI)
    assert "1,5×" in [tick.get_text() for tick in figure._plot.get_xticklabels()]
    image = figure.draw(EN)
    assert np.array_equal(
        drawn.pixels(image), drawn.pixels(PublishedFigure(predicted_rows()).draw(EN))
    )
    with pytest.raises(ValueRefused):
        published_figure("xx")


def test_a_notebook_gets_the_image_and_the_words():
    assert Picture("<img>", "what is seen")._repr_mimebundle_() == {
        "text/html": "<img>",
        "text/plain": "what is seen",
    }
    assert 'style="' in published_figure("en").html and "alt=" in published_figure("en").html
