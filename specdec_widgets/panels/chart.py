"""What the small panels share: controls, one view of the result, charts and a table of them."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple

import ipywidgets
import pandas as pd

from specdec_widgets.figures import tables
from specdec_widgets.figures.base import image
from specdec_widgets.figures.lines import Chart, Curve, LinesFigure, chart_table
from specdec_widgets.figures.tables import Table
from specdec_widgets.maths import hardware_table, transformer_table
from specdec_widgets.words import Words

from .base import Panel
from .controls import (
    Choice,
    Download,
    NumberControl,
    column,
    grid,
    html,
    notices,
    paragraph,
    readouts,
    region,
    row,
    scroller,
)
from .hardware_parameters import CARDS, MODELS


class View(NamedTuple):
    """A result in words: what a panel shows of it."""

    sentence: str
    pairs: Sequence[tuple[str, str]]  # names and values of the readouts
    remarks: Sequence[str]
    charts: Sequence[Chart]  # over the same numbers
    frame: pd.DataFrame  # the result itself, to be kept as CSV


def by_gamma(words: Words, here: int, y_name: str, *curves: Curve, **more: Any) -> Chart:
    """A chart over gamma = 0, 1, 2 ... with the present gamma marked; `more` as in `Chart`."""
    x, x_name = range(len(curves[0].array)), words.gettext("draft tokens in a round, gamma (γ)")
    return Chart(x, curves, x_name, y_name, here, short="gamma", **more)


def speedups_by_gamma(
    words: Words, here: int, *curves: tuple[str, "pd.Series[float]", int]
) -> Chart:
    """Curves of speedup with their names and best gammas, and the break-even."""
    _ = words.gettext
    return by_gamma(
        words,
        here,
        _("speedup"),
        *(Curve(name, speedup, 2, "×") for name, speedup, _best in curves),
        Curve(_("break-even"), [1.0] * len(curves[0][1]), 2, "×", guide=True),
        stars=tuple((best, curve) for curve, (_name, _speedup, best) in enumerate(curves)),
        star_name=_("peaks"),
    )


class ChartPanel(Panel):
    """A panel that says its result in one `view`: a sentence, readouts, charts and a table.

    A subclass names its curves a chart in `CHARTS` and its files in `STEM`, and supplies `title`
    and `view`.
    """

    CHARTS: ClassVar[tuple[int, ...]] = (1,)
    HEIGHT: ClassVar[int] = 400  # of a figure, CSS pixels
    STEM: ClassVar[str] = "chart"
    NAMES: ClassVar[Mapping[str, Sequence[str]]] = {
        "hardware": CARDS,
        "target": MODELS,
        "draft": MODELS,
    }

    def view(self) -> View:
        """The result at the present parameters, in words."""
        raise NotImplementedError

    def make_controls(self) -> dict[str, Any]:
        """The controls by their names."""
        return {name: self.make_control(name) for name in self.PARAMETERS}

    def make_control(self, name: str) -> Any:
        """The control of a parameter: a list for a name, slider and box for a number."""
        if name in self.NAMES:
            return Choice(self, name, self.NAMES[name])
        return NumberControl(self, name)

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The controls, then the figures beside readouts, table and remarks."""
        self.figures = tuple(LinesFigure(curves, self.HEIGHT) for curves in self.CHARTS)
        self.controls = self.make_controls()
        self._pictures = tuple(html(css_class="specdec-figure") for _figure in self.figures)
        self._readouts, self._table = html(), scroller("230px")
        self._notices = html(css_class="specdec-notices")
        self._notices.layout.min_height = "10em"  # a remark more or less moves nothing
        shown = chain.from_iterable(
            self.only_if_shown(name, control.widget) for name, control in self.controls.items()
        )
        pictures = ipywidgets.VBox(self._pictures)
        pictures.add_class("specdec-figure")
        return (
            grid(*shown),
            self.status,
            row(pictures, column(self._readouts, self._table, self._notices)),
            self.tools.row,
        )

    def draw(self) -> None:
        """Show the view of the present parameters."""
        view = self.view()
        self._readouts.value = readouts(view.pairs)
        self._notices.value = notices(view.remarks)
        for widget, picture in zip(self._pictures, self._images(view), strict=True):
            widget.value = picture
        label = self.words.gettext("The curves as a table")
        self._table.value = region(self._sheet(view).html(), label)
        self.announce(view.sentence)

    def pieces(self) -> Sequence[str]:
        """The sentence, readouts, remarks, the charts as images and as a table."""
        view = self.view()
        return (
            paragraph(view.sentence),
            readouts(view.pairs),
            notices(view.remarks),
            *self._images(view),
            self._sheet(view).html(),
        )

    def lines(self) -> Sequence[str]:
        """The sentence, the readouts, the remarks and the table."""
        view = self.view()
        return (
            view.sentence,
            *(f"{name}: {value}" for name, value in view.pairs),
            *view.remarks,
            self._sheet(view).text(),
        )

    def downloads(self) -> Sequence[Download]:
        """The result as CSV, each chart as SVG and PNG."""
        view = self.view()
        files = [Download(f"{self.STEM}.csv", "text/csv", tables.csv(view.frame.reset_index()))]
        for number, (figure, shown) in enumerate(zip(self.figures, view.charts, strict=True), 1):
            stem = self.STEM if len(self.figures) == 1 else f"{self.STEM}-{number}"
            files.extend(self.pictures(stem, figure, shown, self.words))
        return files

    def _images(self, view: View) -> list[str]:
        return [
            image(figure.draw(chart, self.words), figure.alt(chart, self.words), figure.size)
            for figure, chart in zip(self.figures, view.charts, strict=True)
        ]

    def _sheet(self, view: View) -> Table:
        return chart_table(view.charts, self.words.gettext("The curves as a table"), self.words)


def sources(words: Words, *names: str) -> list[str]:
    """Where the published figures of these cards and models come from, one line each."""
    _ = words.gettext
    published = pd.concat([hardware_table()["source"], transformer_table()["source"]])
    return [
        _("{name}, published figures: {source}.").format(name=name, source=published[name])
        for name in dict.fromkeys(names)
        if name in published.index
    ]
