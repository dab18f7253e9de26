"""Many small marks as one path: boxes, bars, signs and short labels.

Matplotlib draws one artist with a long path far faster than many short artists, and a `Text` artist
is the dearest of all. So whatever there is many of is put together here into one
`matplotlib.path.Path`, for one `PathPatch`. Coordinates are those of the page of a figure: CSS
pixels from the top left corner, y downwards.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from numpy.typing import ArrayLike, NDArray

FONT = "DejaVu Sans"  # comes with matplotlib and has every Vietnamese letter
FONT_PROPERTIES = FontProperties(family=[FONT])
_FONT_UNITS = 100  # size at which glyph outlines are taken; one em is then _FONT_UNITS
_HALF_CAPITAL = 0.365  # half the height of a capital or a digit, in em
_NO_CODES = np.empty(0, Path.code_type)
NOTHING = Path(np.empty((0, 2)), _NO_CODES)


def _outline(*points: tuple[float, float], closed: bool = True) -> Path:
    codes = [Path.MOVETO] + [Path.LINETO] * (len(points) - 1)
    if closed:
        return Path([*points, points[0]], [*codes, Path.CLOSEPOLY])
    return Path(points, codes)


# Signs in a square with sides of 1 around the origin; y points down.
SQUARE = _outline((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
DIAMOND = _outline((0, -0.62), (0.62, 0), (0, 0.62), (-0.62, 0))
CHECK = _outline((-0.28, 0.02), (-0.08, 0.24), (0.28, -0.24), closed=False)
CROSS = Path.make_compound_path(
    _outline((-0.22, -0.22), (0.22, 0.22), closed=False),
    _outline((-0.22, 0.22), (0.22, -0.22), closed=False),
)
STAR = _outline(
    *(
        (radius * np.sin(k * np.pi / 5), -radius * np.cos(k * np.pi / 5))
        for k, radius in enumerate([0.68, 0.29] * 5)
    )
)


def stamp(sign: Path, x: ArrayLike, y: ArrayLike, width: ArrayLike, height: ArrayLike) -> Path:
    """The sign at every (x, y), `width` wide and `height` high.

    >>> stamp(SQUARE, [10, 30], 5, 4, 4).get_extents().extents.tolist()
    [8.0, 3.0, 32.0, 7.0]
    """
    count = max(map(np.size, (x, y, width, height))) if np.size(x) and np.size(y) else 0
    outline = _vertices(sign)
    vertices = np.empty((count, len(outline), 2))
    for axis, (middle, size) in enumerate(((x, width), (y, height))):
        np.multiply(outline[:, axis], _column(size), out=vertices[..., axis])
        vertices[..., axis] += _column(middle)
    return Path(vertices.reshape(-1, 2), np.concatenate([_codes(sign)] * count or [_NO_CODES]))


def _column(values: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64).reshape(-1, 1)


def join(*paths: Path) -> Path:
    """All of the paths as one."""
    return Path(
        np.concatenate([_vertices(path) for path in paths]),
        np.concatenate([_codes(path) for path in paths]),
    )


def bars(left: ArrayLike, right: ArrayLike, top: ArrayLike, bottom: ArrayLike) -> Path:
    """A rectangle from `left` to `right` and from `top` to `bottom`, for every item of the arrays.

    >>> bars([0, 0], [2, 3], [0, 5], [4, 9]).get_extents().extents.tolist()
    [0.0, 0.0, 3.0, 9.0]
    """
    left, right, top, bottom = map(np.asarray, (left, right, top, bottom))
    return stamp(SQUARE, (left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def segments(x0: ArrayLike, y0: ArrayLike, x1: ArrayLike, y1: ArrayLike) -> Path:
    """A line from (x0, y0) to (x1, y1), for every item of the arrays."""
    ends = np.broadcast_arrays(x0, y0, x1, y1)
    vertices = np.stack(ends, axis=-1).reshape(-1, 2).astype(np.float64)
    codes = np.tile(np.array([Path.MOVETO, Path.LINETO], Path.code_type), len(vertices) // 2)
    return Path(vertices, codes)


def slashes(boxes: Path, gap: float) -> Path:
    """Slanted lines, `gap` apart, across the rectangles that `bars` or a stamped square gave.

    Matplotlib's own hatching is ten times as slow, and its line width a global setting.

    >>> slashes(bars(0, 4, 0, 4), 2).vertices.tolist()
    [[0.0, 2.0], [2.0, 0.0], [0.0, 4.0], [4.0, 0.0], [2.0, 4.0], [4.0, 2.0]]
    """
    lines = [np.empty((0, 4))]
    corners = _vertices(boxes).reshape(-1, len(_vertices(SQUARE)), 2)
    for (left, top), (right, bottom) in zip(corners.min(axis=1), corners.max(axis=1), strict=True):
        width, height = right - left, bottom - top
        at = np.arange(gap, width + height, gap)  # where a line meets the left and upper edges
        start = left + np.maximum(0, at - height), top + np.minimum(at, height)
        end = left + np.minimum(at, width), top + np.maximum(0, at - width)
        lines.append(np.stack([*start, *end], axis=-1))
    return segments(*np.concatenate(lines).T)


class Label(NamedTuple):
    """A short text on the page, its middle height at `y`; `align` 0 left, 0.5 centre, 1 right."""

    x: float
    y: float
    text: str
    align: float = 0.0


def letters(labels: Iterable[Label], size: float) -> Path:
    """The outlines of all labels, one em being `size` CSS pixels.

    >>> letters([Label(10, 5, "12"), Label(40, 5, "12")], 10).vertices.shape
    (104, 2)
    """
    vertices, codes = [], []
    for label in labels:
        text = _text(label.text)
        start = (label.x - label.align * text.width * size, label.y + _HALF_CAPITAL * size)
        vertices.append(text.vertices * size + start)
        codes.append(text.codes)
    return Path(np.concatenate(vertices), np.concatenate(codes)) if vertices else NOTHING


def text_width(text: str, size: float) -> float:
    """How wide `letters` draws the text, in CSS pixels."""
    return _text(text).width * size


class _Text(NamedTuple):
    vertices: NDArray[np.float64]  # em, y downwards from the baseline
    codes: NDArray[np.uint8]
    width: float  # em


@lru_cache(maxsize=512)
def _text(text: str) -> _Text:
    vertices, codes, width = [np.empty((0, 2))], [_NO_CODES], 0.0
    for character in text:
        glyph = _glyph(character)
        vertices.append(glyph.vertices + np.array([width, 0.0]))
        codes.append(glyph.codes)
        width += glyph.width
    return _Text(np.concatenate(vertices), np.concatenate(codes), width)


@lru_cache(maxsize=512)
def _glyph(character: str) -> _Text:
    # What a character takes of the line is how far it moves a bar that follows it.
    width = (_right_edge(f"|{character}|") - _right_edge("||")) / _FONT_UNITS
    if character.isspace():
        return _Text(np.empty((0, 2)), _NO_CODES, width)
    path = _text_path(character)
    return _Text(_vertices(path) * (1, -1) / _FONT_UNITS, _codes(path), width)


def _right_edge(text: str) -> float:
    return float(_vertices(_text_path(text))[:, 0].max())


def _text_path(text: str) -> Path:
    return TextPath((0, 0), text, size=_FONT_UNITS, prop=FONT_PROPERTIES)


def _vertices(path: Path) -> NDArray[np.float64]:
    return np.asarray(path.vertices, dtype=np.float64)


def _codes(path: Path) -> NDArray[np.uint8]:
    return np.asarray(path.codes, dtype=Path.code_type)
