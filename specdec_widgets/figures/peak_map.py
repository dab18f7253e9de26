"""The map of the peak: the best gamma in a cell for every alpha and draft cost, and the point here.

The number stands in each cell, so nothing is said by colour alone: a darker cell has a larger best
gamma; at the edge of the scan it has stripes and a ≥; where nothing is faster than plain decoding
it is grey, with stripes the other way. The steps are uneven, closer where more happens. Frames mark
the points that the lesson asks for, a ring the present one.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from specdec_widgets.figures.base import (
    TEXT_SIZE,
    Lettering,
    PanelFigure,
    own_style,
    points,
)
from specdec_widgets.figures.marks import NOTHING, Label, bars, join, text_width
from specdec_widgets.figures.pixels import FAINT, INK, REJECTED, TARGET
from specdec_widgets.figures.tables import Table
from specdec_widgets.maths import CostModel, best_gamma_map
from specdec_widgets.maths.cost import MAX_GAMMA
from specdec_widgets.words import Words

ALPHAS = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 1)
DRAFT_COSTS = (
    *(0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.15, 0.20, 0.25),
    *(0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 0.99, 1),
)
MARKED = (  # alpha and draft cost of the points that the lesson asks for
    *((alpha, 0.10) for alpha in (0.40, 0.80, 0.90, 0.95)),
    *((0.80, cost) for cost in (0, 0.01, 0.25, 0.99, 1)),
)

# Places on the page, CSS pixels from the top left corner.
_LEFT, _TOP, _WIDE, _HIGH = 62, 60, 37.0, 19.5  # of the map, and of a cell
_LEGEND_ROWS = (14, 38)
_LIGHTEST, _DARKEST = 0.06, 0.55  # share of the hue in the cells of gamma 1 and of the last
_COLUMNS = _LEFT + _WIDE * (np.arange(len(ALPHAS)) + 0.5)
_ROWS = _TOP + _HIGH * (np.arange(len(DRAFT_COSTS))[::-1] + 0.5)  # draft cost 0 lowest

_LOOKS: dict[str, dict[str, Any]] = {
    "edge": {"facecolor": "none", "edgecolor": "white", "hatch": "////", "linewidth": 0},
    "none": {"facecolor": "none", "edgecolor": "white", "hatch": r"\\\\", "linewidth": 0},
    "frame": {"facecolor": "none", "edgecolor": INK, "linewidth": 1.8},
}
_RING: dict[str, Any] = {
    "linestyle": "",
    "marker": "o",
    "markersize": 13,
    "markerfacecolor": "none",
    "markeredgecolor": REJECTED,
    "markeredgewidth": 2.4,
}


class _Key(NamedTuple):
    words: Words
    verify_cost: float


class PeakMapFigure(PanelFigure):
    r"""The best gamma over alpha and draft cost, at the verify cost of a model.

    The gamma of the model is of no account.

    >>> from specdec_widgets.words import get_words
    >>> PeakMapFigure().draw(CostModel(), get_words("en"))[:4]
    b'\x89PNG'
    """

    def __init__(self) -> None:
        super().__init__((632, 484))
        with own_style():
            page = self._page()
            self._cells = PolyCollection([], edgecolor="white", linewidth=0.8)
            page.add_collection(self._cells, autolim=False)
            self._looks = {name: PathPatch(NOTHING, **look) for name, look in _LOOKS.items()}
            self._names = Lettering(TEXT_SIZE)
            for artist in (*self._looks.values(), self._names):
                page.add_patch(artist)
            self._across = page.text(0, 0, "", ha="center", va="center")
            self._upwards = page.text(0, 0, "", ha="center", va="center", rotation=90)
            self._now = self._move(page, Line2D([], [], **_RING))
            self._value = self._move(page, Lettering(TEXT_SIZE))

    def draw(self, model: CostModel, words: Words) -> bytes:
        """The figure as PNG."""
        return self._render(self._update(model, words))

    def save(self, model: CostModel, words: Words, format: str) -> bytes:
        """The figure as a file, `format` "svg" or "png"."""
        return self._file(self._update(model, words), format)

    def alt(self, model: CostModel, words: Words) -> str:
        """The figure in words."""
        cells, best = peak_cells(model.verify_cost), model.best()
        return words.gettext(
            "A map of the best gamma for alpha from 0 to 1 and draft cost from 0 to 1, at verify "
            "cost {verify_cost}. At alpha {alpha} and draft cost {draft_cost} it is {gamma}, with "
            "{speedup}×. Of {cells} cells, {edge} are at the edge of the scan, gamma {last}, and "
            "in {none} no gamma pays."
        ).format(
            verify_cost=words.exact(model.verify_cost),
            alpha=words.exact(model.alpha),
            draft_cost=words.exact(model.draft_cost),
            gamma=best.gamma,
            speedup=words.number(best.speedup, 2),
            cells=len(cells),
            edge=int(cells["at_edge"].sum()),
            last=MAX_GAMMA,
            none=int((~cells["pays"]).sum()),
        )

    def _update(self, model: CostModel, words: Words) -> _Key:
        best = model.best()
        x, y = place(model.alpha, model.draft_cost)
        names, samples = legend(words)
        self._now.set_data([x, samples["now"][0]], [y, samples["now"][1]])
        said = f"{'≥' if best.at_edge else '='} {best.gamma}, {words.number(best.speedup, 2)}×"
        last = names[-1]
        end = last.x + text_width(f"{last.text} ", TEXT_SIZE)
        self._value.write([Label(end, last.y, said)])
        return _Key(words, model.verify_cost)

    def _dress(self, key: _Key) -> None:
        words, _ = key.words, key.words.gettext
        cells = peak_cells(key.verify_cost)
        at_edge, pays = cells["at_edge"].to_numpy(), cells["pays"].to_numpy()
        names, samples = legend(words)
        places = [(x, y) for y in _ROWS for x in _COLUMNS] + [samples["edge"], samples["none"]]
        tints = [tint(*cell) for cell in zip(cells["gamma"], pays, strict=True)]
        self._cells.set_verts([_corners(*at) for at in places])
        self._cells.set_facecolor([*tints, tint(MAX_GAMMA, True), tint(0, False)])
        x, y = np.array(places[: len(cells)]).T
        paths = {
            "edge": _boxes(x[at_edge], y[at_edge]),
            "none": _boxes(x[~pays], y[~pays]),
            "frame": _boxes(*np.array([place(*point) for point in MARKED]).T),
        }
        for name, path in paths.items():
            self._looks[name].set_path(join(path, _boxes(*np.array([samples[name]]).T)))
        written = map(number_in_cell, cells["gamma"], at_edge)
        numbers = [Label(x, y, text, 0.5) for (x, y), text in zip(places, written, strict=False)]
        low = _TOP + _HIGH * len(DRAFT_COSTS)
        numbers += [
            Label(x, low + 11, words.exact(alpha), 0.5)
            for x, alpha in zip(_COLUMNS, ALPHAS, strict=True)
        ]
        numbers += [
            Label(_LEFT - 6, y, words.exact(cost), 1)
            for y, cost in zip(_ROWS, DRAFT_COSTS, strict=True)
        ]
        self._names.write(names, numbers)
        size = points(TEXT_SIZE)
        self._across.set(
            x=(_COLUMNS[0] + _COLUMNS[-1]) / 2, y=low + 32, text=_("alpha, acceptance")
        )
        self._upwards.set(x=16, y=(_ROWS[0] + _ROWS[-1]) / 2, text=_("draft cost c_d"))
        for axis in (self._across, self._upwards):
            axis.set(fontsize=size, parse_math=False)


@lru_cache(maxsize=8)
def peak_cells(verify_cost: float) -> pd.DataFrame:
    """The cells of the map, as `best_gamma_map` gives them; not to be changed."""
    return best_gamma_map(ALPHAS, DRAFT_COSTS, verify_cost)


def place(alpha: float, draft_cost: float) -> tuple[float, float]:
    """Where a point lies on the page: in the middle of its cell, or between the nearest two."""
    x, y = np.interp(alpha, ALPHAS, _COLUMNS), np.interp(draft_cost, DRAFT_COSTS, _ROWS)
    return float(x), float(y)


def number_in_cell(gamma: int, at_edge: bool) -> str:
    """The best gamma; at the edge of the scan it is at least that.

    >>> number_in_cell(6, False), number_in_cell(32, True)
    ('6', '≥32')
    """
    return f"≥{gamma}" if at_edge else str(gamma)


def tint(gamma: int, pays: bool) -> str:
    """The colour of a cell: the darker, the larger its gamma; grey where nothing pays."""
    if not pays:
        return FAINT
    far = np.log1p(gamma) / np.log1p(MAX_GAMMA)  # small gammas are told apart better
    share = _LIGHTEST + (_DARKEST - _LIGHTEST) * far
    return to_hex(1 - share * (1 - np.array(to_rgb(TARGET))))


@lru_cache(maxsize=8)
def legend(words: Words) -> tuple[list[Label], dict[str, tuple[float, float]]]:
    """What the marks mean, the present point last; and where their samples lie."""
    _ = words.gettext
    rows = (
        {"frame": _("a point of the lesson"), "now": _("here: γ")},
        {
            "edge": _("edge of the scan, the peak may lie further"),
            "none": _("no gamma pays"),
        },
    )
    labels: list[Label] = []
    samples: dict[str, tuple[float, float]] = {}
    for y, row in reversed(list(zip(_LEGEND_ROWS, rows, strict=True))):
        x = float(_LEFT)
        for name, text in row.items():
            samples[name] = (x + _WIDE / 2, y)
            labels.append(Label(x + _WIDE + 8, y, text))
            x += _WIDE + 8 + text_width(text, TEXT_SIZE) + 24
    return labels, samples


def marked_table(model: CostModel, words: Words) -> Table:
    """The best gamma at the present point and at those of the lesson."""
    _ = words.gettext
    here = (model.alpha, model.draft_cost)
    rows: list[tuple[str, ...]] = []
    for alpha, cost in (here, *MARKED):
        best = CostModel(alpha=alpha, draft_cost=cost, verify_cost=model.verify_cost).best()
        notes = [
            _("○ current") if not rows else "",
            _("edge of the scan") if best.at_edge else "",
            "" if best.pays else _("no gamma pays"),
        ]
        rows.append(
            (
                words.exact(alpha),
                words.exact(cost),
                number_in_cell(best.gamma, best.at_edge),
                words.number(best.speedup, 2),
                ", ".join(filter(None, notes)),
            )
        )
    return Table(
        _("The present point, and those of the lesson"),
        ("alpha", _("draft cost"), _("best gamma"), _("speedup"), _("note")),
        rows,
        text_columns=frozenset([4]),
        classes=["specdec-now", *[""] * len(MARKED)],
    )


def _boxes(x: Any, y: Any) -> Path:
    return bars(x - _WIDE / 2, x + _WIDE / 2, y - _HIGH / 2, y + _HIGH / 2) if len(x) else NOTHING


def _corners(x: float, y: float) -> list[tuple[float, float]]:
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [(x + across * _WIDE / 2, y + down * _HIGH / 2) for across, down in signs]
