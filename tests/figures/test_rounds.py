"""The rounds figure: every draft token at its place, as what became of it."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdec_widgets.figures import RoundsFigure, rounds
from specdec_widgets.figures.base import DENSITY
from specdec_widgets.figures.rounds import ROWS, Grid, Window, cost_bars, draft_boxes, labels
from specdec_widgets.maths import simulate_rounds
from specdec_widgets.words import get_words, languages
from tests.figures import drawn

EN, VI = get_words("en"), get_words("vi")
FIGURE = RoundsFigure()
DEFAULT = "111111001110101111"
FLAGS = st.text("1110", max_size=150)
GAMMAS = st.integers(0, 32)


@settings(max_examples=15)
@given(
    st.lists(st.tuples(FLAGS, GAMMAS, st.sampled_from([EN, VI])), min_size=1, max_size=4),
)
def test_after_any_updates_the_image_is_that_of_a_full_drawing(updates):
    results = [(simulate_rounds(flags, gamma), gamma, words) for flags, gamma, words in updates]
    images = [FIGURE.draw(*result) for result in results]
    for result, image in zip(results, images, strict=True):
        assert drawn.in_palette(FIGURE.save(*result, "png")) == image


def count(path, sign=rounds.SQUARE):
    return len(path.vertices) // len(sign.vertices)


def expected(result, gamma):
    """What the last rows hold, counted from the table, row by row."""
    shown = ROWS - (result.unfinished is not None)
    boxes = {"accepted": 0, "rejected": 0, "never read": 0, "missing": 0}
    extras = {"correction": 0, "bonus": 0, "target alone": 0}
    for row in result.table.tail(shown).itertuples():
        missed = row.accepted < gamma
        boxes["accepted"] += row.accepted
        boxes["rejected"] += missed
        boxes["never read"] += gamma - row.accepted - missed
        extras["correction" if missed else "bonus" if gamma else "target alone"] += 1
    if result.unfinished:
        boxes["accepted"] += result.unfinished.accepted
        boxes["missing"] += result.unfinished.missing
    return boxes, extras


@given(FLAGS, GAMMAS)
def test_every_draft_token_of_the_last_rounds_is_a_box(flags, gamma):
    result = simulate_rounds(flags, gamma)
    drawn_boxes = draft_boxes(Window.of(result, gamma), Grid(gamma))
    boxes, extras = expected(result, gamma)
    assert {name: count(drawn_boxes[name]) for name in boxes} == boxes
    assert count(drawn_boxes["correction"], rounds.DIAMOND) == extras["correction"]
    assert count(drawn_boxes["bonus"], rounds.STAR) == extras["bonus"]
    assert count(drawn_boxes["target alone"]) == extras["target alone"]


@given(FLAGS, GAMMAS)
def test_the_words_say_every_round_that_is_drawn(flags, gamma):
    result = simulate_rounds(flags, gamma)
    said, (boxes, extras) = FIGURE.alt(result, gamma, EN), expected(result, gamma)
    for name, kind in (("correction", "correction token"), ("bonus", "bonus token")):
        assert said.count(kind) == extras[name]
    assert said.count("one token of the target") == extras["target alone"]
    accepted = re.findall(r"accepted (\d+)", said)
    assert sum(map(int, accepted)) == boxes["accepted"]
    assert re.findall(r"flags missing: (\d+)", said) == [str(boxes["missing"])] * bool(
        result.unfinished
    )
    if len(result.table):
        cost, plain = drawn.numbers(said)[-2:]
        assert (cost, plain) == (pytest.approx(result.cost, abs=0.00501), result.tokens)


def test_without_a_draft_the_token_of_the_target_is_nothing_the_legend_names():
    boxes = draft_boxes(Window.of(simulate_rounds("1", 0), 0), Grid(0))
    assert count(boxes["target alone"]) == 1
    assert not len(boxes["bonus"].vertices) and not len(boxes["correction"].vertices)
    assert "target alone" not in rounds.legend(EN)[1]


@pytest.mark.parametrize("gamma", range(33))
def test_boxes_never_touch_and_can_be_seen(gamma):
    grid = Grid(gamma)
    row = grid.boxes(np.full(gamma, 100.0), np.arange(gamma)).vertices.reshape(gamma, 5, 2)
    left, right = row[..., 0].min(axis=1), row[..., 0].max(axis=1)
    assert np.all(right - left >= 9)
    assert np.all(left[1:] - right[:-1] >= 1)
    assert grid.height <= rounds._ROW - 4
    assert grid.last + 10 < rounds._TOKENS - 8
    assert not gamma or right[-1] < grid.last - 6


def test_the_default_string_is_drawn_as_the_course_has_it():
    window, grid = Window.of(simulate_rounds(DEFAULT), 4), Grid(4)
    boxes = draft_boxes(window, grid)
    rejected = boxes["rejected"].vertices.reshape(-1, 5, 2).mean(axis=1)
    columns = [2, 0, 3, 1]  # rejected at 3, 1, 4, 2
    assert rejected[:, 0] == pytest.approx([grid.middle(c) for c in columns], abs=grid.width)
    assert rejected[:, 1] == pytest.approx(window.middles[1:5], abs=grid.height)
    assert [count(boxes[name], rounds.STAR) for name in ("bonus",)] == [2]


def test_the_bars_are_as_long_as_the_costs():
    window = Window.of(simulate_rounds(DEFAULT), 4)
    paths = cost_bars(window, 20)
    ends = {
        name: path.vertices.reshape(-1, 5, 2)[..., 0].max(axis=1) for name, path in paths.items()
    }
    lengths = {name: (end - rounds._COST) / rounds._COST_WIDTH * 20 for name, end in ends.items()}
    assert lengths["speculative"] == pytest.approx([1.4, 2.8, 4.2, 5.6, 7.0, 8.4])
    assert lengths["plain"] == pytest.approx([5, 8, 9, 13, 15, 20])


def texts(flags, gamma, words=EN):
    window = Window.of(simulate_rounds(flags, gamma), gamma)
    return [label.text for label in labels(window, Grid(gamma), 20, words)]


def test_rounds_tokens_and_costs_are_written_beside_their_rows():
    assert texts(DEFAULT, 4)[:9] == ["1", "2", "3", "4", "+1", "1", "5", "1.40", "5"]
    assert texts(DEFAULT, 4, VI)[-2:] == ["8,40", "20"]


def test_only_the_last_rounds_are_drawn_and_it_says_which():
    many = simulate_rounds("0" * 25, 4)
    assert Window.of(many, 4).number.tolist() == list(range(16, 26))
    assert FIGURE.alt(many, 4, EN).startswith("Rounds 16 to 25; target passes so far: 25.")


def test_an_unfinished_round_is_shown_as_such_and_costs_nothing():
    result = simulate_rounds("1111 11", 4)
    window = Window.of(result, 4)
    assert len(window.cost) == 1 and window.passes == 1
    assert "unfinished, flags missing: 2" in texts("1111 11", 4)
    assert count(draft_boxes(window, Grid(4))["bonus"], rounds.STAR) == 1
    assert FIGURE.alt(result, 4, EN) == (
        "Rounds 1 to 2; target passes so far: 1. Round 1: accepted 4, bonus token. "
        "Round 2: accepted 2, unfinished, flags missing: 2. "
        "Total cost 1.40 target passes, plain decoding 5."
    )


@pytest.mark.parametrize(
    ("flags", "gamma", "said"),
    [
        ("", 4, "No round yet."),
        ("1111", 0, "Round 1; target passes so far: 1. Round 1: no draft token, one token of"),
        (
            "10",
            4,
            "Round 1; target passes so far: 1. Round 1: accepted 1, rejected at 2, correction",
        ),
        ("1" * 32, 32, "Round 1; target passes so far: 1. Round 1: accepted 32, bonus token."),
        ("01" * 200_000, 7, "Rounds 199,992 to 200,001; target passes so far: 200,000. "),
    ],
)
def test_edge_cases_are_drawn_and_said(flags, gamma, said):
    result = simulate_rounds(flags, gamma)
    assert FIGURE.alt(result, gamma, EN).startswith(said)
    width, height = FIGURE.size
    shown = drawn.pixels(FIGURE.draw(result, gamma, EN))
    assert shown.shape == (height * DENSITY, width * DENSITY, 3)


def test_a_million_rounds_leave_every_number_inside_the_figure():
    result = simulate_rounds(np.ones(3_000_000, int), 1, draft_cost=1, verify_cost=3)
    window = Window.of(result, 1)
    ends = [
        label.x + rounds.text_width(label.text, 11) * (1 - label.align)
        for label in labels(window, Grid(1), window.cost[-1], EN)
    ]
    starts = [
        label.x - rounds.text_width(label.text, 11) * label.align
        for label in labels(window, Grid(1), window.cost[-1], EN)
    ]
    assert max(ends) < FIGURE.size[0] and min(starts) > 0


@pytest.mark.parametrize("language", languages())
def test_the_legend_fits(language):
    names, _samples = rounds.legend(get_words(language))
    lines = {}
    for label in names:
        start = label.x - label.align * rounds.text_width(label.text, 12)
        lines.setdefault(label.y, []).append((start, start + rounds.text_width(label.text, 12)))
    for line in lines.values():
        line.sort()
        assert line[-1][1] < FIGURE.size[0]
        assert all(b[0] - a[1] > 20 for a, b in itertools.pairwise(line))


def test_the_svg_is_the_same_every_time():
    result = simulate_rounds(DEFAULT)
    assert FIGURE.save(result, 4, EN, "svg") == RoundsFigure().save(result, 4, EN, "svg")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("gamma", range(33))
def test_no_two_column_heads_touch(gamma, language):
    words = get_words(language)
    window = Window.of(simulate_rounds("1" * 32, gamma), gamma)
    heads = [(label, 11) for label in labels(window, Grid(gamma), 20, words)]
    heads += [(label, 12) for label in rounds.legend(words)[0]]
    ends = sorted(
        (label.x - width * label.align, label.x + width * (1 - label.align))
        for label, size in heads
        if label.y == rounds._HEADS
        for width in [rounds.text_width(label.text, size)]
    )
    assert all(b[0] - a[1] > 3 for a, b in itertools.pairwise(ends))


def test_round_numbers_are_grouped_as_the_language_does():
    assert "1.001" in texts("0" * 1001 + "1", 4, VI) and "1,001" in texts("0" * 1001 + "1", 4)
    assert "1.002" in texts("0" * 1001 + "1", 4, VI)  # the unfinished one
