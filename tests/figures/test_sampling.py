"""The sampling figure: bars as high as the probabilities, whatever the tokens are called."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.figures import SamplingFigure, sampling
from specdec_widgets.figures.sampling import token_bars
from specdec_widgets.maths import SamplingRule
from specdec_widgets.words import get_words, languages
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")
FIGURE = SamplingFigure()
WEATHER = SamplingRule(
    ["0.50", "0.25", "0.15", "0.10"],
    ["0.40", "0.30", "0.20", "0.10"],
    ["mưa", "nắng", "gió", "bão"],
)
CURVE = WEATHER.temperature_curve()
NAMES = st.text(st.characters(categories=None), min_size=1, max_size=20).filter(str.strip)


@st.composite
def rules(draw):
    count = draw(st.integers(2, 12))
    p, q = (
        draw(st.lists(st.integers(0, 9), min_size=count, max_size=count).filter(any))
        for _distribution in range(2)
    )
    tokens = draw(st.lists(NAMES, min_size=count, max_size=count, unique=True))
    return SamplingRule([n / sum(p) for n in p], [n / sum(q) for n in q], tokens)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(rules(), st.sampled_from([EN, VI]), st.sampled_from([0, 0.3, 1, 2.5])),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([CURVE, None]),
)
def test_after_any_updates_the_image_is_that_of_a_full_drawing(updates, curve):
    results = [(rule.at_temperature(t), words, t, curve) for rule, words, t in updates]
    with warnings.catch_warnings():
        # Such as one for a letter that the font does not have.
        warnings.simplefilter("error", UserWarning)
        images = [FIGURE.draw(*result) for result in results]
        for result, image in zip(results, images, strict=True):
            assert drawn.in_palette(FIGURE.save(*result, format="png")) == image
            FIGURE.alt(*result).encode("utf-8")


def heights(path, end):
    """Lowest and highest probability of each bar."""
    y = path.vertices.reshape(-1, 5, 2)[..., 1]
    low, high = (sampling._TOP + sampling._HEIGHT - y.max(axis=1), y.min(axis=1))
    return low / sampling._HEIGHT * end, (1 - (high - sampling._TOP) / sampling._HEIGHT) * end


def test_the_bars_are_as_high_as_the_probabilities():
    paths = token_bars(WEATHER, 0.6)
    for name, high in (
        ("p", [0.5, 0.25, 0.15, 0.1]),
        ("q", [0.4, 0.3, 0.2, 0.1]),
        ("accepted", [0.4, 0.25, 0.15, 0.1]),
    ):
        low, top = heights(paths[name], 0.6)
        assert low == pytest.approx([0] * 4, abs=1e-9)
        assert top == pytest.approx(high)
    low, top = heights(paths["residual"], 0.6)  # on top of the accepted part of the first token
    assert (low.tolist(), top.tolist()) == (pytest.approx([0.4]), pytest.approx([0.5]))


def test_the_output_reaches_the_height_of_p_carried_over_to_it():
    paths = token_bars(WEATHER, 0.6)
    level = paths["level"].vertices.reshape(-1, 2, 2)
    _low, top = heights(paths["accepted"], 0.6)
    top[0] = heights(paths["residual"], 0.6)[1][0]
    assert (1 - (level[:, 0, 1] - sampling._TOP) / sampling._HEIGHT) * 0.6 == pytest.approx(top)
    assert np.all(level[:, 0, 0] < paths["p"].vertices.reshape(-1, 5, 2)[..., 0].min(axis=1))
    assert np.all(level[:, 1, 0] > paths["accepted"].vertices.reshape(-1, 5, 2)[..., 0].max(axis=1))


@pytest.mark.parametrize("temperature", [0, 0.5, 3])
def test_the_ring_stands_on_the_curve(temperature):
    FIGURE._update(WEATHER.at_temperature(temperature), EN, temperature, CURVE)
    assert list(FIGURE._curve.get_xdata()) == list(CURVE.index)
    assert list(FIGURE._curve.get_ydata()) == list(CURVE["alpha"])
    assert list(FIGURE._now.get_xdata()) == [temperature]
    assert list(FIGURE._now.get_ydata()) == [pytest.approx(CURVE["alpha"][temperature])]


@pytest.mark.parametrize("count", range(2, 13))
def test_bars_of_neighbours_do_not_overlap(count):
    paths = token_bars(SamplingRule([1 / count] * count, [1 / count] * count), 1)
    boxes = [paths[name].vertices.reshape(-1, 5, 2)[..., 0] for name in ("p", "q", "accepted")]
    ordered = sorted((x.min(), x.max()) for group in boxes for x in group)
    assert len(ordered) == 3 * count
    assert all(a[1] < b[0] for a, b in itertools.pairwise(ordered))
    assert ordered[0][1] - ordered[0][0] > 7


def test_markup_in_a_name_is_only_text():
    plain = SamplingRule(["1/2", "1/2"], ["1/2", "1/2"], ["$x^2$", r"$\frac{$"])
    assert FIGURE.draw(plain, EN)
    assert FIGURE.save(plain, EN, format="svg").count(b"<!-- $x^2$ -->") == 1


def test_the_words_beside_the_figure_say_the_numbers():
    said = FIGURE.alt(WEATHER, EN, 1, CURVE)
    assert said.startswith(
        "Bars for each token. mưa: p 0.5000, q 0.4000, accepted 0.4000, "
        "from the residual 0.1000, output 0.5000. nắng: "
    )
    assert (
        "At temperature 1 alpha is 0.9000. A curve shows alpha for temperatures from 0 to 3" in said
    )
    assert "0,9000" in FIGURE.alt(WEATHER, VI)


@given(rules(), st.sampled_from([0, 0.3, 1, 2.5]))
def test_the_words_say_the_numbers_of_any_rule(named, temperature):
    rule = SamplingRule(named.p, named.q, list("abcdefghijkl"[: len(named.p)])).at_temperature(
        temperature
    )
    curve = rule.temperature_curve(2, 0.5)
    expected = []
    for p, q in zip(rule.p, rule.q, strict=True):
        expected += [p, q, min(p, q), max(0, p - q), p]
    expected += [temperature, sum(map(min, rule.p, rule.q)), 0, 2]
    expected += [curve["alpha"].min(), curve["alpha"].max()]
    said = drawn.numbers(FIGURE.alt(rule, EN, temperature, curve))
    assert said == pytest.approx(list(map(float, expected)), abs=0.0000501)


def test_a_name_in_the_words_is_harmless():
    rule = SamplingRule(["1", "0"], ["1", "0"], ["a\nb\x07", "\ud800"])
    assert "a b□: " in FIGURE.alt(rule, EN) and "\ud800" not in FIGURE.alt(rule, EN)


@pytest.mark.parametrize("language", languages())
def test_the_legend_fits(language):
    names, _samples = sampling.legend(get_words(language))
    last = names[-1]
    end = last.x + sampling.text_width(last.text, 12)
    assert end < sampling._ALPHA + sampling._ALPHA_WIDTH - sampling.text_width("alpha = 0,0000", 12)


def test_the_svg_is_the_same_every_time():
    files = [figure.save(WEATHER, EN, 1, CURVE, "svg") for figure in (FIGURE, SamplingFigure())]
    assert files[0] == files[1]
