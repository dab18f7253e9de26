"""Axes of values that end at a round number, and whose grid and numbers move with the rest.

The ends come from a ladder, so an axis rarely changes while a slider is dragged; where it does, it
costs no new static part.
"""

import math
from functools import lru_cache

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from specdec_widgets.figures.base import SMALL_SIZE
from specdec_widgets.figures.marks import NOTHING, Label, segments, text_width
from specdec_widgets.figures.pixels import FAINT
from specdec_widgets.words import Words

_LONGEST_BESIDE = 1e4  # beside an upright axis there is no room for a longer number
_APART = 8  # CSS pixels between the numbers below an axis, at least


class Scale:
    """The axis of values of some axes: along y, or along x with `upright=False`.

    axes:  where the grid lies, and whose limits are set
    page:  axes in CSS pixels over the whole figure
    place: left, top, width and height of the axes in CSS pixels
    count: intervals between the numbers, at most
    """

    def __init__(
        self,
        axes: Axes,
        page: Axes,
        place: tuple[float, float, float, float],
        count: int = 5,
        upright: bool = True,
    ) -> None:
        self.axes, self.place, self.count, self.upright = axes, place, count, upright
        self.grid = PathPatch(
            NOTHING, facecolor="none", edgecolor=FAINT, linewidth=0.8, transform=page.transData
        )
        self._end = 0.0
        (axes.yaxis if upright else axes.xaxis).set_ticks([])

    def show(self, end: float, words: Words) -> list[Label]:
        """End the axis at `end`; returns the numbers to write beside it."""
        path, labels = _numbered(self.place, self.count, self.upright, end, words)
        if end != self._end:
            self._end = end
            self.grid.set_path(path)
            (self.axes.set_ylim if self.upright else self.axes.set_xlim)(0, end)
        return labels


@lru_cache(maxsize=256)
def _numbered(
    place: tuple[float, float, float, float], count: int, upright: bool, end: float, words: Words
) -> tuple[Path, list[Label]]:
    left, top, width, height = place
    values = [value for value in _locator(count).tick_values(0, end) if 0 <= value <= end * 1.001]
    if upright:
        texts = [tick(value, words, _LONGEST_BESIDE) for value in values]
        at = [top + height * (1 - value / end) for value in values]
        labels = [Label(left - 7, y, text, 1) for y, text in zip(at, texts, strict=True)]
        return segments(left, at, left + width, at), labels
    texts = [tick(value, words) for value in values]
    widest = max(text_width(text, SMALL_SIZE) for text in texts)
    if len(values) > 2 and width * values[1] / end < widest + _APART:
        values, texts = values[::2], texts[::2]
    at = [left + width * value / end for value in values]
    labels = [Label(x, top + height + 13, text, 0.5) for x, text in zip(at, texts, strict=True)]
    return segments(at, top, at, top + height), labels


def _locator(count: int) -> MaxNLocator:
    return MaxNLocator(count, steps=[1, 2, 2.5, 5, 10])


def rung(value: float) -> float:
    """The lowest round number from `value` on: 1, 1.5, 2, 3, 4, 6 or 8 times a power of ten.

    >>> [rung(value) for value in (0.9, 1.2, 5, 19, 660)]
    [1.0, 1.5, 6.0, 20.0, 800.0]
    """
    value = min(max(value, 1e-9), 1e300)
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 6, 8, 10, 15) if step * power >= value)


def tick(value: float, words: Words, longest: float = 1e7) -> str:
    """A number at an axis: as short as it is exact, grouped, a power of ten from `longest` on."""
    if math.isinf(value):
        return "∞"
    if value >= longest:
        return words.scientific(value)
    return words.number(value) if value >= 1e3 else words.exact(round(value, 9))
