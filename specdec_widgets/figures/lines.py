"""A few named curves over a whole-number axis, one place on it marked.

What the small panels draw: a `Chart` says what is to be seen, `LinesFigure` draws it, and
`chart_table` writes the same as a table. Curves differ in line and marker, not in colour alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from numpy.typing import ArrayLike, NDArray

from specdec_widgets.figures.base import TEXT_SIZE, Lettering, PanelFigure, own_style, points
from specdec_widgets.figures.marks import NOTHING, Label, segments, text_width
from specdec_widgets.figures.pixels import ACCEPTED, DRAFT, GREY, INK, REJECTED, TARGET
from specdec_widgets.figures.scales import Scale, rung
from specdec_widgets.figures.tables import Table
from specdec_widgets.words import Words

_LEFT, _WIDTH, _BELOW = 60, 544, 48  # of the axes, and the room under them; CSS pixels
_LEGEND, _LINE, _HANDLE = 14, 20, 26  # first line of the legend, its lines, a sample's width
_STAR_COLUMN = 300
_MOST_TICKS, _MOST_MARKERS, _MOST_ROWS = 9, 40, 16
_STEPS = (1, 2, 4, 5, 10, 20, 25, 50)

_Look = dict[str, Any]
_LOOKS: tuple[_Look, ...] = (
    {"color": TARGET, "linewidth": 3.6, "marker": "o", "markersize": 6},
    {"color": DRAFT, "linewidth": 1.6, "linestyle": "--", "marker": "s", "markersize": 4},
    {"color": ACCEPTED, "linewidth": 1.6, "linestyle": "-.", "marker": "^", "markersize": 4},
    {"color": GREY, "linewidth": 1.4, "linestyle": ":", "marker": "D", "markersize": 3},
)
_MARK: _Look = {"linestyle": "", "clip_on": False, "markersize": 12}
_RING: _Look = {
    **_MARK,
    "marker": "o",
    "markerfacecolor": "none",
    "markeredgecolor": REJECTED,
    "markeredgewidth": 2.2,
}
_STAR: _Look = {
    **_MARK,
    "marker": "*",
    "markerfacecolor": ACCEPTED,
    "markeredgecolor": INK,
    "markeredgewidth": 0.6,
}
MAX_CURVES = len(_LOOKS)


@dataclass(frozen=True)
class Curve:
    """One curve: its name, a value for every x, and how the values are written.

    A value may be missing (NaN). A `guide` is a line to compare with, and no column of the table.
    """

    name: str
    values: ArrayLike
    digits: int = 2
    unit: str = ""
    guide: bool = False

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """The values as an array."""
        return np.asarray(self.values, np.float64)

    def text(self, index: int, words: Words) -> str:
        """The value at an index, with its unit; a dash where there is none."""
        return words.number(float(self.array[index]), self.digits, self.unit)


@dataclass(frozen=True)
class Chart:
    """Curves over ascending whole numbers.

    x:         the numbers, evenly spaced on the page by value, or by doublings where `doubling`
    here:      index of the marked number; the ring stands there on curve `ringed`
    stars:     further marks, an index and a curve each
    star_name: what a star means; empty where there never is one
    short:     `x_name` in a word, for legend and table; `x_name` itself where empty
    """

    x: Sequence[int]
    curves: tuple[Curve, ...]
    x_name: str
    y_name: str
    here: int
    ringed: int = 0
    stars: tuple[tuple[int, int], ...] = ()
    star_name: str = ""
    doubling: bool = False
    short: str = ""

    @property
    def places(self) -> NDArray[np.float64]:
        """Where the numbers stand on the axis."""
        numbers = np.asarray(self.x, np.float64)
        return np.log2(numbers) if self.doubling else numbers

    @property
    def ticks(self) -> list[int]:
        """The numbers written under the axis: at most nine of them, or every doubling."""
        first, last = self.x[0], self.x[-1]
        if self.doubling:
            return [2**n for n in range(32) if first <= 2**n <= last]
        steps = (step * 10**power for power in range(8) for step in _STEPS)
        step = next(step for step in steps if (last - first) // step < _MOST_TICKS)
        return list(range(-(-first // step) * step, last + 1, step))


class _Names(NamedTuple):
    curves: tuple[str, ...]
    x: str
    short: str
    y: str
    star: str

    @classmethod
    def of(cls, chart: Chart) -> "_Names":
        names = tuple(curve.name for curve in chart.curves)
        short = chart.short or chart.x_name
        return cls(names, chart.x_name, short, chart.y_name, chart.star_name)


class LinesFigure(PanelFigure):
    r"""A chart with its legend above, a line a curve; the values at the marked place beside.

    >>> from specdec_widgets.words import get_words
    >>> chart = Chart(range(3), (Curve("squares", [0, 1, 4]),), "number", "square", here=2)
    >>> LinesFigure(curves=1).draw(chart, get_words("en"))[:4]
    b'\x89PNG'
    """

    def __init__(self, curves: int, height: int = 400) -> None:
        super().__init__((620, height))
        top = _LEGEND + _LINE * (curves + 1)
        place = self._place = (_LEFT, top, _WIDTH, height - top - _BELOW)
        with own_style():
            axes, page = self._axes(place), self._page()
            self._plot = axes
            axes.set_xticks([])
            self._scale = Scale(axes, page, place, count=4 if height < 300 else 5)
            self._move(axes, self._scale.grid)
            self._upright = self._move(axes, Line2D([], [], color=GREY, linewidth=0.9))
            self._lines = [
                self._move(axes, Line2D([], [], clip_on=False, **look)) for look in _LOOKS[:curves]
            ]
            self._stars = self._move(axes, Line2D([], [], **_STAR))
            self._ring = self._move(axes, Line2D([], [], **_RING))
            tick: _Look = {"facecolor": "none", "edgecolor": GREY, "linewidth": 0.8}
            self._ticks = self._move(page, PathPatch(NOTHING, **tick))
            self._values = self._move(page, Lettering(TEXT_SIZE))
            self._written = Lettering(TEXT_SIZE)
            page.add_patch(self._written)
            for row, look in enumerate((*_LOOKS[:curves], _RING)):
                self._sample(page, 14, row, look)
            self._star_sample = self._sample(page, _STAR_COLUMN, curves, _STAR)

    def draw(self, chart: Chart, words: Words) -> bytes:
        """The chart as PNG; it must have as many curves as the figure."""
        return self._render(self._update(chart, words))

    def save(self, chart: Chart, words: Words, format: str) -> bytes:
        """The chart as a file, `format` "svg" or "png"."""
        return self._file(self._update(chart, words), format)

    def alt(self, chart: Chart, words: Words) -> str:
        """The chart in words."""
        _, number = words.gettext, words.number
        first, here, last = (number(chart.x[at]) for at in (0, chart.here, -1))
        said = [
            _("Chart over {axis}, from {first} to {last}; {here} is marked.").format(
                axis=chart.x_name, first=first, last=last, here=here
            )
        ]
        for curve in chart.curves:
            start, value, end = (curve.text(at, words) for at in (0, chart.here, -1))
            said.append(
                _("{curve}: {start} at {first}, {value} at {here}, {end} at {last}.").format(
                    curve=curve.name,
                    first=first,
                    here=here,
                    last=last,
                    start=start,
                    value=value,
                    end=end,
                )
            )
        if chart.stars:
            said.append(f"{chart.star_name}: {_star_text(chart, words)}.")
        return " ".join(said)

    def _sample(self, page: Axes, x: float, row: int, look: _Look) -> Line2D:
        y = _LEGEND + _LINE * row
        line = Line2D([x, x + _HANDLE / 2, x + _HANDLE], [y] * 3, markevery=[1], **look)
        page.add_line(line)
        return line

    def _update(self, chart: Chart, words: Words) -> _Names:
        places, names = chart.places, _Names.of(chart)
        margin = 0.02 * float(places[-1] - places[0]) or 1.0
        left, right = float(places[0]) - margin, float(places[-1]) + margin
        self._plot.set_xlim(left, right)
        highest = np.nanmax([curve.array for curve in chart.curves], initial=0.0)
        end = rung(1.07 * float(highest) or 1.0)
        numbers = self._scale.show(end, words)
        every = max(1, len(places) // _MOST_MARKERS)
        for line, curve in zip(self._lines, chart.curves, strict=True):
            line.set_data(places, curve.array)
            line.set_markevery(every)
        here = float(places[chart.here])
        self._upright.set_data([here] * 2, [0, end])
        self._ring.set_data([here], [chart.curves[chart.ringed].array[chart.here]])
        stars = [(places[at], chart.curves[curve].array[at]) for at, curve in chart.stars]
        self._stars.set_data([x for x, _y in stars], [y for _x, y in stars])
        start, top, width, height = self._place
        ticks = np.asarray(chart.ticks, np.float64)
        at = start + width * ((np.log2(ticks) if chart.doubling else ticks) - left) / (right - left)
        bottom = top + height
        self._ticks.set_path(segments(at, bottom, at, bottom + 4))
        numbers = [
            *numbers,
            *(
                Label(float(x), bottom + 13, words.number(tick), 0.5)
                for x, tick in zip(at, chart.ticks, strict=True)
            ),
        ]
        values = [curve.text(chart.here, words) for curve in chart.curves]
        values += [words.number(chart.x[chart.here]), _star_text(chart, words)]
        self._values.write(
            [
                Label(name.x + text_width(f"{name.text} ", TEXT_SIZE), name.y, value)
                for name, value in zip(_legend(names), values, strict=False)
            ],
            numbers,
        )
        return names

    def _dress(self, key: _Names) -> None:
        self._written.write(_legend(key))
        self._star_sample.set_visible(bool(key.star))
        self._plot.set_xlabel(key.x, fontsize=points(TEXT_SIZE))
        self._plot.xaxis.set_label_coords(0.5, -24 / self._place[3])
        self._plot.set_ylabel(key.y, fontsize=points(TEXT_SIZE))
        self._plot.yaxis.set_label_coords(-46 / _WIDTH, 0.5)


def _legend(names: _Names) -> list[Label]:
    """The names of curves, of the marked place, and of the stars where there are any."""
    texts = (*names.curves, names.short)
    x = 14 + _HANDLE + 7
    labels = [Label(x, _LEGEND + _LINE * row, f"{text}:") for row, text in enumerate(texts)]
    if names.star:
        labels.append(Label(_STAR_COLUMN + _HANDLE + 7, labels[-1].y, f"{names.star}:"))
    return labels


def _star_text(chart: Chart, words: Words) -> str:
    return ", ".join(words.number(chart.x[at]) for at, _curve in chart.stars) or "–"


def chart_table(charts: Sequence[Chart], caption: str, words: Words) -> Table:
    """The curves of charts over the same numbers as one table: every number, or a choice of them.

    >>> from specdec_widgets.words import get_words
    >>> chart = Chart(range(3), (Curve("squares", [0, 1, 4]),), "number", "square", here=2)
    >>> chart_table([chart], "Squares", get_words("en")).rows[2]
    ('2 ○', '4.00')
    """
    first = charts[0]
    curves = [curve for chart in charts for curve in chart.curves if not curve.guide]
    wanted = {first.here, *(at for chart in charts for at, _curve in chart.stars)}
    wanted.update(np.linspace(0, len(first.x) - 1, min(_MOST_ROWS, len(first.x))).astype(int))
    if len(first.x) <= _MOST_MARKERS:
        wanted.update(range(len(first.x)))
    rows = [
        (
            words.number(first.x[at]) + (" ○" if at == first.here else ""),
            *(curve.text(at, words) for curve in curves),
        )
        for at in sorted(wanted)
    ]
    heads = (first.short or first.x_name, *(curve.name for curve in curves))
    return Table(caption, heads, rows)
