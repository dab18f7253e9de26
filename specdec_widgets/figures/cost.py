"""The cost figure: why guessing further pays at first and then no more.

Above, the two parts of the story for every gamma of the scan: expected tokens, which saturate, and
the round cost, which rises without bound. Below, their ratio, the speedup.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from specdec_widgets.figures.base import (
    TEXT_SIZE,
    Lettering,
    PanelFigure,
    own_style,
    points,
)
from specdec_widgets.figures.marks import Label, text_width
from specdec_widgets.figures.pixels import ACCEPTED, DRAFT, GREY, INK, REJECTED, TARGET
from specdec_widgets.figures.scales import Scale, rung, tick
from specdec_widgets.maths import Best, CostModel
from specdec_widgets.maths.cost import MAX_GAMMA
from specdec_widgets.words import Words

_UPPER, _LOWER = (60, 36, 546, 184), (60, 262, 546, 188)  # left, top, width, height; CSS pixels
_LEGEND_COLUMNS, _LEGEND_ROWS = (14, 222, 414), (16, 243)
_HANDLE = 26  # width of a sample in the legend

_Look = dict[str, Any]
_TOKENS: _Look = {"color": TARGET, "linewidth": 1.6, "marker": "o", "markersize": 3.8}
_COST: _Look = {
    "color": DRAFT,
    "linewidth": 1.6,
    "linestyle": "--",
    "marker": "s",
    "markersize": 3.4,
}
_LIMIT: _Look = {"color": TARGET, "linewidth": 1.4, "linestyle": ":"}
_SPEEDUP: _Look = {"color": INK, "linewidth": 1.3, "marker": "o", "markersize": 3}
_BREAK_EVEN: _Look = {"color": GREY, "linewidth": 1.4, "linestyle": "-."}
_NOW: _Look = {
    "linestyle": "",
    "marker": "o",
    "markersize": 12,
    "markerfacecolor": "none",
    "markeredgecolor": REJECTED,
    "markeredgewidth": 2.2,
    "clip_on": False,
}
_PEAK: _Look = {
    "linestyle": "",
    "marker": "*",
    "markersize": 12,
    "markerfacecolor": ACCEPTED,
    "markeredgecolor": INK,
    "markeredgewidth": 0.6,
    "clip_on": False,
}


class Scan(NamedTuple):
    """The figures of every gamma of the scan as arrays, and the best of them."""

    tokens: NDArray[np.float64]
    cost: NDArray[np.float64]
    speedup: NDArray[np.float64]
    best: Best


@lru_cache(maxsize=4)
def scan(model: CostModel) -> Scan:
    """What figure, text alternative and table of a model all need, computed once."""
    tokens, cost, speedup = model.curve().to_numpy().T
    return Scan(tokens, cost, speedup, model.best())


class CostFigure(PanelFigure):
    r"""Expected tokens, round cost and speedup for gamma 0..32; the present gamma, the peak.

    >>> from specdec_widgets.words import get_words
    >>> CostFigure().draw(CostModel(), get_words("en"))[:4]
    b'\x89PNG'
    """

    def __init__(self) -> None:
        super().__init__((620, 500))
        gammas = np.arange(MAX_GAMMA + 1)
        with own_style():
            upper, lower, page = self._axes(_UPPER), self._axes(_LOWER), self._page()
            self._upper, self._lower = upper, lower
            for axes in (upper, lower):
                axes.set_xlim(-0.7, MAX_GAMMA + 0.7)
                axes.set_xticks(range(0, MAX_GAMMA + 1, 4))
            upper.tick_params(labelbottom=False)
            self._tokens_scale = Scale(upper, page, _UPPER)
            self._speedup_scale = Scale(lower, page, _LOWER)
            self._move(upper, self._tokens_scale.grid)
            self._move(lower, self._speedup_scale.grid)
            self._move(lower, Line2D([-1, MAX_GAMMA + 1], [1, 1], **_BREAK_EVEN))
            self._limit = self._move(upper, Line2D([], [], **_LIMIT))
            self._cost = self._move(upper, Line2D(gammas, gammas, **_COST))
            self._tokens = self._move(upper, Line2D(gammas, gammas, **_TOKENS))
            self._speedup = self._move(lower, Line2D(gammas, gammas, **_SPEEDUP))
            self._peak = self._move(lower, Line2D([], [], **_PEAK))
            self._settle()  # what follows moves with gamma too
            here: _Look = {"color": GREY, "linewidth": 0.9}
            self._here = [self._move(axes, Line2D([], [], **here)) for axes in (upper, lower)]
            self._now = self._move(lower, Line2D([], [], **_NOW))
            self._values = self._move(page, Lettering(TEXT_SIZE))
            self._names = Lettering(TEXT_SIZE)
            page.add_patch(self._names)
            samples = ((_TOKENS, _COST, _LIMIT), (_NOW, _PEAK, _BREAK_EVEN))
            for y, row in zip(_LEGEND_ROWS, samples, strict=True):
                for x, look in zip(_LEGEND_COLUMNS, row, strict=True):
                    page.plot([x, x + _HANDLE / 2, x + _HANDLE], [y] * 3, markevery=[1], **look)

    def draw(self, model: CostModel, words: Words) -> bytes:
        """The figure of the model as PNG."""
        return self._render(self._update(model, words), settled=replace(model, gamma=0))

    def save(self, model: CostModel, words: Words, format: str) -> bytes:
        """The figure of the model as a file, `format` "svg" or "png"."""
        return self._file(self._update(model, words), format)

    def alt(self, model: CostModel, words: Words) -> str:
        """The figure in words."""
        _tokens, _cost, speedups, best = scan(model)
        return words.gettext(
            "Two charts over gamma from 0 to 32. At gamma {gamma} a round yields {tokens} expected "
            "tokens and costs {cost} target passes: speedup {speedup}×. The speedup peaks at gamma "
            "{best_gamma} with {best}×; at gamma 32 it is {last}×."
        ).format(
            gamma=model.gamma,
            tokens=words.number(model.expected_tokens, 2),
            cost=words.number(model.round_cost, 2),
            speedup=words.number(model.speedup, 2),
            best_gamma=best.gamma,
            best=words.number(best.speedup, 2),
            last=words.number(speedups[-1], 2),
        )

    def _update(self, model: CostModel, words: Words) -> Words:
        tokens, cost, speedup, best = scan(model)
        limit = model.token_limit
        # Never an axis without the break-even line, nor a mark cut by the upper edge.
        upper, lower = rung(1.04 * max(tokens[-1], cost[-1])), rung(max(1.07 * best.speedup, 1.1))
        numbers = [
            *self._tokens_scale.show(upper, words),
            *self._speedup_scale.show(lower, words),
        ]
        for line, end in zip(self._here, (upper, lower), strict=True):
            line.set_data([model.gamma] * 2, [0, end])
        self._limit.set_data([-1, MAX_GAMMA + 1], [limit] * 2 if limit <= upper else [-1] * 2)
        self._tokens.set_ydata(tokens)
        self._cost.set_ydata(cost)
        self._speedup.set_ydata(speedup)
        self._peak.set_data([best.gamma], [best.speedup])
        self._now.set_data([model.gamma], [model.speedup])
        self._values.write(values(model, words), numbers)
        return words

    def _dress(self, words: Words) -> None:
        _ = words.gettext
        self._names.write(names(words))
        for axes, text in (
            (self._upper, _("tokens, target passes")),
            (self._lower, _("speedup")),
        ):
            axes.set_ylabel(text, fontsize=points(TEXT_SIZE))
            axes.yaxis.set_label_coords(-42 / _UPPER[2], 0.5)
        self._lower.set_xlabel(_("draft tokens in a round, gamma (γ)"), fontsize=points(TEXT_SIZE))


_PLACES = [(x + _HANDLE + 7, y) for y in _LEGEND_ROWS for x in _LEGEND_COLUMNS]


@lru_cache(maxsize=8)
def names(words: Words) -> list[Label]:
    """What the lines and marks are called."""
    _ = words.gettext
    texts = (
        _("expected tokens E ="),
        _("round cost ="),
        _("limit of E ="),
        "γ =",
        _("peak, γ ="),
        _("break-even, 1×"),
    )
    return [Label(x, y, text) for (x, y), text in zip(_PLACES, texts, strict=True)]


def values(model: CostModel, words: Words) -> list[Label]:
    """What stands after the names, but for the break-even line, which has no value."""
    best, limit = scan(model).best, model.token_limit
    texts = (
        words.number(model.expected_tokens, 2),
        words.number(model.round_cost, 2),
        _short(limit, words),
        f"{model.gamma}: {_short(model.speedup, words)}×",
        f"{best.gamma}: {_short(best.speedup, words)}×",
    )
    return [
        Label(name.x + text_width(name.text + " ", TEXT_SIZE), name.y, text)
        for name, text in zip(names(words), texts, strict=False)
    ]


def _short(value: float, words: Words) -> str:
    """A number of the legend, without decimals where there is no room for them."""
    return words.number(value, 2) if value < 1e4 else tick(value, words, longest=1e6)
