"""The figure of the draws: what is drawn beside what should be, and how it settles.

On the left, for each token, p beside the exact output of the rule, or of the bug, beside the
frequency of what was drawn by it; a dashed line carries the height of p over to both. On the right,
how far the frequencies are from p after so many draws: by the rule ever nearer, by the bug never
nearer than a limit of its own.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import FuncFormatter, NullLocator

from specdec_widgets.figures.base import (
    SMALL_SIZE,
    TEXT_SIZE,
    Lettering,
    PanelFigure,
    own_style,
    points,
)
from specdec_widgets.figures.marks import NOTHING, SQUARE, Label, bars, segments, stamp, text_width
from specdec_widgets.figures.names import drawable, harmless
from specdec_widgets.figures.pixels import ACCEPTED, GREY, INK, REJECTED, TARGET
from specdec_widgets.figures.scales import Scale, tick
from specdec_widgets.figures.tables import Table
from specdec_widgets.maths import Draws
from specdec_widgets.words import Words

# Places on the page, CSS pixels from the top left corner.
_LEGEND_ROWS = (14, 34)
_TOP, _HEIGHT = 54, 244  # of both axes
_BARS, _BARS_WIDTH = 56, 400
_LINES, _LINES_WIDTH = 532, 214
_WIDEST = 30.0  # of a bar
_SIGN = 14.0  # of a bar's sample in the legend
_HANDLE = 24.0  # of a line's
_ENDS = (0.2, 0.4, 0.6, 0.8, 1.0)  # of the axis of probability
_NEAREST = 1e-4  # the lowest distance on its axis; what is lower lies below it

_LOOKS: dict[str, dict[str, Any]] = {
    "p": {"facecolor": TARGET, "linewidth": 0, "snap": True},
    "exact": {"facecolor": "white", "edgecolor": INK, "linewidth": 1.6, "snap": True},
    "rule": {"facecolor": ACCEPTED, "linewidth": 0, "snap": True},
    "bug": {"facecolor": REJECTED, "linewidth": 0, "snap": True},
    "level": {"facecolor": "none", "edgecolor": TARGET, "linewidth": 1.3, "linestyle": "--"},
}
_CURVES: dict[str, dict[str, Any]] = {
    "rule": {"color": ACCEPTED, "linewidth": 1.5, "marker": "o", "markersize": 4},
    "bug": {
        **{"color": REJECTED, "linewidth": 1.5, "linestyle": "--"},
        **{"marker": "s", "markersize": 3.6},
    },
    "limit": {"color": GREY, "linewidth": 1.4, "linestyle": ":"},
}


class _Key(NamedTuple):
    words: Words
    tokens: tuple[str, ...]  # as they are drawn
    bug: bool
    end: float  # of the axis of draws


class DrawsFigure(PanelFigure):
    r"""Frequencies of drawn tokens beside p, and their distance from p on the way.

    `bug` says whose frequencies the bars show: the bug's, or the rule's.

    >>> from specdec_widgets.maths import SamplingRule, draw_tokens
    >>> from specdec_widgets.words import get_words
    >>> draws = draw_tokens(SamplingRule(["0.5", "0.5"], ["0.4", "0.6"]), 100)
    >>> DrawsFigure().draw(draws, False, get_words("en"))[:4]
    b'\x89PNG'
    """

    def __init__(self) -> None:
        super().__init__((760, 352))
        with own_style():
            place = (_BARS, _TOP, _BARS_WIDTH, _HEIGHT)
            self._bars = self._axes(place)
            self._lines = self._axes((_LINES, _TOP, _LINES_WIDTH, _HEIGHT))
            page = self._page()
            self._bars.set_xlim(0, _BARS_WIDTH)
            self._lines.set(xscale="log", yscale="log", ylim=(_NEAREST, 1))
            for axis in (self._lines.xaxis, self._lines.yaxis):
                axis.set_minor_locator(NullLocator())
            self._scale = Scale(self._bars, page, place)
            self._move(self._bars, self._scale.grid)
            self._samples = {name: PathPatch(NOTHING, **look) for name, look in _LOOKS.items()}
            self._names = Lettering(TEXT_SIZE)
            for artist in (*self._samples.values(), self._names):
                page.add_patch(artist)
            for (x, y), look in zip(_CURVE_PLACES, _CURVES.values(), strict=True):
                page.plot([x, x + _HANDLE / 2, x + _HANDLE], [y] * 3, markevery=[1], **look)
            self._curves = {
                name: self._move(self._lines, Line2D([], [], **_CURVES[name]))
                for name in ("limit", "bug", "rule")
            }
            self._shapes = {
                name: self._move(page, PathPatch(NOTHING, **look)) for name, look in _LOOKS.items()
            }
            self._numbers = self._move(page, Lettering(SMALL_SIZE))

    def draw(self, draws: Draws, bug: bool, words: Words) -> bytes:
        """The figure as PNG."""
        return self._render(self._update(draws, bug, words))

    def save(self, draws: Draws, bug: bool, words: Words, format: str) -> bytes:
        """The figure as a file, `format` "svg" or "png"."""
        return self._file(self._update(draws, bug, words), format)

    def alt(self, draws: Draws, bug: bool, words: Words) -> str:
        """The figure in words."""
        _ = words.gettext
        said = [_("Bars for each token.")]
        for token, *numbers in zip(draws.rule.tokens, *_heights(draws, bug), strict=True):
            p, output, drawn = (words.number(number, 4) for number in numbers)
            said.append(
                _("{token}: p {p}, exact output {output}, drawn {drawn}.").format(
                    token=harmless(token), p=p, output=output, drawn=drawn
                )
            )
        last = draws.distances().iloc[-1]
        said.append(
            _(
                "A chart of the distance from p after 1 to {draws} tokens: in the end {rule} by "
                "the rule and {bug} by the bug, whose limit is {limit}."
            ).format(
                draws=words.number(len(draws.drawn)),
                rule=words.number(last["rule"], 4),
                bug=words.number(last["bug"], 4),
                limit=words.number(draws.bug_distance, 4),
            )
        )
        return " ".join(said)

    def _update(self, draws: Draws, bug: bool, words: Words) -> _Key:
        heights = _heights(draws, bug)
        highest = max(max(column) for column in heights)
        end = next((end for end in _ENDS if highest <= end), 1.0)
        for name, path in token_bars(heights, bug, end).items():
            self._shapes[name].set_path(path)
        distances = draws.distances()
        for name in ("rule", "bug"):
            self._curves[name].set_data(distances.index, np.maximum(distances[name], _NEAREST / 2))
        limit = float(draws.bug_distance) or _NEAREST / 2
        self._curves["limit"].set_data([1, 1e9], [limit] * 2)
        self._numbers.write(self._scale.show(end, words))
        tokens = draws.rule.tokens
        room = _BARS_WIDTH / len(tokens) - 4
        shown = tuple(drawable(token, room, SMALL_SIZE) for token in tokens)
        last = 10.0 ** max(2, np.ceil(np.log10(len(draws.drawn))))
        return _Key(words, shown, bug, float(last))

    def _dress(self, key: _Key) -> None:
        words, _ = key.words, key.words.gettext
        size = points(TEXT_SIZE)
        room = _BARS_WIDTH / len(key.tokens)
        middles = room * (np.arange(len(key.tokens)) + 0.5)
        self._bars.set_xticks(middles, key.tokens, parse_math=False)
        self._lines.set_xlim(1, key.end)
        for axis in (self._lines.xaxis, self._lines.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _at: tick(value, words)))
        self._lines.set_xticks(10.0 ** np.arange(0, np.log10(key.end) + 1, 2))
        self._lines.set_xlabel(_("tokens drawn"), fontsize=size)
        for axes, left, text in (
            (self._bars, -40 / _BARS_WIDTH, _("probability")),
            (self._lines, -48 / _LINES_WIDTH, _("distance from p")),
        ):
            axes.set_ylabel(text, fontsize=size)
            axes.yaxis.set_label_coords(left, 0.5)
        names, samples = legend(words, key.bug)
        self._names.write(names)
        for name, sample in self._samples.items():
            sample.set_path(samples.get(name, NOTHING))


def token_bars(heights: Sequence[Sequence[float]], bug: bool, end: float) -> dict[str, Path]:
    """The bars of all tokens, by the names of their looks.

    heights: p, the exact output and the frequencies, each a number a token
    end:     of the axis of probability
    """
    p, output, drawn = (np.array(column) for column in heights)
    room = _BARS_WIDTH / len(p)
    width = min(_WIDEST, room * 0.27)
    middle = _BARS + room * (np.arange(len(p)) + 0.5)

    def at(probability: Any) -> Any:
        return _TOP + _HEIGHT * (1 - probability / end)

    def column(place: int, high: Any) -> Path:
        seen = high > 0
        x = (middle + (place - 0.5) * width)[seen]
        return bars(x + 0.5, x + width - 0.5, at(high)[seen], at(0 * high)[seen])

    return {
        "p": column(-1, p),
        "exact": column(0, output),
        "rule": NOTHING if bug else column(1, drawn),
        "bug": column(1, drawn) if bug else NOTHING,
        "level": segments(middle - width * 1.5, at(p), middle + width * 1.5 + 3, at(p)),
    }


_CURVE_PLACES = [(_LINES - 56, _LEGEND_ROWS[0]), (_LINES + 84, _LEGEND_ROWS[0])]
_CURVE_PLACES += [(_LINES - 56, _LEGEND_ROWS[1])]


def legend(words: Words, bug: bool) -> tuple[list[Label], dict[str, Path]]:
    """What bars and lines are called, and a sample of each bar's look."""
    _ = words.gettext
    drawn = {"bug": _("drawn by the bug")} if bug else {"rule": _("drawn by the rule")}
    rows = (
        {"p": _("p (target)"), "exact": _("exact output")},
        {**drawn, "level": _("height of p")},
    )
    labels: list[Label] = []
    samples: dict[str, Path] = {}
    for y, row in zip(_LEGEND_ROWS, rows, strict=True):
        x = float(_BARS)
        for name, text in row.items():
            samples[name] = (
                segments(x - 5, y, x + _SIGN + 3, y)
                if name == "level"
                else stamp(SQUARE, x + _SIGN / 2, y, _SIGN, _SIGN)
            )
            labels.append(Label(x + _SIGN + 6, y, text))
            x += _SIGN + 6 + text_width(text, TEXT_SIZE) + 24
    lines = (_("by the rule"), _("by the bug"), _("limit of the bug"))
    labels += [
        Label(x + _HANDLE + 6, y, text) for (x, y), text in zip(_CURVE_PLACES, lines, strict=True)
    ]
    return labels, samples


def draws_table(draws: Draws, words: Words) -> Table:
    """p, what was drawn by the rule, and the bug's exact output and draws."""
    _ = words.gettext
    heads = (
        _("token"),
        _("p (target)"),
        _("drawn by the rule"),
        _("exact output of the bug"),
        _("drawn by the bug"),
    )
    rows = [
        (harmless(token), *(words.number(value, 4) for value in values))
        for token, *values in draws.table.itertuples(index=False)
    ]
    return Table(_("Frequencies beside p"), heads, rows, text_columns=frozenset([0]))


def _heights(draws: Draws, bug: bool) -> tuple[list[float], list[float], list[float]]:
    """p, the exact output, and the frequencies, by the bug or by the rule."""
    table = draws.table
    output, drawn = ("bug", "bug_frequency") if bug else ("p", "frequency")
    p, exact, counted = (table[name].map(float).tolist() for name in ("p", output, drawn))
    return p, exact, counted
