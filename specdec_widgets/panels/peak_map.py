"""The peak map panel: what alpha, draft cost and verify cost do to the best gamma."""

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar

import ipywidgets

from specdec_widgets.figures import tables
from specdec_widgets.figures.base import image
from specdec_widgets.figures.peak_map import (
    PeakMapFigure,
    marked_table,
    number_in_cell,
    peak_cells,
)
from specdec_widgets.maths import CostModel

from .base import Panel
from .controls import (
    Download,
    NumberControl,
    column,
    grid,
    html,
    notices,
    paragraph,
    readouts,
    row,
)
from .cost import remarks
from .parameters import PeakParameters

PEAK_PARAMETERS = ("alpha", "draft_cost", "verify_cost")


class PeakMapPanel(PeakParameters, Panel):
    """The best gamma as a map over alpha and draft cost, at a verify cost.

    Parameters (traits): alpha (0..1) and draft_cost (0..1), the present point of the map, and
    verify_cost (0.01..3); costs in target passes.

    Example:
        >>> panel = PeakMapPanel(alpha=0.95, language="en")
        >>> panel.model.best().gamma
        15
        >>> panel.close()
    """

    CONTROLS: ClassVar[tuple[str, ...]] = (*PEAK_PARAMETERS, *Panel.CONTROLS)
    PARAMETERS: ClassVar[tuple[str, ...]] = PEAK_PARAMETERS

    def build(self) -> Sequence[ipywidgets.Widget]:
        """The sliders, then the map beside readouts, remarks and the table of marked points."""
        self.figure = PeakMapFigure()
        self.numbers = {name: NumberControl(self, name) for name in PEAK_PARAMETERS}
        controls = chain.from_iterable(
            self.only_if_shown(name, number.widget) for name, number in self.numbers.items()
        )
        self._picture = html(css_class="specdec-figure")
        self._readouts = html()
        self._notices = html(css_class="specdec-notices")
        self._notices.layout.min_height = "6em"  # a further remark moves nothing
        self._table = html(css_class="specdec-wide")
        return (
            grid(*controls),
            self.status,
            row(self._picture, column(self._readouts, self._table, self._notices)),
            self.tools.row,
        )

    @property
    def model(self) -> CostModel:
        """The cost model at the present point, with its best gamma."""
        point = CostModel(**self.parameters())
        return CostModel(gamma=point.best().gamma, **self.parameters())

    def draw(self) -> None:
        """Show the map, the readouts and the table of the present parameters."""
        _sentence, figures, said, self._picture.value, self._table.value = self.pieces()
        self._readouts.value, self._notices.value = figures, said
        self.announce(self._sentence(self.model))

    def pieces(self) -> Sequence[str]:
        """The sentence of the result, readouts, remarks, the map and its marked points."""
        model, words = self.model, self.words
        return (
            paragraph(self._sentence(model)),
            readouts(self._pairs(model)),
            notices(remarks(words, model)),
            image(self.figure.draw(model, words), self.figure.alt(model, words), self.figure.size),
            marked_table(model, words).html(),
        )

    def lines(self) -> Sequence[str]:
        """The sentence of the result, the readouts, the remarks and the marked points."""
        model = self.model
        return (
            self._sentence(model),
            *(f"{name}: {value}" for name, value in self._pairs(model)),
            *remarks(self.words, model),
            marked_table(model, self.words).text(),
        )

    def downloads(self) -> Sequence[Download]:
        """The cells of the map and the marked points as CSV, the figure as SVG and PNG."""
        model, words = self.model, self.words
        marked = tables.csv(marked_table(model, words).frame)
        return (
            Download("peak-map.csv", "text/csv", tables.csv(peak_cells(self.verify_cost))),
            Download("peak-map-points.csv", "text/csv", marked),
            *self.pictures("peak-map", self.figure, model, words),
        )

    def title(self) -> str:
        """The heading of the panel."""
        return self.words.gettext("What moves the peak")

    def _sentence(self, model: CostModel) -> str:
        words, _ = self.words, self.words.gettext
        gamma = str(model.gamma)
        if model.best().at_edge:
            gamma += f" ({_('edge of the scan')})"
        return _(
            "At alpha {alpha}, draft cost {draft_cost} and verify cost {verify_cost} the best gamma"
            " is {gamma}: {speedup}×."
        ).format(
            **{name: words.exact(getattr(model, name)) for name in PEAK_PARAMETERS},
            gamma=gamma,
            speedup=words.number(model.speedup, 2),
        )

    def _pairs(self, model: CostModel) -> list[tuple[str, str]]:
        words, _ = self.words, self.words.gettext
        expected, cost = words.number(model.expected_tokens, 4), words.number(model.round_cost, 2)
        return [
            (_("Best gamma"), number_in_cell(model.gamma, model.best().at_edge)),
            (_("Expected tokens at it"), expected),
            (
                _("Round cost"),
                f"{model.gamma} × {words.exact(model.draft_cost, 2)}"
                f" + {words.exact(model.verify_cost, 2)} = {cost}",
            ),
            (_("Speedup"), f"{expected} / {cost} = {words.number(model.speedup, 2)}×"),
        ]
