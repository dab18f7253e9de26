"""The published speedups against the predicted ones, with what may lie behind the gap.

One mark a measurement, its row's number beside it. Kinds of drafts differ in marker and colour,
temperatures in a full or an empty mark, and what no draft could reach by the formula has a ring.
"""

from collections.abc import Sequence
from itertools import cycle
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes

from specdec_widgets.figures.base import TEXT_SIZE, PanelFigure, image, own_style, points
from specdec_widgets.figures.pixels import ACCEPTED, DRAFT, GREY, INK, REJECTED, TARGET
from specdec_widgets.maths import published_speedups
from specdec_widgets.words import Words, get_words

_SIZE = (640, 560)  # CSS pixels
_PLACE = (62, 16, 560, 492)  # of the axes
_LOW, _HIGH = 1.0, 4.0  # of both axes
_LOOKS = ((TARGET, "o", 9.0), (DRAFT, "s", 8.0), (ACCEPTED, "^", 10.0), (GREY, "D", 8.0))
_LEGEND = (0.68, 0.18)  # its lower left corner, in shares of the axes
_ABOVE, _BELOW = (1.06, 3.94), (3.94, 1.44)  # corners of the two reasons


class Picture(NamedTuple):
    """A figure that stands still, for a notebook: as an image, and in words where there is none.

    >>> Picture("<img>", "what is seen")._repr_mimebundle_()["text/plain"]
    'what is seen'
    """

    html: str
    alt: str

    def _repr_mimebundle_(self, **_kinds: Any) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.alt}


def published_figure(language: str | None = None) -> Picture:
    """The published speedups of `published_speedups` against those that the formula predicts.

    language: of the words; that of `set_language` unless told otherwise

    Rows without an alpha have no prediction and are left out. Raises ValueRefused for a language
    that the course does not speak.

    >>> published_figure("en").alt[:64]
    'Published against predicted speedup, 12 measurements: 3 slower t'
    """
    words = get_words(language)
    figure = PublishedFigure(predicted_rows())
    alt = figure.alt(words)
    return Picture(image(figure.draw(words), alt, figure.size), alt)


def predicted_rows() -> pd.DataFrame:
    """The rows of `published_speedups` that have a prediction, under their own numbers.

    >>> predicted_rows().index.tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    """
    table = published_speedups()
    return table[table["predicted_speedup"].notna()]


class PublishedFigure(PanelFigure):
    """The figure of some rows of `published_speedups`; it stands still but for its language.

    >>> from specdec_widgets.words import get_words
    >>> PublishedFigure(predicted_rows()).draw(get_words("en"))[1:4]
    b'PNG'
    """

    def __init__(self, rows: pd.DataFrame) -> None:
        super().__init__(_SIZE)
        self._rows = rows
        with own_style():
            self._plot = self._axes(_PLACE)

    def draw(self, words: Words) -> bytes:
        """The figure as PNG."""
        return self._render(words)

    def alt(self, words: Words) -> str:
        """The figure in words."""
        _, rows = words.gettext, self._rows
        gap = rows["published_speedup"] - rows["predicted_speedup"]
        beyond = rows["published_speedup"] > rows["free_draft_speedup"]
        return _(
            "Published against predicted speedup, {rows} measurements: {slower} slower than"
            " predicted, {faster} faster, {beyond} of these faster than even a free draft could"
            " be. {above} {below}"
        ).format(
            rows=words.number(len(rows)),
            slower=words.number(int((gap < 0).sum())),
            faster=words.number(int((gap > 0).sum())),
            beyond=words.number(int(beyond.sum())),
            above=" ".join(_above(words)),
            below=" ".join(_below(words)),
        )

    def _dress(self, key: Words) -> None:
        _, axes = key.gettext, self._plot
        axes.clear()
        axes.set(xlim=(_LOW, _HIGH), ylim=(_LOW, _HIGH))
        axes.spines[["top", "right"]].set_visible(False)
        axes.axline((_LOW, _LOW), slope=1, color=INK, linewidth=1.4, linestyle="--", zorder=1)
        places = [1, 1.5, 2, 2.5, 3, 3.5, 4]
        texts = [f"{key.exact(place)}×" for place in places]
        axes.set_xticks(places, texts)
        axes.set_yticks(places, texts)
        size = points(TEXT_SIZE)
        axes.set_xlabel(_("speedup predicted from alpha, gamma and draft cost"), fontsize=size)
        axes.set_ylabel(_("published speedup"), fontsize=size)
        self._marks(axes, key)
        for corner, lines, align in (
            (_ABOVE, _above(key), ("left", "top")),
            (_BELOW, _below(key), ("right", "top")),
        ):
            axes.text(
                *corner,
                "\n".join(lines),
                fontsize=size,
                horizontalalignment=align[0],
                verticalalignment=align[1],
                linespacing=1.35,
            )

    def _marks(self, axes: Axes, words: Words) -> None:
        _ = words.gettext
        drafts: Sequence[str] = self._rows["draft"].unique().tolist()
        looks = dict(zip(drafts, cycle(_LOOKS), strict=False))
        for number, row in self._rows.iterrows():
            colour, marker, size = looks[row["draft"]]
            at = row["predicted_speedup"], row["published_speedup"]
            face = colour if row["sampling"] == "T = 0" else "white"
            axes.plot(*at, marker, markersize=size, color=colour, markerfacecolor=face, zorder=3)
            if row["published_speedup"] > row["free_draft_speedup"]:
                axes.plot(*at, "o", markersize=18, color=REJECTED, markerfacecolor="none")
            side = 1 if at[0] > at[1] else -1  # away from the line
            axes.annotate(
                words.number(int(str(number))),
                at,
                xytext=(11 * side, -1),
                textcoords="offset points",
                fontsize=points(TEXT_SIZE),
                horizontalalignment="left" if side > 0 else "right",
                verticalalignment="center",
            )
        samples = [
            axes.plot([], [], marker, markersize=size, color=colour, label=draft)[0]
            for draft, (colour, marker, size) in looks.items()
        ]
        samples += [
            axes.plot([], [], "o", markersize=9, color=GREY, label=_("full: T = 0"))[0],
            axes.plot(
                [], [], "o", markersize=9, color=GREY, markerfacecolor="white",
                label=_("empty: T = 1"),
            )[0],
            axes.plot(
                [], [], "o", markersize=14, color=REJECTED, markerfacecolor="none",
                label=_("beyond a free draft"),
            )[0],
            axes.plot([], [], "--", color=INK, linewidth=1.4, label=_("as predicted"))[0],
        ]  # fmt: skip
        axes.legend(
            handles=samples, loc="lower left", frameon=False, fontsize=points(TEXT_SIZE),
            bbox_to_anchor=_LEGEND, labelspacing=0.6,
        )  # fmt: skip


def _above(words: Words) -> list[str]:
    _ = words.gettext
    return [
        _("Faster than predicted, possibly by:"),
        _("contexts that are easy or hard, not all alike;"),
        _("a plain decoding that could itself be faster."),
    ]


def _below(words: Words) -> list[str]:
    _ = words.gettext
    return [
        _("Slower than predicted, possibly by:"),
        _("time that is in neither pass;"),
        _("a verify pass dearer than a plain one;"),
        _("acceptance that falls with position."),
    ]
