"""Many marks as one path."""

import numpy as np
import pytest
from matplotlib.path import Path

from specdec_widgets.figures import marks
from specdec_widgets.figures.marks import Label


@pytest.mark.parametrize("count", [0, 1, 7])
def test_a_stamp_puts_the_sign_at_every_place(count):
    x, y = np.arange(count) * 10.0, np.arange(count) * 20.0
    path = marks.stamp(marks.SQUARE, x, y, 4, 6)
    corners = path.vertices.reshape(count, len(marks.SQUARE.vertices), 2)
    assert np.count_nonzero(path.codes == Path.MOVETO) == count
    assert np.array_equal(corners.min(axis=1), np.stack([x - 2, y - 3], axis=1))
    assert np.array_equal(corners.max(axis=1), np.stack([x + 2, y + 3], axis=1))


def test_a_stamp_takes_a_size_for_each_place():
    path = marks.stamp(marks.SQUARE, [0, 100], 0, [2, 8], [4, 4])
    assert path.vertices.reshape(2, -1, 2).max(axis=1).tolist() == [[1, 2], [104, 2]]


def test_segments_are_apart_from_each_other():
    path = marks.segments([0, 1], [2, 3], 9, [2, 3])
    assert path.vertices.tolist() == [[0, 2], [9, 2], [1, 3], [9, 3]]
    assert path.codes.tolist() == [Path.MOVETO, Path.LINETO] * 2


def test_slashes_stay_in_their_rectangles_and_fill_them():
    boxes = marks.bars([0, 50], [20, 53], [0, 10], [6, 100])
    lines = marks.slashes(boxes, 4).vertices.reshape(-1, 2, 2)
    first = lines[:, 0, 0] < 40
    for inside, (left, right, top, bottom) in ((first, (0, 20, 0, 6)), (~first, (50, 53, 10, 100))):
        x, y = lines[inside, :, 0], lines[inside, :, 1]
        assert np.all((left <= x) & (x <= right) & (top <= y) & (y <= bottom))
        assert np.all(x[:, 1] - x[:, 0] == pytest.approx(y[:, 0] - y[:, 1]))  # at 45 degrees
        assert len(x) == (right - left + bottom - top - 1) // 4
    assert len(marks.slashes(marks.NOTHING, 4).vertices) == 0


def extents(label, size=10):
    return marks.letters([label], size).get_extents()


def test_a_label_stands_left_of_right_of_or_around_its_place():
    left, middle, right = (extents(Label(100, 50, "123", align)) for align in (0, 0.5, 1))
    assert left.x0 >= 100 and right.x1 <= 100
    assert middle.x0 < 100 < middle.x1
    assert abs((middle.x0 + middle.x1) / 2 - 100) < 1
    assert abs((middle.y0 + middle.y1) / 2 - 50) < 0.3


def test_a_label_is_the_right_way_up_and_of_the_right_size():
    seven = marks.letters([Label(0, 0, "7")], 10)
    top = seven.vertices[seven.vertices[:, 1] < 0]
    assert np.ptp(top[:, 0]) > 4  # the bar of a 7 is above
    assert 7 < seven.get_extents().height < 7.6  # digits are 0.73 em high


def test_text_is_as_wide_as_its_letters_and_spaces():
    assert marks.text_width("11", 10) == pytest.approx(2 * marks.text_width("1", 10))
    assert marks.text_width("1 1", 10) > marks.text_width("11", 10)
    assert marks.text_width("", 10) == 0
    assert extents(Label(0, 0, "Vòng đích ừ")).x1 == pytest.approx(
        marks.text_width("Vòng đích ừ", 10), abs=1
    )


def test_nothing_to_write_is_an_empty_path():
    assert len(marks.letters([], 10).vertices) == 0
    assert len(marks.letters([Label(0, 0, " ")], 10).vertices) == 0
